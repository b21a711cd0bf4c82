"""The transformer of 2017: an encoder reads the source, a decoder writes the target and reads what the encoder made.

Post-norm, so that neither stack has a normalisation of its own at the end. Embeddings are multiplied by sqrt(d), sines
and cosines are added, and the output layer is an embedding again, without bias (Vaswani et al. 2017, sections 3.1, 3.4,
3.5). Parameters are named views into one flat vector: the embeddings, encoder0.* and on, decoder0.* and on.
"""

from typing import NamedTuple

import numpy as np

from transformer.blocks import (decoder_layer_backward, decoder_layer_forward, decoder_layer_weights,
                                encoder_layer_backward, encoder_layer_forward)
from transformer.cache import decoder_layer_step, empty_past, memory_keys_values
from transformer.cross_entropy import smoothed_cross_entropy_backward, smoothed_cross_entropy_forward
from transformer.dropout import EVALUATION
from transformer.embedding import (scaled_embedding_backward, scaled_embedding_forward, tied_logits_backward,
                                   tied_logits_forward)
from transformer.heads import head_width
from transformer.init import init_attention, init_embedding, init_ffn, init_layer_norm
from transformer.masks import causal_mask, padding_mask
from transformer.parameters import allocate, assign, grouped, scope, shapes_of
from transformer.positions import sinusoidal_positions


class Config(NamedTuple):
    """Sizes of a model. V_src and V_tgt: the numbers of source and target tokens. sharing: a key of SHARING."""

    V_src: int
    V_tgt: int
    d: int
    H: int
    d_ff: int
    layers: int
    sharing: str = "all"


class Embeddings(NamedTuple):
    """The names of the three matrices; equal names are one array."""

    src: str
    tgt: str
    out: str


SHARING = {
    "all": Embeddings("E", "E", "E"),                         # section 3.4: one vocabulary, one matrix
    "target": Embeddings("E_src", "E", "E"),                  # two vocabularies
    "none": Embeddings("E_src", "E_tgt", "E_out"),
}


def init_encoder_decoder(config, rng, dtype=np.float64):
    """Initial parameters: (vector, views). rng: a numpy Generator.

    ValueError for an unknown kind of sharing, where vocabularies of different sizes should share a matrix, where H
    does not divide d, where d is odd, or where there is no layer.
    """
    check_sizes(config)
    values = {}
    for name, V in embedding_sizes(config).items():
        values[name] = init_embedding(V, config.d, rng)["E"]
    for layer in range(config.layers):
        values |= grouped({f"encoder{layer}": init_encoder_layer(config, rng)})
    for layer in range(config.layers):
        values |= grouped({f"decoder{layer}": init_decoder_layer(config, rng)})
    vector, views = allocate(shapes_of(values), dtype)
    assign(views, values)
    return vector, views


def check_sizes(config):
    """Raises ValueError where H does not divide d, where d is odd, or where there is no layer."""
    head_width(config.d, config.H)
    sinusoidal_positions(0, config.d)
    if config.layers < 1:
        raise ValueError(f"a model has at least one layer in encoder and decoder, got layers = {config.layers}")


def embedding_sizes(config):
    """The number of rows of each embedding, by name. Raises ValueError as init_encoder_decoder does."""
    if config.sharing not in SHARING:
        raise ValueError(f"sharing is one of {', '.join(SHARING)}, got {config.sharing!r}")
    names = SHARING[config.sharing]
    if names.src == names.tgt and config.V_src != config.V_tgt:
        raise ValueError(f"one matrix cannot serve {config.V_src} source and {config.V_tgt} target tokens: "
                         "use one vocabulary, or the sharing 'target'")
    return {names.src: config.V_src, names.tgt: config.V_tgt, names.out: config.V_tgt}


def init_encoder_layer(config, rng):
    """The parameters of one encoder layer, by name."""
    return grouped({"attention": init_attention(config.d, rng), "norm1": init_layer_norm(config.d),
                    "ffn": init_ffn(config.d, config.d_ff, rng), "norm2": init_layer_norm(config.d)})


def init_decoder_layer(config, rng):
    """The parameters of one decoder layer, by name."""
    return grouped({"self": init_attention(config.d, rng), "norm1": init_layer_norm(config.d),
                    "cross": init_attention(config.d, rng), "norm2": init_layer_norm(config.d),
                    "ffn": init_ffn(config.d, config.d_ff, rng), "norm3": init_layer_norm(config.d)})


