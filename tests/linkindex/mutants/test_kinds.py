"""Every kind of mutant: which change is made of which code."""

import pytest
from linkindex.model import Held
from linkindex.mutants.change import mutants_of

MATRIX, OTHER, ROW = Held((2, 3), "a"), Held((2, 3), "b"), Held((3,), "c")
FRAME = {"A": MATRIX, "B": OTHER, "same": MATRIX, "x": ROW, "p['w']": MATRIX, "p['v']": OTHER}  # what the code saw

# (kind, code, one of its mutants)
MADE = [
    ("operator", "a + b", "a - b"),
    ("operator", "a @ b", "a * b"),
    ("operator", "a and b", "a or b"),
    ("operand dropped", "a + b", "a"),
    ("operand dropped", "a + b", "b"),
    ("operands swapped", "a - b", "b - a"),
    ("sign", "-a", "a"),
    ("comparison", "a < b", "a <= b"),
    ("branches swapped", "a if c else b", "b if c else a"),
    ("branches swapped", "np.where(c, a, b)", "np.where(c, b, a)"),
    ("constant", "a * 2.0", "a * 1.0"),
    ("constant", "f(a, keepdims=True)", "f(a, keepdims=False)"),
    ("transpose dropped", "a.T", "a"),
    ("transpose dropped", "a.swapaxes(-1, -2)", "a"),
    ("infinity", "-np.inf", "-0.0"),
    ("function", "np.exp(a)", "np.expm1(a)"),
    ("function", "max(a, b)", "min(a, b)"),
    ("call dropped", "np.exp(a)", "a"),
    ("call dropped", "a.sum()", "a"),
    ("arguments swapped", "f(a, b)", "f(b, a)"),
    ("variable", "f(A)", "f(B)"),
    ("key", "f(p['w'])", "f(p['v'])"),
    ("value negated", "a", "-a"),
    ("value times 1.001", "a", "a * 1.001"),
    ("last axis reversed", "a", "a[..., ::-1]"),
    ("first axis reversed", "a", "a[::-1]"),
]


def made(code, value=MATRIX):
    return {(mutant.kind, mutant.code) for mutant in mutants_of(code, FRAME, value)}


@pytest.mark.parametrize(("kind", "code", "mutant"), MADE)
def test_a_mutant_of_this_kind_is_made(kind, code, mutant):
    assert (kind, mutant) in made(code)


def test_no_kind_is_missing_above():
    """A new kind needs a row of the table."""
    assert {kind for _, code, _ in MADE for kind, _ in made(code)} == {kind for kind, *_ in MADE}


@pytest.mark.parametrize(("code", "mutant"), [
    ("a + b", "b + a"), ("np.maximum(a, b)", "np.maximum(b, a)"), ("f(A)", "f(same)"), ("f(A)", "f(x)"),
    ("a - a", "a - a"),
])
def test_a_change_that_changes_nothing_or_does_not_fit_is_not_made(code, mutant):
    assert mutant not in {code for _, code in made(code)}


def test_an_axis_of_length_1_is_not_reversed():
    assert not {mutant for _, mutant in made("a", Held((1, 1), "a"))} & {"a[..., ::-1]", "a[::-1]"}
