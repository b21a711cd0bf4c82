"""The package's side of the benchmarks."""

import math
from functools import partial
from itertools import cycle

import numpy as np

from tests.benchmarks import cases
from transformer import decoder_only, dropout, encoder_decoder
from transformer.generation import generate
from transformer.optimizers import adam_step, adamw_step
from transformer.parameters import decay_mask
from transformer.training import Recipe, start, train_step
from transformer.vocabulary import PAD, SOS


def training(case):
    """step() makes one training step, each on the next batch, and returns the loss.

    The model is evaluated once before, as it is between two steps of a training.
    """
    recipe = recipe_of(case)
    state = start(recipe)
    recipe.measure(state.params)
    return lambda: train_step(recipe, state)["loss"]


def recipe_of(case):
    """What the case trains: the step of the package's recipes, on batches that are drawn already."""
    config, theta, params = cases.parameters(case)
    reversal = case.kind == "encoder-decoder"

    def loss(params, batch, drop):
        if reversal:
            return encoder_decoder.encoder_decoder_loss(*batch, params, config, PAD, drop, case.smoothing)
        return decoder_only.decoder_only_loss(*batch, params, config, drop)

    def optimizer(params):
        if reversal:
            return partial(adam_step, beta1=0.9, beta2=0.98, eps=1e-9)
        return partial(adamw_step, decay=case.decay, decayed=decay_mask(params))

    batches = cycle(cases.batches(case))
    return Recipe(
        configuration=case._asdict(), seed=3, data_sha256="", steps=1, initial=lambda rng: (theta, params),
        batch=lambda rng: next(batches), loss=loss, rate=lambda step: case.lr, optimizer=optimizer,
        measure=lambda params: evaluate(case, params, config), measured_every=1, dropout=case.dropout,
        limit=math.inf if reversal else case.limit,
    )


def evaluate(case, params, config):
    """The scores of the texts that training would measure."""
    if case.kind == "encoder-decoder":
        src, tgt_in, _ = cases.evaluated(case)
        return encoder_decoder.encoder_decoder_forward(src, tgt_in, params, config, PAD, dropout.EVALUATION)
    ids, _ = cases.evaluated(case)
    return decoder_only.decoder_only_forward(ids, params, config, dropout.EVALUATION)


def decoding(case):
    """write() decodes greedily, with a cache, and returns the tokens."""
    config, _, params = cases.parameters(case)
    prompt = cases.prompt(case)

    def translate():
        state = encoder_decoder.reader(prompt, params, config, PAD)
        start = np.full((case.batch, 1), SOS)
        return generate(encoder_decoder.writer(params, config), start, case.max_new, state=state).ids

    def write():
        return generate(decoder_only.writer(params, config), prompt, case.max_new).ids

    return translate if case.kind == "encoder-decoder" else write


def kernel(threads):
    """Which kernel the matrix products of NumPy run, as a sentence. The environment sets the number of threads."""
    from threadpoolctl import threadpool_info

    found = [f"{part['internal_api']} {part['version']} for {part['architecture']}, {part['num_threads']} thread(s)"
             for part in threadpool_info() if part["user_api"] == "blas"]
    return f"NumPy {np.__version__} with {' and '.join(found)}"
