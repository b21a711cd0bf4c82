"""Token embeddings and the output layer that shares their matrix."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.page_numbers import DATA
from tests.transformer.checks import check_by_differences
from tests.transformer.definitions import TIGHT
from transformer.cross_entropy import cross_entropy_backward, cross_entropy_forward
from transformer.embedding import (embedding_backward, embedding_forward, scaled_embedding_backward,
                                   scaled_embedding_forward, sum_by_id, tied_logits_backward, tied_logits_forward)
from transformer.init import init_embedding

LESSON = json.loads((DATA / "lesson_numbers.json").read_text(encoding="utf-8"))
V, D = 7, 5
IDS = np.array([[1, 1, 2, 6], [0, 1, 6, 1]])  # repeated within a row and between rows; 3, 4 and 5 do not occur


def matrix(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize(("forward", "factor"), [(embedding_forward, 1), (scaled_embedding_forward, math.sqrt(D))])
def test_each_token_is_a_row_of_the_matrix(forward, factor):
    """As the product of one-hot rows with E; the model of 2017 multiplies by the root of the width."""
    E = matrix(V, D)
    expected = np.zeros((2, 4, D))
    for n, t, c in np.ndindex(expected.shape):
        expected[n, t, c] = factor * sum((k == IDS[n, t]) * E[k, c] for k in range(V))
    assert_allclose(forward(IDS, E)[0], expected, **TIGHT)
    assert_allclose(forward(IDS[1], E)[0], expected[1], **TIGHT)


@pytest.mark.parametrize(("forward", "backward"), [(embedding_forward, embedding_backward),
                                                   (scaled_embedding_forward, scaled_embedding_backward)])
def test_row_C23_the_gradient_adds_up_over_repeated_tokens(forward, backward):
    E, dx = matrix(V, D), matrix(2, 4, D, seed=1)
    grads = backward(dx, forward(IDS, E)[1])
    check_by_differences("E", grads["E"], lambda moved: np.sum(forward(IDS, moved)[0] * dx), E)
    assert not grads["E"][[3, 4, 5]].any()


def test_row_C23_numbers():
    """ids (1, 1, 2) and ones from above give (0, 2, 1); grad[ids] += g would give (0, 1, 1)."""
    grads = embedding_backward(np.ones((3, 1)), embedding_forward(np.array([1, 1, 2]), np.zeros((3, 1)))[1])
    assert_array_equal(grads["E"], [[0], [2], [1]])


@pytest.mark.parametrize("shape", [(40,), (6, 7), (2, 3, 4), (0,), (1,)])
def test_sums_by_id_equal_the_one_hot_product(shape):
    ids = np.random.default_rng(0).integers(0, V, shape)
    dy = matrix(*shape, D)
    expected = np.zeros((V, D))
    for index in np.ndindex(shape):
        expected[ids[index]] += dy[index]
    found = sum_by_id(dy.astype(np.float32), ids, V)
    assert_allclose(sum_by_id(dy, ids, V), expected, **TIGHT)
    assert found.dtype == np.float32 and found.shape == (V, D)


@pytest.mark.parametrize("wrong", [-1, V])
def test_an_id_outside_the_matrix_is_refused(wrong):
    """NumPy would take -1 for the last row."""
    for forward in (embedding_forward, scaled_embedding_forward):
        with pytest.raises(ValueError, match=f"must lie from 0 to 6, found .*{wrong}"):
            forward(np.array([2, wrong]), matrix(V, D))


def test_logits_of_tied_weights_are_the_products_with_every_row():
    x, E = matrix(2, 4, D), matrix(V, D, seed=1)
    expected = np.zeros((2, 4, V))
    for n, t, k in np.ndindex(expected.shape):
        expected[n, t, k] = sum(x[n, t, c] * E[k, c] for c in range(D))
    assert_allclose(tied_logits_forward(x, E)[0], expected, **TIGHT)


def test_row_C22_one_matrix_gathers_both_gradients():
    """A loss through E twice, as scaled input and as output: the sum of both gradients is the gradient of E."""
    E, targets = matrix(V, D) / 2, np.array([[1, 2, 2, 0], [6, 1, 3, 3]])

    def loss(E):
        return cross_entropy_forward(tied_logits_forward(scaled_embedding_forward(IDS, E)[0], E)[0], targets, 0)

    x, cache_x = scaled_embedding_forward(IDS, E)
    logits, cache_logits = tied_logits_forward(x, E)
    _, cache_loss = cross_entropy_forward(logits, targets, 0)
    dx, output = tied_logits_backward(cross_entropy_backward(1, cache_loss), cache_logits)
    entry = scaled_embedding_backward(dx, cache_x)
    check_by_differences("tied E", entry["E"] + output["E"], lambda moved: float(loss(moved)[0]), E)
    assert np.abs(entry["E"]).max() > 0.01 and np.abs(output["E"]).max() > 0.01


def test_row_C22_the_factor_stands_on_the_input_side_and_the_deviation_is_its_inverse():
    """sqrt(512) = 22.63 and 512^(-1/2) = 0.0442; for the lesson's d = 64, 8 and 0.125."""
    E = init_embedding(400, 512, np.random.default_rng(0))["E"]
    x, _ = scaled_embedding_forward(np.array([3]), E)
    assert f"{x[0, 0] / E[3, 0]:.2f}" == "22.63"
    assert abs(math.sqrt(512) * E.std() - 1) < 5 / math.sqrt(2 * E.size)  # five standard errors
    logits, _ = tied_logits_forward(x, E)
    assert_allclose(logits[0, 5], sum(x[0, c] * E[5, c] for c in range(512)), rtol=1e-10)
    ones, _ = scaled_embedding_forward(np.array([0]), np.ones((1, 64)))
    assert ones[0, 0] == LESSON["toy.sqrt_d"]["printed"] and 1 / ones[0, 0] == LESSON["toy.embedding_std"]["printed"]


@pytest.mark.parametrize(("shape", "d"), [((2, 0), D), ((0, 3), D), ((2, 3), 0)])
def test_no_tokens_and_no_columns_have_gradients_of_zero(shape, d):
    ids, E = np.zeros(shape, int), matrix(V, d)
    x, cache = embedding_forward(ids, E)
    logits, logits_cache = tied_logits_forward(x, E)
    assert x.shape == (*shape, d) and logits.shape == (*shape, V)
    assert_array_equal(embedding_backward(x, cache)["E"], np.zeros((V, d)))
    dx, grads = tied_logits_backward(np.ones(logits.shape), logits_cache)
    assert dx.shape == x.shape and not grads["E"].any()
