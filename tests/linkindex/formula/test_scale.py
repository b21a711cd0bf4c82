"""Inequalities: what holds at any size is a claim, and what only the sample's size makes true is none."""

import numpy as np
import pytest

from tests.linkindex.formula.judging import judge


def values(rng, n, k):
    x = rng.normal(size=(n, k))
    x[0, 0] = 0
    exponentials = np.exp(x)
    shares = exponentials / exponentials.sum(axis=1, keepdims=True)
    return {"A": (shares, "n k"), "x": (x, "n k"), "n": (n, ""), "k": (k, "")}


SAYS = r"A_{ij} = \frac{e^{x_{ij}}}{\sum_m e^{x_{im}}}"


@pytest.mark.parametrize(
    "claim", ["A_{ij} < 50", r"-70 \le A_{ij}", r"x_{ij} \le 40", r"-90 < x_{ij} < 80", "50 > A_{ij}"]
)
def test_a_bound_that_only_small_inputs_keep_is_refused(claim):
    result = judge(rf"{SAYS}, \qquad {claim}", values)
    assert not result.ok and "it says how large the sample is" in result.why


@pytest.mark.parametrize(
    "claim",
    [r"0 < A_{ij}", r"A_{ij} \le 1", r"0 \le A_{ij} \le 1", r"e^{x_{ij}} > 0", r"x_{ij} x_{ij} \ge 0",
     r"\sum_{j} A_{ij} A_{ij} \le 1"],
)
def test_a_bound_at_any_size_is_none_of_the_samples(claim):
    result = judge(rf"{SAYS}, \qquad {claim}", values)
    assert result.why is None
