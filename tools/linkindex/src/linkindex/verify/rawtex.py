"""TeX that reached the reader: delimiters or commands in text that should have become MathML (LI714)."""

import json
import re
from collections.abc import Iterator

from linkindex.model import Finding, Place
from linkindex.verify.html import Element, parse
from linkindex.verify.site import HtmlPage, Site

# Where a dollar or a backslash is meant as such.
_LITERAL = frozenset({"code", "pre", "kbd", "samp", "script", "style", "textarea", "math"})
# A dollar sign is a sum of money only before a digit, and only once in a piece of text.
_RAW = re.compile(
    r"\$\$|\\[()\[\]]|\\(?:sym|begin|end|frac|sqrt|sum|top|operatorname|mathbf|mathrm)\b|\$(?!\d)|\$(?=.*\$)", re.DOTALL
)
_READ_ALOUD = ("alt", "aria-label", "title", "content")
_SEARCH = "search/search_index.json"


def check_raw_tex(page: HtmlPage) -> Iterator[Finding]:
    for element, text in _texts(page.root):
        if match := _RAW.search(text):
            excerpt = " ".join(text[max(0, match.start() - 20) : match.end() + 30].split())
            message = (
                f"{match[0]!r} is left in the text of {page.path}, near {excerpt!r}: write $...$ without spaces "
                r"just inside, \lvert for | in tables, or mark it as code"
            )
            yield page.finding("LI714", message, element, match[0])


def _texts(element: Element) -> Iterator[tuple[Element, str]]:
    """Text that people see or hear, with the element that holds it."""
    for attribute in _READ_ALOUD:
        if attribute in element.attributes:
            yield element, element.attributes[attribute]
    if element.tag in _LITERAL:
        return
    for child in element.children:
        if isinstance(child, str):
            yield element, child
        else:
            yield from _texts(child)


def check_search_index(site: Site) -> Iterator[Finding]:
    if _SEARCH not in site.files:
        return
    for entry in json.loads((site.root / _SEARCH).read_text(encoding="utf-8"))["docs"]:
        for key in ("title", "text"):
            for _, text in _texts(parse(entry[key])):
                if match := _RAW.search(text):
                    where = f"the {key} of the search entry {entry['location']!r}"
                    message = f"{match[0]!r} is left in {where}: formulas belong below headings"
                    yield Finding(Place(f"site/{_SEARCH}"), "LI714", message)
