"""The graph of equations: who uses whom, and a drawing of it that is the same every time."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from linkindex.formula import Notation, parse
from linkindex.model import Symbol
from linkindex.render.book import Book
from linkindex.render.graph import uses
from linkindex.render.layout import WIDEST, Sizes, layered

from .small import EQUATIONS, book, find, html, pages, texts

SIZES = Sizes()
CHAIN = {"a": (), "b": ("a",), "c": ("b", "a"), "d": ("c", "a")}
# A fixed seed: dense, with long edges and full layers.
RANDOM = {str(n): tuple(map(str, random.Random(n).sample(range(n), min(n, 3)))) for n in range(24)}
WIDE = {"top": (), **{str(n): ("top",) for n in range(11)}}
CYCLE = {"a": ("c",), "b": ("a",), "c": ("b",), "d": ("d2",), "d2": ("d",), "alone": ()}


def formulas(*latex, defines=(None, None)):
    """The small project with other formulas for its two equations."""
    symbols = (
        Symbol("P", "Product", "P", shape=()), Symbol("R", "Root", "R", shape=()), Symbol("x", "Input", "x", shape=()),
        Symbol("F_p", "Family", None, family={"a": "P", "b": "R"}, shape=()),
    )  # fmt: skip
    small = book()
    records = tuple(replace(e, latex=tex, defines=d) for e, tex, d in zip(EQUATIONS, latex, defines))
    page = replace(small.index.pages[0], notation=symbols, equations=records)
    parsed = {e.id: parse(e.latex, Notation.of(symbols)) for e in records}
    made = Book(
        replace(small.index, pages=(page,)), replace(small.resolution, formulas=parsed), small.runs, small.evidence
    )
    return uses(made, page)


@pytest.mark.parametrize("latex, defines, expected", [
    (("P = x", "R = P + x"), (None, None), ((), ("pair.scaled",))),
    (("P = R", "R = x"), (None, None), (("pair.product",), ())),
    (("P = x", "R = x"), (None, None), ((), ())),
    (("P = x", "x = F_p"), (None, None), (("pair.product",), ("pair.scaled",))),
    (("P = x", r"R = \operatorname{f}(x)"), ("f(x)", None), ((), ("pair.scaled",))),
    (("P + x", "R = P"), (None, None), ((), ())),
])  # fmt: skip
def test_an_equation_uses_what_says_what_its_symbols_and_operators_are(latex, defines, expected):
    assert tuple(formulas(*latex, defines=defines).values()) == expected


@pytest.mark.parametrize("graph", [CHAIN, RANDOM, WIDE, {}, {"a": ()}])
def test_what_is_used_stands_above_and_boxes_do_not_touch(graph):
    drawing = layered(graph)
    assert set(drawing.places) == set(graph)
    for user, all_used in graph.items():
        for used in all_used:
            assert drawing.places[used][1] + SIZES.height < drawing.places[user][1]
    for (ax, ay), (bx, by) in combinations(drawing.places.values(), 2):
        assert abs(ax - bx) >= SIZES.width + SIZES.gap - 1 or abs(ay - by) >= SIZES.height + SIZES.between
    for x, y in drawing.places.values():
        assert 0 <= x and x + SIZES.width <= drawing.width and 0 <= y and y + SIZES.height <= drawing.height


@pytest.mark.parametrize("graph", [CHAIN, RANDOM, WIDE, CYCLE])
def test_every_use_is_one_edge_from_the_used_box_to_the_box_that_uses_it(graph):
    drawing = layered(graph)
    wanted = sorted((a, b) for a, all_used in graph.items() for b in all_used)
    assert sorted((edge.user, edge.used) for edge in drawing.edges) == wanted
    for edge in drawing.edges:
        for node, (x, y) in ((edge.used, edge.points[0]), (edge.user, edge.points[-1])):
            left, top = drawing.places[node]
            assert abs(x - left - SIZES.width // 2) <= 1 and y in (top, top + SIZES.height)


@pytest.mark.parametrize("graph", [CHAIN, RANDOM, WIDE])
def test_an_edge_that_passes_layers_meets_no_box(graph):
    drawing = layered(graph)
    for edge in drawing.edges:
        for (x, y), (to_x, to_y) in list(zip(edge.points, edge.points[1:]))[1::2]:
            assert x == to_x
            for left, top in drawing.places.values():
                assert not (left < x < left + SIZES.width and top < to_y and y < top + SIZES.height)


def test_a_layer_holds_few_boxes():
    rows = [y for _, y in layered(WIDE).places.values()]
    assert max(map(rows.count, rows)) <= WIDEST


def test_the_same_graph_gives_the_same_drawing():
    assert layered(RANDOM) == layered(dict(RANDOM))


def test_the_drawing_has_a_title_a_description_and_a_table_that_says_the_same():
    root = html(pages(book())["evidence/pair.md"])
    (svg,) = find(root, "svg")
    named = svg.attributes["aria-labelledby"].split()
    assert [find(root, id=name)[0].tag for name in named] == ["title", "desc"]
    assert [a.attributes["href"] for a in find(svg, "a")] == [
        "../../pair/#eq-pair-scaled",
        "../../pair/#eq-pair-product",
    ]
    details = find(root, "details", class_="lx-mutants")[0]
    assert [texts(row) for row in find(details, "tr")] == [
        ["Equation", "Uses", "Used by"], ["(1) Scaled scores", "no other", "no other"],
        ["(2) Product <before> scaling", "no other", "no other"],
    ]  # fmt: skip
