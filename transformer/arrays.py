"""Matrix products and reductions over rows, arranged so that NumPy runs them as few, large operations."""

import math
from functools import lru_cache

import numpy as np

SHORT = 32  # up to here a row is faster turned into a column


@lru_cache(maxsize=256)
def ones(n, dtype):
    """A vector of n ones. They are asked for all the time, so all share one vector, which nobody can change."""
    vector = np.ones(n, dtype)
    vector.setflags(write=False)
    return vector


def widened(x):
    """x in float32 where it is float16, whose numbers end at 65,504: squares and sums soon pass that. Else x itself."""
    return x.astype(np.float32) if x.dtype == np.float16 else x


def rows(x):
    """All leading axes as one: (..., d) becomes (rows, d), where either may be 0. A view where the memory allows it."""
    return x.reshape(math.prod(x.shape[:-1]), x.shape[-1])


def dot(x, W):
    """x @ W as one matrix product over all rows, instead of one small product for each leading index.

    x: (..., d_in), W: (d_in, d_out). Returns (..., d_out).
    """
    return (rows(x) @ W).reshape(*x.shape[:-1], W.shape[-1])


def rowsum(x):
    """Sum over the last axis, which stays with size 1: (..., n) becomes (..., 1). The matrix product x 1.

    In float16 a sum beyond 65,504 is inf, and NumPy warns of the overflow; rowmean has no such limit.
    """
    return (rows(x) @ ones(x.shape[-1], x.dtype)).reshape(*x.shape[:-1], 1)


def rowdot(x, y):
    """Dot product of each row of x with the same row of y: twice (..., n) becomes (..., 1)."""
    return np.vecdot(x, y)[..., None]


def one_hot(ids, V, dtype):
    """1 at the id of each row, 0 elsewhere: ids: (...), whole numbers from 0 to V - 1, becomes (..., V)."""
    q = np.zeros((ids.size, V), dtype)
    q[np.arange(ids.size), ids.reshape(-1)] = 1
    return q.reshape(*ids.shape, V)


def colsum(x):
    """Sum over all leading axes: (..., d) becomes (d,). The matrix product 1^T x, with one row of x for each token."""
    flat = rows(x)
    return ones(len(flat), x.dtype) @ flat


def rowmean(x):
    """Mean over the last axis, which stays with size 1: (..., n) becomes (..., 1)."""
    return (rowsum(widened(x)) / x.shape[-1]).astype(x.dtype, copy=False)


def mean_product(x, y):
    """Mean of x y over the last axis: twice (..., n) becomes (..., 1)."""
    return (rowdot(widened(x), widened(y)) / x.shape[-1]).astype(x.dtype, copy=False)


def mean_square(x):
    """Mean of squares over the last axis: (..., n) becomes (..., 1).

    In float16 neither squares nor sums overflow. FloatingPointError if the mean itself does, from 65,504 = 256^2 on.
    """
    wide = widened(x)
    mean = rowdot(wide, wide) / x.shape[-1]
    if x.dtype == np.float16:
        too_large = mean[np.isfinite(mean) & (mean > np.finfo(np.float16).max)]
        if too_large.size:
            raise FloatingPointError(f"a mean of squares is {too_large.max():,.0f}, and float16 ends at 65,504: use "
                                     "float32, or smaller numbers")
    return mean.astype(x.dtype, copy=False)


def rowmax(x):
    """Largest entry along the last axis, which stays with size 1: (..., n) becomes (..., 1); minus infinity if n is 0.

    NumPy finds the place of the largest entry of a row faster than the entry, and compares whole rows with one another
    faster still, so short ones are turned.
    """
    flat = rows(x)
    if x.shape[-1] > SHORT:
        top = flat[np.arange(len(flat)), flat.argmax(axis=-1)]
    else:
        top = np.maximum.reduce(np.ascontiguousarray(flat.T), axis=0, initial=-np.inf)
    return top.reshape(*x.shape[:-1], 1)
