"""Activation functions, entry by entry. Each takes any shape and keeps it."""

import math

import numpy as np

from transformer.erf import erf

# Farther out the curves are straight lines to the last digit of float64. Their bends are computed at the nearest number
# within: the square of x may overflow, in float16 from |x| = 256 on, and 0 times infinity is NaN.
STRAIGHT_ERF, STRAIGHT_TANH = 40, 10


def relu_forward(x):
    """max(0, x) (Vaswani et al. 2017, eq. 2). x: (...). Returns y: (...) and the cache."""
    y = np.maximum(x, 0)  # (...)
    return y, y


def relu_backward(dy, cache):
    """dy where the unit is active, 0 where it is not; at x = 0 exactly, where there is no derivative, 0."""
    y = cache          # (...)
    dx = dy * (y > 0)  # (...)
    return dx


def gelu_erf_forward(x):
    """x times the normal distribution function of x (Hendrycks and Gimpel 2016, section 2).

    Not the same function as gelu_tanh: they are up to 4.73e-4 apart, at |x| = 2.70. Weights trained with one belong to
    that one. x: (...). Returns y: (...) and the cache.
    """
    Phi = 0.5 * (1 + erf(x / math.sqrt(2)))  # (...)
    y = x * Phi                              # (...)
    return y, (x, Phi)


def gelu_erf_backward(dy, cache):
    """dy times Phi(x) + x phi(x), where the normal density phi is the derivative of Phi."""
    x, Phi = cache
    near = np.clip(x, -STRAIGHT_ERF, STRAIGHT_ERF)             # (...)
    phi = np.exp(-0.5 * near * near) / math.sqrt(2 * math.pi)  # (...)
    dx = dy * (Phi + near * phi)                               # (...)
    return dx


def gelu_tanh_forward(x):
    """The approximation of GELU by tanh (Hendrycks and Gimpel 2016, section 2), which GPT-2 uses.

    Not the same function as gelu_erf: they are up to 4.73e-4 apart, at |x| = 2.70. Weights trained with one belong to
    that one. x: (...). Returns y: (...) and the cache.
    """
    u = math.sqrt(2 / math.pi) * x * (1 + 0.044715 * (x * x))  # (...)
    Phi = 0.5 * (1 + np.tanh(u))                               # (...)
    y = x * Phi                                                # (...)
    return y, (x, Phi, y)


def gelu_tanh_backward(dy, cache):
    """dy times Phi + x Phi'; as Phi is a logistic function of 2 u, Phi' is Phi (1 - Phi) times 2 u'.

    With x Phi = y, x Phi' is y (1 - Phi) 2 u'.
    """
    x, Phi, y = cache
    near = np.clip(x, -STRAIGHT_TANH, STRAIGHT_TANH)                     # (...)
    slope = math.sqrt(8 / math.pi) * (1 + 3 * 0.044715 * (near * near))  # (...)
    dx = dy * (Phi + y * (1 - Phi) * slope)                              # (...)
    return dx


def silu_forward(x):
    """x times the logistic function of x, also called Swish (Elfwing et al. 2017; Ramachandran et al. 2017).

    The logistic function is written with tanh, which does not overflow. x: (...). Returns y: (...) and the cache.
    """
    sigma = 0.5 * (1 + np.tanh(0.5 * x))  # (...)
    y = x * sigma                         # (...)
    return y, (x, sigma)


def silu_backward(dy, cache):
    """dy times sigma (1 + x (1 - sigma)), the derivative of x sigma(x)."""
    x, sigma = cache
    dx = dy * sigma * (1 + x * (1 - sigma))  # (...)
    return dx
