"""One layer of a model: attention and feed-forward, each with a residual path around it and a normalisation.

Where the normalisation stands makes two different models. Post-norm, of 2017: LayerNorm(x + sublayer(x)); the residual
path itself is normalised. Pre-norm, of GPT-2: x + sublayer(LayerNorm(x)); the residual path is left alone, and the
stack needs one normalisation at its end. ``drop`` is dropout.training(p, rng) or dropout.EVALUATION; it is applied to
the output of each sublayer before it is added (Vaswani et al. 2017, section 5.4).
"""

from transformer.attention import attention_backward, attention_forward
from transformer.cross_attention import cross_attention_backward, cross_attention_forward, cross_attention_weights
from transformer.feed_forward import (ffn_gelu_tanh_backward, ffn_gelu_tanh_forward, ffn_relu_backward,
                                      ffn_relu_forward)
from transformer.layer_norm import layer_norm_backward, layer_norm_forward
from transformer.parameters import grouped, scope


def pre_norm_block_forward(x, params, H, mask, drop):
    """x + attention(LayerNorm(x)), then the same with the feed-forward network (Radford et al. 2019, section 2.3).

    x: (..., T, d). params: norm1.*, attention.*, norm2.*, ffn.*, as their functions name them. H, mask: as in
    attention_forward. Returns y: (..., T, d) and the cache.
    """
    attention = scope(params, "attention")
    ffn = scope(params, "ffn")
    x_norm, cache_norm1 = layer_norm_forward(x, params["norm1.gamma"], params["norm1.beta"])  # (..., T, d)
    a, cache_a = attention_forward(x_norm, attention, H, mask)                                # (..., T, d)
    a_drop, cache_drop1 = drop.forward(a)                                                     # (..., T, d)
    r = x + a_drop                                                                            # (..., T, d)
    r_norm, cache_norm2 = layer_norm_forward(r, params["norm2.gamma"], params["norm2.beta"])  # (..., T, d)
    f, cache_f = ffn_gelu_tanh_forward(r_norm, ffn)                                           # (..., T, d)
    f_drop, cache_drop2 = drop.forward(f)                                                     # (..., T, d)
    y = r + f_drop                                                                            # (..., T, d)
    return y, (cache_norm1, cache_a, cache_drop1, cache_norm2, cache_f, cache_drop2, drop)


def pre_norm_block_backward(dy, cache):
    """Gradients of the block: each residual path adds what comes down beside the sublayer to what comes through it.

    dy: (..., T, d). Returns dx: (..., T, d) and the gradients of all parameters, under the parameters' names.
    """
    cache_norm1, cache_a, cache_drop1, cache_norm2, cache_f, cache_drop2, drop = cache
    df = drop.backward(dy, cache_drop2)                            # (..., T, d)
    dr_norm, grads_ffn = ffn_gelu_tanh_backward(df, cache_f)       # (..., T, d)
    dr_f, grads_norm2 = layer_norm_backward(dr_norm, cache_norm2)  # (..., T, d)
    dr = dy + dr_f                                                 # (..., T, d)
    da = drop.backward(dr, cache_drop1)                            # (..., T, d)
    dx_norm, grads_attention = attention_backward(da, cache_a)     # (..., T, d)
    dx_a, grads_norm1 = layer_norm_backward(dx_norm, cache_norm1)  # (..., T, d)
    dx = dr + dx_a                                                 # (..., T, d)
    return dx, grouped({"norm1": grads_norm1, "attention": grads_attention, "norm2": grads_norm2, "ffn": grads_ffn})


def encoder_layer_forward(x, params, H, mask, drop):
    """LayerNorm(x + attention(x)), then the same with the feed-forward network (Vaswani et al. 2017, section 3.1).

    x: (..., T, d). params: attention.*, norm1.*, ffn.*, norm2.*, as their functions name them. H, mask: as in
    attention_forward. Returns y: (..., T, d) and the cache.
    """
    attention = scope(params, "attention")
    ffn = scope(params, "ffn")
    a, cache_a = attention_forward(x, attention, H, mask)                                # (..., T, d)
    a_drop, cache_drop1 = drop.forward(a)                                                # (..., T, d)
    r = x + a_drop                                                                       # (..., T, d)
    z, cache_norm1 = layer_norm_forward(r, params["norm1.gamma"], params["norm1.beta"])  # (..., T, d)
    f, cache_f = ffn_relu_forward(z, ffn)                                                # (..., T, d)
    f_drop, cache_drop2 = drop.forward(f)                                                # (..., T, d)
    s = z + f_drop                                                                       # (..., T, d)
    y, cache_norm2 = layer_norm_forward(s, params["norm2.gamma"], params["norm2.beta"])  # (..., T, d)
    return y, (cache_a, cache_drop1, cache_norm1, cache_f, cache_drop2, cache_norm2, drop)


