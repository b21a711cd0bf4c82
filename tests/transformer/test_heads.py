"""Cutting columns into heads and putting them side by side again."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from transformer.heads import merge_heads, split_heads


def test_head_h_owns_one_block_of_columns():
    B, H, T, width = 2, 3, 4, 5
    M = np.random.default_rng(0).normal(size=(B, T, H * width))
    expected = np.zeros((B, H, T, width))
    for n, h, t, i in np.ndindex(expected.shape):
        expected[n, h, t, i] = M[n, t, h * width + i]
    assert_array_equal(split_heads(M, H), expected, strict=True)
    assert_array_equal(split_heads(M[0], H), expected[0], strict=True)  # axes are counted from the end


def test_merging_moves_the_head_axis_before_it_reshapes():
    """Without the swap of axes the rows would be cut at the wrong places: [[1, 2, 3, 4], [5, 6, 7, 8]]."""
    Mh = np.arange(1, 9).reshape(2, 2, 2)
    assert_array_equal(merge_heads(Mh), [[1, 2, 5, 6], [3, 4, 7, 8]])
    assert_array_equal(split_heads(np.array([[1, 2, 5, 6], [3, 4, 7, 8]]), 2), Mh)


@pytest.mark.parametrize("leading", [(), (2,), (7, 2)])
def test_merging_undoes_splitting(leading):
    M = np.random.default_rng(0).normal(size=(*leading, 4, 15))
    for H in (1, 3, 5, 15):
        assert_array_equal(merge_heads(split_heads(M, H)), M, strict=True)


def test_each_is_the_backward_pass_of_the_other():
    """<split(M), N> = <M, merge(N)> for all M and N: merge is the transpose of split, and the other way round."""
    M = np.random.default_rng(0).normal(size=(2, 4, 15))
    N = np.random.default_rng(1).normal(size=(2, 3, 4, 5))
    left, right = np.sum(split_heads(M, 3) * N), np.sum(M * merge_heads(N))
    assert abs(left - right) < 1e-12, f"{left} and {right} differ"