def embed_forward(ids, E, drop):
    """sqrt(d) times the embedding, plus positions (sections 3.4 and 3.5). ids: (..., T). Returns (..., T, d), cache."""
    x, cache_E = scaled_embedding_forward(ids, E)                             # (..., T, d)
    PE = sinusoidal_positions(ids.shape[-1], E.shape[-1], dtype=E.dtype)      # (T, d)
    x_pos = x + PE                                                            # (..., T, d)
    x_drop, cache_drop = drop.forward(x_pos)                                  # (..., T, d)
    return x_drop, (cache_E, cache_drop, drop)


def embed_backward(dx_drop, cache):
    """Gradient of the embedding. dx_drop: (..., T, d). Returns {"E": (V, d)}."""
    cache_E, cache_drop, drop = cache
    dx = drop.backward(dx_drop, cache_drop)  # (..., T, d)
    return scaled_embedding_backward(dx, cache_E)


def encoder_forward(src, params, config, mask, drop):
    """Read the source: src: (..., n_src). mask: padding_mask(src, pad). Returns memory: (..., n_src, d), cache."""
    x, cache_x = embed_forward(src, params[SHARING[config.sharing].src], drop)  # (..., n_src, d)
    outputs, caches = [x], []
    for layer in range(config.layers):
        weights = scope(params, f"encoder{layer}")
        y, cache_y = encoder_layer_forward(outputs[-1], weights, config.H, mask, drop)  # (..., n_src, d)
        outputs.append(y)
        caches.append(cache_y)
    return outputs[-1], (cache_x, caches, config)


def encoder_backward(dmemory, cache):
    """Gradients of the encoder's parameters. dmemory: (..., n_src, d). Returns them under the parameters' names."""
    cache_x, caches, config = cache
    dys, grads_layers = [dmemory], {}
    for layer in reversed(range(config.layers)):
        dy, grads_layer = encoder_layer_backward(dys[-1], caches[layer])  # (..., n_src, d)
        dys.append(dy)
        grads_layers[f"encoder{layer}"] = grads_layer
    grads_src = embed_backward(dys[-1], cache_x)
    return {SHARING[config.sharing].src: grads_src["E"], **grouped(grads_layers)}


def decoder_forward(memory, tgt, params, config, tgt_mask, src_mask, drop):
    """Scores of the next target token after each one, for the memory of the source.

    memory: (..., n_src, d). tgt: (..., T), starting with the start token. tgt_mask: causal, and without the padding of
    the target. src_mask: without the padding of the source. Returns logits: (..., T, V_tgt) and the cache.
    """
    x, cache_x = embed_forward(tgt, params[SHARING[config.sharing].tgt], drop)  # (..., T, d)
    outputs, caches = [x], []
    for layer in range(config.layers):
        weights = scope(params, f"decoder{layer}")
        y, cache_y = decoder_layer_forward(outputs[-1], memory, weights, config.H, tgt_mask, src_mask,
                                           drop)                            # (..., T, d)
        outputs.append(y)
        caches.append(cache_y)
    logits, cache_logits = tied_logits_forward(outputs[-1], params[SHARING[config.sharing].out])  # (..., T, V_tgt)
    return logits, (cache_x, caches, cache_logits, config)


def decoder_backward(dlogits, cache):
    """Gradients of the decoder's parameters, and of the memory, which every layer reads.

    dlogits: (..., T, V_tgt). Returns dmemory: (..., n_src, d) and the gradients under the parameters' names.
    """
    cache_x, caches, cache_logits, config = cache
    dy_last, grads_out = tied_logits_backward(dlogits, cache_logits)     # (..., T, d)
    dys, dmemories, grads_layers = [dy_last], [], {}
    for layer in reversed(range(config.layers)):
        dy, dmemory_layer, grads_layer = decoder_layer_backward(dys[-1], caches[layer])  # (..., T, d)
        dys.append(dy)
        dmemories.append(dmemory_layer)
        grads_layers[f"decoder{layer}"] = grads_layer
    dmemory = sum(dmemories)                                             # (..., n_src, d)
    grads_tgt = embed_backward(dys[-1], cache_x)
    grads_E = added({SHARING[config.sharing].out: grads_out["E"]}, {SHARING[config.sharing].tgt: grads_tgt["E"]})
    return dmemory, {**grads_E, **grouped(grads_layers)}


