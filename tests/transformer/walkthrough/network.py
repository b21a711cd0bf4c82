"""The network of the walkthrough: its random weights in the order in which they were drawn, and one forward pass.

Nine words go into the encoder, seven tokens into the decoder: d = 8, two heads, one layer each, 500 tokens.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from tests.transformer.recorded_attention import recorded_attention
from tests.transformer.recording import recorded
from transformer import encoder_decoder, vocabulary
from transformer.attention import attention_forward
from transformer.blocks import decoder_layer_forward, encoder_layer_forward
from transformer.cross_attention import cross_attention_forward
from transformer.dropout import EVALUATION
from transformer.embedding import tied_logits_forward
from transformer.encoder_decoder import embed_forward
from transformer.feed_forward import ffn_relu_forward
from transformer.init import init_layer_norm, xavier_uniform
from transformer.layer_norm import layer_norm_forward
from transformer.masks import causal_mask
from transformer.parameters import grouped, scope
from transformer.softmax import softmax_forward

PREFIX = "the cat sat on the mat and was looking"
CONTINUATION = "at a tiny mouse running by"
V, D, H, D_FF = 500, 8, 2, 32
CONFIG = encoder_decoder.Config(V, V, D, H, D_FF, layers=1)
CHAIN = 8  # products in a row, in the experiment on initial weights


def attention_weights(stream):
    """Xavier weights in the order Wq, Wk, Wv, Wo, and biases of 0."""
    weights = {f"w{name}": xavier_uniform(D, D, stream) for name in "qkvo"}
    return weights | {f"b{name}": np.zeros(D) for name in "qkvo"}


def ffn_weights(stream):
    return {"w1": xavier_uniform(D, D_FF, stream), "b1": np.zeros(D_FF),
            "w2": xavier_uniform(D_FF, D, stream), "b2": np.zeros(D)}


def chains(stream):
    """The experiment on initial weights: products in a row, with weights from U(0, 1) and with Xavier weights."""
    uniform = xavier = stream.rand(15, D)
    for _ in range(CHAIN):
        uniform = uniform @ stream.rand(D, D)
        xavier = xavier @ xavier_uniform(D, D, stream)
    return {"uniform01": uniform, "xavier": xavier}


def drawn():
    """(ends of the chains, parameters), drawn from one old random stream in the order of the walkthrough."""
    stream = np.random.RandomState(42)
    ends = chains(stream)
    E = stream.randn(V, D) / np.sqrt(D)
    norms = {f"norm{n}": init_layer_norm(D) for n in (1, 2, 3)}
    encoder = {"attention": attention_weights(stream), "ffn": ffn_weights(stream)}
    encoder |= {name: norms[name] for name in ("norm1", "norm2")}
    decoder = {"self": attention_weights(stream), "cross": attention_weights(stream), "ffn": ffn_weights(stream)}
    decoder |= norms
    return ends, {"E": E, **grouped({"encoder0": grouped(encoder), "decoder0": grouped(decoder)})}


def words():
    """The vocabulary: random ids, one for each word in the order of first appearance."""
    ids = np.random.default_rng(0).choice(np.arange(50, V), size=14, replace=False)
    return vocabulary.build(f"{PREFIX} {CONTINUATION}", ids)


def recorded_norm(x, weights, name):
    return recorded(layer_norm_forward, x, weights[f"{name}.gamma"], weights[f"{name}.beta"])


def recorded_encoder(src, params):
    """What one encoder layer computes of the prefix; ``layer`` has the variables of its residual paths."""
    weights, everything = scope(params, "encoder0"), np.ones((len(src), len(src)), dtype=bool)
    embedded = recorded(embed_forward, src, params["E"], EVALUATION)
    layer = recorded(encoder_layer_forward, embedded.x_drop, weights, H, everything, EVALUATION)
    return SimpleNamespace(
        embedded=embedded, x=layer.x, layer=layer, y=layer.y, weights=weights,
        attention=recorded_attention(attention_forward, layer.x, scope(weights, "attention"), H, everything),
        ffn=recorded(ffn_relu_forward, layer.z, scope(weights, "ffn")),
        norm1=recorded_norm(layer.r, weights, "norm1"), norm2=recorded_norm(layer.s, weights, "norm2"))


def recorded_decoder(tgt, memory, params):
    """What one decoder layer computes of the start token and the continuation."""
    weights, mask = scope(params, "decoder0"), causal_mask(len(tgt))
    everything = np.ones((len(tgt), len(memory)), dtype=bool)
    x, _ = embed_forward(tgt, params["E"], EVALUATION)
    layer = recorded(decoder_layer_forward, x, memory, weights, H, mask, everything, EVALUATION)
    return SimpleNamespace(
        x=x, layer=layer, y=layer.y, weights=weights, mask=mask,
        attention=recorded_attention(attention_forward, x, scope(weights, "self"), H, mask),
        cross=recorded_attention(cross_attention_forward, layer.z, memory, scope(weights, "cross"), H, everything),
        ffn=recorded(ffn_relu_forward, layer.u, scope(weights, "ffn")),
        norm1=recorded_norm(layer.r, weights, "norm1"), norm2=recorded_norm(layer.s, weights, "norm2"),
        norm3=recorded_norm(layer.v, weights, "norm3"))


@cache
def network():
    """Everything: vocabulary, ids, parameters, the recorded layers, and the logits with their softmax."""
    ends, params = drawn()
    vocab = words()
    src, continuation = (np.array(vocabulary.encode(text, vocab)) for text in (PREFIX, CONTINUATION))
    tgt, labels = np.array([vocabulary.SOS, *continuation]), np.array([*continuation, vocabulary.EOS])
    encoder = recorded_encoder(src, params)
    decoder = recorded_decoder(tgt, encoder.y, params)
    logits, _ = tied_logits_forward(decoder.y, params["E"])
    return SimpleNamespace(ends=ends, params=params, vocabulary=vocab, src=src, continuation=continuation, tgt=tgt,
                           labels=labels, encoder=encoder, decoder=decoder, logits=logits,
                           softmax=recorded(softmax_forward, logits))
