"""A length given to an index does not make less of a claim than the page shows."""

import numpy as np
import pytest

from linkindex.formula import Bound, EvaluationError, Notation, Reading, Trial, parse, prove
from linkindex.formula.lengths import length
from linkindex.model import Symbol


def judged(latex, indices, values, is_property=True):
    """On two runs; ``values(n)`` gives symbol -> value, whose shapes are as many n and 2n as they have axes."""
    names = list(values(3))
    formula = parse(latex, Notation.of(Symbol(name, "", name) for name in names))
    trials = []
    for n in (3, 4):
        bound = {
            name: Bound(value, tuple({n: "n", 2 * n: "d"}[size] for size in np.shape(value)))
            for name, value in values(n).items()
        }
        trials.append(Trial(bound, (bound[names[0]],), {"n": n, "d": 2 * n}))
    return prove(formula, trials, Reading(property=is_property, indices=indices))


def sevens_in_a_corner(n):
    A = np.random.default_rng(n).normal(size=(n, n))
    A[0, 0] = 7
    return {"A": A}


@pytest.mark.parametrize("indices", [{"i": "1", "j": "1"}, {"i": "n", "j": "1"}, {"i": "n", "j": "n - 2"}])
def test_an_index_that_stands_alone_runs_over_the_whole_axis(indices):
    why = judged("A_{ij} = 7", indices, sevens_in_a_corner).why
    assert "entries of an axis of 3: give that of the whole axis, or leave it out" in why


@pytest.mark.parametrize("text", ["0", "n - n", "n - 3", "2 - n", "n - 9"])
def test_a_length_is_at_least_one(text):
    why = judged("A_{ij} = 7", {"i": text}, sevens_in_a_corner).why
    assert "write one that is at least 1" in why


def test_the_smallest_length_is_one():
    assert length("n - 2", {"n": 3}) == 1
    with pytest.raises(EvaluationError, match="at least 1"):
        length("n - 3", {"n": 3})


def test_the_length_of_the_whole_axis_may_be_given():
    def values(n):
        x = np.random.default_rng(n).normal(size=n)
        return {"y": 2 * x, "x": x}

    assert judged("y_i = 2 x_i", {"i": "n"}, values, is_property=False).why is None


def pairs(n):
    x = np.random.default_rng(n).normal(size=2 * n)
    x[1::2] = -x[::2]
    return {"x": x}


@pytest.mark.parametrize(("text", "ok"), [("d / 2", True), ("1", False), ("n - 1", False)])
def test_within_an_expression_one_value_more_leaves_the_axis(text, ok):
    result = judged("x_{2i+1} = -x_{2i}", {"i": text}, pairs)
    assert result.ok == ok
    assert ok or "the next one would still be on every axis" in result.why


@pytest.mark.parametrize(("text", "ok"), [("d / 2", True), ("n - 1", False)])
def test_so_it_is_for_an_index_of_a_sum(text, ok):
    def values(n):
        x = np.random.default_rng(n).normal(size=2 * n)
        x[2 * n - 2] = 0
        return {"s": x[::2].sum(), "x": x}

    result = judged("s = \\sum_i x_{2i}", {"i": text}, values, is_property=False)
    assert result.ok == ok
    assert ok or "`indices` lets i run over" in result.why
