"""A decoder-only language model: pre-norm blocks, one final normalisation, the embedding again as output layer (GPT-2).

Parameters are named views into one flat vector: E, the positions P where they are learned, block0.* and on, and norm.*.
"""

from typing import NamedTuple

import numpy as np

from transformer.blocks import pre_norm_block_backward, pre_norm_block_forward
from transformer.cache import empty_past, pre_norm_block_step
from transformer.cross_entropy import cross_entropy_backward, cross_entropy_forward
from transformer.embedding import embedding_backward, embedding_forward, tied_logits_backward, tied_logits_forward
from transformer.heads import head_width
from transformer.init import init_attention, init_embedding, init_ffn, init_layer_norm, init_learned_positions
from transformer.layer_norm import layer_norm_backward, layer_norm_forward
from transformer.masks import causal_mask, padding_mask
from transformer.parameters import allocate, assign, grouped, scope, shapes_of
from transformer.positions import learned_positions_backward, learned_positions_forward, sinusoidal_positions


class Config(NamedTuple):
    """Sizes of a model. positions: "learned" or "sinusoidal"; texts are at most n_max tokens long."""

    V: int
    n_max: int
    d: int
    H: int
    d_ff: int
    layers: int
    positions: str = "learned"


def init_decoder_only(config, rng, dtype=np.float64):
    """Initial parameters: (vector, views). rng: a numpy Generator.

    ValueError for an unknown kind of positions, where H does not divide d, where d is odd and positions are sinusoidal,
    or where there is no layer.
    """
    check_sizes(config)
    values = init_embedding(config.V, config.d, rng)
    if config.positions == "learned":
        values |= init_learned_positions(config.n_max, config.d, rng)
    for layer in range(config.layers):
        values |= grouped({f"block{layer}": init_block(config, rng)})
    values |= grouped({"norm": init_layer_norm(config.d)})
    vector, views = allocate(shapes_of(values), dtype)
    assign(views, values)
    return vector, views


def check_sizes(config):
    """Raises ValueError where no model can be made of these sizes: see init_decoder_only."""
    head_width(config.d, config.H)
    check_positions(config.positions)
    if config.positions == "sinusoidal":
        sinusoidal_positions(0, config.d)
    if config.layers < 1:
        raise ValueError(f"a model has at least one layer, got layers = {config.layers}")


def check_positions(kind):
    """Raises ValueError for an unknown kind of positions."""
    if kind not in ("learned", "sinusoidal"):
        raise ValueError(f"positions are 'learned' or 'sinusoidal', got {kind!r}")


def init_block(config, rng):
    """The parameters of one block, by name."""
    return grouped({"norm1": init_layer_norm(config.d), "attention": init_attention(config.d, rng),
                    "norm2": init_layer_norm(config.d), "ffn": init_ffn(config.d, config.d_ff, rng)})


def position_table(params, config, dtype):
    """The table that is added to the embeddings: the learned one, or sines and cosines. Returns (n_max, d).

    ValueError for an unknown kind of positions.
    """
    check_positions(config.positions)
    if config.positions == "learned":
        return params["P"]
    return sinusoidal_positions(config.n_max, config.d, dtype=dtype)


