"""Attention while writing: keys and values of what was read are kept, so that a new token costs one row.

The results are those of attention_forward, grouped_query_forward and cross_attention_forward, row by row, up to
round-off. There is no backward pass: a model that learns reads whole sequences. A cache is never changed in place; each
step returns a longer one.
"""

import numpy as np

from transformer.arrays import dot
from transformer.attention import scaled_dot_product_forward
from transformer.feed_forward import ffn_gelu_tanh_forward, ffn_relu_forward
from transformer.grouped_query import heads_per_group
from transformer.heads import merge_heads, split_heads
from transformer.layer_norm import layer_norm_forward
from transformer.masks import causal_mask
from transformer.parameters import scope


def empty_past(leading, H, dh, dtype=np.float64):
    """Keys and values before anything was read: two arrays (*leading, H, 0, d_h)."""
    return np.zeros((*leading, H, 0, dh), dtype), np.zeros((*leading, H, 0, dh), dtype)


def attention_step(Xn, params, H, past):
    """Causal self-attention of n new rows, which come after the p rows that the cache holds.

    Xn: (..., n, d), params and H as in attention_forward. past: keys and values, (..., H, p, d_h) each, from empty_past
    or from the step before. Returns out: (..., n, d) and the keys and values of all p + n rows.
    """
    K_past, V_past = past
    Q = dot(Xn, params["wq"]) + params["bq"]              # (..., n, d)
    K = dot(Xn, params["wk"]) + params["bk"]              # (..., n, d)
    V = dot(Xn, params["wv"]) + params["bv"]              # (..., n, d)

    Qh = split_heads(Q, H)                                # (..., H, n, d_h)
    K_new = split_heads(K, H)                             # (..., H, n, d_h)
    V_new = split_heads(V, H)                             # (..., H, n, d_h)
    Kh = np.concatenate([K_past, K_new], axis=-2)         # (..., H, p + n, d_h)
    Vh = np.concatenate([V_past, V_new], axis=-2)         # (..., H, p + n, d_h)

    mask = causal_mask(Xn.shape[-2], K_past.shape[-2])    # (n, p + n)
    Oh, _ = scaled_dot_product_forward(Qh, Kh, Vh, mask)  # (..., H, n, d_h)
    O = merge_heads(Oh)                                   # (..., n, d)
    out = dot(O, params["wo"]) + params["bo"]             # (..., n, d)
    return out, (Kh, Vh)


def grouped_query_step(Xn, params, H, G, past):
    """Causal grouped-query attention of n new rows: the cache holds the G groups, where that of attention_step holds H.

    A cache of G / H of the size is what groups are for, since each new token reads all of it (Ainslie et al. 2023,
    section 2.2). Xn: (..., n, d), params, H and G as in grouped_query_forward. past: keys and values,
    (..., G, p, d_h) each, from empty_past with G for H, or from the step before. Returns out: (..., n, d) and the keys
    and values of all p + n rows.
    """
    K_past, V_past = past
    n = Xn.shape[-2]                                            # ()
    share = heads_per_group(H, G)                               # ()
    Q = dot(Xn, params["wq"])                                   # (..., n, d)
    K = dot(Xn, params["wk"])                                   # (..., n, G d_h)
    V = dot(Xn, params["wv"])                                   # (..., n, G d_h)

    Qh = split_heads(Q, H)                                      # (..., H, n, d_h)
    Qg = Qh.reshape(*Xn.shape[:-2], G, share, n, Qh.shape[-1])  # (..., G, H/G, n, d_h)
    K_new = split_heads(K, G)                                   # (..., G, n, d_h)
    V_new = split_heads(V, G)                                   # (..., G, n, d_h)
    Kh = np.concatenate([K_past, K_new], axis=-2)               # (..., G, p + n, d_h)
    Vh = np.concatenate([V_past, V_new], axis=-2)               # (..., G, p + n, d_h)
    Kg = Kh[..., None, :, :]                                    # (..., G, 1, p + n, d_h)
    Vg = Vh[..., None, :, :]                                    # (..., G, 1, p + n, d_h)

    mask = causal_mask(n, K_past.shape[-2])                     # (n, p + n)
    Og, _ = scaled_dot_product_forward(Qg, Kg, Vg, mask)        # (..., G, H/G, n, d_h)
    Oh = Og.reshape(Qh.shape)                                   # (..., H, n, d_h)
    O = merge_heads(Oh)                                         # (..., n, d)
    out = dot(O, params["wo"])                                  # (..., n, d)
    return out, (Kh, Vh)


