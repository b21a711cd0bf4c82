"""Initial parameters.

A seed makes the same numbers again only with the same NumPy on the same kind of machine; published weights are stored.
"""

import math

import numpy as np


def xavier_uniform(fan_in, fan_out, rng, dtype=np.float64):
    """Weights drawn evenly from [-a, a], a = sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010, eq. 16).

    rng: a numpy Generator. Returns (fan_in, fan_out).
    """
    a = math.sqrt(6 / (fan_in + fan_out))
    return rng.uniform(-a, a, (fan_in, fan_out)).astype(dtype)


def xavier_normal(fan_in, fan_out, rng, dtype=np.float64):
    """Weights with mean 0 and standard deviation sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio 2010, eq. 12).

    rng: a numpy Generator. Returns (fan_in, fan_out).
    """
    return rng.normal(0, math.sqrt(2 / (fan_in + fan_out)), (fan_in, fan_out)).astype(dtype)


def fan_in_uniform(fan_in, shape, rng, dtype=np.float64):
    """Numbers drawn evenly from [-a, a], a = 1 / sqrt(fan_in): how PyTorch starts weight and bias of a linear layer.

    rng: a numpy Generator. Returns an array of that shape.
    """
    a = 1 / math.sqrt(fan_in)
    return rng.uniform(-a, a, shape).astype(dtype)


def init_linear(fan_in, fan_out, rng, dtype=np.float64):
    """A linear layer as PyTorch starts it: W: (fan_in, fan_out) and b: (fan_out,), both by fan_in_uniform."""
    return {"W": fan_in_uniform(fan_in, (fan_in, fan_out), rng, dtype),
            "b": fan_in_uniform(fan_in, fan_out, rng, dtype)}


def init_embedding(V, d, rng, dtype=np.float64):
    """Embedding E: (V, d) with standard deviation d^(-1/2): sqrt(d) E starts with deviation 1, and so does x E^T."""
    return {"E": rng.normal(0, 1 / math.sqrt(d), (V, d)).astype(dtype)}


def init_learned_positions(n_max, d, rng, dtype=np.float64):
    """Learned positions P: (n_max, d), with the standard deviation 0.02 of GPT-2."""
    return {"P": rng.normal(0, 0.02, (n_max, d)).astype(dtype)}


def init_layer_norm(d, dtype=np.float64):
    """Layer normalisation that changes nothing yet after normalising: gamma is 1, beta is 0, both (d,)."""
    return {"gamma": np.ones(d, dtype), "beta": np.zeros(d, dtype)}


def init_rms_norm(d, dtype=np.float64):
    """Root mean square normalisation without a scale yet: gamma is 1, (d,)."""
    return {"gamma": np.ones(d, dtype)}


def init_ffn(d, d_ff, rng, dtype=np.float64):
    """A feed-forward network: Xavier weights w1: (d, d_ff) and w2: (d_ff, d), zero biases b1: (d_ff,) and b2: (d,)."""
    return {"w1": xavier_uniform(d, d_ff, rng, dtype), "b1": np.zeros(d_ff, dtype),
            "w2": xavier_uniform(d_ff, d, rng, dtype), "b2": np.zeros(d, dtype)}


def init_ffn_swiglu(d, d_ff, rng, dtype=np.float64):
    """A gated feed-forward network: Xavier weights w_gate, w_up: (d, d_ff) and w_down: (d_ff, d)."""
    return {"w_gate": xavier_uniform(d, d_ff, rng, dtype), "w_up": xavier_uniform(d, d_ff, rng, dtype),
            "w_down": xavier_uniform(d_ff, d, rng, dtype)}


def init_attention(d, rng, dtype=np.float64):
    """Parameters of one attention layer of width d: Xavier weights wq, wk, wv, wo: (d, d), zero biases: (d,)."""
    params = {}
    for name in "qkvo":
        params["w" + name] = xavier_uniform(d, d, rng, dtype)
        params["b" + name] = np.zeros(d, dtype)
    return params
