"""Both real models write with their caches: rows apart from each other, beams against every possible continuation.

Padding is ruled out as a token to write. A whole sequence is read without its padding, and a cache holds no mask for
what was written: if a model wrote padding, the two would differ.
"""

import itertools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.model_samples import PAD, SOS, as_after_training, rows_of_ids
from transformer import decoder_only, encoder_decoder
from transformer.beam import beam_search, gnmt_penalty, no_penalty
from transformer.decoder_only import decoder_only_forward
from transformer.dropout import EVALUATION
from transformer.encoder_decoder import encoder_decoder_forward
from transformer.generation import generate, greedy, log_probabilities, sampler

V, EOS, L = 5, 2, 3
PROMPTS = [(SOS, 3), (SOS,), (SOS, 4, 3)]


class Model(NamedTuple):
    """A model with its two ways to read."""

    step: Callable   # with a cache, for generate
    start: Callable  # start(rows): the state with which the prompts of these rows begin
    read: Callable   # read(row, ids): the scores after each of all tokens, without a cache


def language_model(positions):
    rng = np.random.default_rng(5)
    config = decoder_only.Config(V, n_max=9, d=12, H=3, d_ff=14, layers=2, positions=positions)
    params = as_after_training(decoder_only.init_decoder_only(config, rng)[1], rng)
    return Model(decoder_only.writer(params, config), lambda rows: None,
                 lambda row, ids: decoder_only_forward(ids, params, config, EVALUATION, PAD)[0])


def translation_model(sharing):
    rng = np.random.default_rng(6)
    config = encoder_decoder.Config(V, V, d=12, H=3, d_ff=14, layers=2, sharing=sharing)
    params = as_after_training(encoder_decoder.init_encoder_decoder(config, rng)[1], rng)
    src = rows_of_ids(V, [5, 3, 1], 5)
    return Model(encoder_decoder.writer(params, config),
                 lambda rows: encoder_decoder.reader(src[rows], params, config, PAD),
                 lambda row, ids: encoder_decoder_forward(src[row], ids, params, config, PAD, EVALUATION)[0])


@pytest.fixture(params=["learned", "sinusoidal", "all", "target", "none"])
def model(request):
    """The models by their positions or by how their embeddings are shared; they never write padding."""
    make = language_model if request.param in ("learned", "sinusoidal") else translation_model
    whole = make(request.param)

    def without_padding(logits):
        return np.where(np.arange(V) == PAD, -np.inf, logits)

    def step(ids, state):
        logits, longer = whole.step(ids, state)
        return without_padding(logits), longer

    return Model(step, whole.start, lambda row, ids: without_padding(whole.read(row, np.array(ids))))


def every_continuation(model, row, penalty):
    """All continuations of a prompt that end or have L tokens, each read as a whole: (score, ids), best first."""
    found, prompt = [], PROMPTS[row]
    for n in range(1, L + 1):
        for ids in itertools.product(range(1, V), repeat=n):
            if EOS not in ids[:-1] and (ids[-1] == EOS or n == L):
                log_p = log_probabilities(model.read(row, (*prompt, *ids)))[len(prompt) - 1:]
                found.append((sum(log_p[i, token] for i, token in enumerate(ids)) / penalty(n), ids))
    return sorted(found, reverse=True)


@pytest.mark.parametrize("row", [0, 1, 2])
@pytest.mark.parametrize("penalty", [no_penalty, gnmt_penalty(0.6)], ids=["none", "gnmt"])
def test_row_F42_a_wide_beam_with_a_cache_finds_what_reading_everything_finds(model, row, penalty):
    """All 40 continuations, in order. A cache that stayed with another beam would give other scores."""
    best = every_continuation(model, row, penalty)
    found = beam_search(model.step, PROMPTS[row], 50, L, EOS, penalty, 40, model.start([row]))
    assert len(best) == 1 + 3 + 36
    assert [hypothesis.ids for hypothesis in found] == [ids for _, ids in best]
    assert_allclose([hypothesis.score for hypothesis in found], [score for score, _ in best], rtol=1e-10)


@pytest.mark.parametrize("row", [0, 1, 2])
def test_row_F42_a_beam_of_1_is_greedy_choice_in_a_real_model(model, row):
    written = generate(model.step, [PROMPTS[row]], 6, eos=EOS, state=model.start([row]))
    best = beam_search(model.step, PROMPTS[row], 1, 6, EOS, state=model.start([row]))[0]
    assert list(best.ids) == written.ids[0, len(PROMPTS[row]):written.lengths[0]].tolist()
    assert_allclose(best.log_probability, written.scores[0], rtol=1e-12)


@pytest.mark.parametrize("choose", [greedy, sampler(1.5), sampler(1.2, top_k=3), sampler(2.0, top_p=0.9)],
                         ids=["greedy", "sampled", "top-k", "top-p"])
def test_row_F41_a_batch_of_a_real_model_is_written_like_its_rows_one_by_one(model, choose):
    """Prompts and sources of different length; each row has its own random numbers."""
    together = generate(model.step, PROMPTS, 6, choose, EOS, PAD, [np.random.default_rng(n) for n in range(3)],
                        model.start([0, 1, 2]))
    for row, prompt in enumerate(PROMPTS):
        alone = generate(model.step, [prompt], 6, choose, EOS, PAD, [np.random.default_rng(row)], model.start([row]))
        assert_array_equal(alone.ids[0, :alone.lengths[0]], together.ids[row, :together.lengths[row]])
        assert_allclose(alone.scores[0], together.scores[row], rtol=1e-10)
        assert (together.ids[row, together.lengths[row]:] == PAD).all()
