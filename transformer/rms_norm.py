"""Root mean square normalisation: each row is brought to mean square 1, then scaled; its mean is left alone."""

import numpy as np

from transformer.arrays import colsum, mean_product, mean_square


def rms_norm_forward(x, gamma, eps=1e-5):
    """gamma x / sqrt(mean of squares + eps), for each row (Zhang and Sennrich 2019, eq. 4; eps as in Llama).

    x: (..., d), gamma: (d,), eps > 0, in the units of x squared. FloatingPointError if the mean is too large for
    float16, from 65,504 on. Returns y: (..., d) and the cache.
    """
    square = mean_square(x)      # (..., 1)
    rms = np.sqrt(square + eps)  # (..., 1)
    x_hat = x / rms              # (..., d)
    y = gamma * x_hat            # (..., d)
    return y, (x_hat, rms, gamma)


def rms_norm_backward(dy, cache):
    """Gradients of root mean square normalisation.

    dy: (..., d). Returns dx: (..., d) and {"gamma": (d,)}.
    """
    x_hat, rms, gamma = cache
    dgamma = colsum(dy * x_hat)            # (d,)
    dx_hat = dy * gamma                    # (..., d)
    slope = mean_product(dx_hat, x_hat)    # (..., 1)
    dx = (dx_hat - x_hat * slope) / rms    # (..., d)
    return dx, {"gamma": dgamma}
