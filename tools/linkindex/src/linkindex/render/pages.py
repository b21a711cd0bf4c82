"""A page: prose as it was written, directives expanded, and the files that they ask for."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from linkindex.directives import Drawn, declaration, names, read_options
from linkindex.formula import Notation
from linkindex.load.pages import heading_of
from linkindex.model import Concept, Directive, Finding, Page, Place, Prose
from linkindex.render import urls
from linkindex.render.book import Book, Context
from linkindex.render.faults import Fault, Faults, fault, nearest
from linkindex.render.html import fill
from linkindex.render.prose import prose_text, with_numbers
from linkindex.render.steps import strip

_ID = re.compile(r'<[^>]*? id="([^"]+)"|^#{1,6} .*\{ *#([^}\s]+) *\}', re.MULTILINE)


DATA = "assets/linkindex/data"                           # folder of what directives hand to scripts, from the site root


@dataclass(frozen=True)
class Written:
    """A page as Markdown for MkDocs, scripts that hold its data, by path, and what is wrong with its directives."""

    text: str
    files: dict[str, str]
    findings: tuple[Finding, ...]


def write_page(book: Book, page: Page) -> Written:
    findings: list[Finding] = []
    pieces: list[str] = []
    scripts: dict[str, None] = {}                        # in the order in which they are first asked for
    data: dict[str, str] = {}
    notation = Notation.of(page.notation)
    ordinal = 0
    around, ends = None, []
    for concept, block in _blocks(page):
        if concept is not around:
            pieces += reversed(ends)
            around, ends = concept, []
            pieces += filter(None, [strip(page, concept) if concept else None])
        if isinstance(block, Directive):
            declared = declaration(block.name)
            ordinal += bool(declared and declared.shows_numbers)
            drawn, wrong = _expanded(Context(book, page, concept, block, ordinal))
            findings.extend(wrong)
            pieces.append(drawn.markdown)
            ends += [drawn.end] if drawn.end else []
            scripts |= dict.fromkeys(drawn.scripts)
            _add_data(data, drawn, page)
        else:
            text, wrong = _with_numbers(Context(book, page, concept, None), block)
            findings.extend(wrong)
            pieces.append(prose_text(replace(block, text=text), notation, concept))
    pieces += reversed(ends)
    pieces += (_script(page, address) for address in (*data, *scripts))
    text = "\n\n".join(pieces) + "\n"
    return Written(text, data, (*findings, *_repeated_ids(text, page)))


def _with_numbers(context: Context, prose: Prose) -> tuple[str, tuple[Finding, ...]]:
    """The prose with its recorded numbers; where one cannot be shown, as it was written, and the findings."""
    try:
        return with_numbers(prose.text, context.of_page), ()
    except Faults as wrong:
        return prose.text, tuple(Finding(prose.place, fault.code, fault.message) for fault in wrong.faults)


def _expanded(context: Context) -> tuple[Drawn, tuple[Finding, ...]]:
    """What the directive draws; where it cannot be shown, a box that says why, and the findings."""
    try:
        drawn = _draw(context)
        return drawn if isinstance(drawn, Drawn) else Drawn(drawn), ()
    except Faults as wrong:
        place = context.directive.place
        findings = tuple(Finding(place, fault.code, fault.message) for fault in wrong.faults)
        return Drawn(fill("fault", context=context, findings=findings)), findings


def _draw(context: Context) -> str | Drawn:
    """Raises Faults LI602 if there is no directive of that name, LI604 if its options cannot be used."""
    name = context.directive.name
    declared = declaration(name)
    if declared is None:
        raise fault("LI602", f"there is no directive '::: {name}'; {nearest(name, names())}")
    options, wrong = read_options(context.directive, declared)
    if wrong:
        raise Faults(*(Fault("LI604", message) for message in wrong))
    return declared.draw(context, options)


def _add_data(files: dict[str, str], drawn: Drawn, page: Page) -> None:
    """A script for each of the drawn data, which registers it; its file bears the names of the page and of the data."""
    for name, content in drawn.data.items():
        path = f"{DATA}/{page.stem}/{name}.js"
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        text = f"(window.linkindexData = window.linkindexData || {{}})[{json.dumps(name)}] = {text};\n"
        if files.setdefault(path, text) != text:
            raise ValueError(f"two directives of {page.path} hand different data to scripts under the name {name!r}")


def _script(page: Page, address: str) -> str:
    src = urls.relative(urls.page_url(page.stem), address).removesuffix("/")  # a file, not a page
    return f'<script defer src="{src}"></script>'


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
    yield from (record.anchor for record in page.displayed)
    for _, block in _blocks(page):
        heading = heading_of(block)
        if heading and heading[1]:
            yield heading[1]
