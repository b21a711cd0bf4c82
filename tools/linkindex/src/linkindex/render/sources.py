"""Source pages: every line of a linked file with an anchor, and beside it the equations that it serves."""

from dataclasses import dataclass
from json import dumps
from pathlib import Path

import pygments
from markupsafe import Markup

from linkindex import store
from linkindex.model import Span
from linkindex.render import urls
from linkindex.render.book import Book, Entry
from linkindex.render.highlight import highlight, marks
from linkindex.render.html import compact, fill, plain, text_of

KIND = "sources"
KEPT = 3000  # pages; those unused for longest are removed beyond that


@dataclass(frozen=True)
class Note:
    """An equation that a line serves: "computes" it, "calls" it or "tests" it."""

    role: str
    label: str
    href: str


@dataclass(frozen=True)
class SourceLine:
    number: int
    code: Markup
    notes: tuple[Note, ...]


def source_page(book: Book, file: str, text: str) -> str:
    """The page ``source/<file>`` as Markdown. Kept, since most files are as they were."""
    linked = _linked(book, file)
    pieces = [(span, role, entry.equation.id, entry.label, entry.url) for span, role, entry in linked]
    permalink = book.permalinks.of(file, 1, 1)
    made_with = pygments.__version__, text_of("source")
    path = store.place(book.index.config.root, KIND, *made_with, file, text, pieces, permalink)
    return store.kept(path, lambda: _page(file, text, linked, permalink))


def prune(root: Path) -> None:
    """Remove pages that were not used for long."""
    store.prune(root / store.FOLDER / KIND, KEPT)


def _page(file: str, text: str, linked: list[tuple[Span, str, Entry]], permalink: str | None) -> str:
    here = urls.source_url(file)
    count = len(text.split("\n"))
    if text.endswith("\n"):
        count -= 1
    html = highlight(text, file, marks((span, entry.equation.id) for span, _, entry in linked), range(1, count + 1))
    notes: dict[int, dict[Note, None]] = {}
    for span, role, entry in linked:
        note = Note(role, entry.label, urls.relative(here, entry.url))
        for number in range(span.line, span.end_line + 1):
            notes.setdefault(number, {})[note] = None
    lines = [SourceLine(number, html[number], tuple(notes.get(number, ()))) for number in range(1, count + 1)]
    body = fill(
        "source", file=file, lines=lines, permalink=permalink and permalink.partition("#")[0],
        equations=len({entry.equation.id for _, _, entry in linked}),
    )
    return f"{_front_matter(file)}\n# {plain(file)}\n\n{compact(body)}\n"


def _linked(book: Book, file: str) -> list[tuple[Span, str, Entry]]:
    """Every linked piece of the file: code that computes or calls, and assertions that test."""
    code = [(link.span, link.role, entry) for entry, link in book.links]
    tests = [
        (place.assertion, "tests", entry)
        for name, entry in book.entries.items()
        if (place := book.resolution.tests.get(name))
    ]
    found = [piece for piece in (*code, *tests) if piece[0].file == file]
    return sorted(found, key=lambda piece: (piece[2].page.stem, piece[2].number, piece[0]))


def _front_matter(file: str) -> str:
    # JSON strings are YAML strings, whatever the file is called.
    return f"---\ntitle: {dumps(file)}\nhide:\n  - toc\nsearch:\n  exclude: true\n---\n"
