"""Softmax along the last axis."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.definitions import TIGHT
from transformer.softmax import softmax_backward, softmax_forward

DTYPES = [np.float16, np.float32, np.float64]


def test_a_shift_of_the_row_changes_nothing():
    """For three constants c: the quotient of the shifted powers, entry by entry; 0 where all of a row is masked."""
    x = np.random.default_rng(0).normal(size=(2, 3, 4, 5))
    x[0, 1, 2] = -np.inf
    y, _ = softmax_forward(x)
    for c in (0.0, 2.75, -1.5):
        expected = np.zeros(x.shape)
        for row in np.ndindex(x.shape[:-1]):
            total = sum(math.exp(number - c) for number in x[row])
            for i, number in enumerate(x[row]):
                expected[*row, i] = math.exp(number - c) / total if total else 0
        assert_allclose(y, expected, **TIGHT)


def test_very_large_and_very_small_rows_together():
    """Each row has its own shift: one taken over the whole array would turn the second row into 0 / 0."""
    y, _ = softmax_forward(np.array([[1000.0, 0.0], [-1000.0, -1001.0]]))
    assert_allclose(y, [[1, 0], [1 / (1 + math.exp(-1)), 1 / (1 + math.exp(1))]], rtol=1e-15)


@pytest.mark.parametrize("dtype", DTYPES)
def test_scores_near_the_largest_number_do_not_overflow(dtype):
    top = np.finfo(dtype).max
    y, _ = softmax_forward(np.array([[top, 0, 0], [-top, -top, -top]], dtype))
    assert y.dtype == dtype
    assert_allclose(y, [[1, 0, 0], [1 / 3, 1 / 3, 1 / 3]], rtol=float(np.finfo(dtype).eps))


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_masked_entry_has_weight_and_gradient_exactly_zero(dtype):
    x = np.array([[3, -np.inf, 2], [-np.inf, -np.inf, 1]], dtype)
    y, cache = softmax_forward(x)
    dx = softmax_backward(np.array([[5, 7, -4], [2, 3, 9]], dtype), cache)
    masked = np.isneginf(x)
    assert (y[masked] == 0).all() and (dx[masked] == 0).all()
    assert y[1, 2] == 1 and dx[1, 2] == 0
    assert (y[~masked] > 0).all() and np.isfinite(dx).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_fully_masked_row_gives_zero_weights_outputs_and_gradients(dtype):
    rng = np.random.default_rng(0)
    scores = np.array([[3, 1, 2], [3, 1, 2]], dtype)
    mask = np.array([[True, True, False], [False, False, False]])
    values = rng.normal(size=(3, 2)).astype(dtype)
    with np.errstate(all="raise"):
        y, cache = softmax_forward(np.where(mask, scores, -np.inf))
        dx = softmax_backward(rng.normal(size=(2, 3)).astype(dtype), cache)
        output = y @ values
    assert y.dtype == dx.dtype == output.dtype == dtype
    assert_array_equal(y[1], np.zeros(3))
    assert_array_equal(output[1], np.zeros(2))
    assert_array_equal(dx[1], np.zeros(3))
    assert np.isfinite(dx).all() and y[0, 0] > 0 and dx[0, 0] != 0


def test_a_row_of_equal_scores_shares_out_equally():
    y, _ = softmax_forward(np.full((2, 5), 0.3))
    assert_allclose(y, np.full((2, 5), 0.2), rtol=1e-15)
