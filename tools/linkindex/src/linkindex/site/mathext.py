"""Python-Markdown extension ``linkindex_math``: what arithmatex found becomes MathML when the page is built.

Needs ``pymdownx.arithmatex`` with ``generic: true`` beside it. Nothing is left for the browser to typeset; the table of
contents and the search index, which are made later, see characters instead of TeX.
"""

from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString
from mkdocs.exceptions import BuildError

from linkindex.formula.mathml import render, render_inline

# After the inline patterns (20), which find the formulas, and before the table of contents (5).
PRIORITY = 8


class FormulaError(BuildError):
    """Formulas of one page cannot be set. MkDocs names the page and stops without a traceback."""


class MathExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802, the name is Python-Markdown's
        md.treeprocessors.register(_MathML(md), "linkindex_math", PRIORITY)


class _MathML(Treeprocessor):
    def run(self, root: Element) -> None:
        wrong: list[str] = []
        for element in root.iter():
            if element.get("class") == "arithmatex" and not len(element):
                text = element.text or ""
                try:
                    mathml = self._mathml(text)
                except ValueError as error:
                    wrong.append(f"the formula {text!r} is not valid: {error}")
                else:
                    element.text = AtomicString(self.md.htmlStash.store(mathml))
        if wrong:
            raise FormulaError("; ".join(wrong))

    @staticmethod
    def _mathml(text: str) -> str:
        tex = text[2:-2].strip()  # without \( \) or \[ \]
        return render(tex) if text.startswith("\\[") else render_inline(tex)


def makeExtension(**options: object) -> MathExtension:  # noqa: N802
    return MathExtension(**options)
