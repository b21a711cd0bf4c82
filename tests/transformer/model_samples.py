"""Small models with random parameters, as after training, and padded batches for them."""

import numpy as np

from transformer import decoder_only, encoder_decoder
from transformer.parameters import shapes_of

PAD, SOS = 0, 1


def as_after_training(views, rng, dtype=np.float64):
    """Random values for all parameters, gamma around 1."""
    return {name: (name.endswith("gamma") + rng.normal(size=shape) / 2).astype(dtype)
            for name, shape in shapes_of(views).items()}


def language_model(positions="learned", dtype=np.float64, seed=0):
    """(config, params) of a decoder-only model."""
    rng = np.random.default_rng(seed)
    config = decoder_only.Config(V=11, n_max=9, d=12, H=3, d_ff=14, layers=2, positions=positions)
    return config, as_after_training(decoder_only.init_decoder_only(config, rng)[1], rng, dtype)


def translation_model(sharing="all", dtype=np.float64, seed=0):
    """(config, params) of a model of 2017."""
    rng = np.random.default_rng(seed)
    config = encoder_decoder.Config(11, 11 if sharing == "all" else 10, d=12, H=3, d_ff=14, layers=2, sharing=sharing)
    return config, as_after_training(encoder_decoder.init_encoder_decoder(config, rng)[1], rng, dtype)


def rows_of_ids(V, lengths, longest, seed=1):
    """Rows of real tokens, with the padding at the end."""
    rng = np.random.default_rng(seed)
    ids = np.full((len(lengths), longest), PAD)
    for row, length in zip(ids, lengths, strict=True):
        row[:length] = rng.integers(SOS + 1, V, length)
    return ids
