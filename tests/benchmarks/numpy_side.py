"""The package's side of the benchmarks."""

from itertools import cycle

import numpy as np

from tests.benchmarks import cases
from transformer import decoder_only, dropout, encoder_decoder
from transformer.generation import generate
from transformer.optimizers import adam_state, adam_step, adamw_step, clip_by_global_norm
from transformer.parameters import allocate, assign, decay_mask, shapes_of
from transformer.vocabulary import PAD, SOS


def training(case):
    """step() makes one training step, each on the next batch, and returns the loss.

    The model is evaluated once before, as it is between two steps of a training: what that frees is kept by glibc, and
    the steps after it need not ask the system for memory again.
    """
    config, theta, params = cases.parameters(case)
    evaluate(case, params, config)
    g, grads = allocate(shapes_of(params), theta.dtype)
    moments = adam_state(theta)
    drop = dropout.training(case.dropout, np.random.default_rng(3)) if case.dropout else dropout.EVALUATION
    batches = cycle(cases.batches(case))
    decayed = decay_mask(params)

    def reversal_step():
        loss, found = encoder_decoder.encoder_decoder_loss(*next(batches), params, config, PAD, drop, case.smoothing)
        assign(grads, found)
        adam_step(theta, g, moments, case.lr, 0.9, 0.98, 1e-9)
        return float(loss)

    def language_step():
        loss, found = decoder_only.decoder_only_loss(*next(batches), params, config, drop)
        assign(grads, found)
        clipped, _ = clip_by_global_norm(g, case.limit)
        adamw_step(theta, clipped, moments, case.lr, case.decay, decayed)
        return float(loss)

    return reversal_step if case.kind == "encoder-decoder" else language_step


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
