"""Reading with a cache gives what reading everything gives, however the sequence is cut into pieces.

Up to round-off: products over other numbers of rows are summed in another order. The limit is 1e-12 of the largest
entry.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.model_samples import PAD, SOS, language_model, rows_of_ids, translation_model
from transformer import decoder_only, encoder_decoder
from transformer.attention import attention_forward
from transformer.beam import beam_search
from transformer.cache import (attention_step, cross_attention_step, empty_past, grouped_query_step,
                               memory_keys_values)
from transformer.cross_attention import cross_attention_forward
from transformer.decoder_only import decoder_only_forward
from transformer.dropout import EVALUATION
from transformer.encoder_decoder import encoder_decoder_forward
from transformer.generation import generate, rereading
from transformer.grouped_query import grouped_query_forward
from transformer.init import init_attention
from transformer.masks import causal_mask, padding_mask

T, D, H = 6, 15, 3


def splits(n):
    """Every way to cut n positions into pieces, as the lengths of the pieces: 2^(n - 1) of them."""
    for cuts in range(2 ** (n - 1)):
        ends = [i + 1 for i in range(n - 1) if cuts >> i & 1] + [n]
        yield [end - start for start, end in zip([0, *ends], ends)]


def pieces(ids, lengths):
    """The columns of ids, piece by piece."""
    return np.split(ids, np.cumsum(lengths)[:-1], axis=1)


def assert_close(value, expected):
    assert_allclose(value, expected, rtol=0, atol=1e-12 * np.abs(expected).max(), strict=True)


def test_there_are_32_splits_of_6_positions():
    found = list(splits(6))
    assert len(found) == 32 and [6] in found and [1] * 6 in found and all(sum(lengths) == 6 for lengths in found)


def test_row_B15_self_attention_with_a_cache_equals_attention_for_every_split():
    rng = np.random.default_rng(0)
    Xn, params = rng.normal(size=(2, T, D)), init_attention(D, rng)
    out, (_, (_, Kh, Vh, _), *_) = attention_forward(Xn, params, H, causal_mask(T))
    for lengths in splits(T):
        past, parts = empty_past((2,), H, D // H), []
        for piece in pieces(Xn, lengths):
            part, past = attention_step(piece, params, H, past)
            parts.append(part)
        assert_close(np.concatenate(parts, axis=1), out)
        assert_close(past[0], Kh)
        assert_close(past[1], Vh)


def grouped_sample(G, heads=6, dh=5):
    """Xn: (2, T, 30) and the weights of six heads in G groups."""
    rng = np.random.default_rng(G)
    d = heads * dh
    widths = {"wq": d, "wk": G * dh, "wv": G * dh, "wo": d}
    return rng.normal(size=(2, T, d)), {name: rng.normal(size=(d, width)) / 5 for name, width in widths.items()}, heads


@pytest.mark.parametrize("G", [1, 2, 3, 6])
def test_row_B15_grouped_queries_with_a_cache_equal_grouped_queries_for_every_split(G):
    Xn, params, heads = grouped_sample(G)
    out, (_, (_, Kg, Vg, _), *_) = grouped_query_forward(Xn, params, heads, G, causal_mask(T))
    for lengths in splits(T):
        past, parts = empty_past((2,), G, 5), []
        for piece in pieces(Xn, lengths):
            part, past = grouped_query_step(piece, params, heads, G, past)
            parts.append(part)
        assert_close(np.concatenate(parts, axis=1), out)
        assert_close(past[0], Kg[:, :, 0])
        assert_close(past[1], Vg[:, :, 0])


@pytest.mark.parametrize("G", [1, 2, 3, 6])
def test_the_cache_of_grouped_queries_is_smaller_by_the_heads_of_a_group(G):
    """G / H of the numbers that multi-head attention of the same width keeps."""
    Xn, params, heads = grouped_sample(G)
    _, few = grouped_query_step(Xn, params, heads, G, empty_past((2,), G, 5))
    whole = init_attention(Xn.shape[-1], np.random.default_rng(0))
    _, all_heads = attention_step(Xn, whole, heads, empty_past((2,), heads, 5))
    assert [heads * part.nbytes for part in few] == [G * part.nbytes for part in all_heads]
    assert few[0].shape == (2, G, T, 5)


def test_groups_that_do_not_fit_the_heads_are_refused_by_the_step():
    Xn, params, heads = grouped_sample(1)
    with pytest.raises(ValueError, match="H = 6 query heads cannot form G = 4 equal groups"):
        grouped_query_step(Xn, params, heads, 4, empty_past((2,), 4, 5))


def test_a_step_changes_no_cache_that_it_was_given():
    rng = np.random.default_rng(0)
    Xn, params = rng.normal(size=(2, T, D)), init_attention(D, rng)
    grouped = {**params, "wk": params["wk"][:, :D // H], "wv": params["wv"][:, :D // H]}
    for step, n in ((lambda rows, past: attention_step(rows, params, H, past), H),
                    (lambda rows, past: grouped_query_step(rows, grouped, H, 1, past), 1)):
        _, past = step(Xn[:, :2], empty_past((2,), n, D // H))
        kept = [part.copy() for part in past]
        step(Xn[:, 2:], past)
        for part, before in zip(past, kept, strict=True):
            assert_array_equal(part, before)


def test_cross_attention_with_kept_keys_equals_cross_attention_for_every_split():
    rng = np.random.default_rng(0)
    x, memory, params = rng.normal(size=(2, T, D)), rng.normal(size=(2, 4, D)), init_attention(D, rng)
    mask = padding_mask(np.array([[1, 1, 1, 1], [1, 1, 0, 0]]), 0)
    out, _ = cross_attention_forward(x, memory, params, H, mask)
    kept = memory_keys_values(memory, params, H)
    for lengths in splits(T):
        parts = [cross_attention_step(piece, params, H, kept, mask) for piece in pieces(x, lengths)]
        assert_close(np.concatenate(parts, axis=1), out)


@pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
def test_row_B15_the_language_model_writes_the_same_scores_for_every_split(positions):
    """Positions go on counting where the last piece stopped; a second prompt starts from nothing again."""
    config, params = language_model(positions)
    step = decoder_only.writer(params, config)
    for seed in (1, 2):
        ids = rows_of_ids(config.V, [T, T], T, seed)
        logits, _ = decoder_only_forward(ids, params, config, EVALUATION)
        for lengths in splits(T):
            state = None
            for piece, end in zip(pieces(ids, lengths), np.cumsum(lengths), strict=True):
                scores, state = step(piece, state)
                assert_close(scores, logits[:, end - 1])
            assert state["read"] == T


@pytest.mark.parametrize("sharing", encoder_decoder.SHARING)
def test_row_B15_the_model_of_2017_writes_the_same_scores_for_every_split(sharing):
    config, params = translation_model(sharing)
    src, tgt = rows_of_ids(config.V_src, [5, 3], 5), rows_of_ids(config.V_tgt, [T, T], T, seed=3)
    logits, _ = encoder_decoder_forward(src, tgt, params, config, PAD, EVALUATION)
    step = encoder_decoder.writer(params, config)
    first = encoder_decoder.reader(src, params, config, PAD)
    for lengths in splits(T):
        state = first
        for piece, end in zip(pieces(tgt, lengths), np.cumsum(lengths), strict=True):
            scores, state = step(piece, state)
            assert_close(scores, logits[:, end - 1])


def test_row_B15_text_is_the_same_with_and_without_a_cache():
    """Prompts of different length in one batch, too."""
    config, params = language_model()
    cached = decoder_only.writer(params, config)
    again = rereading(lambda ids: decoder_only_forward(ids, params, config, EVALUATION)[0])
    prompts = [[3, 4, 5], [2], [6, 7]]
    with_cache, without = generate(cached, prompts, 6, eos=1), generate(again, prompts, 6, eos=1)
    assert_array_equal(with_cache.ids, without.ids)
    assert_allclose(with_cache.scores, without.scores, rtol=1e-12)


def test_translations_of_a_batch_are_those_of_its_rows_and_beam_1_is_greedy():
    config, params = translation_model()
    lengths = [5, 3, 1]
    src = rows_of_ids(config.V_src, lengths, 5)
    step = encoder_decoder.writer(params, config)

    def start(ids):
        return encoder_decoder.reader(ids, params, config, PAD)

    together = generate(step, [[SOS]] * 3, 7, eos=2, pad=PAD, state=start(src))
    for n, length in enumerate(lengths):
        alone = generate(step, [[SOS]], 7, eos=2, pad=PAD, state=start(src[n:n + 1, :length]))
        assert_array_equal(alone.ids[0, :alone.lengths[0]], together.ids[n, :together.lengths[n]])
        assert_allclose(alone.scores, together.scores[n], rtol=1e-11)
        best = beam_search(step, [SOS], 1, 7, eos=2, state=start(src[n:n + 1, :length]))[0]
        assert list(best.ids) == alone.ids[0, 1:alone.lengths[0]].tolist()
