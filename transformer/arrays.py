"""Matrix products and reductions over rows, arranged so that NumPy runs them as few, large operations."""

from functools import lru_cache

import numpy as np

SHORT = 32  # from here on turning costs more than it saves
ones = lru_cache(maxsize=256)(np.ones)  # vectors of ones are asked for all the time, and nobody changes them


def rows(x):
    """All leading axes as one: (..., d) becomes (rows, d). A view where the memory allows it."""
    return x.reshape(-1, x.shape[-1])


def dot(x, W):
    """x @ W as one matrix product over all rows, instead of one small product for each leading index.

    x: (..., d_in), W: (d_in, d_out). Returns (..., d_out).
    """
    return (rows(x) @ W).reshape(*x.shape[:-1], W.shape[-1])


def rowsum(x):
    """Sum over the last axis, which stays with size 1: (..., n) becomes (..., 1). Each row's dot product with ones."""
    return np.vecdot(x, ones(x.shape[-1], x.dtype))[..., None]


def colsum(x):
    """Sum over all leading axes: (..., d) becomes (d,). The matrix product 1^T x, with one row of x for each token."""
    flat = rows(x)
    return ones(len(flat), x.dtype) @ flat


def rowmean(x):
    """Mean over the last axis, which stays with size 1: (..., n) becomes (..., 1)."""
    return rowsum(x) / x.shape[-1]


def rowmax(x):
    """Largest entry along the last axis, which stays with size 1: (..., n) becomes (..., 1).

    NumPy compares whole rows with one another much faster than the entries of a short row, so short ones are turned.
    """
    if x.shape[-1] > SHORT:
        return np.max(x, axis=-1, keepdims=True)
    columns = np.ascontiguousarray(rows(x).T)
    return np.max(columns, axis=0).reshape(*x.shape[:-1], 1)
