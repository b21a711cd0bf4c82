"""Norms, and the maximum of one vector or matrix: each is the number that its name says."""

import numpy as np
import pytest

from linkindex.formula import Reading
from tests.linkindex.formula.judging import judge

ROWS = Reading(per=("n",))


def of(function, shape="n k"):
    def make(rng, n, k):
        A = rng.normal(size=[{"n": n, "k": k}[axis] for axis in shape.split()])
        return {"s": (function(A), ""), "A": (A, shape)}

    return make


def frobenius(A):
    return np.sqrt((A**2).sum())


def spectral(A):
    return np.linalg.svd(A)[1][0]


@pytest.mark.parametrize(
    ("latex", "make", "ok"),
    [
        (r"s = \lVert A \rVert_F", of(frobenius), True),
        (r"s = \lVert A \rVert_2", of(frobenius), False),
        (r"s = \lVert A \rVert_2", of(spectral), True),
        (r"s = \lVert A \rVert_F", of(spectral), False),
        (r"s = \lVert A \rVert_F^2", of(lambda A: (A**2).sum()), True),
        (r"s = \sum_{i} \sum_{j} A_{ij}^2", of(lambda A: (A**2).sum()), True),
        (r"s = \lVert A \rVert_2", of(frobenius, "n"), True),
        (r"s = \lVert A \rVert", of(frobenius, "n"), True),
        (r"s = \lVert A \rVert_1", of(lambda x: np.abs(x).sum(), "n"), True),
        (r"s = \lVert A \rVert_\infty", of(lambda x: np.abs(x).max(), "n"), True),
        (r"s = \lVert A \rVert_1", of(frobenius, "n"), False),
        (r"s = \lVert A \rVert_2", of(lambda x: np.abs(x).sum(), "n"), False),
        (r"s = \lVert A \rVert_2^2", of(frobenius, "n"), False),
        (r"s = \lVert A \rVert_\infty", of(np.max, "n"), False),
        (r"s = \max(A)", of(np.max, "n"), True),
        (r"s = \max(A)", of(np.max), True),
        (r"s = \min(A)", of(np.min, "n"), True),
        (r"s = \max(A)", of(np.min, "n"), False),
        (r"s = \min(A)", of(np.max), False),
        (r"s = \max(A^\top A)", of(lambda A: (A.T @ A).max()), True),
        (r"s = \max(A)", of(lambda A: np.abs(A).max()), False),
    ],
)
def test_a_norm_and_an_extreme_are_the_number_that_their_name_says(latex, make, ok):
    assert judge(latex, make).ok == ok


def by_rows(rng, n, k):
    x = rng.normal(size=(n, k))
    return {"m": (x.max(-1), "n"), "x": (x, "n k")}


def test_the_maximum_of_each_row():
    assert judge(r"m = \max(x)", by_rows, ROWS).ok
    assert not judge(r"m = \min(x)", by_rows, ROWS).ok
    assert not judge(r"m = \max(x)", by_rows).ok


def test_a_vector_is_not_its_maximum():
    def make(rng, n, k):
        x = rng.normal(size=n)
        return {"y": (2 * x, "n"), "x": (x, "n")}

    assert not judge(r"y = 2 \max(x)", make).ok


def test_the_larger_of_two_is_taken_entry_by_entry():
    def make(rng, n, k):
        x = rng.normal(size=(n, k))
        return {"y": (np.maximum(x, 0), "n k"), "x": (x, "n k")}

    for braces in ("({})", "[{}]", r"\{{{}\}}"):
        assert judge(r"y = \max" + braces.format("0, x"), make).ok
        assert not judge(r"y = \min" + braces.format("0, x"), make).ok


@pytest.mark.parametrize(
    ("latex", "shape", "says"),
    [
        (r"s = \lVert A \rVert", "n k", r"Write \lVert A \rVert_F for the root of all squares added up"),
        (r"s = \lVert A \rVert_1", "n k", r"which norm of a matrix? Write \lVert A \rVert_F"),
        (r"s = \lVert A \rVert_F", "n", r"which norm of a vector? Write 1, 2 or \infty below it"),
        (r"s = \lVert A_{0,0} \rVert_F", "n k", r"the norm of one number: write \lvert x \rvert"),
        (r"s = \max(A_{0,0})", "n k", r"the max of one number: write \max(0, x), or an index: \max_i x_i"),
        (r"s = \max(\mathbf{1}) A_0", "n", "how many ones there are is not known"),
    ],
)
def test_what_has_no_norm_is_refused_with_what_to_write(latex, shape, says):
    assert says in judge(latex, of(np.max, shape)).why