def encoder_decoder_forward(src, tgt, params, config, pad, drop):
    """Scores of the next target token after each one. Padding is read by nobody, in source and target.

    src: (..., n_src), tgt: (..., T), starting with the start token. pad: the id of padding. drop:
    dropout.training(p, rng) or dropout.EVALUATION. Returns logits: (..., T, V_tgt) and the cache.
    """
    src_mask = padding_mask(src, pad)                                                    # (..., 1, 1, n_src)
    pad_mask = padding_mask(tgt, pad)                                                    # (..., 1, 1, T)
    tgt_mask = pad_mask & causal_mask(tgt.shape[-1])                                     # (..., 1, T, T)
    memory, cache_e = encoder_forward(src, params, config, src_mask, drop)                    # (..., n_src, d)
    logits, cache_d = decoder_forward(memory, tgt, params, config, tgt_mask, src_mask, drop)  # (..., T, V_tgt)
    return logits, (cache_e, cache_d)


def memory_weights(cache):
    """How much each target position read of each source position: for each decoder layer A: (..., H, T, n_src).

    cache: from encoder_decoder_forward.
    """
    _, (_, caches, _, _) = cache
    return [decoder_layer_weights(cache_layer) for cache_layer in caches]


def encoder_decoder_backward(dlogits, cache):
    """Gradients of all parameters; a shared embedding gathers them from all its uses.

    dlogits: (..., T, V_tgt). Returns the gradients under the parameters' names.
    """
    cache_e, cache_d = cache
    dmemory, grads_d = decoder_backward(dlogits, cache_d)  # (..., n_src, d)
    grads_e = encoder_backward(dmemory, cache_e)
    return added(grads_e, grads_d)


def added(first, second):
    """Named gradients together; where both have a name, their sum."""
    return {**first, **{name: first[name] + part if name in first else part for name, part in second.items()}}


def encoder_decoder_loss(src, tgt_in, tgt_out, params, config, pad, drop, eps):
    """The mean smoothed loss of a real target token, and the gradients of all parameters.

    tgt_in, tgt_out: (..., T), the target without its last and without its first token; padding is ignored. eps: the
    share of label smoothing. Other arguments as in encoder_decoder_forward.
    """
    logits, cache = encoder_decoder_forward(src, tgt_in, params, config, pad, drop)
    loss, cache_loss = smoothed_cross_entropy_forward(logits, tgt_out, pad, eps)
    grads = encoder_decoder_backward(smoothed_cross_entropy_backward(1.0, cache_loss), cache)
    return loss, grads


def reader(src, params, config, pad):
    """Read the source once: the state with which ``writer`` starts. src: (B, n_src), with padding ``pad``."""
    mask = padding_mask(src, pad)
    memory, _ = encoder_forward(src, params, config, mask, EVALUATION)
    layers = [scope(params, f"decoder{layer}.cross") for layer in range(config.layers)]
    past = empty_past((len(src),), config.H, config.d // config.H, memory.dtype)
    return {"read": 0, "pasts": [past] * config.layers, "mask": mask,
            "kept": [memory_keys_values(memory, weights, config.H) for weights in layers]}


def writer(params, config):
    """The step for generation.generate: reads only the new target tokens; keys and values are in its state.

    Returns step(ids, state) -> (logits, state), ids: (B, n), logits: (B, V_tgt); the first state is from ``reader``.
    What was written is read, also a padding token, which encoder_decoder_forward would leave out: where a model may
    write padding, rule it out.
    """
    names = SHARING[config.sharing]
    layers = [scope(params, f"decoder{layer}") for layer in range(config.layers)]

    def step(ids, state):
        embedded, _ = scaled_embedding_forward(ids, params[names.tgt])
        x = embedded + sinusoidal_positions(ids.shape[1], config.d, state["read"], embedded.dtype)
        longer = []
        for weights, past, kept in zip(layers, state["pasts"], state["kept"], strict=True):
            x, more = decoder_layer_step(x, weights, config.H, past, kept, state["mask"])
            longer.append(more)
        logits, _ = tied_logits_forward(x[:, -1], params[names.out])
        return logits, {**state, "read": state["read"] + ids.shape[1], "pasts": longer}

    return step
