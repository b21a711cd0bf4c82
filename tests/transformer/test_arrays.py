"""Reductions over rows: no row too short, no float16 sum too large, no shared vector that can be spoilt."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from transformer.arrays import SHORT, colsum, dot, ones, mean_square, rowmax, rowmean, rows, rowsum, widened
from transformer.softmax import softmax_backward, softmax_forward


@pytest.mark.parametrize("shape", [(3, 0), (0, 3), (2, 0, 4), (2, 3, 0), (0, 0), (0,)])
def test_axes_of_size_zero_have_rows_sums_and_maxima(shape):
    x = np.zeros(shape, np.float32)
    assert rows(x).shape == (int(np.prod(shape[:-1])), shape[-1])
    assert_array_equal(rowsum(x), np.zeros((*shape[:-1], 1), np.float32), strict=True)
    assert_array_equal(colsum(x), np.zeros(shape[-1], np.float32), strict=True)
    if shape[-1] == 0:
        assert_array_equal(rowmax(x), np.full((*shape[:-1], 1), -np.inf, np.float32), strict=True)
    assert_array_equal(dot(x, np.ones((shape[-1], 5), np.float32)), np.zeros((*shape[:-1], 5), np.float32), strict=True)


def test_a_row_of_no_scores_is_a_row_in_which_everything_is_masked():
    with np.errstate(all="raise"):
        y, cache = softmax_forward(np.zeros((3, 0)))
        dx = softmax_backward(np.zeros((3, 0)), cache)
    assert y.shape == dx.shape == (3, 0)


@pytest.mark.parametrize("n", [5, SHORT, SHORT + 1, 3 * SHORT])
def test_the_largest_entry_of_short_and_of_long_rows(n):
    x = np.random.default_rng(n).normal(size=(2, 3, n)) - 7  # below 0, so that no start value can win
    x[1, 2] = -np.inf
    expected = [[[max(x[i, j])] for j in range(3)] for i in range(2)]
    assert_array_equal(rowmax(x), expected)


def test_the_shared_vector_of_ones_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        ones(4, np.dtype(np.float32))[0] = 2
    assert_array_equal(ones(4, np.dtype(np.float32)), np.ones(4, np.float32), strict=True)


def test_only_float16_is_widened():
    half, single, double = (np.ones(3, dtype) for dtype in (np.float16, np.float32, np.float64))
    assert widened(half).dtype == np.float32
    assert widened(single) is single and widened(double) is double


@pytest.mark.parametrize("values", [[300, -300, 100, -100], [200] * 512, [350, 0], [0.01, 0.02, -0.01]])
def test_means_of_float16_do_not_overflow_where_sums_and_squares_do(values):
    """The largest number is 65,504."""
    x = np.array([values], np.float16)
    with np.errstate(all="raise"):
        mean, square = rowmean(x), mean_square(x)
    assert mean.dtype == square.dtype == np.float16
    exact = x.astype(np.float64)
    assert_allclose(mean, exact.mean(-1, keepdims=True), rtol=1e-3, atol=1e-6)
    assert_allclose(square, (exact ** 2).mean(-1, keepdims=True), rtol=1e-3, atol=1e-7)
    assert rowmean(np.full((1, 3), 60000, np.float16)) == 60000


def test_a_mean_of_squares_that_float16_cannot_hold_is_refused():
    """It would be infinite, and what is divided by its root 0. In float32 it is a number like any other."""
    x = np.array([[1, 2], [300, -300]])
    with pytest.raises(FloatingPointError, match="is 90,000, and float16 ends at 65,504: use float32"):
        mean_square(x.astype(np.float16))
    assert_array_equal(mean_square(x.astype(np.float32)), np.array([[2.5], [90000]], np.float32), strict=True)


def test_a_sum_that_float16_cannot_hold_is_told():
    with pytest.warns(RuntimeWarning, match="overflow"):
        assert np.isposinf(rowsum(np.full((1, 700), 100, np.float16)))
