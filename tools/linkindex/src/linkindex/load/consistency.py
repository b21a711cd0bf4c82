"""What must hold between the files: ids are unique, each equation is shown once, mathematics comes from the records."""

import re
from collections.abc import Iterator
from difflib import get_close_matches

from linkindex.load.pages import heading_of, shown_equations
from linkindex.load.statements import check_statements
from linkindex.model import Concept, Directive, Finding, Index, Page, Place, Prose

GENERATED = EQUATIONS, SYMBOLS, EVIDENCE = "equations", "symbols", "evidence"  # stems of pages that render adds
SOURCE_PAGES = "source/", "evidence/"                    # where it adds more of them
# As Markdown reads it: a fence, also below an item or in a quotation, or a span that ends in its own paragraph.
CODE = re.compile(
    r"^(?:[ \t>]|[-*+][ \t]|\d+[.)][ \t])*(```+|~~~+)(?:[^`\n]*\n)(?:.*?\n)??[ \t>]*\1[`~]*[ \t]*$"
    r"|(?<!`)(?<!(?<!\\)\\)(`+)(?!`)(?:(?!\n[ \t>]*\n).)+?(?<!`)\2(?!`)",
    re.DOTALL | re.MULTILINE,
)
DISPLAY = re.compile(r"\$\$|(?<!\\)\\\[|\\begin\{[^}\n]*\}")
# As arithmatex reads it: no blank just inside the dollars, and a backslash keeps a dollar from being one.
INLINE = re.compile(r"(?<![\\$])\$(?![\s$])((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\$)")


def check_index(index: Index) -> Iterator[Finding]:
    if not index.equations and not any(page.unread for page in index.pages):
        place = Place(index.config.docs)
        message = "no equations found: a link index without equations shows nothing; add a page with a .yml beside it"
        yield Finding(place, "LI119", message)
    yield from _unique_ids(index)
    yield from _known_works(index)
    yield from _unique_pages(index)
    yield from check_statements(index)
    for page in index.pages:
        yield from _unique_anchors(page)
        known = index.displayed if page.is_draft else index.published
        yield from _shown_once(page, [equation.id for equation in known], index)
        for block in page.blocks if page.has_records else ():  # on other pages, mathematics is only shown
            yield from _formulas_in_prose(block)


def _known_works(index: Index) -> Iterator[Finding]:
    for equation in index.displayed:
        key = (equation.paper or "").partition(",")[0].strip()
        if key and key not in index.references:
            near = get_close_matches(key, index.references, 3)
            hint = f"nearest: {', '.join(near)}" if near else f"it knows {', '.join(index.references) or 'none'}"
            place = equation.keys.get("paper", equation.place)
            message = f"{equation.id}: references.yml has no work {key!r}; {hint}: correct the key, or add the work"
            yield Finding(place, "LI121", message)


def _unique_ids(index: Index) -> Iterator[Finding]:
    """Ids, and so anchors, must differ in more than case, whichever page they stand on."""
    seen: dict[str, tuple[str, Place]] = {}
    for equation in index.displayed:
        other, place = seen.setdefault(equation.anchor.casefold(), (equation.id, equation.place))
        if place != equation.place:
            message = f"the id {equation.id!r} is taken by {other!r} ({place.path}:{place.line}): choose another id"
            yield Finding(equation.place, "LI105", message)


def _unique_pages(index: Index) -> Iterator[Finding]:
    """Names of pages must differ in more than case: on some systems they are one file otherwise."""
    stems: dict[str, str] = {}
    for page in index.pages:
        name = page.stem.casefold()
        other = stems.setdefault(name, page.path)
        if other != page.path:
            message = f"this page and {other} differ only in case, and are one file on some systems: rename one"
            yield Finding(Place(page.path), "LI105", message)
        if name in GENERATED or name.startswith(SOURCE_PAGES):
            yield Finding(Place(page.path), "LI105", f"a generated page has the name {name}: rename this one")


def _unique_anchors(page: Page) -> Iterator[Finding]:
    """Anchors that are written on a page must differ in more than case, from those of its equations as well."""
    seen = {equation.anchor.casefold(): equation.place for equation in page.displayed}
    for anchor, place in _anchors(page.blocks):
        other = seen.setdefault(anchor.casefold(), place)
        if other != place:
            message = (
                f"the anchor #{anchor} is taken in {other.path}:{other.line}, or differs only in case: choose another"
            )
            yield Finding(place, "LI105", message)


def _anchors(blocks: tuple[Prose | Directive | Concept, ...]) -> Iterator[tuple[str, Place]]:
    for block in blocks:
        if isinstance(block, Concept):
            yield block.anchor, block.place
            yield from _anchors(block.blocks)
        elif (heading := heading_of(block)) and heading[1]:
            yield heading[1], block.place


def _shown_once(page: Page, known: list[str], index: Index) -> Iterator[Finding]:
    shown: dict[str, Place] = {}
    meant: set[str] = set()
    for directive in _directives(page.blocks):
        for name in shown_equations(directive):
            if index.cannot_read(name):
                pass
            elif name not in known:
                near = get_close_matches(name, known, 3)
                hint = f"nearest: {', '.join(near)}" if near else "no similar one is known"
                meant.update(near[:1])
                yield Finding(directive.place, "LI112", f"no equation has the id {name!r}; {hint}")
            elif name in shown:
                message = f"{name} is shown twice on this page, first in line {shown[name].line}"
                yield Finding(directive.place, "LI113", message)
            shown.setdefault(name, directive.place)
    for equation in page.displayed:
        if equation.id not in shown and equation.id not in meant:
            message = (
                f"{equation.id} is shown nowhere: add '::: equation {equation.id}' to {page.path}, or remove the record"
            )
            yield Finding(equation.place, "LI113", message)


def _directives(blocks: tuple[Prose | Directive | Concept, ...]) -> Iterator[Directive]:
    for block in blocks:
        if isinstance(block, Concept):
            yield from _directives(block.blocks)
        elif isinstance(block, Directive):
            yield block


def _formulas_in_prose(block: Prose | Directive | Concept) -> Iterator[Finding]:
    heading = block.title if isinstance(block, Concept) else block.text if heading_of(block) else ""
    if re.search(r"\$|\\\(", heading):
        yield Finding(block.place, "LI116", "a heading holds a formula: write it in words, and put the formula below")
    if isinstance(block, Concept):
        for inner in block.blocks:
            yield from _formulas_in_prose(inner)
    elif isinstance(block, Prose):
        text = CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), block.text)
        for match in DISPLAY.finditer(text):
            if text[match.start() :].startswith("$$") and text.count("$$", 0, match.start()) % 2:
                continue
            line = block.place.line + text.count("\n", 0, match.start())
            col = match.start() - (text.rfind("\n", 0, match.start()) + 1) + 1
            message = (
                "a displayed formula stands in the page: put it into the .yml beside the page, "
                "and show it with '::: equation ID'"
            )
            yield Finding(Place(block.place.path, line, col), "LI114", message)
