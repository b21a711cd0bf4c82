"""Grouped-query attention: several query heads share the keys and values of one group."""

import numpy as np

from transformer.arrays import dot, rows
from transformer.attention import scaled_dot_product_backward, scaled_dot_product_forward
from transformer.heads import merge_heads, split_heads


def heads_per_group(H, G):
    """H / G, the number of query heads in each group. ValueError unless G is positive and divides H."""
    if G < 1 or H % G:
        raise ValueError(f"H = {H} query heads cannot form G = {G} equal groups: choose G so that it divides H")
    return H // G


def grouped_query_forward(Xn, params, H, G, mask):
    """Self-attention with H query heads in G groups (Ainslie et al. 2023, section 2.2), without biases.

    Query head h reads the keys and values of group h // (H / G). G = H is multi-head attention, G = 1 multi-query
    attention (Shazeer 2019). Xn: (..., T, d). params: wq, wo: (d, d), wk, wv: (d, G d_h) with d_h = d / H. H must
    divide d and G must divide H (ValueError otherwise). mask: as in attention_forward, fits (..., H, T, T).
    Returns out: (..., T, d), cache.
    """
    T = Xn.shape[-2]                                               # ()
    share = heads_per_group(H, G)                                  # ()

    Q = dot(Xn, params["wq"])                                      # (..., T, d)
    K = dot(Xn, params["wk"])                                      # (..., T, G d_h)
    V = dot(Xn, params["wv"])                                      # (..., T, G d_h)

    Qh = split_heads(Q, H)                                         # (..., H, T, d_h)
    Qg = Qh.reshape(*Xn.shape[:-2], G, share, T, Qh.shape[-1])     # (..., G, H/G, T, d_h)
    Kh = split_heads(K, G)                                         # (..., G, T, d_h)
    Vh = split_heads(V, G)                                         # (..., G, T, d_h)
    Kg = Kh[..., None, :, :]                                       # (..., G, 1, T, d_h)
    Vg = Vh[..., None, :, :]                                       # (..., G, 1, T, d_h)
    mask_h = np.broadcast_to(mask, (*Xn.shape[:-2], H, T, T))      # (..., H, T, T)
    mask_g = mask_h.reshape(*Qg.shape[:-1], T)                     # (..., G, H/G, T, T)

    Og, cache_Og = scaled_dot_product_forward(Qg, Kg, Vg, mask_g)  # (..., G, H/G, T, d_h)
    Oh = Og.reshape(Qh.shape)                                      # (..., H, T, d_h)
    O = merge_heads(Oh)                                            # (..., T, d)
    out = dot(O, params["wo"])                                     # (..., T, d)
    return out, (Xn, cache_Og, O, params, H)


def grouped_query_backward(dOut, cache):
    """Gradients of grouped-query attention; those of keys and values add up over the heads of the group.

    dOut: (..., T, d). Returns dXn: (..., T, d) and the gradients of the four parameters, under the parameters' names.
    """
    Xn, cache_Og, O, params, H = cache
    Qg = cache_Og[0]                                            # (..., G, H/G, T, d_h)

    dWo = rows(O).T @ rows(dOut)                                # (d, d)
    dO = dot(dOut, params["wo"].T)                              # (..., T, d)
    dOh = split_heads(dO, H)                                    # (..., H, T, d_h)
    dOg = dOh.reshape(Qg.shape)                                 # (..., G, H/G, T, d_h)

    dQg, dKg, dVg = scaled_dot_product_backward(dOg, cache_Og)  # (..., G, H/G, T, d_h)

    dQh = dQg.reshape(dOh.shape)                                # (..., H, T, d_h)
    dKh = dKg.sum(axis=-3)                                      # (..., G, T, d_h)
    dVh = dVg.sum(axis=-3)                                      # (..., G, T, d_h)
    dQ = merge_heads(dQh)                                       # (..., T, d)
    dK = merge_heads(dKh)                                       # (..., T, G d_h)
    dV = merge_heads(dVh)                                       # (..., T, G d_h)

    dWq = rows(Xn).T @ rows(dQ)                                 # (d, d)
    dWk = rows(Xn).T @ rows(dK)                                 # (d, G d_h)
    dWv = rows(Xn).T @ rows(dV)                                 # (d, G d_h)
    dXq = dot(dQ, params["wq"].T)                               # (..., T, d)
    dXk = dot(dK, params["wk"].T)                               # (..., T, d)
    dXv = dot(dV, params["wv"].T)                               # (..., T, d)
    dXn = dXq + dXk + dXv                                       # (..., T, d)
    return dXn, {"wq": dWq, "wk": dWk, "wv": dWv, "wo": dWo}
