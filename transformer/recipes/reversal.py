"""The model of 2017 learns to write letters in reverse order.

The recipe is that of the paper (Vaswani et al. 2017, sections 5.3, 5.4, 6.1) but for the warm-up, 400 steps of 3,000.
Linear layers start as in PyTorch: weights and biases drawn evenly from +-1 / sqrt(fan_in). The residual path then
outweighs the layers, so that an untrained model writes again what it has just read, and the first loss is near 5; with
Xavier weights it is near log 13 + 1/2 = 3.06.
"""

from functools import partial

import numpy as np

from transformer.cross_entropy import cross_entropy_forward, smoothed_cross_entropy_forward
from transformer.data import reversal as data
from transformer.dropout import EVALUATION
from transformer.encoder_decoder import (Config, encoder_decoder_forward, encoder_decoder_loss, init_encoder_decoder,
                                         memory_weights, reader, writer)
from transformer.files import sha256
from transformer.generation import generate
from transformer.init import fan_in_uniform
from transformer.optimizers import adam_step
from transformer.recipes.common import Writing, chosen
from transformer.schedules import warmup_cosine, warmup_inverse_root
from transformer.training import Recipe
from transformer.vocabulary import EOS, PAD, SOS

HELP = "the encoder-decoder of 2017 learns to reverse letters"
CONFIGURATION = {
    "task": "reversal", "d": 64, "H": 4, "d_ff": 256, "layers": 2, "dtype": "float32", "steps": 3000, "batch": 64,
    "schedule": "inverse root", "warmup": 400, "beta1": 0.9, "beta2": 0.98, "eps": 1e-9, "dropout": 0.1,
    "smoothing": 0.1, "averaged": 5, "held_out": 500, "held_out_seed": 1234, "measured_every": 100,
}
SMALL = CONFIGURATION | {  # learns it in seconds; its rate falls toward 0, so that its last steps do not jump about
    "d": 32, "H": 2, "d_ff": 64, "layers": 1, "steps": 600, "dropout": 0.0, "averaged": 0,
    "schedule": "cosine", "warmup": 50, "peak": 0.01,
}


def recipe(configuration, seed):
    """The Recipe of a configuration such as CONFIGURATION. The data are the held-out sequences: the rest is drawn."""
    c = configuration
    sequences = data.held_out(c["held_out"], np.random.default_rng(c["held_out_seed"]))
    config = sizes(c, {})
    return Recipe(
        configuration=c, seed=seed, data_sha256=sha256("\n".join(map(data.decode, sequences)).encode()),
        steps=c["steps"], measured_every=c["measured_every"], dropout=c["dropout"],
        averaged=averaged(c["steps"], c["averaged"]),
        initial=partial(initial, config=config, dtype=c["dtype"]),
        batch=partial(data.batch, c["batch"], unseen=sequences),
        loss=partial(loss, config=config, smoothing=c["smoothing"]),
        rate=rate_of(c),
        optimizer=partial(optimizer, beta1=c["beta1"], beta2=c["beta2"], eps=c["eps"]),
        measure=partial(measure, config=config, sequences=sequences, smoothing=c["smoothing"]),
    )


def configuration(steps=None, small=False):
    """What is to be trained: CONFIGURATION or SMALL, with other steps."""
    return chosen(SMALL if small else CONFIGURATION, steps=steps)


def sizes(configuration, constants):
    """The sizes of the model: one vocabulary for source and target."""
    V = len(data.VOCABULARY)
    return Config(V, V, *(configuration[name] for name in ("d", "H", "d_ff", "layers")))


