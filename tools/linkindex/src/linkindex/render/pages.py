"""A page: prose as it was written, directives expanded."""

import re
from collections import Counter
from collections.abc import Iterator

from linkindex.formula import Notation
from linkindex.load.pages import heading_of
from linkindex.model import Concept, Directive, Finding, Page, Place, Prose
from linkindex.render.book import ILLUSTRATED, Book, Context
from linkindex.render.directives import expand
from linkindex.render.faults import Faults
from linkindex.render.html import fill
from linkindex.render.prose import prose_text
from linkindex.render.taken import check_refs

_ID = re.compile(r'<[^>]*? id="([^"]+)"|^#{1,6} .*\{ *#([^}\s]+) *\}', re.MULTILINE)


def page_text(book: Book, page: Page) -> tuple[str, tuple[Finding, ...]]:
    """The page as Markdown for MkDocs, and what is wrong with its directives."""
    findings: list[Finding] = []
    pieces: list[str] = []
    notation = Notation.of(page.notation)
    ordinal = 0
    for concept, block in _blocks(page):
        if isinstance(block, Directive):
            ordinal += block.name in ILLUSTRATED
            piece, wrong = _expanded(Context(book, page, concept, block, ordinal))
        else:
            piece, wrong = prose_text(block, notation, concept), ()
        pieces.append(piece)
        findings.extend(wrong)
    text = "\n\n".join(pieces) + "\n"
    return text, (*findings, *_repeated_ids(text, page))


def _expanded(context: Context) -> tuple[str, tuple[Finding, ...]]:
    """The directive's Markdown; where it cannot be shown, a box that says why, and the findings."""
    try:
        check_refs(context)
        return expand(context), ()
    except Faults as wrong:
        place = context.directive.place
        findings = tuple(Finding(place, fault.code, fault.message) for fault in wrong.faults)
        return fill("fault", findings=findings), findings


def _blocks(page: Page) -> Iterator[tuple[Concept | None, Prose | Directive]]:
    for block in page.blocks:
        if isinstance(block, Concept):
            yield None, Prose(f"## {block.title} {{ #{block.anchor} }}", block.place)
            yield from ((block, inner) for inner in block.blocks)
        else:
            yield None, block


def _repeated_ids(text: str, page: Page) -> Iterator[Finding]:
    """Generated ids that are equal to others but for their case; written ones are compared when the page is read."""
    names = Counter((match[1] or match[2]).casefold() for match in _ID.finditer(text))
    written = Counter(name.casefold() for name in _written_ids(page))
    for name, count in names.items():
        if count > 1 and written[name] < 2:
            message = f"the anchor {name!r} stands {count} times on this page"
            yield Finding(Place(page.path), "LI613", f"{message}: give one of its headings another {{#anchor}}")


def _written_ids(page: Page) -> Iterator[str]:
    yield from (equation.anchor for equation in page.equations)
    for _, block in _blocks(page):
        heading = heading_of(block)
        if heading and heading[1]:
            yield heading[1]
