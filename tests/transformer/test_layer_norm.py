"""Layer normalisation."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.page_numbers import DATA
from tests.transformer.checks import check_by_differences
from tests.transformer.definitions import TIGHT
from transformer.arrays import rowmean
from transformer.layer_norm import layer_norm_backward, layer_norm_forward

LESSON = json.loads((DATA / "lesson_numbers.json").read_text(encoding="utf-8"))
EPS = 1e-5


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def plain(x, eps=EPS):
    """Without scale and shift: gamma is 1 and beta is 0."""
    d = x.shape[-1]
    return layer_norm_forward(x, np.ones(d, x.dtype), np.zeros(d, x.dtype), eps)[0]


def test_every_entry_is_the_definition():
    x, gamma, beta = normal(2, 3, 5), normal(5, seed=1), normal(5, seed=2)
    eps = 0.25  # large enough to matter, and to be missed where it stands outside the root
    expected = np.zeros(x.shape)
    for n, t in np.ndindex(2, 3):
        row = x[n, t]
        mean = sum(row) / 5
        variance = sum((number - mean) ** 2 for number in row) / 5
        for i in range(5):
            expected[n, t, i] = gamma[i] * (row[i] - mean) / math.sqrt(variance + eps) + beta[i]
    y, _ = layer_norm_forward(x, gamma, beta, eps)
    assert_allclose(y, expected, **TIGHT)


def test_row_A1_the_variance_divides_by_d_and_eps_stands_inside_the_root():
    """(1, 2, 3, 6) gives (-1.069, -0.535, 0, 1.604); with d - 1 it would be (-0.926, -0.463, 0, 1.389)."""
    y = plain(np.array([1.0, 2.0, 3.0, 6.0]))
    printed = LESSON["layernorm.out"]
    assert_allclose(y, printed["printed"], atol=printed["tolerance"])
    assert_allclose(y, np.array([-2, -1, 0, 3]) / math.sqrt(3.5 + EPS), rtol=1e-15)
    assert f"{plain(np.array([1.0, 0.0, 0.0, 0.0]))[0]:.3f}" == "1.732"
    tiny = 1e-3 * np.array([1.0, 2.0, 3.0, 6.0])  # variance 3.5e-6, below eps
    assert_allclose(plain(tiny), np.array([-2, -1, 0, 3]) * 1e-3 / math.sqrt(3.5e-6 + 1e-5), rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_row_A1_a_constant_row_gives_beta_and_finite_gradients(dtype):
    x = np.full((2, 4), 3.25, dtype)
    gamma, beta, dy = (normal(*shape, seed=s).astype(dtype) for s, shape in enumerate([(4,), (4,), (2, 4)]))
    with np.errstate(all="raise"):
        y, cache = layer_norm_forward(x, gamma, beta)
        dx, grads = layer_norm_backward(dy, cache)
    assert_array_equal(y, np.broadcast_to(beta, (2, 4)))
    assert_array_equal(grads["gamma"], np.zeros(4))
    assert np.isfinite(dx).all() and dx.dtype == dtype


def test_mean_and_variance_of_the_lesson():
    mean, variance = LESSON["layernorm.mean_var"]["printed"]
    _, (x_hat, sigma, _) = layer_norm_forward(np.array([1.0, 2.0, 3.0, 6.0]), np.ones(4), np.zeros(4))
    assert_allclose(sigma ** 2 - EPS, [variance], rtol=1e-14)
    assert_allclose(6.0 - x_hat[3] * sigma, [mean], rtol=1e-14)


def test_row_A4_a_large_mean_does_not_spoil_the_variance():
    """In float32, 10^4 + (1, 2, 3, 6): the mean of squares minus the squared mean gives 0.0 instead of 3.5."""
    x = np.array([1, 2, 3, 6], np.float32)
    moved = x + np.float32(1e4)
    assert abs(float(np.mean(moved * moved) - np.mean(moved) ** 2) - 3.5) > 0.5  # the trap is real
    _, (_, sigma, _) = layer_norm_forward(moved, np.ones(4, np.float32), np.zeros(4, np.float32))
    assert abs(float(sigma[0]) ** 2 - 3.5) < 1e-4
    assert_allclose(plain(moved), plain(x), atol=1e-6)


def test_row_A5_gamma_enters_before_the_means():
    """With gamma far from 1 a backward that multiplies by gamma last is wrong by some 15 %; at 1 it passes."""
    x, dy = normal(2, 3, 5), normal(2, 3, 5, seed=1)
    gamma, beta = 1 + 0.5 * normal(5, seed=2), normal(5, seed=3)
    _, cache = layer_norm_forward(x, gamma, beta)
    dx, grads = layer_norm_backward(dy, cache)
    check_by_differences("x", dx, lambda moved: np.sum(layer_norm_forward(moved, gamma, beta)[0] * dy), x)
    dgamma, dbeta = grads["gamma"], grads["beta"]
    check_by_differences("gamma", dgamma, lambda moved: np.sum(layer_norm_forward(x, moved, beta)[0] * dy), gamma)
    check_by_differences("beta", dbeta, lambda moved: np.sum(layer_norm_forward(x, gamma, moved)[0] * dy), beta)
    x_hat, sigma, _ = cache
    late = gamma * (dy - dy.mean(-1, keepdims=True) - x_hat * (dy * x_hat).mean(-1, keepdims=True)) / sigma
    assert np.abs(late - dx).max() / np.abs(dx).max() > 0.05


def test_row_A6_a_gradient_of_ones_would_hide_a_wrong_backward():
    """With gamma 1 and ones from above, dx is 0 whatever the formula: such a test proves nothing."""
    x = normal(2, 3, 5)
    _, cache = layer_norm_forward(x, np.ones(5), np.zeros(5))
    dx, _ = layer_norm_backward(np.ones(x.shape), cache)
    assert np.abs(dx).max() < 1e-15
    dx, _ = layer_norm_backward(normal(2, 3, 5, seed=1), cache)
    assert np.abs(dx).max() > 0.1


def test_row_A3_a_second_norm_shows_only_with_gamma_and_beta_as_after_training():
    """At gamma 1 and beta 0 it changes nothing visible; with random ones it moves the output by far."""
    x = normal(6, 8)
    once = plain(x)
    assert np.abs(plain(once) - once).max() < 2e-5
    gamma, beta = 1 + 0.5 * normal(8, seed=1), 0.5 * normal(8, seed=2)
    trained, _ = layer_norm_forward(x, gamma, beta)
    assert np.abs(plain(trained) - trained).max() > 0.5


def test_no_row_reads_another():
    x, gamma, beta = normal(4, 5), normal(5, seed=1), normal(5, seed=2)
    moved = x.copy()
    moved[2] = 100 * normal(5, seed=3)
    before, after = (layer_norm_forward(rows, gamma, beta)[0] for rows in (x, moved))
    assert_array_equal(after[[0, 1, 3]], before[[0, 1, 3]])


@pytest.mark.parametrize("row", [200 + 20 * normal(512), np.array([300.0, -300, 100, -100]),
                                 np.array([64000.0, 64256, 64512])], ids=["far", "squares", "very far"])
def test_float16_agrees_with_float64_where_sums_and_squares_overflow(row):
    """A sum of 512 numbers near 200 is beyond 65,504, and so is the square of 256. Means near float16 numbers."""
    half, dy = row.astype(np.float16), normal(len(row), seed=3).astype(np.float16)
    gamma, beta = normal(len(row), seed=1).astype(np.float16), normal(len(row), seed=2).astype(np.float16)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        y, cache = layer_norm_forward(half, gamma, beta)
        dx, grads = layer_norm_backward(dy, cache)
    exact, exact_cache = layer_norm_forward(*(part.astype(np.float64) for part in (half, gamma, beta)))
    exact_dx, exact_grads = layer_norm_backward(dy.astype(np.float64), exact_cache)
    assert {part.dtype for part in (y, dx, *cache, *grads.values())} == {np.dtype(np.float16)}
    assert_allclose(y, exact, atol=0.03)
    assert_allclose(dx, exact_dx, atol=1e-2 * np.abs(exact_dx).max() + 1e-6)
    assert_allclose(grads["gamma"], exact_grads["gamma"], atol=0.03)


def test_a_variance_that_float16_cannot_hold_is_refused():
    with pytest.raises(FloatingPointError, match="a mean of squares is 90,000"):
        plain(np.array([300.0, -300.0], np.float16))


def test_a_large_constant_row_shows_the_round_off_of_its_mean_over_the_root_of_eps():
    """The numbers of the docstring."""
    x = np.full((1, 512), 12345.678, np.float32)
    y, _ = layer_norm_forward(x, np.ones(512, np.float32), np.zeros(512, np.float32))
    off = float(x[0, 0] - rowmean(x)[0, 0])
    assert 5e-4 < abs(off) < 2e-3
    assert_allclose(y[0, 0], off / np.sqrt(off * off + 1e-5), rtol=1e-5)
    assert 0.2 < abs(y[0, 0]) < 0.4


def test_a_constant_row_gives_beta_up_to_the_round_off_of_its_mean():
    """In float32 the mean of twelve times 0.1 is another number; eps keeps what is left small."""
    x, beta = np.full((1, 12), 0.1, np.float32), normal(12).astype(np.float32)
    y, _ = layer_norm_forward(x, np.ones(12, np.float32), beta)
    assert_allclose(y[0], beta, atol=1e-5)