def decoder_only_forward(ids, params, config, drop, pad=-1):
    """Scores of the next token after each token (Radford et al. 2019, section 2.3).

    ids: (..., T), T at most n_max. drop: dropout.training(p, rng) or dropout.EVALUATION. pad: the id of padding, which
    nobody reads; -1 where there is none. Returns logits: (..., T, V) and the cache.
    """
    pad_mask = padding_mask(ids, pad)                                           # (..., 1, 1, T)
    mask = pad_mask & causal_mask(ids.shape[-1])                                # (..., 1, T, T)
    x, cache_E = embedding_forward(ids, params["E"])                            # (..., T, d)
    P = position_table(params, config, x.dtype)                                 # (n_max, d)
    x_pos, cache_P = learned_positions_forward(x, P)                            # (..., T, d)
    x_drop, cache_drop = drop.forward(x_pos)                                    # (..., T, d)
    outputs, caches = [x_drop], []
    for layer in range(config.layers):
        block = scope(params, f"block{layer}")
        y, cache_y = pre_norm_block_forward(outputs[-1], block, config.H, mask, drop)  # (..., T, d)
        outputs.append(y)
        caches.append(cache_y)
    h, cache_norm = layer_norm_forward(outputs[-1], params["norm.gamma"], params["norm.beta"])  # (..., T, d)
    logits, cache_logits = tied_logits_forward(h, params["E"])                                  # (..., T, V)
    return logits, (cache_E, cache_P, cache_drop, caches, cache_norm, cache_logits, config, drop)


def decoder_only_backward(dlogits, cache):
    """Gradients of all parameters; that of E has two parts, from the output layer and from the embedding.

    dlogits: (..., T, V). Returns the gradients under the parameters' names.
    """
    cache_E, cache_P, cache_drop, caches, cache_norm, cache_logits, config, drop = cache
    dh, grads_logits = tied_logits_backward(dlogits, cache_logits)    # (..., T, d)
    dy_last, grads_norm = layer_norm_backward(dh, cache_norm)         # (..., T, d)
    dys, grads_blocks = [dy_last], {}
    for layer in reversed(range(config.layers)):
        dy, grads_block = pre_norm_block_backward(dys[-1], caches[layer])  # (..., T, d)
        dys.append(dy)
        grads_blocks[f"block{layer}"] = grads_block
    dx_pos = drop.backward(dys[-1], cache_drop)                       # (..., T, d)
    dx, grads_P = learned_positions_backward(dx_pos, cache_P)         # (..., T, d)
    grads_E = embedding_backward(dx, cache_E)
    dE = grads_logits["E"] + grads_E["E"]                             # (V, d)
    learned = grads_P if config.positions == "learned" else {}
    return {"E": dE, **learned, **grouped({**grads_blocks, "norm": grads_norm})}


def decoder_only_loss(ids, targets, params, config, drop, pad=-1):
    """The mean loss of a real target, and the gradients of all parameters.

    targets: (..., T), the token after each token, or -1 where it is to be ignored, as with padding. Other arguments as
    in decoder_only_forward.
    """
    logits, cache = decoder_only_forward(ids, params, config, drop, pad)
    loss, cache_loss = cross_entropy_forward(logits, targets, ignore=-1)
    grads = decoder_only_backward(cross_entropy_backward(1.0, cache_loss), cache)
    return loss, grads


def writer(params, config):
    """The step for generation.generate: reads only what is new, and keeps keys and values in its state.

    Returns step(ids, state) -> (logits, state), with ids: (B, n), logits: (B, V); the state is None at first.
    """
    blocks = [scope(params, f"block{layer}") for layer in range(config.layers)]
    P = position_table(params, config, params["E"].dtype)

    def step(ids, state):
        read, pasts = (state["read"], state["pasts"]) if state else (0, no_pasts(len(ids), config, P.dtype))
        embedded, _ = embedding_forward(ids, params["E"])
        x, _ = learned_positions_forward(embedded, P, start=read)
        longer = []
        for block, past in zip(blocks, pasts, strict=True):
            x, kept = pre_norm_block_step(x, block, config.H, past)
            longer.append(kept)
        h, _ = layer_norm_forward(x[:, -1], params["norm.gamma"], params["norm.beta"])
        logits, _ = tied_logits_forward(h, params["E"])
        return logits, {"read": read + ids.shape[1], "pasts": longer}

    return step


def no_pasts(B, config, dtype):
    """The caches of all blocks before anything was read."""
    return [empty_past((B,), config.H, config.d // config.H, dtype) for _ in range(config.layers)]
