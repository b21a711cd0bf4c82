"""Position-wise feed-forward networks."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.definitions import TIGHT, project
from tests.transformer.sample_calls import samples
from transformer.feed_forward import (ffn_gelu_tanh_forward, ffn_relu_backward, ffn_relu_forward, ffn_swiglu_forward)

SAMPLES = samples()


def gelu_tanh(z):
    return 0.5 * z * (1 + math.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z ** 3)))


@pytest.mark.parametrize(("forward", "activation"),
                         [(ffn_relu_forward, lambda z: max(0.0, z)), (ffn_gelu_tanh_forward, gelu_tanh)])
def test_two_layers_with_an_activation_between(forward, activation):
    args = SAMPLES[forward.__name__].args
    x, params = args["x"], args["params"]
    hidden = project(x, params["w1"], params["b1"])
    for index in np.ndindex(hidden.shape):
        hidden[index] = activation(hidden[index])
    y, _ = forward(x, params)
    assert_allclose(y, project(hidden, params["w2"], params["b2"]), **TIGHT)


def test_swiglu_gates_one_branch_by_silu_of_the_other():
    args = SAMPLES["ffn_swiglu_forward"].args
    x, params = args["x"], args["params"]
    zero = np.zeros(params["w_up"].shape[1])
    gate, up = project(x, params["w_gate"], zero), project(x, params["w_up"], zero)
    hidden = np.zeros(up.shape)
    for index in np.ndindex(hidden.shape):
        z = gate[index]
        hidden[index] = z / (1 + math.exp(-z)) * up[index]
    y, _ = ffn_swiglu_forward(x, params)
    assert_allclose(y, project(hidden, params["w_down"], np.zeros(x.shape[-1])), **TIGHT)


def test_each_row_is_treated_alone():
    args = SAMPLES["ffn_relu_forward"].args
    x, params = args["x"], args["params"]
    moved = x.copy()
    moved[1, 2] += 1
    before, after = ffn_relu_forward(x, params)[0], ffn_relu_forward(moved, params)[0]
    changed = np.zeros(x.shape[:-1], dtype=bool)
    changed[1, 2] = True
    assert_array_equal((before != after).any(axis=-1), changed)


def test_a_unit_that_is_off_for_every_row_gets_no_gradient():
    x, params = np.array([[1.0, 2.0], [3.0, -1.0]]), {"w1": np.array([[1.0, -1.0], [0.5, 0.0]]), "b1": np.zeros(2),
                                                      "w2": np.array([[1.0, 2.0], [3.0, 4.0]]), "b2": np.zeros(2)}
    _, cache = ffn_relu_forward(x, params)
    _, grads = ffn_relu_backward(np.ones((2, 2)), cache)
    assert_array_equal(grads["w2"][1], [0, 0])
    assert_array_equal(grads["w1"][:, 1], [0, 0])
    assert grads["b1"][1] == 0 and grads["b1"][0] != 0
