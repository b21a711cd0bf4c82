"""Softmax along the last axis."""

import numpy as np

from transformer.arrays import rowmax, rowsum


def softmax_forward(x):
    """Exponentials of the scores, as shares of their sum in each row (Vaswani et al. 2017, eq. 1).

    x: (..., n), may hold minus infinity for masked entries, whose weight is exactly 0. A row in which everything is
    masked has no weights to share out: it gives zeros, in every dtype. Returns y: (..., n) and the cache.
    """
    top = rowmax(x)                             # (..., 1)
    shift = np.where(np.isneginf(top), 0, top)  # (..., 1)
    e = np.exp(x - shift)                       # (..., n)
    total = rowsum(e)                           # (..., 1)
    y = e / np.where(total == 0, 1, total)      # (..., n)
    return y, y


def softmax_backward(dy, cache):
    """Gradient of each row of scores: y_i (dy_i - sum_k y_k dy_k).

    dy: (..., n), the cache of the forward pass. Returns dx: (..., n), exactly 0 where the weight is 0.
    """
    y = cache              # (..., n)
    mean = rowsum(y * dy)  # (..., 1)
    dx = y * (dy - mean)   # (..., n)
    return dx
