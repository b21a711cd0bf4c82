"""A page: prose as it was written, directives expanded, every heading with an id of its own."""

import re
from collections import Counter
from collections.abc import Iterator

from linkindex.load.pages import FENCE, HEADING
from linkindex.model import Concept, Directive, Finding, Page, Place, Prose
from linkindex.render.book import ILLUSTRATED, Book, Context
from linkindex.render.directives import expand
from linkindex.render.faults import Faults
from linkindex.render.html import fill

_ID = re.compile(r'<[^>]*? id="([^"]+)"|^#{1,6} .*\{#([^}\s]+)\}', re.MULTILINE)


def page_text(book: Book, page: Page) -> tuple[str, tuple[Finding, ...]]:
    """The page as Markdown for MkDocs, and what is wrong with its directives."""
    findings: list[Finding] = []
    pieces: list[str] = []
    ordinal = 0
    for concept, block in _blocks(page):
        if isinstance(block, Directive):
            ordinal += block.name in ILLUSTRATED
            context = Context(book, page, concept, block, ordinal)
            try:
                pieces.append(expand(context))
            except Faults as wrong:
                found = [Finding(block.place, fault.code, fault.message) for fault in wrong.faults]
                findings.extend(found)
                pieces.append(fill("fault", findings=found))
        else:
            pieces.append(_with_ids(block.text, concept))
    text = "\n\n".join(pieces) + "\n"
    return text, (*findings, *_repeated_ids(text, page))


def _blocks(page: Page) -> Iterator[tuple[Concept | None, Prose | Directive]]:
    for block in page.blocks:
        if isinstance(block, Concept):
            yield None, Prose(f"## {block.title} {{#{block.anchor}}}", block.place)
            yield from ((block, inner) for inner in block.blocks)
        else:
            yield None, block


def _with_ids(text: str, concept: Concept | None) -> str:
    """Prose in which each heading has an id: sections of the same name stand in every concept."""
    lines, fence = [], None
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if mark:
            fence = None if fence and mark[1].startswith(fence) else fence or mark[1]
        heading = HEADING.fullmatch(line) if fence is None else None
        if heading and not heading[3]:
            name = re.sub(r"[^a-z0-9]+", "-", heading[2].lower()).strip("-")
            anchor = f"{concept.anchor}-{name}" if concept else name
            line = f"{heading[1]} {heading[2]} {{#{anchor}}}"
        lines.append(line)
    return "\n".join(lines)


def _repeated_ids(text: str, page: Page) -> Iterator[Finding]:
    """Ids that differ only in case, or not at all, would make links ambiguous."""
    names = [name for match in _ID.finditer(text) if (name := match[1] or match[2])]
    for name, count in Counter(name.casefold() for name in names).items():
        if count > 1:
            message = f"the anchor {name!r} stands {count} times on this page: give one of its headings another {{#anchor}}"
            yield Finding(Place(page.path), "LI613", message)
