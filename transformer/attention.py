"""Attention (Vaswani et al. 2017): scaled dot products in each head, and multi-head self-attention around them."""

import math

import numpy as np

from transformer.arrays import colsum, dot, rows
from transformer.heads import merge_heads, split_heads
from transformer.softmax import softmax_backward, softmax_forward


def check_mask(mask, shape):
    """Refuse a mask that cannot stand beside scores of this shape.

    TypeError unless it is a boolean array: minus infinity, for one, would count as True and be read. ValueError where
    it has more axes than the scores, or a longer one: there would be more scores than pairs of query and key.
    """
    if mask.dtype != bool:
        raise TypeError(f"the mask must be boolean, True where a query may read a key, got {mask.dtype}: for a mask of "
                        "0 and -inf that is added to scores give mask == 0, for one of 1 and 0 mask != 0")
    fits = all(size in (1, n) for size, n in zip(reversed(mask.shape), reversed(shape)))
    if mask.ndim > len(shape) or not fits:
        raise ValueError(f"a mask of the shape {mask.shape} does not fit scores of the shape {shape}: counted from the "
                         "last, each of its axes must be 1 or as long")


def scaled_dot_product_forward(Qh, Kh, Vh, mask):
    """Each query reads a mix of the values, weighted by how well its key fits (Vaswani et al. 2017, section 3.2.1).

    Qh: (..., n_q, d_h), Kh: (..., n_k, d_h), Vh: (..., n_k, d_v). mask: boolean, True where a query may read a key, of
    any shape that fits (..., n_q, n_k); TypeError for another dtype, ValueError for another shape. A query that may
    read nothing gets zeros. Returns Oh: (..., n_q, d_v) and the cache.
    """
    dh = Qh.shape[-1]                         # ()
    S = (Qh @ Kh.mT) / math.sqrt(dh)          # (..., n_q, n_k)
    check_mask(mask, S.shape)
    S_masked = np.where(mask, S, -np.inf)     # (..., n_q, n_k)
    A, cache_A = softmax_forward(S_masked)    # (..., n_q, n_k)
    Oh = A @ Vh                               # (..., n_q, d_v)
    return Oh, (Qh, Kh, Vh, cache_A)


def scaled_dot_product_backward(dOh, cache):
    """Gradients of scaled dot-product attention: the steps of the forward pass in reverse order.

    dOh: (..., n_q, d_v). Returns dQh, dKh and dVh, of the shapes of Qh, Kh and Vh.
    """
    Qh, Kh, Vh, A = cache
    dh = Qh.shape[-1]                   # ()
    dVh = A.mT @ dOh                    # (..., n_k, d_v)
    dA = dOh @ Vh.mT                    # (..., n_q, n_k)
    dS = softmax_backward(dA, A)        # (..., n_q, n_k)
    dQh = (dS @ Kh) / math.sqrt(dh)     # (..., n_q, d_h)
    dKh = (dS.mT @ Qh) / math.sqrt(dh)  # (..., n_k, d_h)
    return dQh, dKh, dVh


def attention_forward(Xn, params, H, mask):
    """Multi-head self-attention (Vaswani et al. 2017, section 3.2.2): queries, keys and values come from one input.

    Xn: (..., T, d), the input of the sublayer. params: wq, wk, wv, wo: (d, d) and bq, bk, bv, bo: (d,). H: number of
    heads, which must divide d (ValueError otherwise). mask: as in scaled_dot_product_forward, fits (..., H, T, T); with
    causal_mask(T) each position reads itself and what came before. Returns out: (..., T, d) and the cache.
    """
    Q = dot(Xn, params["wq"]) + params["bq"]  # (..., T, d)
    K = dot(Xn, params["wk"]) + params["bk"]  # (..., T, d)
    V = dot(Xn, params["wv"]) + params["bv"]  # (..., T, d)

    Qh = split_heads(Q, H)                    # (..., H, T, d_h)
    Kh = split_heads(K, H)                    # (..., H, T, d_h)
    Vh = split_heads(V, H)                    # (..., H, T, d_h)

    Oh, cache_Oh = scaled_dot_product_forward(Qh, Kh, Vh, mask)  # (..., H, T, d_h)
    O = merge_heads(Oh)                                          # (..., T, d)
    out = dot(O, params["wo"]) + params["bo"]                    # (..., T, d)
    return out, (Xn, cache_Oh, O, params, H)


def attention_backward(dOut, cache):
    """Gradients of self-attention: the steps of the forward pass in reverse order.

    dOut: (..., T, d), the gradient of the loss on the output. cache: from attention_forward.
    Returns dXn: (..., T, d) and the gradients of the eight parameters, under the parameters' names.
    """
    Xn, cache_Oh, O, params, H = cache

    dWo = rows(O).T @ rows(dOut)       # (d, d)
    dbo = colsum(dOut)                 # (d,)
    dO = dot(dOut, params["wo"].T)     # (..., T, d)
    dOh = split_heads(dO, H)           # (..., H, T, d_h)

    dQh, dKh, dVh = scaled_dot_product_backward(dOh, cache_Oh)  # (..., H, T, d_h)

    dQ = merge_heads(dQh)              # (..., T, d)
    dK = merge_heads(dKh)              # (..., T, d)
    dV = merge_heads(dVh)              # (..., T, d)

    dWq = rows(Xn).T @ rows(dQ)        # (d, d)
    dWk = rows(Xn).T @ rows(dK)        # (d, d)
    dWv = rows(Xn).T @ rows(dV)        # (d, d)
    dbq = colsum(dQ)                   # (d,)
    dbk = colsum(dK)                   # (d,)
    dbv = colsum(dV)                   # (d,)

    dXq = dot(dQ, params["wq"].T)      # (..., T, d)
    dXk = dot(dK, params["wk"].T)      # (..., T, d)
    dXv = dot(dV, params["wv"].T)      # (..., T, d)
    dXn = dXq + dXk + dXv              # (..., T, d)

    grads = {"wq": dWq, "bq": dbq, "wk": dWk, "bk": dbk, "wv": dWv, "bv": dbv, "wo": dWo, "bo": dbo}
    return dXn, grads
