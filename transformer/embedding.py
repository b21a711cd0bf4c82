"""Token embeddings: row k of the matrix E stands for token k. Also the output layer that uses E again."""

import math

import numpy as np

from transformer.arrays import dot, one_hot, rows

SMALL = 128  # up to so many tokens the one-hot product is faster than sorting


def check_ids(ids, V):
    """ValueError unless every id is one of 0 to V - 1; NumPy would count negative ids from the end."""
    if ids.size and not 0 <= ids.min() <= ids.max() < V:
        raise ValueError(f"token ids must lie from 0 to {V - 1}, found {ids.min()} to {ids.max()}")


def sum_by_id(dy, ids, V):
    """Row k is the sum of the rows of dy whose id is k, and 0 where there is none: (..., d) becomes (V, d).

    The product of the transposed one-hot matrix of the ids and dy. For a large vocabulary that is mostly zeros: then
    the rows are sorted by id, and each run of equal ids is summed.
    """
    if V <= SMALL:
        return one_hot(ids.reshape(-1), V, dy.dtype).T @ rows(dy)
    order = np.argsort(ids, axis=None, kind="stable")
    present, starts = np.unique(ids.reshape(-1)[order], return_index=True)
    total = np.zeros((V, dy.shape[-1]), dy.dtype)
    if present.size:
        total[present] = np.add.reduceat(rows(dy)[order], starts, axis=0)
    return total


def embedding_forward(ids, E):
    """Look up one row for each token, one_hot(ids) E. ids: (...), integers, E: (V, d). Returns x: (..., d), cache."""
    check_ids(ids, len(E))
    x = E[ids]  # (..., d)
    return x, (ids, E)


def embedding_backward(dx, cache):
    """Gradient of E: that of each row of x is added to the row of its token, once for every time the token occurs.

    dx: (..., d). Returns {"E": (V, d)}; ids have no gradient.
    """
    ids, E = cache
    dE = sum_by_id(dx, ids, len(E))  # (V, d)
    return {"E": dE}


def scaled_embedding_forward(ids, E):
    """The embedding times the root of its width (Vaswani et al. 2017, section 3.4). Shapes as in embedding_forward."""
    check_ids(ids, len(E))
    x = math.sqrt(E.shape[-1]) * E[ids]  # (..., d)
    return x, (ids, E)


def scaled_embedding_backward(dx, cache):
    """Gradient of E, with the same factor. dx: (..., d). Returns {"E": (V, d)}."""
    ids, E = cache
    dE = math.sqrt(E.shape[-1]) * sum_by_id(dx, ids, len(E))  # (V, d)
    return {"E": dE}


def tied_logits_forward(x, E):
    """Scores of all tokens, x E^T: the output layer that shares E with the embedding (Press and Wolf 2017).

    No factor on this side, in the model of 2017 either. x: (..., d), E: (V, d). Returns logits: (..., V) and the cache.
    """
    logits = dot(x, E.T)  # (..., V)
    return logits, (x, E)


def tied_logits_backward(dlogits, cache):
    """Gradients of the output layer; that of E is added to the one from the embedding, since E is one array.

    dlogits: (..., V). Returns dx: (..., d) and {"E": (V, d)}.
    """
    x, E = cache
    dE = rows(dlogits).T @ rows(x)  # (V, d)
    dx = dot(dlogits, E)            # (..., d)
    return dx, {"E": dE}
