"""Causal multi-head self-attention (Vaswani et al. 2017, sections 3.2.1 to 3.2.3)."""

import math

import numpy as np

from transformer.arrays import dot, rows
from transformer.heads import merge_heads, split_heads
from transformer.softmax import softmax_backward, softmax_forward


def attention_forward(Xn, params, H):
    """Each position reads a weighted mix of its own row and the rows before it.

    Xn: (..., T, d), the normalised input of the block. params: wq, wk, wv, wo: (d, d) and bq, bk, bv, bo: (d,).
    H: number of heads, which must divide d (ValueError otherwise). Returns out: (..., T, d) and the cache.
    """
    T, d = Xn.shape[-2:]
    if H < 1 or d % H:
        raise ValueError(f"the width d = {d} cannot be cut into H = {H} equal heads: choose H so that it divides d")
    dh = d // H                               # ()

    Q = dot(Xn, params["wq"]) + params["bq"]  # (..., T, d)
    K = dot(Xn, params["wk"]) + params["bk"]  # (..., T, d)
    V = dot(Xn, params["wv"]) + params["bv"]  # (..., T, d)

    Qh = split_heads(Q, H)                    # (..., H, T, d_h)
    Kh = split_heads(K, H)                    # (..., H, T, d_h)
    Vh = split_heads(V, H)                    # (..., H, T, d_h)

    S = (Qh @ Kh.mT) / math.sqrt(dh)                         # (..., H, T, T)
    S_masked = np.where(np.tri(T, dtype=bool), S, -np.inf)   # (..., H, T, T)
    A, cache_A = softmax_forward(S_masked)                   # (..., H, T, T)
    Oh = A @ Vh                                              # (..., H, T, d_h)
    O = merge_heads(Oh)                                      # (..., T, d)
    out = dot(O, params["wo"]) + params["bo"]                # (..., T, d)
    return out, (Xn, Qh, Kh, Vh, cache_A, O, params)


def attention_backward(dOut, cache):
    """Gradients of attention: the steps of the forward pass in reverse order.

    dOut: (..., T, d), the gradient of the loss on the output. cache: from attention_forward.
    Returns dXn: (..., T, d) and the gradients of the eight parameters, under the parameters' names.
    """
    Xn, Qh, Kh, Vh, A, O, params = cache
    H, T, dh = Qh.shape[-3:]

    dWo = rows(O).T @ rows(dOut)       # (d, d)
    dbo = rows(dOut).sum(axis=0)       # (d,)
    dO = dot(dOut, params["wo"].T)     # (..., T, d)
    dOh = split_heads(dO, H)           # (..., H, T, d_h)

    dVh = A.mT @ dOh                   # (..., H, T, d_h)
    dA = dOh @ Vh.mT                   # (..., H, T, T)
    dS = softmax_backward(dA, A)       # (..., H, T, T)
    dQh = (dS @ Kh) / math.sqrt(dh)    # (..., H, T, d_h)
    dKh = (dS.mT @ Qh) / math.sqrt(dh)  # (..., H, T, d_h)

    dQ = merge_heads(dQh)              # (..., T, d)
    dK = merge_heads(dKh)              # (..., T, d)
    dV = merge_heads(dVh)              # (..., T, d)

    dWq = rows(Xn).T @ rows(dQ)        # (d, d)
    dWk = rows(Xn).T @ rows(dK)        # (d, d)
    dWv = rows(Xn).T @ rows(dV)        # (d, d)
    dbq = rows(dQ).sum(axis=0)         # (d,)
    dbk = rows(dK).sum(axis=0)         # (d,)
    dbv = rows(dV).sum(axis=0)         # (d,)

    dXq = dot(dQ, params["wq"].T)      # (..., T, d)
    dXk = dot(dK, params["wk"].T)      # (..., T, d)
    dXv = dot(dV, params["wv"].T)      # (..., T, d)
    dXn = dXq + dXk + dXv              # (..., T, d)

    grads = {"wq": dWq, "bq": dbq, "wk": dWk, "bk": dbk, "wv": dWv, "bv": dbv, "wo": dWo, "bo": dbo}
    return dXn, grads
