"""The graph of a page's equations as SVG, and as a table that says the same."""

from dataclasses import dataclass
from textwrap import wrap

from linkindex.model import Page
from linkindex.render.book import Book, Entry
from linkindex.render.graph import uses
from linkindex.render.html import fill
from linkindex.render.layout import Point, Sizes, layered
from linkindex.render.urls import evidence_anchor, relative

SIZES = Sizes()
_LINES, _CHARACTERS = 3, 23                              # of a node's label
_LINE = 16                                               # pixels from line to line


@dataclass(frozen=True)
class Node:
    entry: Entry
    href: str
    x: int
    y: int
    lines: tuple[tuple[int, str], ...]                   # baseline, text


def graph(book: Book, page: Page, here: str) -> str:
    """The graph as a drawing, and the same as a table."""
    used = uses(book, page)
    drawing = layered(used, SIZES)
    nodes = [_node(book.entries[name], place, here) for name, place in drawing.places.items()]
    rows = [
        {
            "entry": book.entries[name],
            "href": "#" + evidence_anchor(name),
            "uses": [book.entries[other] for other in of],
            "used_by": [book.entries[other] for other, theirs in used.items() if name in theirs],
        }
        for name, of in used.items()
    ]
    paths = [_path(edge.points) for edge in drawing.edges]
    return fill(
        "graph", page=page, nodes=nodes, rows=rows, paths=sorted(set(paths)), edges=len(paths), sizes=SIZES,
        width=drawing.width, height=drawing.height,
    )


def _node(entry: Entry, place: Point, here: str) -> Node:
    lines = wrap(entry.label, _CHARACTERS, max_lines=_LINES, placeholder=" …")
    top = place[1] + (SIZES.height - _LINE * len(lines)) // 2 + 12
    return Node(
        entry, relative(here, entry.url), *place, tuple((top + _LINE * n, line) for n, line in enumerate(lines))
    )


def _path(points: tuple[Point, ...]) -> str:
    """Curves between layers that leave and arrive upright, straight lines inside of them."""
    parts = ["M{} {}".format(*points[0])]
    for number, ((x, y), (to_x, to_y)) in enumerate(zip(points, points[1:])):
        middle = (y + to_y) // 2
        parts.append(f"V{to_y}" if x == to_x or number % 2 else f"C{x} {middle} {to_x} {middle} {to_x} {to_y}")
    return "".join(parts)
