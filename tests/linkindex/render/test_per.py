"""What ``per`` decides stands beside the formula: on its page, in the index of equations, with its evidence."""

from dataclasses import replace

import pytest

from tests.linkindex.render import small
from tests.linkindex.render.small import find, html, pages, text_of


def said(per, shape=("n", "k"), batch=(), folder="pair.md"):
    """What is said of the first equation, whose symbols have these shapes at most."""
    book = small.book()
    page = book.index.pages[0]
    equation = replace(page.equations[0], per=per)
    config = replace(book.index.config, batch_axes=batch)
    index = replace(book.index, pages=(replace(page, equations=(equation, page.equations[1])),), config=config)
    proof = book.evidence.proofs["pair.scaled"]
    rows = tuple(replace(row, shape=shape) for row in proof.symbols if row.latex != "m")
    proofs = {**book.evidence.proofs, "pair.scaled": replace(proof, symbols=rows)}
    book = replace(book, index=index, evidence=replace(book.evidence, proofs=proofs))
    return [text_of(one) for one in find(html(pages(book)[folder]), class_="lx-per")]


@pytest.mark.parametrize(
    ("per", "shape", "batch", "words"),
    [
        (("n", "k"), ("n", "k"), (), "for each entry (axes n, k)"),
        (("entry",), ("n", "k"), (), "for each entry (axes n, k)"),
        (("entry",), ("n",), (), "for each entry (axis n)"),
        (("n",), ("n",), (), "for each entry (axis n)"),
        (("n",), ("n", "k"), (), "for each row (axis n)"),
        (("n",), ("n", "n"), (), "for each row (axis n)"),
        (("n", "n"), ("n", "n"), (), "for each entry (axes n, n)"),
        (("k",), ("n", "k"), (), "for each column (axis k)"),
        (("n",), ("n", "k", "m"), (), "for each matrix (axis n)"),
        (("n", "k"), ("n", "k", "m"), (), "for each row (axes n, k)"),
        (("n",), ("B", "n", "k"), ("B",), "for each row (axis n)"),
        (("n",), ("n", "1"), (), "for each entry (axis n)"),
        (("n",), ("n", "k", "m", "m"), (), "for each array (axis n)"),
    ],
)
def test_the_part_and_the_axes_are_named(per, shape, batch, words):
    assert said(per, shape, batch) == [words]


@pytest.mark.parametrize("per", [None, ()])
def test_nothing_is_said_where_a_formula_speaks_of_whole_arrays(per):
    assert said(per) == [] == said(per, batch=("n",))


@pytest.mark.parametrize("folder", ["equations.md", "evidence/pair.md"])
def test_it_is_said_wherever_the_formula_is_shown(folder):
    assert said(("n",), folder=folder) == ["for each row (axis n)"]


def test_it_stands_below_the_formula_in_its_card():
    book = small.book()
    page = book.index.pages[0]
    index = replace(book.index, pages=(replace(page, equations=(replace(page.equations[0], per=("n",)),)),))
    card = find(html(pages(replace(book, index=index))["pair.md"]), id="eq-pair-scaled")[0]
    order = [child.attributes.get("class", child.tag) for child in card.children if hasattr(child, "tag")]
    assert order == ["lx-eq__head", "arithmatex", "lx-per", "lx-proof"]
