"""Inputs that are equal in every trial could stand for each other unnoticed; so could a matrix and its transpose."""

import math

import pytest

from linkindex.formula import Reading
from tests.linkindex.formula.judging import judge


def bound(rows, columns):
    """The bound of initial weights; ``rows`` and ``columns`` from the sizes of a run."""

    def make(rng, n, k):
        p, q = rows(n, k), columns(n, k)
        return {"a": (math.sqrt(6 / (p + q)), ""), "p": (p, ""), "q": (q, "")}

    return make


BOUND = r"a = \sqrt{\frac{6}{p + q}}"


def test_two_inputs_that_are_equal_in_every_trial_are_refused():
    why = judge(BOUND, bound(lambda n, k: n, lambda n, k: n)).why
    assert why.startswith("p and q are equal in every trial")
    assert "different values" in why


def test_a_false_formula_that_only_equal_inputs_make_true_is_not_proved():
    assert not judge(r"a = \sqrt{\frac{3}{p}}", bound(lambda n, k: n, lambda n, k: k)).ok


def test_inputs_that_differ_in_one_trial_are_enough():
    assert judge(BOUND, bound(lambda n, k: n, lambda n, k: k if n == 4 else n)).ok


def test_the_formula_may_say_itself_that_two_symbols_are_equal():
    def make(rng, n, k):
        x = rng.normal(size=n)
        return {"y": (2 * x, "n"), "x": (x, "n"), "z": (x.copy(), "n")}

    assert "equal in every trial" in judge("y = x + z", make).why
    assert judge(r"y = x + z, \qquad x_i = z_i", make).ok


def test_a_free_symbol_has_values_of_its_own():
    def make(rng, n, k):
        x = rng.normal(size=n)
        return {"y": (x, "n"), "x": (x + 1, "n"), "z": (x + 1, "n")}

    assert judge("y = x + z - z - 1", make, Reading(free=("z",))).ok


@pytest.mark.parametrize(("symmetric", "ok"), [(True, False), (False, True)])
def test_a_transpose_must_be_told_from_the_matrix(symmetric, ok):
    def make(rng, n, k):
        P, F = rng.normal(size=(n, n)), rng.normal(size=(n, n))
        P = P + P.T if symmetric else P
        return {"C": (F @ P.T, "n n"), "F": (F, "n n"), "P": (P, "n n")}

    result = judge(r"C = F P^\top", make)
    assert result.ok == ok
    assert ok or result.why.startswith(r"leaving out the transpose in P^\top changes nothing")


def test_that_a_matrix_is_symmetric_may_be_claimed():
    def make(rng, n, k):
        P = rng.normal(size=(n, n))
        return {"P": (P + P.T, "n n")}

    assert judge(r"P = P^\top", make, Reading(property=True)).why is None
