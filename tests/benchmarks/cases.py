"""What the benchmarks time: sizes, parameters and data. Both sides get the same, as NumPy arrays."""

from typing import NamedTuple

import numpy as np

from transformer import decoder_only, encoder_decoder, tokenizer
from transformer.data import reversal
from transformer.recipes import language as language_recipe
from transformer.recipes import reversal as reversal_recipe
from transformer.vocabulary import PAD, SOS

BATCHES = 16  # so many different ones, in turn


class Case(NamedTuple):
    """A model of one of two kinds, "encoder-decoder" or "decoder-only", and how much it works on at a time.

    T: the length of a text in training. measured: so many texts are evaluated at once between steps of a training.
    prompt and max_new: tokens read and written in decoding.
    """

    kind: str
    V: int
    batch: int
    d: int = 64
    H: int = 4
    d_ff: int = 256
    layers: int = 2
    T: int = 64
    measured: int = 64
    prompt: int = 8
    max_new: int = 100
    dropout: float = 0.1
    smoothing: float = 0.1
    lr: float = 1e-3
    decay: float = 0.1
    limit: float = 1.0


def of_recipe(kind, V, configuration, **others):
    """The model and the batch of a recipe of the package."""
    c = configuration
    return Case(kind, V, c["batch"], c["d"], c["H"], c["d_ff"], c["layers"], dropout=c["dropout"], **others)


V = len(reversal.VOCABULARY)
LANGUAGE = language_recipe.CONFIGURATION
TRAINING = {
    "reversal": of_recipe("encoder-decoder", V, reversal_recipe.CONFIGURATION,
                          measured=reversal_recipe.CONFIGURATION["held_out"],
                          smoothing=reversal_recipe.CONFIGURATION["smoothing"]),
    "language": of_recipe("decoder-only", tokenizer.BYTES + LANGUAGE["merges"], LANGUAGE, T=LANGUAGE["n_max"],
                          decay=LANGUAGE["decay"], limit=LANGUAGE["limit"]),
    "larger arrays": Case("decoder-only", 512, batch=32),
}
DECODING = {
    "decoder-only, B = 1": Case("decoder-only", 512, batch=1),
    "decoder-only, B = 64": Case("decoder-only", 512, batch=64),
    "encoder-decoder, B = 1": Case("encoder-decoder", V, batch=1),
    "encoder-decoder, B = 64": Case("encoder-decoder", V, batch=64),
}


def tiny(case):
    """The same in a size for tests."""
    return case._replace(batch=min(case.batch, 3), d=8, H=2, d_ff=12, layers=1, T=6, measured=5, max_new=4)


def parameters(case):
    """(configuration, vector, views) of the package's model in float32: what both sides start with."""
    rng = np.random.default_rng(0)
    if case.kind == "encoder-decoder":
        config = encoder_decoder.Config(case.V, case.V, case.d, case.H, case.d_ff, case.layers)
        return config, *encoder_decoder.init_encoder_decoder(config, rng, np.float32)
    n_max = max(case.T, case.prompt + case.max_new)
    config = decoder_only.Config(case.V, n_max, case.d, case.H, case.d_ff, case.layers)
    return config, *decoder_only.init_decoder_only(config, rng, np.float32)


def batches(case):
    """Batches for training: (src, tgt_in, tgt_out) of the reversal task, or (ids, targets) of random texts."""
    rng = np.random.default_rng(1)
    return [batch(case, case.batch, rng) for _ in range(BATCHES)]


def evaluated(case):
    """A batch as large as training evaluates between two steps."""
    return batch(case, case.measured, np.random.default_rng(4))


def batch(case, n, rng):
    if case.kind == "encoder-decoder":
        return reversal.batch(n, rng)
    text = rng.integers(0, case.V, (n, case.T + 1))
    return text[:, :-1], text[:, 1:]


def prompt(case):
    """What decoding reads first: sources without padding for the encoder-decoder, or the beginnings of texts."""
    return np.random.default_rng(2).integers(max(PAD, SOS) + 1, case.V, (case.batch, case.prompt))
