"""The linear layer."""

import numpy as np
from numpy.testing import assert_allclose

from tests.transformer.definitions import TIGHT, bias_gradient, project, project_back, weight_gradient
from transformer.linear import linear_backward, linear_forward


def sample():
    rng = np.random.default_rng(0)
    return rng.normal(size=(2, 4, 3)), rng.normal(size=(3, 5)), rng.normal(size=5), rng.normal(size=(2, 4, 5))


def test_each_row_is_multiplied_by_the_weights_and_the_bias_is_added():
    x, W, b, _ = sample()
    y, _ = linear_forward(x, W, b)
    assert_allclose(y, project(x, W, b), **TIGHT)


def test_gradients_of_the_parameters_add_up_over_all_rows():
    x, W, b, dy = sample()
    _, cache = linear_forward(x, W, b)
    dx, grads = linear_backward(dy, cache)
    assert_allclose(dx, project_back(dy, W), **TIGHT)
    assert_allclose(grads["W"], weight_gradient(x, dy), **TIGHT)
    assert_allclose(grads["b"], bias_gradient(dy), **TIGHT)
