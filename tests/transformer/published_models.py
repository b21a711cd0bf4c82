"""Published models: their configurations, and the shapes of their parameters without the numbers."""

import numpy as np

from transformer import decoder_only, encoder_decoder
from transformer.init import init_embedding, init_ffn_swiglu, init_rms_norm, xavier_uniform
from transformer.parameters import grouped, scoped, shapes_of

TOY = encoder_decoder.Config(13, 13, d=64, H=4, d_ff=256, layers=2)  # of the lesson: it reverses letters
BASE = encoder_decoder.Config(37000, 37000, d=512, H=8, d_ff=2048, layers=6)
GERMAN = BASE._replace(V_src=32000, V_tgt=32000, sharing="target")


class NoNumbers:
    """Stands for a random generator: the shapes of a large model are wanted, not its numbers."""

    def normal(self, mean, deviation, shape):
        return np.broadcast_to(np.float64(0), shape)

    def uniform(self, low, high, shape):
        return np.broadcast_to(np.float64(0), shape)


def shapes(config):
    """The shapes of all parameters, from parameters of one byte each."""
    init = encoder_decoder.init_encoder_decoder if hasattr(config, "sharing") else decoder_only.init_decoder_only
    return shapes_of(init(config, NoNumbers(), np.int8)[1])


def llama_shapes(V, d, H, G, d_ff, layers):
    """The shapes of a decoder with RMSNorm, grouped queries, rotary positions and SwiGLU, tied and without biases."""
    rng, narrow = NoNumbers(), G * d // H
    attention = {name: xavier_uniform(d, width, rng, np.int8)
                 for name, width in (("wq", d), ("wk", narrow), ("wv", narrow), ("wo", d))}
    block = shapes_of(grouped({"norm1": init_rms_norm(d), "attention": attention, "norm2": init_rms_norm(d),
                               "ffn": init_ffn_swiglu(d, d_ff, rng, np.int8)}))
    blocks = [scoped(f"block{layer}", block) for layer in range(layers)]
    whole = shapes_of(init_embedding(V, d, rng, np.int8)) | scoped("norm", shapes_of(init_rms_norm(d)))
    return whole | {name: shape for named in blocks for name, shape in named.items()}
