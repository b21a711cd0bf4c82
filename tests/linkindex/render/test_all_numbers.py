"""All numbers of the run that a page shows, folded."""

from dataclasses import replace

from linkindex.model import Symbol
from linkindex.render.book import Book

from .small import SYMBOLS, K, Q, S, book, directive, filled, find, html, page, pages, rows, text_of, value

LABEL = "All numbers of the run of Pairs"


def fixed(row):
    return " ".join(f"{x:.4f}" for x in row)


def test_each_array_of_a_symbol_stands_there_once_row_by_row():
    assert rows(page(directive("numbers")), LABEL)[1:] == [
        ["Q (2, 2)", "Q[0]", fixed(Q[0])], ["Q[1]", fixed(Q[1])],
        ["K (3, 2)", "K[0]", fixed(K[0])], ["K[1]", fixed(K[1])], ["K[2]", fixed(K[2])],
        ["S (2, 3)", "S[0]", fixed(S[0])], ["S[1]", fixed(S[1])],
    ]  # fmt: skip


def test_it_is_folded_and_not_searched():
    (fold,) = find(page(directive("numbers")), "details", class_="lx-all-numbers")
    assert "open" not in fold.attributes and "data-search-exclude" in fold.attributes
    assert text_of(find(fold, "summary")[0]) == "All numbers of this run 3 arrays"


def test_vectors_have_one_row_and_more_axes_one_for_each_place():
    inputs = {"Q": filled(2, 2, 3), "K": value([1.5, 2.5]), "S": value(3.0)}
    root = page(directive("numbers", decimals="1"), inputs=inputs)
    assert [row[-2:] for row in rows(root, LABEL)[1:]] == [
        *[[f"Q[{i}, {j}]", "0.5 0.5 0.5"] for i in range(2) for j in range(2)], ["K", "1.5 2.5"],
    ]  # fmt: skip


def test_two_symbols_of_one_array_show_it_once():
    small = book(directive("numbers"))
    twice = (*SYMBOLS, Symbol("Q_2", "Queries again", "Q", shape=("n", "m")))
    more = replace(small.index, pages=(replace(small.index.pages[0], notation=twice),))
    made = Book(more, small.resolution, small.runs, small.evidence)
    assert [row[-2] for row in rows(html(pages(made)["pair.md"]), LABEL)].count("Q[0]") == 1
