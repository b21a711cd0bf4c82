"""Beam search against every possible continuation, and against greedy choice."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.transformer.prefix_models import cached_prefix_model, next_token_model, prefix_model, prefix_scores
from transformer.beam import beam_search, cannot_improve, gnmt_penalty, mean_penalty, no_penalty
from transformer.generation import generate, log_probabilities

V, EOS, L = 3, 2, 4
PROMPT = (1,)
PENALTIES = {"none": no_penalty, "mean": mean_penalty, "gnmt": gnmt_penalty(0.6), "gnmt 2": gnmt_penalty(2),
             "falling": gnmt_penalty(-1)}


def every_continuation(seed, penalty):
    """All continuations that end with the end token or have L tokens: (score, ids), best first."""
    found = []
    for n in range(1, L + 1):
        for ids in itertools.product(range(V), repeat=n):
            if EOS not in ids[:-1] and (ids[-1] == EOS or n == L):
                total = sum(log_probabilities(prefix_scores(seed, (*PROMPT, *ids[:i]), V))[ids[i]] for i in range(n))
                found.append((total / penalty(n), ids))
    return sorted(found, reverse=True)


def beam_without_early_stop(seed, width, penalty):
    """The search as it is described, in plain loops, to the last token: scores and continuations, best first."""
    open_, finished = [(0.0, ())], []
    for n in range(1, L + 1):
        extended = [(total + log_probabilities(prefix_scores(seed, (*PROMPT, *ids), V))[token], (*ids, token))
                    for total, ids in open_ for token in range(V)]
        best = sorted(extended, key=lambda pair: -pair[0])[:width]
        done = [pair for pair in best if pair[1][-1] == EOS or n == L]
        finished += [(total / penalty(n), ids) for total, ids in done]
        open_ = [pair for pair in best if pair not in done]
    return sorted(finished, reverse=True)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", PENALTIES)
def test_row_F42_a_wide_beam_finds_the_best_of_all_continuations(seed, name):
    """At most 24 are extended to at once, so that a width of 50 leaves none out. In all there are 1 + 2 + 4 + 24."""
    best = every_continuation(seed, PENALTIES[name])
    assert len(best) == 31
    for n_best in (1, 4, 31):
        found = beam_search(prefix_model(seed, V), PROMPT, 50, L, EOS, PENALTIES[name], n_best)
        assert [hypothesis.ids for hypothesis in found] == [ids for _, ids in best[:n_best]]
        assert_allclose([hypothesis.score for hypothesis in found], [score for score, _ in best[:n_best]], rtol=1e-12)


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("name", PENALTIES)
def test_row_F42_stopping_early_never_changes_the_result(width, name):
    """Against the same search to the last token, for 25 models."""
    for seed in range(25):
        expected = beam_without_early_stop(seed, width, PENALTIES[name])[:width]
        found = beam_search(prefix_model(seed, V), PROMPT, width, L, EOS, PENALTIES[name])
        assert [hypothesis.ids for hypothesis in found] == [ids for _, ids in expected]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("penalty", [no_penalty, mean_penalty], ids=["none", "mean"])
def test_row_F42_a_beam_of_1_is_greedy_choice(seed, penalty):
    model = cached_prefix_model(seed, 6)
    written = generate(model, [PROMPT], 8, eos=EOS)
    [found] = beam_search(model, PROMPT, 1, 8, EOS, penalty)
    assert [*PROMPT, *found.ids] == written.ids[0].tolist()
    assert found.log_probability == pytest.approx(written.scores[0], rel=1e-12)


def test_row_F42_on_ties_a_beam_of_1_takes_the_lowest_id_like_greedy():
    model = next_token_model(np.zeros((V, V)))
    [found] = beam_search(model, PROMPT, 1, 3, EOS)
    assert found.ids == (0, 0, 0) == tuple(generate(model, [PROMPT], 3, eos=EOS).ids[0, 1:].tolist())


def weights_model(rows):
    """A model of the last token: the probabilities of the next one."""
    return next_token_model(np.log(np.array(rows)))


# After 1: end 0.4, or token 0 with 0.6, after which 0 comes again with 0.9 and the end with 0.1; and so on.
LONG_IS_LIKELY = [[0.9 - 1e-9, 1e-9, 0.1], [0.6 - 1e-9, 1e-9, 0.4], [1 / 3, 1 / 3, 1 / 3]]


def test_row_F42_the_first_continuation_that_ends_does_not_end_the_search():
    """It is the shortest; the mean of the logarithms, which counts the end token, is better for a longer one."""
    [short, *_] = beam_search(weights_model(LONG_IS_LIKELY), PROMPT, 2, 8, EOS, no_penalty, n_best=1)
    [long_, *_] = beam_search(weights_model(LONG_IS_LIKELY), PROMPT, 2, 8, EOS, mean_penalty, n_best=1)
    assert short.ids == (EOS,) and short.score == pytest.approx(math.log(0.4))
    assert long_.ids == (0,) * 8 and long_.score == pytest.approx((math.log(0.6) + 7 * math.log(0.9)) / 8)


def test_row_F42_a_larger_alpha_favours_longer_results():
    lengths = [len(beam_search(weights_model(LONG_IS_LIKELY), PROMPT, 3, 8, EOS, gnmt_penalty(alpha), 1)[0].ids)
               for alpha in (0, 0.5, 1, 2)]
    assert lengths == sorted(lengths) and lengths[0] < lengths[-1]


def test_row_F42_the_search_stops_once_nothing_open_can_win():
    """The end comes with 0.99: then no continuation that is open can be better, and the model is not asked again."""
    calls = []
    model = weights_model([[0.005, 0.005, 0.99]] * 3)

    def step(ids, state):
        calls.append(len(ids))
        return model(ids, state)

    [found] = beam_search(step, PROMPT, 3, 50, EOS, no_penalty, n_best=1)
    assert found.ids == (EOS,) and calls == [1]


def test_row_F42_only_penalties_still_ahead_count_for_stopping():
    """The penalty falls from 1 to 6 / 7: an open -0.92 can reach -0.92 * 7 / 6, below the -1 that is finished."""
    calls = []
    model = weights_model([[math.exp(-0.92), 1 - math.exp(-0.92) - math.exp(-1), math.exp(-1)]] * 3)

    def step(ids, state):
        calls.append(len(ids))
        return model(ids, state)

    beam_search(step, PROMPT, 3, 50, EOS, gnmt_penalty(-1), n_best=1)
    assert calls == [1]


def test_row_F42_the_length_of_the_penalty_counts_the_end_token():
    [found] = beam_search(weights_model([[0.1, 0.1, 0.8]] * 3), PROMPT, 1, 5, EOS, lambda n: 10.0 * n)
    assert found.ids == (EOS,) and found.score == pytest.approx(math.log(0.8) / 10)


@pytest.mark.parametrize(("best_sum", "ahead", "answer"), [
    (-4.0, [1.0], True),         # a tie: it cannot beat
    (-3.9, [1.0], False),
    (-7.9, [1.0, 2.0], False),   # -3.95 with the largest penalty ahead
    (-8.0, [1.0, 2.0], True),
    (-7.0, [2.0, 1.0], False),   # the penalty need not rise
])
def test_what_an_open_continuation_can_still_reach(best_sum, ahead, answer):
    finished = beam_search(weights_model([[1 / 3] * 3] * 3), PROMPT, 9, 1, EOS)[:2]
    finished = [hypothesis._replace(score=score) for hypothesis, score in zip(finished, (-1.0, -4.0))]
    assert cannot_improve(finished, 2, best_sum, ahead) is answer
    assert not cannot_improve(finished, 3, -99.0, ahead), "three are wanted, two are finished"


def test_gnmt_penalty_is_the_published_formula():
    assert gnmt_penalty(0.6)(7) == pytest.approx(2 ** 0.6)
    assert gnmt_penalty(1)(1) == 1 and gnmt_penalty(0)(9) == 1


def test_continuations_that_reach_max_new_compete_without_an_end():
    found = beam_search(prefix_model(1, V), PROMPT, 50, 2, EOS)
    assert {hypothesis.ended for hypothesis in found} == {True, False}
    assert all(hypothesis.ended == (hypothesis.ids[-1] == EOS) for hypothesis in found)
    assert all(len(hypothesis.ids) == 2 for hypothesis in found if not hypothesis.ended)


@pytest.mark.parametrize("width", [2, 4])
def test_a_cache_is_carried_along_with_its_row(width):
    """Rows change places, double and vanish; the scores of a model with a cache stay those of one without."""
    for seed in range(10):
        cached, fresh = (beam_search(make(seed, 5), (1, 3), width, 6, EOS, mean_penalty)
                         for make in (cached_prefix_model, prefix_model))
        assert cached == fresh


def test_a_token_that_is_ruled_out_extends_nothing():
    model = next_token_model([[0, -np.inf, 0]] * 3)
    found = beam_search(model, PROMPT, 50, 3, EOS)
    assert found and all(1 not in hypothesis.ids for hypothesis in found)


@pytest.mark.parametrize("changed", [{"width": 0}, {"max_new": 0}, {"n_best": 0}, {"prompt": ()}])
def test_sizes_below_1_are_refused(changed):
    arguments = {"prompt": PROMPT, "width": 2, "max_new": 3, "eos": EOS} | changed
    with pytest.raises(ValueError, match="must be at least 1"):
        beam_search(prefix_model(0, V), **arguments)


def test_a_penalty_that_is_not_positive_is_refused():
    with pytest.raises(ValueError, match="a length penalty must be positive, got -1"):
        beam_search(prefix_model(0, V), PROMPT, 2, 3, EOS, lambda n: -n / 3)
