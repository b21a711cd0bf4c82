"""Adam and AdamW, on the flat vector of all parameters, and clipping of the gradient.

The state is named arrays, so that a checkpoint can hold it: m and v, the two moments, and t, the number of updates
made, which is one number for all parameters. Parameters and state change in place; the gradient does not.
"""

import math

import numpy as np

from transformer.arrays import widened

PART = 16_384  # entries of each vector that are updated at a time


def adam_state(theta):
    """The state before the first update: m and v are 0, of the shape and dtype of theta, and t is 0.

    ValueError for float16, in which eps and the square of a gradient below 0.0002 are 0: then Adam divides by 0.
    """
    if theta.dtype == np.float16:
        raise ValueError("Adam needs float32 or float64 parameters: in float16 the squares of gradients become 0")
    return {"m": np.zeros_like(theta), "v": np.zeros_like(theta), "t": np.zeros((), np.int64)}


def adam_step(theta, g, state, lr, beta1=0.9, beta2=0.999, eps=1e-8):
    """One update (Kingma and Ba 2015, algorithm 1): theta moves by lr m_hat / (sqrt(v_hat) + eps); eps is not scaled.

    theta, g: the parameters and their gradient, of one shape. lr: a Python number, so that the dtype is kept.
    """
    t = counted(state)
    for theta_part, g_part, m, v in parts(theta, g, state["m"], state["v"]):
        theta_part -= lr * adam_direction(g_part, m, v, t, beta1, beta2, eps)


def adamw_step(theta, g, state, lr, decay, decayed, beta1=0.9, beta2=0.999, eps=1e-8):
    """One update with decoupled weight decay (Loshchilov and Hutter 2019, algorithm 2, in the form of PyTorch).

    The paper multiplies the decay by its schedule eta alone, and Adam's step by eta alpha. Here, as in PyTorch, both
    are multiplied by lr = eta alpha, so that ``decay`` is the paper's lambda / alpha.

    decay: a Python number. decayed: of the shape and dtype of theta, 1 for the entries that decay, which are those of
    matrices, and 0 for the others, from parameters.decay_mask. The decay moves theta by lr decay theta beside Adam's
    step; it enters neither the gradient nor the moments.
    """
    t = counted(state)
    for theta_part, g_part, m, v, decayed_part in parts(theta, g, state["m"], state["v"], decayed):
        direction = adam_direction(g_part, m, v, t, beta1, beta2, eps)
        theta_part -= lr * (direction + decay * decayed_part * theta_part)


def counted(state):
    """Count this update. Returns t, the number of updates with it."""
    state["t"] += 1
    return int(state["t"])


def parts(*vectors):
    """The vectors part by part, as views. A part is small enough to stay in the processor's cache until the next
    statement reads it again.
    """
    for start in range(0, len(vectors[0]), PART):
        yield [vector[start:start + PART] for vector in vectors]


def adam_direction(g, m, v, t, beta1, beta2, eps):
    """Take g into both moments, which change in place, and return m_hat / (sqrt(v_hat) + eps)."""
    m *= beta1
    m += (1 - beta1) * g
    v *= beta2
    v += (1 - beta2) * g * g
    m_hat = m / (1 - beta1 ** t)
    v_hat = v / (1 - beta2 ** t)
    return m_hat / (np.sqrt(v_hat) + eps)


def norm_of(g):
    """The Euclidean norm of a vector, a Python number. Where squares overflow, the entries are first scaled to 1."""
    wide = widened(g)
    with np.errstate(over="ignore"):
        norm = math.sqrt(np.dot(wide, wide))
    if norm != math.inf:
        return norm
    top = float(np.max(np.abs(wide)))
    if top == math.inf:
        return top
    scaled = wide / top
    return top * math.sqrt(np.dot(scaled, scaled))


def clip_by_global_norm(g, limit):
    """Shorten the gradient to the length ``limit`` if it is longer (Pascanu, Mikolov and Bengio 2013, algorithm 1).

    g: the flat gradient of all parameters, so that the norm is one for all. Returns the clipped gradient, which is g
    itself where nothing is clipped, and the norm before. FloatingPointError if the norm is not finite: scaling would
    spread the fault to every parameter. ValueError unless limit > 0.
    """
    if not limit > 0:
        raise ValueError(f"a gradient is shortened to a positive length, got the limit {limit}")
    norm = norm_of(g)
    if not math.isfinite(norm):
        raise FloatingPointError(f"the norm of the gradient is {norm}: look for inf or NaN, or lower the learning rate")
    return g * (limit / norm) if norm > limit else g, norm
