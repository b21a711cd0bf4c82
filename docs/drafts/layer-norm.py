"""The example of the page: what its functions receive, and the calls in order."""

import numpy as np

from transformer.layer_norm import layer_norm_backward, layer_norm_forward


def labels():
    return {"T": ["a row", "ten times that row", "one large number"]}


def inputs():
    """The second row is ten times the first: what comes out is the same, but for eps."""
    return {
        "x": np.array([[1.0, 2.0, 3.0, 6.0], [10.0, 20.0, 30.0, 60.0], [1.0, 0.0, 0.0, 0.0]]),
        "gamma": np.array([1.0, 1.5, 2.0, 0.5]),
        "beta": np.array([0.0, 0.5, -1.0, 0.25]),
        "eps": 1e-05,
        "dy": np.array([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.5, -0.5, 0.25, 1.0]]),
    }


def run(x, gamma, beta, eps, dy):
    _, cache = layer_norm_forward(x, gamma, beta, eps=eps)
    return layer_norm_backward(dy, cache)


def sample(rng, sizes):
    """Random inputs of the sizes given, which are all different."""
    T = sizes["T"]
    d = sizes["d"]
    return {
        "x": rng.normal(size=(T, d)),
        "gamma": rng.normal(size=d),
        "beta": rng.normal(size=d),
        "eps": rng.uniform(0.1, 0.9),
        "dy": rng.normal(size=(T, d)),
    }
