"""Matrix products and reductions over rows, arranged so that NumPy runs them as few, large operations."""

import numpy as np


def rows(x):
    """All leading axes as one: (..., d) becomes (rows, d). A view where the memory allows it."""
    return x.reshape(-1, x.shape[-1])


def dot(x, W):
    """x @ W as one matrix product over all rows, instead of one small product for each leading index.

    x: (..., d_in), W: (d_in, d_out). Returns (..., d_out).
    """
    return (rows(x) @ W).reshape(*x.shape[:-1], W.shape[-1])


def rowsum(x):
    """Sum over the last axis, which stays with size 1: (..., n) becomes (..., 1)."""
    return np.sum(x, axis=-1, keepdims=True)


def rowmean(x):
    """Mean over the last axis, which stays with size 1: (..., n) becomes (..., 1)."""
    return rowsum(x) / x.shape[-1]


def rowmax(x):
    """Largest entry along the last axis, which stays with size 1: (..., n) becomes (..., 1)."""
    return np.max(x, axis=-1, keepdims=True)
