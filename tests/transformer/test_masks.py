"""Which keys a query may read."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from transformer.heads import merge_heads, split_heads
from transformer.masks import causal_mask, padding_mask
from transformer.softmax import softmax_backward, softmax_forward

PAD = 0
IDS = np.array([[4, 7, 7, 3], [5, 2, PAD, PAD]])


def weights(scores, mask):
    """Attention weights of scores under a mask, as the attention functions compute them."""
    return softmax_forward(np.where(mask, scores, -np.inf))[0]


def test_a_query_reads_itself_and_what_came_before():
    expected = [[j <= i for j in range(5)] for i in range(5)]
    assert_array_equal(causal_mask(5), expected, strict=True)


@pytest.mark.parametrize("past", [0, 1, 4])
def test_row_B15_the_causal_mask_continues_after_the_past(past):
    """Query i may read the keys 0 to past + i. One query after four positions reads all five keys, not just one."""
    for T in (1, 3):
        expected = [[j <= past + i for j in range(past + T)] for i in range(T)]
        assert_array_equal(causal_mask(T, past), expected, strict=True)
        assert_array_equal(causal_mask(T, past), causal_mask(past + T)[past:])
    assert causal_mask(1, 4).tolist() == [[True, True, True, True, True]]


def test_row_B11_padding_keys_are_masked_and_padding_queries_are_not():
    """Columns, not rows: masking both would leave rows in which nothing may be read."""
    mask = padding_mask(IDS, PAD)
    assert mask.shape == (2, 1, 1, 4) and mask.dtype == bool
    expected = np.zeros((2, 3, 4, 4), dtype=bool)
    for n, h, i, j in np.ndindex(expected.shape):
        expected[n, h, i, j] = IDS[n, j] != PAD
    assert_array_equal(np.broadcast_to(mask, expected.shape), expected)
    assert expected.any(axis=-1).all()


def test_masks_combine_by_and():
    mask = causal_mask(4) & padding_mask(IDS, PAD)
    assert mask.shape == (2, 1, 4, 4)
    for n, i, j in np.ndindex(2, 4, 4):
        assert mask[n, 0, i, j] == (j <= i and IDS[n, j] != PAD)
    assert padding_mask(IDS[1], PAD).shape == (1, 1, 4)


def test_row_B11_what_stands_at_the_padding_changes_no_real_row():
    """Another padding embedding, or more padding: the same numbers, bit for bit."""
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 2, 3, 4, 5))
    K_other, V_other = K.copy(), V.copy()
    K_other[1, :, 2:] = 1e3 * rng.normal(size=(3, 2, 5))
    V_other[1, :, 2:] = 1e3 * rng.normal(size=(3, 2, 5))
    mask = causal_mask(4) & padding_mask(IDS, PAD)
    out, other = weights(Q @ K.mT, mask) @ V, weights(Q @ K_other.mT, mask) @ V_other
    assert_array_equal(other[0], out[0])
    assert_array_equal(other[1, :, :2], out[1, :, :2])


def test_row_B12_a_mask_reads_token_ids_and_no_vectors():
    """A zero vector at a real token stays readable; padding is masked whatever its vector is after positions."""
    E = np.zeros((8, 5))
    X = E[IDS] + np.arange(4)[:, None]
    assert X[1, 2].any()
    assert padding_mask(IDS, PAD)[:, 0, 0].tolist() == [[True] * 4, [True, True, False, False]]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_row_B10_a_masked_weight_is_exactly_zero(dtype):
    scores = (300 * np.random.default_rng(0).normal(size=(2, 3, 4, 4))).astype(dtype)
    mask = np.broadcast_to(causal_mask(4) & padding_mask(IDS, PAD), scores.shape)
    A = weights(scores, mask)
    assert (A[~mask] == 0).all() and A.dtype == dtype
    assert np.abs(A.sum(axis=-1) - 1).max() < 4 * np.finfo(dtype).eps


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_row_B7_a_fully_masked_row_gives_zeros_forward_and_backward(dtype):
    """Scores (3, 1, 2), all masked: by choice weights, output and gradient are 0; no even shares, no NaN."""
    scores = np.array([[3, 1, 2], [3, 1, 2]], dtype)
    mask = np.array([[False, False, False], [True, True, False]])
    values = np.random.default_rng(0).normal(size=(3, 2)).astype(dtype)
    with np.errstate(all="raise"):
        A, cache = softmax_forward(np.where(mask, scores, -np.inf))
        dS = softmax_backward(np.ones((2, 2), dtype) @ values.T, cache)
        out = A @ values
    assert not A[0].any() and not out[0].any() and not dS[0].any() and np.isfinite(dS).all() and out[1].any()
    assert A.dtype == out.dtype == dS.dtype == dtype


def test_row_B14_heads_are_merged_with_a_swap_of_axes():
    """1 to 8 in (2, 2, 2) give [[1, 2, 5, 6], [3, 4, 7, 8]], by reshape alone [[1, 2, 3, 4], [5, 6, 7, 8]]."""
    Mh = np.arange(1, 9).reshape(2, 2, 2)
    assert merge_heads(Mh).tolist() == [[1, 2, 5, 6], [3, 4, 7, 8]]
    assert_array_equal(split_heads(merge_heads(Mh), 2), Mh)
