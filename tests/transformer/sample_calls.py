"""One call of every operation of the package: what the tests of all operations run.

A new forward is tested by an entry here: its shape comments, dtypes, gradients, batch axes and unchanged inputs. Sizes
all differ, so that no axis can stand in for another; gamma, beta and biases are random; tokens occur more than once.
"""

import copy
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.transformer.samples import SIZES, attention_sample
from transformer import activations, blocks, cache, cross_entropy, decoder_only, dropout, embedding, encoder_decoder
from transformer import feed_forward, layer_norm, masks, positions, rms_norm, rotary
from transformer.attention import (attention_backward, attention_forward, scaled_dot_product_backward,
                                   scaled_dot_product_forward)
from transformer.cross_attention import cross_attention_backward, cross_attention_forward
from transformer.dropout import EVALUATION
from transformer.grouped_query import grouped_query_backward, grouped_query_forward
from transformer.heads import head_width, merge_heads, split_heads
from transformer.linear import linear_backward, linear_forward
from transformer.parameters import scope
from transformer.softmax import softmax_backward, softmax_forward

B, T, D, D_FF, V, H, D_H, N_K, D_V = 2, 4, 6, 7, 9, 3, 8, 5, 10
LEADING = (B,)


@dataclass(frozen=True)
class Sample:
    """A call ``forward(*args)`` and, if there is a ``backward``, of ``backward(dy, cache)``.

    args: by parameter name, float64. sizes: what the symbols of the shape comments stand for. dots: what "..." stands
    for. batched: the arguments that carry the leading axes; empty where one sequence changes the results of another.
    """

    forward: Callable
    args: dict
    sizes: dict
    dots: tuple = ()
    backward: Callable | None = None
    batched: tuple = field(default=())

    def call(self, **changed):
        """Run the forward on copies of the arguments, some of them changed; a random generator starts again."""
        return self.forward(**copy.deepcopy({**self.args, **changed}))

    def as_dtype(self, dtype):
        """The same call with every float array of this dtype."""
        return Sample(self.forward, cast(self.args, dtype), self.sizes, self.dots, self.backward, self.batched)

    def dy(self):
        """A random upstream gradient, of the shape and dtype of the first result."""
        y = self.call()[0]
        dy = np.random.default_rng(99).normal(size=y.shape)
        return float(dy) if y.ndim == 0 else dy.astype(y.dtype)


def cast(value, dtype):
    """Float arrays in a dictionary of arrays as another dtype; everything else as it is."""
    if isinstance(value, dict):
        return {name: cast(part, dtype) for name, part in value.items()}
    return value.astype(dtype) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value


def gradients(sample, dy, cache):
    """What the backward returns, by name of the argument: inputs in order, then parameters under their names."""
    result = sample.backward(dy, cache)
    parts = result if isinstance(result, tuple) else (result,)
    names = iter(inspect.signature(sample.forward).parameters)
    named = {}
    for part in parts:
        named.update(part if isinstance(part, dict) else {next(names): part})
    return named


def value_of(sample, name):
    """The argument, or the parameter inside ``params``, of that name."""
    return sample.args[name] if name in sample.args else sample.args["params"][name]


def with_value(sample, name, value):
    """The keyword arguments that replace one argument, or one parameter inside ``params``."""
    return {name: value} if name in sample.args else {"params": {**sample.args["params"], name: value}}


