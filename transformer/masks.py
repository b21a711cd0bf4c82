"""Which keys a query may read: boolean masks, True where it may.

Masks are made from positions and token ids alone. They combine with ``&``: what both allow is allowed. Scores are
(..., h, n_q, n_k), so that ``causal_mask(T) & padding_mask(ids, pad)`` serves all heads of a batch.
"""

import numpy as np


def causal_mask(T, past=0):
    """Each of T queries may read itself and what came before, and the ``past`` positions in front of the first query.

    Query i may read the keys 0 to past + i. Returns (T, past + T).
    """
    mask = np.tri(T, past + T, k=past, dtype=bool)  # (T, past + T)
    return mask


def padding_mask(ids, pad):
    """Nobody may read the padding: keys (columns) are masked, the same for every head and query.

    The rows of queries that are padding themselves are left alone. What they compute means nothing and is dropped by
    the loss, which ignores their targets. ids: (..., n_k), the tokens behind the keys; pad: the id of padding. Returns
    (..., 1, 1, n_k).
    """
    mask = (ids != pad)[..., None, None, :]  # (..., 1, 1, n_k)
    return mask
