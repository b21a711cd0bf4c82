"""The symbols of a section: values, indices and sizes, each with what a reader needs."""

from dataclasses import replace

import pytest

from linkindex.render.book import Book
from linkindex.verify.html import Element

from .small import SYMBOLS, book, directive, filled, find, html, page, pages, text_of


def groups(root):
    """Title -> symbol -> what is said of it."""
    (block,) = find(root, class_="lx-symbols")
    return {
        text_of(find(group, class_="lx-label")[0]): {
            row.attributes["data-sym"]: text_of(find(row, "dd")[0]) for row in find(group, class_="lx-symbol")
        }
        for group in block.children if isinstance(group, Element)
    }  # fmt: skip


def test_values_have_meaning_code_and_shape_and_sizes_their_length_in_the_run():
    assert groups(page(directive("symbols"))) == {
        "Values": {"Q": "Queries: Q (n, m)", "K": "Keys <all>: K (k, m)", "S": "Scaled scores: S (n, k)"},
        "Sizes": {"n": "Rows, here 2", "m": "Width, here 2", "k": "Columns, here 3"},
    }


def test_indices_are_those_that_the_section_explains():
    given = {"i": "the row that reads", r"\top": "rows and columns <swapped>"}
    found = groups(page(directive("symbols", indices=given)))
    assert list(found) == ["Values", "Indices", "Sizes"]
    assert found["Indices"] == given


@pytest.mark.parametrize("given", ["i", ["i"], {}, {"i": ["a", "b"]}])
def test_indices_without_words_are_refused(given):
    from .small import findings

    (found,) = findings(directive("symbols", indices=given))
    assert found.code == "LI604" and "option 'indices'" in found.message


def test_each_symbol_is_set_and_marked_with_its_name():
    root = page(directive("symbols", indices={r"\top": "swapped"}))
    for row in find(root, class_="lx-symbol"):
        (formula,) = find(find(row, "dt")[0], "math")
        assert [mark.attributes["data-sym"] for mark in find(formula, class_="sym")] == [row.attributes["data-sym"]]


def test_the_length_of_a_size_is_that_of_the_run_that_is_shown():
    root = page(directive("symbols"), inputs={"S": filled(7, 3), "Q": filled(7, 2)})
    assert groups(root)["Sizes"]["n"] == "Rows, here 7"


def test_a_size_whose_length_is_not_known_says_none():
    unlike = {"Q": filled(2), "K": filled(3), "S": filled(6)}  # other axes than the symbols claim
    sizes = groups(page(directive("symbols"), inputs=unlike))["Sizes"]
    assert sizes["n"] == "Rows" and sizes["k"] == "Columns" and sizes["m"] == "Width, here 2"


def test_a_size_of_the_registry_is_listed_where_the_page_has_no_notation_of_its_own():
    small = book(directive("symbols"))
    bare = replace(small.index.pages[0], notation=tuple(one for one in SYMBOLS if one.latex != "n"))
    made = Book(replace(small.index, pages=(bare,)), small.resolution, small.runs, small.evidence)
    assert groups(html(pages(made)["pair.md"]))["Sizes"]["n"] == "Rows, here 2"
