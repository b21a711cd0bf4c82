"""Initial parameters."""

import math

import numpy as np


def xavier_uniform(fan_in, fan_out, rng, dtype=np.float64):
    """Weights drawn evenly from [-a, a], a = sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010, eq. 16).

    rng: a numpy Generator. Returns (fan_in, fan_out).
    """
    a = math.sqrt(6 / (fan_in + fan_out))
    return rng.uniform(-a, a, (fan_in, fan_out)).astype(dtype)


def init_attention(d, rng, dtype=np.float64):
    """Parameters of one attention layer of width d: Xavier weights wq, wk, wv, wo: (d, d), zero biases: (d,)."""
    params = {}
    for name in "qkvo":
        params["w" + name] = xavier_uniform(d, d, rng, dtype)
        params["b" + name] = np.zeros(d, dtype)
    return params
