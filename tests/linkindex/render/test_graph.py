"""Which equation uses which."""

from dataclasses import replace

import pytest

from linkindex.formula import Notation, parse
from linkindex.model import Symbol
from linkindex.render.book import Book
from linkindex.render.graph import uses

from .small import EQUATIONS, book, find, html, pages, texts


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


def test_the_evidence_page_says_of_each_equation_what_it_uses():
    root = html(pages(book())["evidence/pair.md"])
    (table,) = [one for one in find(root, "table") if "Used by" in texts(find(one, "tr")[0])]
    assert [texts(row) for row in find(table, "tr")] == [
        ["Equation", "Uses", "Used by"], ["Pairs 1: Scaled scores", "no other", "no other"],
        ["Pairs 2: Product <before> scaling", "no other", "no other"],
    ]  # fmt: skip
