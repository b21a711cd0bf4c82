"""What a reader finds on a page beside what was generated: no relation and no number that a check of its source could
not see, because it came from an included file, a template or a plugin (LI504, LI505)."""

from collections.abc import Iterator

from linkindex.model import Finding, Index
from linkindex.resolve.claims import claims_of_sentence
from linkindex.resolve.prose import claims_of_page
from linkindex.verify.html import Element
from linkindex.verify.site import HtmlPage, html_path

_BLOCKS = frozenset(
    "p li td th dd dt h1 h2 h3 h4 h5 h6 caption figcaption summary blockquote div section article ul ol dl table tr"
    " tbody thead details figure br hr".split()
)
_CODE = frozenset({"code", "kbd", "samp"})
_GENERATED = ("lx-", "md-")  # classes of what the pipeline or the theme made
_LEFT_OUT = frozenset({"pre", "script", "style", "svg", "nav", "button", "template", "form"})


def check_sentences(page: HtmlPage, index: Index) -> Iterator[Finding]:
    source = next((source for source in index.pages if html_path(source.stem) == page.path), None)
    if source is None or any(claims_of_page(source)):  # these are reported where they are written
        return
    for article in (element for element in page.elements if element.tag == "article"):
        for sentence in _sentences(article):
            for _, code, message in claims_of_sentence(sentence):
                near = " ".join(sentence.split())[:60]
                yield page.finding(code, f"in {near!r}, as {page.path} shows it: {message}", article, near)


def _sentences(block: Element) -> Iterator[str]:
    """The text of each block, without what was generated; formulas and code are a letter."""
    text: list[str] = []
    for piece in _pieces(block):
        if piece is None:
            yield "".join(text)
            text = []
        else:
            text.append(piece)
    yield "".join(text)


def _pieces(element: Element) -> Iterator[str | None]:
    """Texts, and None between blocks."""
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif child.tag in _LEFT_OUT or any(name.startswith(_GENERATED) for name in child.classes):
            yield None if child.tag in _BLOCKS else "x"
        elif child.tag == "math":
            yield "x"
        elif child.tag in _CODE:
            yield f"`{child.text}`"
        elif child.tag in _BLOCKS:
            yield None
            yield from _pieces(child)
            yield None
        elif "headerlink" not in child.classes:
            yield from _pieces(child)
