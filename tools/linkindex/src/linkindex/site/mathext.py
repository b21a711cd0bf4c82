"""Python-Markdown extension ``linkindex_math``: what arithmatex found becomes MathML when the page is built.

Needs ``pymdownx.arithmatex`` with ``generic: true`` beside it. Nothing is left for the browser to typeset; the table of
contents and the search index, which are made later, see characters instead of TeX. Whether a page may use a symbol is
not asked here: the pipeline has checked that where the page was written.
"""

from html import unescape
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString
from mkdocs.exceptions import BuildError

from linkindex.formula import FormulaError, render

# After the inline patterns (20), which find the formulas, and before the table of contents (5).
PRIORITY = 8


class PageError(BuildError):
    """Formulas of one page cannot be set. MkDocs names the page and stops without a traceback."""


class MathExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802, the name is Python-Markdown's
        md.treeprocessors.register(_MathML(md), "linkindex_math", PRIORITY)


class _MathML(Treeprocessor):
    def run(self, root: Element) -> None:
        wrong: list[str] = []
        for element in root.iter():
            if element.get("class") == "arithmatex" and not len(element):
                text = _written(element)
                try:
                    mathml = _mathml(text)
                except FormulaError as error:
                    wrong.append(f"the formula {text[2:-2].strip()!r} cannot be set: {error}")
                else:
                    element.text = AtomicString(self.md.htmlStash.store(mathml))
        if wrong:
            raise PageError("; ".join(wrong))


def _mathml(text: str) -> str:
    # Without the delimiters, which are \( and \) or \[ and \].
    return render(text[2:-2].strip(), display=text.startswith("\\["))


def _written(element: Element) -> str:
    """The formula with its delimiters; arithmatex escapes displayed formulas, but not those in a sentence."""
    text = element.text or ""
    return unescape(text) if text.startswith("\\[") else text


def makeExtension(**options: object) -> MathExtension:  # noqa: N802
    return MathExtension(**options)