def memory_keys_values(memory, params, H):
    """Keys and values of the encoder's output for one cross-attention: they are the same for every token written.

    memory: (..., n_k, d), params and H as in cross_attention_forward. Returns Kh and Vh: (..., H, n_k, d_h).
    """
    K = dot(memory, params["wk"]) + params["bk"]  # (..., n_k, d)
    V = dot(memory, params["wv"]) + params["bv"]  # (..., n_k, d)
    Kh = split_heads(K, H)                        # (..., H, n_k, d_h)
    Vh = split_heads(V, H)                        # (..., H, n_k, d_h)
    return Kh, Vh


def cross_attention_step(x, params, H, kept, mask):
    """Cross-attention of n new rows to the memory.

    x: (..., n, d), params and H as in cross_attention_forward. kept: from memory_keys_values. mask: as in
    cross_attention_forward. Returns out: (..., n, d).
    """
    Kh, Vh = kept
    Q = dot(x, params["wq"]) + params["bq"]               # (..., n, d)
    Qh = split_heads(Q, H)                                # (..., H, n, d_h)
    Oh, _ = scaled_dot_product_forward(Qh, Kh, Vh, mask)  # (..., H, n, d_h)
    O = merge_heads(Oh)                                   # (..., n, d)
    out = dot(O, params["wo"]) + params["bo"]             # (..., n, d)
    return out


def pre_norm_block_step(x, params, H, past):
    """n new rows through blocks.pre_norm_block_forward, without dropout. x: (..., n, d), past: as in attention_step.

    Returns y: (..., n, d) and the longer cache.
    """
    attention = scope(params, "attention")
    ffn = scope(params, "ffn")
    x_norm, _ = layer_norm_forward(x, params["norm1.gamma"], params["norm1.beta"])  # (..., n, d)
    a, longer = attention_step(x_norm, attention, H, past)                          # (..., n, d)
    r = x + a                                                                       # (..., n, d)
    r_norm, _ = layer_norm_forward(r, params["norm2.gamma"], params["norm2.beta"])  # (..., n, d)
    f, _ = ffn_gelu_tanh_forward(r_norm, ffn)                                       # (..., n, d)
    y = r + f                                                                       # (..., n, d)
    return y, longer


def decoder_layer_step(x, params, H, past, kept, src_mask):
    """n new rows through blocks.decoder_layer_forward, without dropout.

    x: (..., n, d), past: as in attention_step, kept: from memory_keys_values. Returns y: (..., n, d), the longer cache.
    """
    self_attention = scope(params, "self")
    cross_attention = scope(params, "cross")
    ffn = scope(params, "ffn")
    a, longer = attention_step(x, self_attention, H, past)                     # (..., n, d)
    r = x + a                                                                  # (..., n, d)
    z, _ = layer_norm_forward(r, params["norm1.gamma"], params["norm1.beta"])  # (..., n, d)
    c = cross_attention_step(z, cross_attention, H, kept, src_mask)            # (..., n, d)
    s = z + c                                                                  # (..., n, d)
    u, _ = layer_norm_forward(s, params["norm2.gamma"], params["norm2.beta"])  # (..., n, d)
    f, _ = ffn_relu_forward(u, ffn)                                            # (..., n, d)
    v = u + f                                                                  # (..., n, d)
    y, _ = layer_norm_forward(v, params["norm3.gamma"], params["norm3.beta"])  # (..., n, d)
    return y, longer
