"""Cross entropy of predicted scores against target tokens, as a mean over the targets that count.

A target counts unless it equals ``ignore``. That is a value, such as the id of the padding token, and not a position:
``ignore=-1`` leaves out the targets that are -1. If no target counts, loss and gradient are 0 by choice, since there is
nothing to learn from; the mean would be 0 / 0.
"""

import math

import numpy as np

from transformer.arrays import one_hot, rowmax, rowmean, rowsum, widened


def counted_targets(targets, ignore, shape):
    """Which targets count, and the ids to look up: the target where it counts and 0 where it does not.

    targets: (...), shape: (..., V), that of the logits. Returns real: (..., 1), boolean, ids: (..., 1), and N, how many
    count, or 1 if none does: a mean over none is then 0, not 0 / 0. ValueError unless there is one target for each row
    of logits: one for several rows would be counted once. ValueError if a target that counts is no id.
    """
    *leading, V = shape
    if targets.shape != tuple(leading):
        raise ValueError(f"logits of the shape {shape} need targets of the shape {tuple(leading)}, got {targets.shape}")
    real = targets[..., None] != ignore
    ids = np.where(real, targets[..., None], 0)
    if ids.size and not 0 <= ids.min() <= ids.max() < V:
        raise ValueError(f"targets must be ids from 0 to {V - 1} or the ignored value {ignore}, "
                         f"found {ids.min()} to {ids.max()}")
    return real, ids, max(1, number_of_targets(targets, ignore))


def number_of_targets(targets, ignore):
    """How many targets count: the N of the mean, which is also the weight of a batch among others."""
    return int(np.count_nonzero(targets != ignore))


def minus_one_hot(p, ids):
    """p minus the one-hot matrix of the ids: 1 less at the id of each row. p: (..., V), ids: (..., 1)."""
    difference = p.copy()
    np.put_along_axis(difference, ids, np.take_along_axis(p, ids, axis=-1) - 1, axis=-1)
    return difference


def mean_of_counted(losses, real, N):
    """Sum over the losses that count, divided by N. losses, real: (..., 1). Returns (), in the dtype of the losses.

    What the others hold does not matter, be it NaN. A sum over many losses would overflow in float16, their mean fits.
    """
    total = np.sum(widened(np.where(real, losses, 0)))
    return (total / N).astype(losses.dtype)


def where_counted(difference, real, scale):
    """scale times the difference, and 0 in rows that do not count: 0 times what they hold might be NaN.

    difference: (..., V), real: (..., 1), scale: a Python number. Returns (..., V).
    """
    gradient = scale * difference
    gradient[~real[..., 0]] = 0
    return gradient


def cross_entropy_forward(logits, targets, ignore):
    """Mean of -log p(target), where p is the softmax of the logits; -log p is log-sum-exp minus the target's logit.

    logits: (..., V). targets: (...), integers from 0 to V - 1, or ``ignore`` (ValueError otherwise). Returns the loss
    in nats per counted target, a scalar of the logits' dtype, and the cache.
    """
    real, ids, N = counted_targets(targets, ignore, logits.shape)      # (..., 1)
    shifted = logits - rowmax(logits)                                  # (..., V)
    e = np.exp(shifted)                                                # (..., V)
    Z = rowsum(e)                                                      # (..., 1)
    score = np.take_along_axis(shifted, ids, axis=-1)                  # (..., 1)
    losses = np.log(Z) - score                                         # (..., 1)
    loss = mean_of_counted(losses, real, N)                            # ()
    return loss, (e, Z, real, ids, N)


def cross_entropy_backward(dloss, cache):
    """dloss (p - q) / N where the target counts and 0 elsewhere; q is 1 at the target, N the number that counts.

    dloss: a Python number, 1 where the loss itself is minimised. Returns dlogits: (..., V).
    """
    e, Z, real, ids, N = cache
    p = e / Z                                            # (..., V)
    p_minus_q = minus_one_hot(p, ids)                    # (..., V)
    dlogits = where_counted(p_minus_q, real, dloss / N)  # (..., V)
    return dlogits


def smoothed_cross_entropy_forward(logits, targets, ignore, eps):
    """Cross entropy against smoothed targets (Szegedy et al. 2016, section 7; Vaswani et al. 2017, section 5.4).

    The convention, eps / V: eps is shared out over all V tokens, the target among them, so that q is 1 - eps + eps / V
    at the target and eps / V elsewhere. (Others share it over V - 1 or V - 2 tokens.) The loss cannot fall below the
    entropy of q. Arguments and results as in cross_entropy_forward; 0 < eps < 1 (ValueError otherwise).
    """
    if not 0 < eps < 1:
        raise ValueError(f"label smoothing needs 0 < eps < 1, got {eps}: without smoothing, use cross_entropy_forward")
    real, ids, N = counted_targets(targets, ignore, logits.shape)      # (..., 1)
    shifted = logits - rowmax(logits)                                  # (..., V)
    e = np.exp(shifted)                                                # (..., V)
    Z = rowsum(e)                                                      # (..., 1)
    score = np.take_along_axis(shifted, ids, axis=-1)                  # (..., 1)
    mean = rowmean(shifted)                                            # (..., 1)
    losses = np.log(Z) - (1 - eps) * score - eps * mean                # (..., 1)
    loss = mean_of_counted(losses, real, N)                            # ()
    return loss, (e, Z, real, ids, N, eps)


def smoothed_cross_entropy_backward(dloss, cache):
    """dloss (p - q) / N as in cross_entropy_backward, with the smoothed q. Returns dlogits: (..., V)."""
    e, Z, real, ids, N, eps = cache
    p = e / Z                                            # (..., V)
    target = one_hot(ids[..., 0], p.shape[-1], p.dtype)  # (..., V)
    q = (1 - eps) * target + eps / p.shape[-1]           # (..., V)
    dlogits = where_counted(p - q, real, dloss / N)      # (..., V)
    return dlogits


def smoothing_floor(V, eps):
    """The smallest smoothed loss, in nats: the entropy of q, which is the loss where p = q. 0 < eps < 1, V tokens."""
    right, other = 1 - eps + eps / V, eps / V
    return -right * math.log(right) - (V - 1) * other * math.log(other)

