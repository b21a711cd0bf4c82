import pytest

from linkindex.formula import Notation, parse
from linkindex.model import Symbol
from tests.linkindex.formula.constants import folded

NOTATION = Notation.of(Symbol(latex, "", latex) for latex in ("x", "y"))


def expression(latex):
    return folded(parse(latex, NOTATION).statements[0].chain.members[0][0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0 + 1", "1.0"),
        ("x + 2 - 1", "x + 1"),
        ("(x + 1) + 1", "x + 2"),
        ("1 + x", "x + 1"),
        ("x + 1 - 1", "x"),
        ("1 x", "x"),
        ("-(-x)", "x"),
        (r"\frac{2}{4} x", r"\frac{1}{2} x"),
        ("x^{2 - 1 + 1}", "x^2"),
    ],
)
def test_two_ways_to_write_a_number_are_one_formula(one, other):
    assert expression(one) == expression(other)


@pytest.mark.parametrize(
    ("one", "other"), [("x + 1", "x"), ("2 x", "x"), ("x y", "y x"), ("-x", "x"), ("x - 1", "1 - x")]
)
def test_formulas_that_differ_stay_two(one, other):
    assert expression(one) != expression(other)