def encoder_layer_backward(dy, cache):
    """Gradients of the encoder layer. dy: (..., T, d). Returns dx: (..., T, d) and the gradients of all parameters."""
    cache_a, cache_drop1, cache_norm1, cache_f, cache_drop2, cache_norm2, drop = cache
    ds, grads_norm2 = layer_norm_backward(dy, cache_norm2)   # (..., T, d)
    df = drop.backward(ds, cache_drop2)                      # (..., T, d)
    dz_f, grads_ffn = ffn_relu_backward(df, cache_f)         # (..., T, d)
    dz = ds + dz_f                                           # (..., T, d)
    dr, grads_norm1 = layer_norm_backward(dz, cache_norm1)   # (..., T, d)
    da = drop.backward(dr, cache_drop1)                      # (..., T, d)
    dx_a, grads_attention = attention_backward(da, cache_a)  # (..., T, d)
    dx = dr + dx_a                                           # (..., T, d)
    return dx, grouped({"attention": grads_attention, "norm1": grads_norm1, "ffn": grads_ffn, "norm2": grads_norm2})


def decoder_layer_forward(x, memory, params, H, self_mask, memory_mask, drop):
    """Self-attention, attention to the memory, feed-forward, each as LayerNorm(x + sublayer(x)) (2017, section 3.1).

    x: (..., T, d), memory: (..., n_k, d), the encoder's output. params: self.*, norm1.*, cross.*, norm2.*, ffn.*,
    norm3.*, as their functions name them. self_mask fits (..., H, T, T), memory_mask (..., H, T, n_k). Returns y:
    (..., T, d) and the cache.
    """
    self_attention = scope(params, "self")
    cross_attention = scope(params, "cross")
    ffn = scope(params, "ffn")
    a, cache_a = attention_forward(x, self_attention, H, self_mask)                         # (..., T, d)
    a_drop, cache_drop1 = drop.forward(a)                                                   # (..., T, d)
    r = x + a_drop                                                                          # (..., T, d)
    z, cache_norm1 = layer_norm_forward(r, params["norm1.gamma"], params["norm1.beta"])     # (..., T, d)
    c, cache_c = cross_attention_forward(z, memory, cross_attention, H, memory_mask)        # (..., T, d)
    c_drop, cache_drop2 = drop.forward(c)                                                   # (..., T, d)
    s = z + c_drop                                                                          # (..., T, d)
    u, cache_norm2 = layer_norm_forward(s, params["norm2.gamma"], params["norm2.beta"])     # (..., T, d)
    f, cache_f = ffn_relu_forward(u, ffn)                                                   # (..., T, d)
    f_drop, cache_drop3 = drop.forward(f)                                                   # (..., T, d)
    v = u + f_drop                                                                          # (..., T, d)
    y, cache_norm3 = layer_norm_forward(v, params["norm3.gamma"], params["norm3.beta"])     # (..., T, d)
    return y, (cache_a, cache_drop1, cache_norm1, cache_c, cache_drop2, cache_norm2, cache_f, cache_drop3, cache_norm3,
               drop)


def decoder_layer_weights(cache):
    """How much each position read of the memory, A: (..., H, T, n_k). cache: from decoder_layer_forward."""
    _, _, _, cache_c, *_ = cache
    return cross_attention_weights(cache_c)


def decoder_layer_backward(dy, cache):
    """Gradients of the decoder layer.

    dy: (..., T, d). Returns dx: (..., T, d), dmemory: (..., n_k, d) and the gradients of all parameters.
    """
    (cache_a, cache_drop1, cache_norm1, cache_c, cache_drop2, cache_norm2, cache_f, cache_drop3, cache_norm3,
     drop) = cache
    dv, grads_norm3 = layer_norm_backward(dy, cache_norm3)              # (..., T, d)
    df = drop.backward(dv, cache_drop3)                                 # (..., T, d)
    du_f, grads_ffn = ffn_relu_backward(df, cache_f)                    # (..., T, d)
    du = dv + du_f                                                      # (..., T, d)
    ds, grads_norm2 = layer_norm_backward(du, cache_norm2)              # (..., T, d)
    dc = drop.backward(ds, cache_drop2)                                 # (..., T, d)
    dz_c, dmemory, grads_cross = cross_attention_backward(dc, cache_c)  # (..., T, d)
    dz = ds + dz_c                                                      # (..., T, d)
    dr, grads_norm1 = layer_norm_backward(dz, cache_norm1)              # (..., T, d)
    da = drop.backward(dr, cache_drop1)                                 # (..., T, d)
    dx_a, grads_self = attention_backward(da, cache_a)                  # (..., T, d)
    dx = dr + dx_a                                                      # (..., T, d)
    grads = grouped({"self": grads_self, "norm1": grads_norm1, "cross": grads_cross, "norm2": grads_norm2,
                     "ffn": grads_ffn, "norm3": grads_norm3})
    return dx, dmemory, grads
