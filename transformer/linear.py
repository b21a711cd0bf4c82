"""The linear layer: y = x W + b, applied to each row."""

from transformer.arrays import colsum, dot, rows


def linear_forward(x, W, b):
    """Multiply each row by W and add b (Vaswani et al. 2017, section 3.2.2: the projections).

    x: (..., d_in), W: (d_in, d_out), b: (d_out,). Returns y: (..., d_out) and the cache.
    """
    y = dot(x, W) + b  # (..., d_out)
    return y, (x, W)


def linear_backward(dy, cache):
    """Gradients of the linear layer; those of W and b add up over all rows.

    dy: (..., d_out). Returns dx: (..., d_in) and {"W": (d_in, d_out), "b": (d_out,)}.
    """
    x, W = cache
    dW = rows(x).T @ rows(dy)   # (d_in, d_out)
    db = colsum(dy)             # (d_out,)
    dx = dot(dy, W.T)           # (..., d_in)
    return dx, {"W": dW, "b": db}
