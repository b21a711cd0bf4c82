"""The code on a page: linked statements and whole functions, each line with the shape of what it made."""

import ast
from dataclasses import replace

import pytest

from linkindex.render.book import Book, Context
from linkindex.render.made import shapes_made
from linkindex.resolve import _lines
from linkindex.resolve.assignments import assignments

from .small import FILE, SOURCE, book, directive, filled, find, html, page, pages, text_of


def test_code_shows_the_linked_statements_with_their_real_lines():
    root = page(directive("code"))
    lines = find(find(root, class_="lx-listing")[0], class_="lx-line")
    assert [(text_of(find(line, class_="lx-line__no")[0]), find(line, "code")[0].text) for line in lines] == [
        ("7", "    S = ("), ("8", "        Q @ K.T"), ("9", "    ) / math.sqrt(m)  # (n, k)"),
    ]  # fmt: skip
    assert [a.attributes["href"] for a in find(lines[1], "a")] == [
        "../source/mini/pair.py/#L8", "#eq-pair-scaled", "#eq-pair-product",
    ]  # fmt: skip
    assert [s.text for s in find(lines[1], class_="lx-sym")] == ["Q", "K"]


def test_a_listing_shows_the_whole_function_from_its_decorator():
    lines = find(page(directive("listing mini.pair.scores")), class_="lx-line")
    assert [text_of(find(line, class_="lx-line__no")[0]) for line in lines] == [str(n) for n in range(4, 12)]


def shapes(root):
    """The shapes beside the lines of the first listing, by line."""
    lines = find(find(root, "figure", class_="lx-listing")[0], class_="lx-line")
    beside = {text_of(find(line, class_="lx-line__no")[0]): find(line, "span", class_="lx-shape") for line in lines}
    return {number: text_of(shape[0]) for number, shape in beside.items() if shape}


def heads(root):
    return [text_of(find(figure, "figcaption")[0]) for figure in find(root, "figure", class_="lx-listing")]


def test_the_shape_of_what_a_statement_made_stands_beside_its_last_line():
    root = page(directive("code"))
    assert shapes(root) == {"9": "(2, 3)"}
    assert heads(root) == ["mini/pair.py scoresshape in this run"]


def test_a_whole_function_has_shapes_where_its_values_were_recorded():
    assert shapes(page(directive("listing mini.pair.scores"))) == {"9": "(2, 3)"}


def test_the_shape_is_that_of_the_run_that_the_page_shows():
    assert shapes(page(directive("code"), inputs={"S": filled(7, 5)})) == {"9": "(7, 5)"}


def test_what_was_not_recorded_has_no_shape_and_the_listing_no_heading_for_them():
    small = book(directive("code"))
    nothing = replace(small.runs, examples={})
    root = html(pages(Book(small.index, small.resolution, nothing, small.evidence))["pair.md"])
    assert shapes(root) == {} and heads(root) == ["mini/pair.py scores"]


def made(body, before, after=None):
    """The shapes beside the lines of a function; ``before`` and ``after``: what was recorded around its statements."""
    (node,) = ast.parse(f"def f(x):\n    {body}\n").body
    small = book()
    assigned = {"mini.pair.scores": _lines(assignments(node))}
    (first, *others) = small.runs.examples["pair"]
    visits = {
        name: tuple(replace(visit, names=before, after=after or {}) for visit in each)
        for name, each in first.visits.items()
    }
    changed = Book(
        small.index, replace(small.resolution, assigned=assigned),
        replace(small.runs, examples={"pair": (replace(first, visits=visits), *others)}), small.evidence,
    )
    context = Context(changed, small.index.pages[0], None, None)
    return shapes_made(context, small.resolution.functions["mini.pair.scores"])


@pytest.mark.parametrize(("body", "found"), [
    ("a = 1\n    b = (\n        a\n    )", {2, 5}), ("a = 1\n    a = 2\n    b = 3", {4}), ("a, b = 1, 2", {2}),
    ("a = b = 1", {2}), ("if x:\n        a = 1", {3}), ("if x:\n        a = 1\n    else:\n        a = 2", set()),
    ("self.a = 1", {2}), ("return 1", set()), ("c = 1", set()), ("a, c = 1, 2", set()),
])  # fmt: skip
def test_a_line_whose_variable_is_assigned_once_has_its_shape(body, found):
    assert made(body, dict.fromkeys(("a", "b", "self.a"), filled(2))) == dict.fromkeys(found, "(2,)")


def test_variables_of_two_shapes_that_one_line_assigns_have_none():
    assert made("a, b = 1, 2", {"a": filled(2), "b": filled(3)}) == {}


def test_what_the_last_statement_made_was_recorded_behind_it():
    assert made("a = 1\n    b = 2\n    return b", {"a": filled(2)}, {"b": filled(3)}) == {2: "(2,)", 3: "(3,)"}


def test_lines_are_numbered_as_in_the_file_and_cost_no_tab_stop():
    root = page(directive("code"), directive("listing mini.pair.scores"))
    numbers = find(root, "a", class_="lx-line__no")
    assert {a.attributes["tabindex"] for a in numbers} == {"-1"}
    texts = SOURCE.split("\n")
    for line in find(root, class_="lx-line"):
        assert find(line, "code")[0].text == texts[int(text_of(find(line, class_="lx-line__no")[0])) - 1]
    assert {a.attributes["aria-label"] for a in numbers} >= {f"Line 7 of {FILE}"}
