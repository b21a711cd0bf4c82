"""Root mean square normalisation."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.checks import check_by_differences
from tests.transformer.definitions import TIGHT
from transformer.rms_norm import rms_norm_backward, rms_norm_forward


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def test_every_entry_is_the_definition():
    x, gamma, eps = normal(2, 3, 5), normal(5, seed=1), 0.25
    expected = np.zeros(x.shape)
    for n, t, i in np.ndindex(x.shape):
        square = sum(number ** 2 for number in x[n, t]) / 5
        expected[n, t, i] = gamma[i] * x[n, t, i] / math.sqrt(square + eps)
    y, _ = rms_norm_forward(x, gamma, eps)
    assert_allclose(y, expected, **TIGHT)


def test_the_mean_is_not_subtracted():
    """(1, 1, 1, 1) has mean square 1 and stays; layer normalisation would give 0. (3, 4): the root of 12.5."""
    y, _ = rms_norm_forward(np.ones(4), np.ones(4), 0.0)
    assert_array_equal(y, np.ones(4))
    y, _ = rms_norm_forward(np.array([3.0, 4.0]), np.ones(2), 0.0)
    assert_allclose(y, np.array([3, 4]) / math.sqrt(12.5), rtol=1e-15)


def test_gradients_with_random_gamma():
    x, gamma, dy = normal(2, 3, 5), normal(5, seed=1), normal(2, 3, 5, seed=2)
    _, cache = rms_norm_forward(x, gamma)
    dx, grads = rms_norm_backward(dy, cache)
    check_by_differences("x", dx, lambda moved: np.sum(rms_norm_forward(moved, gamma)[0] * dy), x)
    check_by_differences("gamma", grads["gamma"], lambda moved: np.sum(rms_norm_forward(x, moved)[0] * dy), gamma)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_row_of_zeros_gives_zeros_and_finite_gradients(dtype):
    with np.errstate(all="raise"):
        y, cache = rms_norm_forward(np.zeros((2, 4), dtype), np.ones(4, dtype))
        dx, _ = rms_norm_backward(np.ones((2, 4), dtype), cache)
    assert_array_equal(y, np.zeros((2, 4), dtype), strict=True)
    assert np.isfinite(dx).all() and dx.dtype == dtype


@pytest.mark.parametrize("row", [200 + 20 * normal(512), np.array([300.0, -300, 100, -100])],
                         ids=["far", "squares"])
def test_float16_agrees_with_float64_where_sums_and_squares_overflow(row):
    half, gamma = row.astype(np.float16), normal(len(row), seed=1).astype(np.float16)
    dy = normal(len(row), seed=3).astype(np.float16)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        y, cache = rms_norm_forward(half, gamma)
        dx, grads = rms_norm_backward(dy, cache)
    exact, exact_cache = rms_norm_forward(half.astype(np.float64), gamma.astype(np.float64))
    exact_dx, _ = rms_norm_backward(dy.astype(np.float64), exact_cache)
    assert {part.dtype for part in (y, dx, *cache, *grads.values())} == {np.dtype(np.float16)}
    assert_allclose(y, exact, atol=5e-3)
    assert_allclose(dx, exact_dx, atol=1e-2 * np.abs(exact_dx).max() + 1e-6)


def test_a_mean_of_squares_that_float16_cannot_hold_is_refused():
    with pytest.raises(FloatingPointError, match="a mean of squares is 90,000"):
        rms_norm_forward(np.array([300.0, -300.0], np.float16), np.ones(2, np.float16))
