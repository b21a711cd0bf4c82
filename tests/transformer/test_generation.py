"""Choosing tokens from scores, and writing several rows at once."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.prefix_models import cached_prefix_model, next_token_model, prefix_model, prefix_scores
from transformer.generation import (draw, generate, greedy, keep_top_k, keep_top_p, log_probabilities,
                                    log_probability_of, rereading, sampler, take_rows, with_temperature)

SCORES = st.lists(st.integers(-4, 4), min_size=1, max_size=9)  # whole numbers, so that ties are common
V, EOS, PAD = 5, 2, 0


def kept(logits):
    """The ids that are not ruled out."""
    return np.flatnonzero(np.isfinite(logits)).tolist()


# --- temperature -----------------------------------------------------------------------------------------------------


def test_row_F38_temperature_0_leaves_only_the_largest_and_the_lowest_id_on_ties():
    cold = with_temperature([[1, 3, 3, 0], [5, 4, 5, 5]], 0)
    assert_array_equal(cold, [[-np.inf, 3, -np.inf, -np.inf], [5, -np.inf, -np.inf, -np.inf]])
    assert_array_equal(greedy(np.array([[1, 3, 3, 0], [5, 4, 5, 5]])), [1, 0])


def test_row_F38_sampling_at_temperature_0_equals_greedy():
    rng = np.random.default_rng(0)
    logits = rng.integers(0, 4, size=(300, 6)).astype(float)  # many ties
    assert_array_equal(sampler(temperature=0)(logits, [rng] * 300), greedy(logits))


@pytest.mark.parametrize("T", [-1, -1e-9, math.nan, math.inf])
def test_row_F38_a_negative_or_infinite_temperature_is_refused(T):
    with pytest.raises(ValueError, match="the temperature must be 0 or a positive number"):
        with_temperature(np.zeros(3), T)
    with pytest.raises(ValueError, match="the temperature must be 0 or a positive number"):
        sampler(temperature=T)


@pytest.mark.parametrize("T", [0.5, 1, 3.0])
def test_temperature_divides_the_scores(T):
    """Seen in the log-probabilities, which a constant added to all scores does not change."""
    logits = np.random.default_rng(0).normal(size=(2, 3, 5))
    assert_allclose(log_probabilities(with_temperature(logits, T)), log_probabilities(logits / T), rtol=1e-12)


@pytest.mark.parametrize("T", [1e-300, 5e-324])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_tiny_temperature_is_greedy_choice_not_nan(T, dtype):
    logits = np.array([[3, 1, 2], [-9, -8, -8]], dtype=dtype)
    weights = np.exp(log_probabilities(with_temperature(logits, T)))
    assert_array_equal(weights, [[1, 0, 0], [0, 0.5, 0.5]])


# --- top-k -----------------------------------------------------------------------------------------------------------


def test_row_F39_what_is_ruled_out_gets_minus_infinity_not_a_small_number():
    scores = keep_top_k([-3, -2, -1], 1)
    assert_array_equal(scores, [-np.inf, -np.inf, -1])
    assert_array_equal(np.exp(log_probabilities(scores)), [0, 0, 1])


def test_row_F39_of_equal_scores_the_lower_ids_are_kept():
    assert kept(keep_top_k([2, 1, 1, 0], 2)) == [0, 1]
    assert kept(keep_top_k([1, 1, 1, 1], 3)) == [0, 1, 2]


@pytest.mark.parametrize("k", [4, 5, 1000])
def test_row_F39_a_k_above_the_vocabulary_keeps_all(k):
    assert_array_equal(keep_top_k([2, 1, 1, 0], k), [2, 1, 1, 0])


@settings(deadline=None)
@given(SCORES, st.integers(1, 12))
def test_row_F39_exactly_k_are_kept_and_none_left_out_is_better(scores, k):
    chosen = kept(keep_top_k(scores, k))
    assert chosen == sorted(sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k])


def test_top_k_below_1_is_refused():
    with pytest.raises(ValueError, match="at least one token, got k = 0"):
        keep_top_k([1, 2], 0)


# --- top-p -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("weights", "p", "count"), [((0.5, 0.41, 0.09), 0.9, 2), ((0.4, 0.3, 0.2, 0.1), 0.8, 3),
                                                     ((0.5, 0.25, 0.25), 0.5, 1), ((0.1, 0.9), 0.3, 1)])
def test_row_F40_the_token_that_crosses_p_is_kept(weights, p, count):
    chosen = kept(keep_top_p(np.log(weights), p))
    assert len(chosen) == count
    assert chosen == sorted(np.argsort(-np.array(weights), kind="stable")[:count].tolist())


def test_row_F40_p_0_keeps_one_token_and_p_1_all():
    logits = np.array([0.0, 50, 50, -800])
    assert kept(keep_top_p(logits, 0)) == [1]
    assert kept(keep_top_p(logits, 1)) == [0, 1, 2, 3], "also a token whose probability rounds to 0"


@settings(deadline=None)
@given(SCORES, st.floats(0, 1, exclude_max=True))
def test_row_F40_the_set_reaches_p_and_without_its_last_token_it_does_not(scores, p):
    weights = [math.exp(score) for score in scores]
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    chosen = kept(keep_top_p(scores, p))
    assert chosen == sorted(order[:len(chosen)])
    mass = math.fsum(weights[i] for i in chosen) / math.fsum(weights)
    before = math.fsum(weights[i] for i in order[:len(chosen) - 1]) / math.fsum(weights)
    assert mass >= p - 1e-12
    assert len(chosen) == 1 or before < p + 1e-12


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_row_F40_p_outside_0_to_1_is_refused(p):
    with pytest.raises(ValueError, match="top-p must lie between 0 and 1"):
        keep_top_p([1, 2], p)


# --- rows, dtypes, faults --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [lambda x: with_temperature(x, 0), lambda x: with_temperature(x, 0.7),
                                    lambda x: keep_top_k(x, 2), lambda x: keep_top_p(x, 0.6), log_probabilities])
def test_each_row_is_changed_for_itself_and_the_input_stays(change):
    logits = np.random.default_rng(0).integers(-2, 3, size=(2, 3, 5)).astype(np.float32)
    before = logits.copy()
    whole = change(logits)
    for i, j in np.ndindex(2, 3):
        assert_array_equal(whole[i, j], change(logits[i, j]))
    assert_array_equal(logits, before)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("change", [lambda x: with_temperature(x, 1), lambda x: keep_top_k(x, 1),
                                    lambda x: keep_top_p(x, 0.5), greedy, log_probabilities])
def test_scores_that_are_no_numbers_are_refused(change, bad):
    with pytest.raises(ValueError, match="look for NaN and infinity"):
        change(np.array([[1.0, 2.0], [bad, 2.0]]))


def test_a_row_in_which_everything_is_ruled_out_is_refused():
    with pytest.raises(ValueError, match="must have finite entries"):
        greedy(np.full((1, 3), -np.inf))


def test_log_probabilities_are_those_of_the_softmax():
    logits = np.array([1000.0, 1000 + math.log(3), -np.inf])
    assert_allclose(log_probabilities(logits), [math.log(0.25), math.log(0.75), -np.inf], rtol=1e-12)


@pytest.mark.parametrize(("dtype", "rtol"), [(np.float32, 2e-6), (np.float64, 1e-13)])
def test_the_log_probability_of_chosen_tokens(dtype, rtol):
    """Also of rows in which tokens are ruled out, and far from 0."""
    logits = np.random.default_rng(0).normal(size=(6, 5)).astype(dtype)
    logits[1, 3], logits[2] = -np.inf, logits[2] + 700
    tokens = np.array([0, 1, 2, 3, 4, 0])
    exact = [float(row[t]) - math.log(math.fsum(math.exp(float(x)) for x in row)) for row, t in zip(logits, tokens)]
    measured = log_probability_of(tokens, logits)
    assert measured.dtype == np.float64
    assert_allclose(measured, exact, rtol=rtol, atol=rtol)


def test_a_drawn_token_is_what_numpy_would_choose():
    weights = np.random.default_rng(0).dirichlet(np.ones(7), size=500)
    ours, numpys = np.random.default_rng(1), np.random.default_rng(1)
    assert [draw(row, ours) for row in weights] == [numpys.choice(7, p=row) for row in weights]


@pytest.mark.parametrize(("number", "token"), [(0.0, 1), (0.5, 3), (math.nextafter(1, 0), 3)])
def test_a_token_without_weight_is_never_drawn(number, token):
    """Not at the ends of [0, 1), nor on the edge between two tokens."""
    rng = SimpleNamespace(random=lambda: number)
    assert draw(np.array([0, 0.5, 0, 0.5, 0]), rng) == token


def test_the_last_token_is_drawn_also_where_rounding_leaves_the_sum_below_1():
    weights = np.full(10, 0.1)
    assert np.cumsum(weights)[-1] < 1
    assert draw(weights, SimpleNamespace(random=lambda: math.nextafter(1, 0))) == 9


def test_samples_follow_the_probabilities_of_what_is_left():
    """Temperature, then top-k, then top-p: of the weights 8, 4, 2, 1 at T = 1/2 the first three, then two, stay."""
    logits = np.log(np.tile([2.0, 8, 1, 4], (4000, 1)))
    rng = np.random.default_rng(0)
    tokens = sampler(temperature=0.5, top_k=3, top_p=0.9)(logits, [rng] * 4000)
    assert set(tokens.tolist()) == {1, 3}
    assert abs(np.mean(tokens == 1) - 0.8) < 5 * math.sqrt(0.8 * 0.2 / 4000)


@pytest.mark.parametrize("arguments", [{"top_k": 0}, {"top_p": 2}, {"temperature": -1}])
def test_a_sampler_refuses_wrong_arguments_before_the_first_token(arguments):
    with pytest.raises(ValueError):
        sampler(**arguments)


# --- writing ---------------------------------------------------------------------------------------------------------


def written_rows(written):
    return [ids[:length].tolist() for ids, length in zip(written.ids, written.lengths)]


def test_tokens_follow_one_another_until_the_end_token():
    """From 1 to 3 to 4 to the end token 2."""
    table = np.zeros((V, V))
    table[[1, 3, 4], [3, 4, 2]] = 5
    written = generate(next_token_model(table), [[1]], 10, eos=2)
    assert written.ids.tolist() == [[1, 3, 4, 2]] and written.lengths.tolist() == [4]


def test_row_F41_a_row_without_end_stops_at_max_new():
    table = np.zeros((V, V))
    table[:, 3] = 1
    assert generate(next_token_model(table), [[1], [4]], 4, eos=2).ids.tolist() == [[1, 3, 3, 3, 3], [4, 3, 3, 3, 3]]


def test_row_F41_a_finished_row_is_frozen_with_padding_and_its_end_scored_once():
    model = prefix_model(3, V)
    prompts = [[1, row] for row in range(V)]
    written = generate(model, prompts, 12, eos=EOS, pad=PAD)
    assert len(set(written.lengths.tolist())) > 1, "rows of different length, or the test shows nothing"
    for row, length, score in zip(written.ids, written.lengths, written.scores):
        assert (row[length:] == PAD).all()
        assert EOS not in row[2:length - 1].tolist()
        total = sum(log_probabilities(prefix_scores(3, row[:n], V))[row[n]] for n in range(2, length))
        assert score == pytest.approx(total, rel=1e-12)
    assert written.ids.shape[1] == written.lengths.max()


@pytest.mark.parametrize("make", [prefix_model, cached_prefix_model])
@pytest.mark.parametrize("choose", [greedy, sampler(1.5), sampler(0.8, top_k=3), sampler(2.0, top_p=0.9)],
                         ids=["greedy", "temperature", "top-k", "top-p"])
def test_row_F41_a_batch_equals_its_rows_one_by_one(make, choose):
    """Prompts of different lengths, rows that end at different steps, a generator for each row."""
    prompts = [[1], [1, 3, 4, 4], [4, 1], [1, 3], [3, 3, 3]]
    model = make(11, V)
    together = generate(model, prompts, 9, choose, EOS, PAD, [np.random.default_rng(row) for row in range(5)])
    alone = [generate(model, [prompt], 9, choose, EOS, PAD, [np.random.default_rng(row)])
             for row, prompt in enumerate(prompts)]
    assert written_rows(together) == [row for one in alone for row in written_rows(one)]
    assert_allclose(together.scores, np.concatenate([one.scores for one in alone]), rtol=1e-12)
    assert len(set(together.lengths.tolist())) > 1


def test_the_model_stops_being_called_when_all_rows_have_ended():
    calls = []
    table = np.zeros((V, V))
    table[:, EOS] = 9

    def step(ids, state):
        calls.append(ids.shape)
        return table[ids[:, -1]], state

    generate(step, [[1, 3], [1, 4]], 50, eos=EOS)
    assert calls == [(2, 2)]


def test_a_model_with_a_cache_is_given_each_token_once():
    """The shortest prompt first, then one column at a time."""
    shapes = []

    def step(ids, state):
        shapes.append(ids.shape)
        return np.zeros((len(ids), V)), state

    generate(step, [[1, 3, 4], [1, 3, 4, 3]], 3)
    assert shapes == [(2, 3), (2, 1), (2, 1), (2, 1)]


def test_the_state_that_the_caller_gives_comes_first():
    states = []

    def step(ids, state):
        states.append(state)
        return np.zeros((1, V)), state + 1

    generate(step, [[1]], 3, state=7)
    assert states == [7, 8, 9]


def test_one_generator_gives_each_row_its_own_numbers_and_moves_on():
    table = np.zeros((V, V))
    rng = np.random.default_rng(0)

    def write(rng):
        return generate(next_token_model(table), [[1]] * 3, 20, sampler(), rng=rng).ids.tolist()

    first, second, again = write(rng), write(rng), write(np.random.default_rng(0))
    assert first == again != second
    assert len({tuple(row) for row in first + second}) == 6


@pytest.mark.parametrize("prompts", [np.array([[1, 3], [1, 4]]), [(1, 3), np.array([1, 4])]])
def test_prompts_may_be_arrays_or_lists(prompts):
    assert generate(prefix_model(0, V), prompts, 1).ids[:, :2].tolist() == [[1, 3], [1, 4]]


def test_prompts_may_come_one_by_one():
    """Also the tokens of each."""
    prompts = [[1, 3], [4], [1, 4, 3]]
    whole, single = (generate(prefix_model(0, V), given, 2) for given in (prompts, map(iter, prompts)))
    assert_array_equal(single.ids, whole.ids)
    assert_array_equal(single.scores, whole.scores)


def test_no_new_tokens_leave_the_prompts():
    written = generate(prefix_model(0, V), [[1], [3, 4]], 0, eos=EOS)
    assert written.ids.tolist() == [[1, 0], [3, 4]] and written.scores.tolist() == [0, 0]


@pytest.mark.parametrize(("prompts", "max_new"), [([], 3), ([[]], 3), ([[1], []], 3), ([[1]], -1)])
def test_an_empty_prompt_or_a_negative_number_of_tokens_is_refused(prompts, max_new):
    with pytest.raises(ValueError, match="needed are at least one prompt, one token in each prompt"):
        generate(prefix_model(0, V), prompts, max_new)


def test_sampling_without_a_generator_is_refused():
    with pytest.raises(ValueError, match="pass rng to generate"):
        generate(prefix_model(0, V), [[1]], 3, sampler())


def test_generators_must_be_as_many_as_the_rows():
    with pytest.raises(ValueError, match="2 rows need 2 generators, got 1"):
        generate(prefix_model(0, V), [[1], [3]], 3, sampler(), rng=[np.random.default_rng(0)])


def test_rows_of_a_state_are_taken_wherever_its_arrays_are():
    state = {"layers": [(np.arange(6).reshape(3, 2), np.arange(3))], "read": 4, "mask": None, "scalar": np.array(5)}
    taken = take_rows(state, np.array([2, 0]))
    assert taken["layers"][0][0].tolist() == [[4, 5], [0, 1]] and taken["layers"][0][1].tolist() == [2, 0]
    assert taken["read"] == 4 and taken["mask"] is None and taken["scalar"] == 5


def test_rereading_gives_the_model_all_tokens_every_time():
    seen = []

    def forward(ids):
        seen.append(ids.tolist())
        return np.zeros((*ids.shape, V))

    generate(rereading(forward), [[1, 3]], 3)
    assert seen == [[[1, 3]], [[1, 3, 0]], [[1, 3, 0, 0]]]
