"""Activation functions, entry by entry."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.checks import check_by_differences
from transformer.activations import (gelu_erf_backward, gelu_erf_forward, gelu_tanh_backward, gelu_tanh_forward,
                                     relu_backward, relu_forward, silu_backward, silu_forward)
from transformer.erf import erf

DEFINITIONS = {
    relu_forward: lambda x: x if x > 0 else 0.0,
    gelu_erf_forward: lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2))),
    gelu_tanh_forward: lambda x: 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
    silu_forward: lambda x: x / (1 + math.exp(-x)),
}
BACKWARDS = {relu_forward: relu_backward, gelu_erf_forward: gelu_erf_backward, gelu_tanh_forward: gelu_tanh_backward,
             silu_forward: silu_backward}
each_function = pytest.mark.parametrize("function", DEFINITIONS, ids=lambda function: function.__name__)


@each_function
def test_every_entry_is_the_definition(function):
    x = 3 * np.random.default_rng(0).normal(size=(2, 3, 5))
    expected = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        expected[index] = DEFINITIONS[function](x[index])
    y, _ = function(x)
    assert_allclose(y, expected, rtol=1e-12, atol=1e-14, strict=True)


@each_function
def test_gradients_equal_central_differences_far_out_and_near_zero(function):
    """Single numbers, so that a large entry cannot hide the error of a small one."""
    for number in (-6.0, -2.5, -0.7, -1e-3, 1e-3, 0.4, 1.9, 6.0):
        x, dy = np.array([number]), np.array([-1.7])
        _, cache = function(x)
        f = lambda moved: float(np.sum(function(moved)[0] * dy))  # noqa: E731
        gradient = BACKWARDS[function](dy, cache)
        assert abs(gradient - (f(x + 1e-6) - f(x - 1e-6)) / 2e-6) < 1e-8, f"{function.__name__} at {number}"
    x = np.random.default_rng(0).normal(size=(2, 3, 5))
    dy = np.random.default_rng(1).normal(size=x.shape)
    check_by_differences(function.__name__, BACKWARDS[function](dy, function(x)[1]),
                         lambda moved: np.sum(function(moved)[0] * dy), x)


@each_function
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_numbers_neither_overflow_nor_warn(function, dtype):
    x = np.array([-1e4, -90.0, 90.0, 1e4], dtype)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        y, cache = function(x)
        dx = BACKWARDS[function](np.ones_like(x), cache)
    assert_allclose(y, [0, 0, 90, 1e4], atol=1e-30)
    assert_allclose(dx, [0, 0, 1, 1], atol=1e-30)


@each_function
@pytest.mark.parametrize(("dtype", "far"), [(np.float16, 300), (np.float16, 1000), (np.float16, 60000),
                                            (np.float32, 1e30), (np.float64, 1e200)])
def test_where_powers_of_x_overflow_value_and_gradient_are_those_of_the_straight_line(function, dtype, far):
    """The slope of Phi is 0 there, whatever it is multiplied by. Only a power of x on the way to tanh may overflow."""
    x = np.array([-far, far], dtype)
    with np.errstate(over="ignore" if function is gelu_tanh_forward else "raise", invalid="raise"):
        y, cache = function(x)
    with np.errstate(over="raise", invalid="raise"):
        dx = BACKWARDS[function](np.full(2, 3, dtype), cache)
    assert_array_equal(y, np.array([0, far], dtype), strict=True)
    assert_array_equal(dx, np.array([0, 3], dtype), strict=True)


def test_relu_passes_no_gradient_at_zero_and_ties():
    """There is no derivative at 0; the choice is 0, for +0 and -0."""
    x = np.array([0.0, -0.0, 2.0, 2.0, -2.0, -2.0])
    y, cache = relu_forward(x)
    assert_array_equal(y, [0, 0, 2, 2, 0, 0])
    assert_array_equal(relu_backward(np.full(6, 3.0), cache), [0, 0, 3, 3, 0, 0])


def test_row_E35_the_two_forms_of_gelu_are_different_functions():
    """The largest gap is 4.73e-4, at |x| = 2.70; one number of each form is fixed here."""
    x = np.linspace(-6, 6, 120_001)
    gap = np.abs(gelu_erf_forward(x)[0] - gelu_tanh_forward(x)[0])
    assert f"{gap.max():.2e}" == "4.73e-04"
    assert f"{abs(x[gap.argmax()]):.2f}" == "2.70"
    one = np.array([1.0])
    assert abs(gelu_erf_forward(one)[0][0] - 0.8413447460685429) < 1e-15
    assert abs(gelu_tanh_forward(one)[0][0] - 0.8411919906082768) < 1e-15


# --- the error function ----------------------------------------------------------------------------------------------


def test_erf_is_the_error_function_to_the_last_digits():
    x = np.concatenate([np.linspace(-7, 7, 70_001), np.linspace(-0.5, 0.5, 20_001), np.linspace(0.46, 0.48, 2001)])
    expected = np.array([math.erf(number) for number in x])
    error = np.abs(erf(x) - expected)
    assert error.max() < 4e-16, f"largest error {error.max():.1e}"
    single = x.astype(np.float32)
    error = np.abs(erf(single) - np.array([math.erf(number) for number in single.tolist()]))
    assert error.max() < 2e-7, f"largest error in float32 {error.max():.1e}"


def test_erf_of_very_small_numbers_keeps_its_relative_accuracy():
    x = np.array([1e-300, 1e-8, 1e-3, 0.1])
    assert_allclose(erf(x), [math.erf(number) for number in x], rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_erf_is_odd_and_ends_at_one(dtype):
    x = np.array([np.inf, -np.inf, 0.0, 6.5, -6.5, np.finfo(dtype).max], dtype)
    assert_array_equal(erf(x), np.array([1, -1, 0, 1, -1, 1], dtype), strict=True)
    assert np.signbit(erf(np.array([-0.0], dtype)))[0] and np.isnan(erf(np.array([np.nan], dtype)))[0]
