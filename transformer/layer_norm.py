"""Layer normalisation: each row is brought to mean 0 and variance 1, then scaled and shifted by learned numbers."""

import numpy as np

from transformer.arrays import colsum, mean_product, mean_square, rowmean


def layer_norm_forward(x, gamma, beta, eps=1e-5):
    """gamma (x - mean) / sqrt(variance + eps) + beta, for each row (Ba, Kiros and Hinton 2016, eq. 4).

    The variance divides by d, not by d - 1, and is the mean of squared distances from the mean, which stays exact where
    the mean is large. A constant row gives beta, but for the round-off of its mean, which is divided by sqrt(eps) like
    all else: of 512 times 12,345.678 in float32 the mean is off by 0.001, and y by 0.3. x: (..., d), gamma, beta: (d,),
    eps > 0, in the units of x squared. FloatingPointError if the variance is too large for float16, from 65,504 on.
    Returns y: (..., d) and the cache.
    """
    mu = rowmean(x)             # (..., 1)
    centred = x - mu            # (..., d)
    var = mean_square(centred)  # (..., 1)
    sigma = np.sqrt(var + eps)  # (..., 1)
    x_hat = centred / sigma     # (..., d)
    y = gamma * x_hat + beta    # (..., d)
    return y, (x_hat, sigma, gamma)


def layer_norm_backward(dy, cache):
    """Gradients of layer normalisation. gamma enters before the two means, which are taken over the row.

    dy: (..., d). Returns dx: (..., d) and {"gamma": (d,), "beta": (d,)}.
    """
    x_hat, sigma, gamma = cache
    dgamma = colsum(dy * x_hat)                   # (d,)
    dbeta = colsum(dy)                            # (d,)
    dx_hat = dy * gamma                           # (..., d)
    mean = rowmean(dx_hat)                        # (..., 1)
    slope = mean_product(dx_hat, x_hat)           # (..., 1)
    dx = (dx_hat - mean - x_hat * slope) / sigma  # (..., d)
    return dx, {"gamma": dgamma, "beta": dbeta}