def samples(leading=LEADING):
    """All samples, by the name of the forward; ``leading`` are the axes in front of (T, d)."""
    rng = np.random.default_rng(7)
    found = {}

    def normal(*shape):
        return rng.normal(size=shape)

    def add(forward, backward, args, sizes=None, dots=(*leading, T), batched=None):
        batched = (next(iter(args)),) if batched is None else batched
        found[forward.__name__] = Sample(forward, args, sizes or {}, dots, backward, batched)

    def add_entrywise(module, *names):
        for name in names:
            add(getattr(module, f"{name}_forward"), getattr(module, f"{name}_backward"),
                {"x": 2 * normal(*leading, T, D)}, dots=(*leading, T, D))

    Xn, params, heads, mask, _ = attention_sample(leading=leading)
    add(attention_forward, attention_backward, {"Xn": Xn, "params": params, "H": heads, "mask": mask}, SIZES, leading)
    queries, keys, values = normal(*leading, H, T, D_H), normal(*leading, H, N_K, D_H), normal(*leading, H, N_K, D_V)
    some = rng.random((T, N_K)) < 0.6
    some[0], some[1] = False, True  # a query that reads nothing, and one that reads everything
    add(scaled_dot_product_forward, scaled_dot_product_backward,
        {"Qh": queries, "Kh": keys, "Vh": values, "mask": some}, {"n_q": T, "n_k": N_K, "d_h": D_H, "d_v": D_V},
        (*leading, H), batched=("Qh", "Kh", "Vh"))
    add(head_width, None, {"d": 15, "H": heads}, batched=())
    add(split_heads, None, {"M": Xn, "H": heads}, SIZES, leading)
    add(merge_heads, None, {"Mh": split_heads(Xn, heads)}, SIZES, leading)
    add(softmax_forward, softmax_backward, {"x": normal(*leading, T, D)}, {"n": D})
    add(linear_forward, linear_backward, {"x": normal(*leading, T, D), "W": normal(D, D_FF), "b": normal(D_FF)},
        {"d_in": D, "d_out": D_FF})

    add_entrywise(activations, "relu", "gelu_erf", "gelu_tanh", "silu")
    add_entrywise(dropout, "identity")
    found["identity_forward"].args.update(p=0.4, rng=np.random.default_rng(1))
    add(dropout.dropout_forward, dropout.dropout_backward,
        {"x": normal(*leading, T, D), "p": 0.4, "rng": np.random.default_rng(1)}, None, (*leading, T, D), batched=())

    add(layer_norm.layer_norm_forward, layer_norm.layer_norm_backward,
        {"x": normal(*leading, T, D), "gamma": normal(D), "beta": normal(D), "eps": 0.3}, {"d": D})
    add(rms_norm.rms_norm_forward, rms_norm.rms_norm_backward,
        {"x": normal(*leading, T, D), "gamma": normal(D), "eps": 0.3}, {"d": D})

    ffn = {"w1": normal(D, D_FF), "b1": normal(D_FF), "w2": normal(D_FF, D), "b2": normal(D)}
    swiglu = {"w_gate": normal(D, D_FF), "w_up": normal(D, D_FF), "w_down": normal(D_FF, D)}
    for name, weights in [("relu", ffn), ("gelu_tanh", ffn), ("swiglu", swiglu)]:
        add(getattr(feed_forward, f"ffn_{name}_forward"), getattr(feed_forward, f"ffn_{name}_backward"),
            {"x": normal(*leading, T, D), "params": weights}, {"d": D, "d_ff": D_FF})

    ids = rng.integers(0, V, (*leading, T))
    ids[..., 1] = ids[..., 0]  # a token that occurs twice
    for name in ("embedding", "scaled_embedding"):
        add(getattr(embedding, f"{name}_forward"), getattr(embedding, f"{name}_backward"),
            {"ids": ids, "E": normal(V, D)}, {"V": V, "d": D})
    add(embedding.tied_logits_forward, embedding.tied_logits_backward,
        {"x": normal(*leading, T, D), "E": normal(V, D)}, {"V": V, "d": D})

    targets = ids.copy()
    targets[..., 2] = -1  # ignored
    for name, more in [("cross_entropy", {}), ("smoothed_cross_entropy", {"eps": 0.1})]:
        add(getattr(cross_entropy, f"{name}_forward"), getattr(cross_entropy, f"{name}_backward"),
            {"logits": normal(*leading, T, V), "targets": targets, "ignore": -1, **more}, {"V": V}, batched=())

    planes = {"T": T, "d": D, "d/2": D // 2, "d_h": D_H, "d_h/2": D_H // 2, "n_max": 11}
    add(positions.sinusoidal_positions, None, {"T": T, "d": D, "start": 5}, planes, batched=())
    add(positions.learned_positions_forward, positions.learned_positions_backward,
        {"x": normal(*leading, T, D), "P": normal(11, D), "start": 5}, planes, leading)
    add(rotary.rotary_table, None, {"T": T, "d_h": D_H, "start": 5}, planes, batched=())
    cosine, sine = rotary.rotary_table(T, D_H, start=5)
    add(rotary.rotary_forward, rotary.rotary_backward,
        {"x": normal(*leading, H, T, D_H), "cosine": cosine, "sine": sine}, planes, (*leading, H))

    add(masks.causal_mask, None, {"T": T, "past": 3}, {"T": T, "past + T": 3 + T}, batched=())
    add(masks.padding_mask, None, {"ids": ids, "pad": ids.flat[0]}, {"n_k": T}, leading)
    add_attention(add, normal, leading, ids)
    add_models(add, normal, leading, ids, rng)
    return found


def add_attention(add, normal, leading, ids):
    """Cross-attention, grouped queries, and the steps of attention with a cache."""
    n_q, n_k, G, share, dh, p = T, 7, 3, 2, 5, 3
    d = G * dh
    weights = {f"w{name}": normal(d, d) / 4 for name in "qkvo"} | {f"b{name}": normal(d) for name in "qkvo"}
    sizes = {"n_q": n_q, "n_k": n_k, "d": d, "H": G, "d_h": dh, "n": n_q, "p": p, "p + n": p + n_q}
    x, memory = normal(*leading, n_q, d), normal(*leading, n_k, d)
    mask = masks.padding_mask(np.broadcast_to([1, 1, 0, 1, 1, 0, 0], (*leading, n_k)), 0)
    add(cross_attention_forward, cross_attention_backward,
        {"x": x, "memory": memory, "params": weights, "H": G, "mask": mask}, sizes, leading, ("x", "memory", "mask"))

    past = (normal(*leading, G, p, dh), normal(*leading, G, p, dh))
    kept = (normal(*leading, G, n_k, dh), normal(*leading, G, n_k, dh))
    add(cache.attention_step, None, {"Xn": x, "params": weights, "H": G, "past": past}, sizes, leading, ())
    add(cache.memory_keys_values, None, {"memory": memory, "params": weights, "H": G}, sizes, leading, ())
    add(cache.cross_attention_step, None, {"x": x, "params": weights, "H": G, "kept": kept, "mask": mask},
        sizes, leading, ())

    H, d = G * share, G * share * dh
    weights = {"wq": normal(d, d) / 4, "wk": normal(d, G * dh) / 4, "wv": normal(d, G * dh) / 4, "wo": normal(d, d) / 4}
    mask = masks.causal_mask(T) & masks.padding_mask(ids, ids.flat[0])
    add(grouped_query_forward, grouped_query_backward,
        {"Xn": normal(*leading, T, d), "params": weights, "H": H, "G": G, "mask": mask},
        {"T": T, "d": d, "H": H, "G": G, "H/G": share, "d_h": dh, "G d_h": G * dh}, leading, ("Xn", "mask"))
    add(cache.grouped_query_step, None,
        {"Xn": normal(*leading, n_q, d), "params": weights, "H": H, "G": G, "past": past},
        sizes | {"d": d, "H": H, "G": G, "H/G": share, "G d_h": G * dh}, leading, ())


def add_models(add, normal, leading, ids, rng):
    """Layers and whole models: all parameters random, gamma and beta as after training, some tokens padding."""
    n_src, p, pad = 5, 3, 8

    def random(views):
        return {name: name.endswith("gamma") + normal(*view.shape) / 2 for name, view in views.items()}

    sizes = {"T": T, "d": D, "n": T, "p": p, "n_k": n_src, "n_src": n_src, "V": V, "V_tgt": V, "n_max": 11}
    small = decoder_only.Config(V, 11, D, H, D_FF, layers=2)
    weights = random(decoder_only.init_decoder_only(small, rng)[1])
    block = scope(weights, "block0")
    x, memory = normal(*leading, T, D), normal(*leading, n_src, D)
    causal = masks.causal_mask(T)
    add(blocks.pre_norm_block_forward, blocks.pre_norm_block_backward,
        {"x": x, "params": block, "H": H, "mask": causal, "drop": EVALUATION}, sizes, leading)
    past = (normal(*leading, H, p, D // H), normal(*leading, H, p, D // H))
    add(cache.pre_norm_block_step, None, {"x": x, "params": block, "H": H, "past": past}, sizes, leading, ())
    tokens = ids.copy()
    tokens[..., -1] = pad
    add(decoder_only.decoder_only_forward, decoder_only.decoder_only_backward,
        {"ids": tokens, "params": weights, "config": small, "drop": EVALUATION, "pad": pad}, sizes, leading)

    both = encoder_decoder.Config(V, V, D, H, D_FF, layers=2)
    weights = random(encoder_decoder.init_encoder_decoder(both, rng)[1])
    encoder = {name: value for name, value in weights.items() if not name.startswith("decoder")}
    decoder = {name: value for name, value in weights.items() if not name.startswith("encoder")}
    layer = scope(weights, "decoder0")
    src = rng.integers(0, pad, (*leading, n_src))
    src[..., -2:] = pad
    src_mask, tgt_mask = masks.padding_mask(src, pad), masks.padding_mask(tokens, pad) & causal
    add(blocks.encoder_layer_forward, blocks.encoder_layer_backward,
        {"x": memory, "params": scope(weights, "encoder0"), "H": H, "mask": src_mask, "drop": EVALUATION},
        sizes | {"T": n_src}, leading, ("x", "mask"))
    add(blocks.decoder_layer_forward, blocks.decoder_layer_backward,
        {"x": x, "memory": memory, "params": layer, "H": H, "self_mask": tgt_mask, "memory_mask": src_mask,
         "drop": EVALUATION}, sizes, leading, ("x", "memory", "self_mask", "memory_mask"))
    kept = (normal(*leading, H, n_src, D // H), normal(*leading, H, n_src, D // H))
    add(cache.decoder_layer_step, None,
        {"x": x, "params": layer, "H": H, "past": past, "kept": kept, "src_mask": src_mask}, sizes, leading, ())
    add(encoder_decoder.embed_forward, encoder_decoder.embed_backward,
        {"ids": tokens, "E": normal(V, D), "drop": EVALUATION}, sizes, leading)
    add(encoder_decoder.encoder_forward, encoder_decoder.encoder_backward,
        {"src": src, "params": encoder, "config": both, "mask": src_mask, "drop": EVALUATION},
        sizes, leading, ("src", "mask"))
    add(encoder_decoder.decoder_forward, encoder_decoder.decoder_backward,
        {"memory": memory, "tgt": tokens, "params": decoder, "config": both, "tgt_mask": tgt_mask, "src_mask": src_mask,
         "drop": EVALUATION}, sizes, leading, ("memory", "tgt", "tgt_mask", "src_mask"))
    add(encoder_decoder.encoder_decoder_forward, encoder_decoder.encoder_decoder_backward,
        {"src": src, "tgt": tokens, "params": weights, "config": both, "pad": pad, "drop": EVALUATION},
        sizes, leading, ("src", "tgt"))
