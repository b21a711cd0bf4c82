"""Dropout, for training, and what stands in its place at evaluation."""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np


def bernoulli(p, shape, rng):
    """Independent booleans, each True with probability p, rounded to 65,536ths: 64 bits of rng decide four of them.

    rng: a numpy Generator whose bit generator makes 64 bits at a time, as numpy.random.default_rng gives it. ValueError
    for MT19937, which makes 32: the upper half of its numbers is 0.
    """
    if isinstance(rng.bit_generator, np.random.MT19937):
        raise ValueError("dropout needs 64 random bits at a time and MT19937 makes 32: use numpy.random.default_rng")
    n = math.prod(shape)
    fours = rng.bit_generator.random_raw(math.ceil(n / 4))
    return (fours.view(np.uint16)[:n] < round(p * 2 ** 16)).reshape(shape)


def dropout_forward(x, p, rng):
    """Set each entry to 0 with probability p and divide the others by 1 - p (Srivastava et al. 2014, section 10).

    Dividing keeps the expected value, so that evaluation needs no factor. x: (...), 0 <= p < 1 (ValueError otherwise),
    rng: as in bernoulli; which entries are dropped does not depend on the dtype. Returns y: (...) and the cache.
    """
    if not 0 <= p < 1:
        raise ValueError(f"the dropout probability must be at least 0 and below 1, got {p}")
    keep = bernoulli(1 - p, x.shape, rng)  # (...)
    mask = keep.astype(x.dtype) / (1 - p)  # (...)
    y = x * mask                           # (...)
    return y, mask


def dropout_backward(dy, cache):
    """The gradient passes where the entry passed, through the same mask. dy: (...). Returns dx: (...)."""
    mask = cache    # (...)
    dx = dy * mask  # (...)
    return dx


def identity_forward(x, p, rng):
    """Evaluation: x itself. Takes what dropout_forward takes, so that a model runs with one or the other."""
    return x, None


def identity_backward(dy, cache):
    """Evaluation: dy itself."""
    return dy


class Drop(NamedTuple):
    """What a model does to the output of each sublayer: ``forward(x) -> (y, cache)`` and ``backward(dy, cache)``."""

    forward: Callable
    backward: Callable


def training(p, rng):
    """Dropout with probability p; rng, a numpy Generator, is used up by the forward passes in their order."""
    return Drop(partial(dropout_forward, p=p, rng=rng), dropout_backward)


EVALUATION = Drop(partial(identity_forward, p=0.0, rng=None), identity_backward)
