"""Softmax along the last axis."""

import numpy as np

from transformer.arrays import rowmax, rowsum


def finite(x):
    """x, and the lowest finite number in place of minus infinity: minus infinity less itself would be no number."""
    return np.maximum(x, np.finfo(x.dtype).min)


def softmax_forward(x):
    """Exponentials of the scores, as shares of their sum in each row (Vaswani et al. 2017, eq. 1).

    x: (..., n), may hold minus infinity for masked entries, whose weight is exactly 0. A row in which everything is
    masked has no weights to share out: it gives zeros, in every dtype. In every other row the largest score has the
    exponential 1, so that the sum is at least 1. Returns y: (..., n) and the cache.
    """
    top = rowmax(x)                  # (..., 1)
    shift = finite(top)              # (..., 1)
    e = np.exp(x - shift)            # (..., n)
    total = rowsum(e)                # (..., 1)
    y = e / np.maximum(total, 1)     # (..., n)
    return y, y


def softmax_backward(dy, cache):
    """Gradient of each row of scores: y_i (dy_i - sum_k y_k dy_k).

    dy: (..., n), the cache of the forward pass. Returns dx: (..., n), exactly 0 where the weight is 0.
    """
    y = cache              # (..., n)
    mean = rowsum(y * dy)  # (..., 1)
    dx = y * (dy - mean)   # (..., n)
    return dx