def averaged(steps, n):
    """The last n of thirty evenly spaced steps, the last step among them: of 3,000 the last 5 are 2,600 to 3,000."""
    return tuple(range(steps, 0, -max(1, steps // 30)))[:n][::-1]


def rate_of(configuration):
    """The learning rate by step."""
    c = configuration
    if c["schedule"] == "cosine":
        return partial(warmup_cosine, peak=c["peak"], warmup=min(c["warmup"], c["steps"] // 2),
                       total=c["steps"] + 1)  # so that the last step still moves something
    return partial(warmup_inverse_root, d=c["d"], warmup=c["warmup"])


def initial(rng, config, dtype):
    """Initial parameters, linear layers as PyTorch starts them: (theta, params)."""
    theta, params = init_encoder_decoder(config, rng, dtype)
    for name, W in params.items():
        group, _, short = name.rpartition(".")
        if short.startswith("w"):
            b = params[f"{group}.b{short[1:]}"]
            W[...] = fan_in_uniform(len(W), W.shape, rng)
            b[...] = fan_in_uniform(len(W), b.shape, rng)
    return theta, params


def loss(params, batch, drop, config, smoothing):
    """The smoothed loss of a batch and the gradients of all parameters."""
    return encoder_decoder_loss(batch.src, batch.tgt_in, batch.tgt_out, params, config, PAD, drop, smoothing)


def optimizer(params, beta1, beta2, eps):
    """Adam, the same for all parameters."""
    return partial(adam_step, beta1=beta1, beta2=beta2, eps=eps)


# --- writing ---------------------------------------------------------------------------------------------------------

TEMPERATURE = 0.0  # where the user names none: greedy choice
SAMPLE = "abc"


def writing(model, text):
    """How a trained model answers letters.

    Raises ValueError where one is not of the alphabet, or where they are fewer or more than in training: a model that
    adds positions to its tokens knows nothing of the positions that it never met.
    """
    if not text:
        raise ValueError(f"the model reverses letters: give it some, {data.LETTERS[0]} to {data.LETTERS[-1]}")
    letters = data.encode(text)
    if not data.SHORTEST <= len(letters) <= data.LONGEST:
        raise ValueError(f"the model learned to reverse {data.SHORTEST} to {data.LONGEST} letters, got {len(letters)}")
    state = reader(np.array([letters]), model.params, model.config, PAD)
    return Writing(letter_writer(model.params, model.config), state, [SOS], EOS, data.LONGEST + 1, data.decode)


def letter_writer(params, config):
    """The step of generation, by which neither padding nor the start token is ever written."""
    return without(writer(params, config), [PAD, SOS])


def without(step, ids):
    """The same step of generation, but these tokens are never written: chance could choose them."""

    def step_without(new, state):
        logits, state = step(new, state)
        return np.where(np.isin(np.arange(logits.shape[-1]), ids), -np.inf, logits), state

    return step_without


# --- judging a model -------------------------------------------------------------------------------------------------


def measure(params, config, sequences, smoothing):
    """On sequences (n, 8) that training does not see: exact match, loss without and with smoothing, antidiagonal."""
    batch = data.from_sources(sequences)
    logits, cache = encoder_decoder_forward(batch.src, batch.tgt_in, params, config, PAD, EVALUATION)
    plain, _ = cross_entropy_forward(logits, batch.tgt_out, PAD)
    smoothed, _ = smoothed_cross_entropy_forward(logits, batch.tgt_out, PAD, smoothing)
    return {"exact_match": exact_match(params, config, sequences),
            "validation_loss": float(plain), "validation_smoothed_loss": float(smoothed),
            "antidiagonal": antidiagonal(memory_weights(cache)[-1], batch.src)}


def exact_match(params, config, sequences):
    """The share of sequences that the model, choosing greedily, writes in reverse and then stops. sequences: (n, 8)."""
    batch = data.from_sources(sequences)
    prompts = np.full((len(sequences), 1), SOS)
    written = generate(letter_writer(params, config), prompts, batch.tgt_out.shape[1], eos=EOS, pad=PAD,
                       state=reader(batch.src, params, config, PAD))
    answers = written.ids[:, 1:]
    right = np.full_like(batch.tgt_out, PAD)
    right[:, :answers.shape[1]] = answers
    return float(np.mean((right == batch.tgt_out).all(axis=1)))


def antidiagonal(A, src):
    """The share of letters to be written at which the mirrored letter of the source is read most, in the mean of heads.

    A: (B, H, T, n_src), the weights of a cross-attention. src: (B, n_src). The end token has no letter to read.
    """
    lengths = np.count_nonzero(src != PAD, axis=1)             # (B,)
    mirrored = lengths[:, None] - 1 - np.arange(A.shape[-2])   # (B, T), negative where the letters have ended
    read = A.mean(axis=1).argmax(axis=-1)                      # (B, T)
    return float(np.mean((read == mirrored)[mirrored >= 0]))
