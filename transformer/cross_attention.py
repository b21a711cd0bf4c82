"""Multi-head attention from one sequence to another: the decoder reads the encoder's output."""

from transformer.arrays import colsum, dot, rows
from transformer.attention import scaled_dot_product_backward, scaled_dot_product_forward
from transformer.heads import merge_heads, split_heads


def cross_attention_forward(x, memory, params, H, mask):
    """Queries come from x, keys and values from the memory (Vaswani et al. 2017, section 3.2.3).

    x: (..., n_q, d), memory: (..., n_k, d). params: wq, wk, wv, wo: (d, d) and bq, bk, bv, bo: (d,). H: number of
    heads, which must divide d (ValueError otherwise). mask: as in scaled_dot_product_forward, fits (..., H, n_q, n_k);
    with padding_mask the padding of the memory is not read. Returns out: (..., n_q, d) and the cache.
    """
    Q = dot(x, params["wq"]) + params["bq"]                      # (..., n_q, d)
    K = dot(memory, params["wk"]) + params["bk"]                 # (..., n_k, d)
    V = dot(memory, params["wv"]) + params["bv"]                 # (..., n_k, d)

    Qh = split_heads(Q, H)                                       # (..., H, n_q, d_h)
    Kh = split_heads(K, H)                                       # (..., H, n_k, d_h)
    Vh = split_heads(V, H)                                       # (..., H, n_k, d_h)

    Oh, cache_Oh = scaled_dot_product_forward(Qh, Kh, Vh, mask)  # (..., H, n_q, d_h)
    O = merge_heads(Oh)                                          # (..., n_q, d)
    out = dot(O, params["wo"]) + params["bo"]                    # (..., n_q, d)
    return out, (x, memory, cache_Oh, O, params, H)


def cross_attention_weights(cache):
    """How much each query read of each key, A: (..., H, n_q, n_k). cache: from cross_attention_forward."""
    _, _, (_, _, _, A), _, _, _ = cache
    return A


def cross_attention_backward(dOut, cache):
    """Gradients of cross-attention; that of the memory comes through the keys and the values.

    dOut: (..., n_q, d). Returns dx: (..., n_q, d), dmemory: (..., n_k, d) and the gradients of the eight parameters.
    """
    x, memory, cache_Oh, O, params, H = cache

    dWo = rows(O).T @ rows(dOut)                                # (d, d)
    dbo = colsum(dOut)                                          # (d,)
    dO = dot(dOut, params["wo"].T)                              # (..., n_q, d)
    dOh = split_heads(dO, H)                                    # (..., H, n_q, d_h)

    dQh, dKh, dVh = scaled_dot_product_backward(dOh, cache_Oh)  # (..., H, n_q, d_h)

    dQ = merge_heads(dQh)                                       # (..., n_q, d)
    dK = merge_heads(dKh)                                       # (..., n_k, d)
    dV = merge_heads(dVh)                                       # (..., n_k, d)

    dWq = rows(x).T @ rows(dQ)                                  # (d, d)
    dWk = rows(memory).T @ rows(dK)                             # (d, d)
    dWv = rows(memory).T @ rows(dV)                             # (d, d)
    dbq = colsum(dQ)                                            # (d,)
    dbk = colsum(dK)                                            # (d,)
    dbv = colsum(dV)                                            # (d,)

    dx = dot(dQ, params["wq"].T)                                # (..., n_q, d)
    dmemory_k = dot(dK, params["wk"].T)                         # (..., n_k, d)
    dmemory_v = dot(dV, params["wv"].T)                         # (..., n_k, d)
    dmemory = dmemory_k + dmemory_v                             # (..., n_k, d)

    grads = {"wq": dWq, "bq": dbq, "wk": dWk, "bk": dbk, "wv": dWv, "bv": dbv, "wo": dWo, "bo": dbo}
    return dx, dmemory, grads
