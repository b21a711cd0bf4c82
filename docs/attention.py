"""The example of the attention page: six words, a width of four, two heads, and numbers chosen by hand.

The numbers are small enough to follow with a pencil. They were not learned and say nothing about language.
"""

import numpy as np

from transformer.attention import attention_backward, attention_forward
from transformer.gradcheck import numerical_gradient
from transformer.masks import causal_mask


def labels():
    """Names for the rows and columns that stand for positions."""
    return {"T": ["The", "cat", "sat", "on", "the", "mat"]}


def inputs():
    """What attention receives: its input, its parameters, the number of heads, and a gradient on its output."""
    Xn = np.array([
        [0.5, -1.0, 1.5, 0.25],    # The
        [1.0, 0.0, -0.5, 2.0],     # cat
        [-1.5, 0.75, 0.5, -0.25],  # sat
        [0.25, 1.25, -1.0, 0.5],   # on
        [0.75, -0.5, 1.0, -1.0],   # the
        [-0.5, 1.5, 0.25, 0.75],   # mat
    ])
    params = {
        "wq": np.array([[0.2, -0.1, 0.4, 0.3], [0.5, 0.6, -0.2, 0.1], [-0.3, 0.2, 0.7, -0.4], [0.1, -0.5, 0.3, 0.2]]),
        "bq": np.array([0.01, -0.02, 0.03, 0.04]),
        "wk": np.array([[0.3, 0.2, -0.6, 0.1], [-0.4, 0.5, 0.1, 0.3], [0.6, -0.1, 0.2, -0.2], [0.2, 0.4, -0.3, 0.5]]),
        "bk": np.array([-0.03, 0.02, 0.01, -0.04]),
        "wv": np.array([[0.1, 0.5, 0.2, -0.3], [0.4, -0.2, 0.3, 0.6], [-0.5, 0.1, 0.4, 0.2], [0.3, 0.3, -0.1, 0.1]]),
        "bv": np.array([0.02, 0.04, -0.01, 0.03]),
        "wo": np.array([[0.6, -0.2, 0.1, 0.3], [0.2, 0.4, -0.5, 0.1], [-0.1, 0.3, 0.5, -0.2], [0.4, 0.1, 0.2, 0.6]]),
        "bo": np.array([-0.01, 0.03, 0.02, -0.02]),
    }
    dOut = np.array([
        [0.1, -0.2, 0.3, 0.05],
        [-0.1, 0.25, 0.15, -0.3],
        [0.2, 0.1, -0.25, 0.15],
        [-0.05, 0.3, 0.1, -0.2],
        [0.15, -0.1, 0.2, 0.25],
        [0.3, -0.15, -0.1, 0.1],
    ])
    return {"Xn": Xn, "params": params, "H": 2, "dOut": dOut}


def run(Xn, params, H, dOut):
    """Once forward, once backward. Returns out, dXn and the gradients of the parameters."""
    out, cache = attention_forward(Xn, params, H, causal_mask(len(Xn)))
    dXn, grads = attention_backward(dOut, cache)
    return out, dXn, grads


def sample(rng, sizes):
    """Random inputs of other sizes; ``sizes`` gives T, H, d_h and d = H d_h. No bias is 0."""
    T, d = sizes["T"], sizes["d"]
    params = {}
    for name in "qkvo":
        params["w" + name] = rng.normal(size=(d, d)) / np.sqrt(d)
        params["b" + name] = rng.normal(size=d)
    return {"Xn": rng.normal(size=(T, d)), "params": params, "H": sizes["H"], "dOut": rng.normal(size=(T, d))}


def central_differences(Xn, params, H, dOut):
    """Gradients measured instead of derived: move one number, run forward, see how the loss moves.

    The loss is the sum of out * dOut, because its gradient on out is dOut itself.
    """
    def loss(Xn, params):
        out, _ = attention_forward(Xn, params, H, causal_mask(len(Xn)))
        return np.sum(out * dOut)

    measured = {}
    for name in ("wo", "wq", "wk", "wv"):
        measured[name] = numerical_gradient(lambda W, name=name: loss(Xn, {**params, name: W}), params[name])
    measured["dXn"] = numerical_gradient(lambda moved: loss(moved, params), Xn)
    return measured
