"""Every backward against central differences, in float64, with random upstream gradients and a batch axis."""

import numpy as np
import pytest

from tests.transformer.samples import attention_sample
from transformer.attention import attention_backward, attention_forward
from transformer.gradcheck import numerical_gradient, relative_error
from transformer.heads import merge_heads, split_heads
from transformer.linear import linear_backward, linear_forward
from transformer.softmax import softmax_backward, softmax_forward

LIMIT = 1e-6


def check(name, gradient, f, x):
    """Compare ``gradient`` with central differences of the scalar f at x."""
    error = relative_error(gradient, numerical_gradient(f, x))
    assert error < LIMIT, f"{name}: largest relative error {error:.1e}, allowed {LIMIT:.0e}"


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def test_linear():
    x, W, b, dy = normal(2, 4, 3), normal(3, 5, seed=1), normal(5, seed=2), normal(2, 4, 5, seed=3)
    _, cache = linear_forward(x, W, b)
    dx, grads = linear_backward(dy, cache)
    check("x", dx, lambda moved: np.sum(linear_forward(moved, W, b)[0] * dy), x)
    check("W", grads["W"], lambda moved: np.sum(linear_forward(x, moved, b)[0] * dy), W)
    check("b", grads["b"], lambda moved: np.sum(linear_forward(x, W, moved)[0] * dy), b)


def test_softmax():
    x, dy = normal(2, 3, 5), normal(2, 3, 5, seed=1)
    _, cache = softmax_forward(x)
    check("x", softmax_backward(dy, cache), lambda moved: np.sum(softmax_forward(moved)[0] * dy), x)


def test_splitting_and_merging():
    M, dMh = normal(2, 4, 15), normal(2, 3, 4, 5, seed=1)
    check("M", merge_heads(dMh), lambda moved: np.sum(split_heads(moved, 3) * dMh), M)
    check("Mh", split_heads(M, 3), lambda moved: np.sum(merge_heads(moved) * M), dMh)


@pytest.mark.parametrize("name", ["Xn", "wq", "bq", "wk", "wv", "bv", "wo", "bo"])
def test_attention(name):
    Xn, params, H, mask, dOut = attention_sample(sizes={"B": 2, "H": 3, "T": 4, "d_h": 2, "d": 6})
    _, cache = attention_forward(Xn, params, H, mask)
    dXn, grads = attention_backward(dOut, cache)

    def f(moved):
        inputs = (moved, params) if name == "Xn" else (Xn, {**params, name: moved})
        return np.sum(attention_forward(*inputs, H, mask)[0] * dOut)

    check(name, dXn if name == "Xn" else grads[name], f, Xn if name == "Xn" else params[name])


def test_attention_key_bias():
    """Its gradient is 0, so the error is measured against the gradient of the query bias, which is not."""
    Xn, params, H, mask, dOut = attention_sample()
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    numeric = numerical_gradient(
        lambda moved: np.sum(attention_forward(Xn, {**params, "bk": moved}, H, mask)[0] * dOut), params["bk"])
    error = np.abs(grads["bk"] - numeric).max() / np.abs(grads["bq"]).max()
    assert error < LIMIT, f"bk: largest error {error:.1e} of the largest entry for bq, allowed {LIMIT:.0e}"


# --- the measuring tool itself ---------------------------------------------------------------------------------------


def test_central_differences_of_a_known_function():
    x = normal(2, 3)
    gradient = numerical_gradient(lambda moved: np.sum(moved ** 3), x)
    assert relative_error(gradient, 3 * x ** 2) < 1e-9


def test_a_wrong_gradient_is_noticed():
    x = normal(2, 3)
    with pytest.raises(AssertionError, match="x: largest relative error 1.0e-03, allowed 1e-06"):
        check("x", 1.001 * 3 * x ** 2, lambda moved: np.sum(moved ** 3), x)


def test_central_differences_refuse_single_precision():
    with pytest.raises(TypeError, match="need float64, got float32"):
        numerical_gradient(np.sum, np.ones(3, np.float32))


def test_central_differences_do_not_change_their_input():
    x = normal(2, 3)
    before = x.copy()
    numerical_gradient(np.sum, x)
    assert (x == before).all()


def test_the_relative_error_of_equal_arrays_is_zero_and_shapes_must_agree():
    assert relative_error(np.zeros(3), np.zeros(3)) == 0
    assert relative_error(np.array([2.0, 1.0]), np.array([1.0, 1.0])) == 0.5
    with pytest.raises(ValueError, match=r"one shape, got \(3,\) and \(3, 1\)"):
        relative_error(np.zeros(3), np.zeros((3, 1)))
