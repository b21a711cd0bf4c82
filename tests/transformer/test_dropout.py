"""Dropout and what stands in its place at evaluation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.checks import check_by_differences
from transformer.dropout import bernoulli, dropout_backward, dropout_forward, identity_backward, identity_forward


def rng(seed=0):
    return np.random.default_rng(seed)


def test_entries_are_dropped_or_divided_by_what_is_kept():
    x = rng(1).normal(size=(200, 300))
    y, mask = dropout_forward(x, 0.1, rng())
    kept = y != 0
    assert_allclose(y[kept], x[kept] / 0.9, rtol=1e-15)
    assert set(np.unique(mask)) == {0, 1 / 0.9}
    assert abs(kept.mean() - 0.9) < 5 * np.sqrt(0.1 * 0.9 / x.size)  # five standard errors
    assert abs(mask.mean() - 1) < 5 * np.sqrt(0.1 / 0.9 / x.size)


def test_row_E33_the_backward_uses_the_mask_of_the_forward():
    x, dy = rng(1).normal(size=(2, 3, 5)), rng(2).normal(size=(2, 3, 5))
    y, cache = dropout_forward(x, 0.4, rng())
    dx = dropout_backward(dy, cache)
    assert_array_equal(dx == 0, y == 0)
    assert 0 < (dx == 0).sum() < dx.size
    check_by_differences("x", dx, lambda moved: np.sum(dropout_forward(moved, 0.4, rng())[0] * dy), x)


def test_row_E33_evaluation_is_the_exact_identity():
    """Twice the same, and the same as p = 0; no generator is asked."""
    x, generator = rng(1).normal(size=(2, 3, 5)), rng()
    first, cache = identity_forward(x, 0.1, generator)
    second, _ = identity_forward(x, 0.1, generator)
    without, _ = dropout_forward(x, 0.0, rng())
    assert first is x and second is x
    assert_array_equal(without, x, strict=True)
    assert generator.random() == rng().random()
    assert identity_backward(x, cache) is x


def test_each_call_draws_again_and_a_seed_gives_the_same_mask_in_every_dtype():
    x, generator = np.ones((4, 50)), rng()
    first, second = dropout_forward(x, 0.5, generator)[0], dropout_forward(x, 0.5, generator)[0]
    assert (first != second).any()
    for dtype in (np.float16, np.float32, np.float64):
        again, _ = dropout_forward(x.astype(dtype), 0.5, rng())
        assert_array_equal(again, first.astype(dtype), strict=True)


@pytest.mark.parametrize("p", [-0.1, 1, 1.5, float("nan")])
def test_a_probability_outside_its_range_is_refused(p):
    with pytest.raises(ValueError, match="at least 0 and below 1, got"):
        dropout_forward(np.ones(3), p, rng())


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.Philox, np.random.SFC64])
@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (4, 25_000)])
def test_booleans_are_true_with_their_probability(bits, p, shape):
    """Also where their number is no multiple of four. Neighbours, which share 64 bits, say nothing of each other."""
    drawn = bernoulli(p, shape, np.random.Generator(bits(3)))
    assert drawn.dtype == bool and drawn.shape == shape
    if p in (0, 1):
        assert (drawn == p).all()
    elif drawn.size > 1000:
        error = 5 * np.sqrt(p * (1 - p) / drawn.size)  # five standard errors
        assert abs(drawn.mean() - p) < error
        assert abs((drawn[:, 1:] & drawn[:, :-1]).mean() - p * p) < error


def test_a_generator_of_32_bits_is_refused():
    """The upper half of each of its numbers is 0: two of four entries would never be dropped."""
    with pytest.raises(ValueError, match="MT19937 makes 32: use numpy.random.default_rng"):
        bernoulli(0.5, (4,), np.random.Generator(np.random.MT19937(0)))


def test_every_call_uses_up_the_generator():
    generator = rng(4)
    first, second = bernoulli(0.5, (64,), generator), bernoulli(0.5, (64,), generator)
    assert (first != second).any()
    assert_array_equal(bernoulli(0.5, (64,), rng(4)), first)
