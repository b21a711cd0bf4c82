"""The training loop: what a step does, what chance decides, and what happens where it diverges."""

import dataclasses
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.trainings import line_initial, line_loss, line_recipe, stopped, tiny_language, tiny_reversal
from transformer import resuming
from transformer.training import FIRST, result, start, train_step, training


def followed_by_hand(recipe):
    """Adam on the line, number by number (Kingma and Ba 2015, algorithm 1), after clipping to recipe.limit."""
    first, second, _ = (np.random.default_rng(stream) for stream in np.random.SeedSequence(recipe.seed).spawn(3))
    theta, m, v = list(first.normal(size=2)), [0.0, 0.0], [0.0, 0.0]
    entries = []
    for step in range(1, recipe.steps + 1):
        x = second.normal()
        error = theta[0] * x + theta[1] - (3 * x - 2)
        g = [error * x, error]
        norm = math.sqrt(g[0] ** 2 + g[1] ** 2)
        lr = 0.1 / step
        for i in range(2):
            clipped = g[i] * min(1, recipe.limit / norm)
            m[i] = 0.5 * m[i] + 0.5 * clipped
            v[i] = 0.25 * v[i] + 0.75 * clipped ** 2
            theta[i] -= lr * (m[i] / (1 - 0.5 ** step)) / (math.sqrt(v[i] / (1 - 0.25 ** step)) + 0.125)
        entries.append({"step": step, "loss": error ** 2 / 2, "lr": lr, "norm": norm})
    return theta, entries


@pytest.mark.parametrize("limit", [math.inf, 2.0])
def test_a_training_is_adam_on_one_batch_after_another(limit):
    recipe = line_recipe(limit=limit)
    state = start(recipe)
    entries = [{name: entry[name] for name in ("step", "loss", "lr", "norm")} for entry in training(recipe, state)]
    theta, expected = followed_by_hand(recipe)
    assert any(entry["norm"] > 2 for entry in expected) and any(entry["norm"] < 2 for entry in expected)
    assert_allclose(state.theta, theta, rtol=1e-12)
    assert [entry["step"] for entry in entries] == [1, 2, 3, 4, 5, 6, 7]
    for entry, by_hand in zip(entries, expected, strict=True):
        assert entry == pytest.approx(by_hand, rel=1e-12)


def test_the_curve_has_the_first_steps_and_those_that_are_measured():
    recipe = line_recipe(steps=FIRST + 11, measured_every=10)
    state = start(recipe)
    for _ in training(recipe, state):
        pass
    assert [entry["step"] for entry in state.curve] == [*range(1, FIRST + 1), FIRST + 10, FIRST + 11]
    assert [entry["step"] for entry in state.curve if "a" in entry] == [10, 20, 30, 40, 50, 60, 61]
    assert state.curve[-1]["a"] == state.params["a"][0]


def test_the_model_is_the_mean_of_the_steps_that_are_averaged():
    recipe = line_recipe(averaged=(2, 5, 7))
    state, seen = start(recipe), []
    for _ in training(recipe, state):
        seen.append(state.theta.copy())
    for i, name in enumerate("ab"):
        assert result(recipe, state)[name] == pytest.approx([(seen[1][i] + seen[4][i] + seen[6][i]) / 3], rel=1e-12)
        assert result(line_recipe(), state)[name] == [seen[6][i]]


@pytest.mark.parametrize("averaged", [(8,), (5, 5), (0, 7), (-1,), (2.5, 7)])
def test_steps_to_be_averaged_that_are_not_different_steps_of_the_training_are_refused(averaged):
    """The mean would be divided by more than was added."""
    with pytest.raises(ValueError, match=r"must be different and lie in 1\.\.7, got \("):
        start(line_recipe(averaged=averaged))


def test_steps_that_are_made_one_by_one_are_averaged_too():
    recipe = line_recipe(averaged=(2, 5, 7))
    whole, single = start(recipe), start(recipe)
    for _ in training(recipe, whole):
        pass
    for _ in range(7):
        train_step(recipe, single)
    assert result(recipe, single) == result(recipe, whole)


def test_there_is_no_mean_before_its_steps_are_made():
    recipe = line_recipe(averaged=(2, 5))
    state = start(recipe)
    for entry in training(recipe, state):
        if entry["step"] < 5:
            with pytest.raises(ValueError, match=rf"steps \(2, 5\), and only {entry['step']} steps were made"):
                result(recipe, state)
    assert np.isfinite(result(recipe, state)["a"]).all()


def test_the_gradients_of_a_step_stay_until_the_next_has_its_own():
    """Where they lie in memory decides whether glibc keeps what the step needed (train_step)."""
    returned = []

    def recorded(*batch):
        returned.append(line_loss(*batch)[1])
        return 0.0, returned[-1]

    recipe = line_recipe(loss=recorded)
    state = start(recipe)
    for step in range(3):
        train_step(recipe, state)
        assert state.found is returned[step]


def test_the_result_does_not_change_with_the_state():
    recipe = line_recipe()
    state = start(recipe)
    params = result(recipe, state)
    before = params["a"].copy()
    next(training(recipe, state))
    assert_array_equal(params["a"], before)


# --- chance ----------------------------------------------------------------------------------------------------------


def batches_of(recipe):
    """The batches of a whole training."""
    seen = []
    watched = dataclasses.replace(recipe, batch=lambda rng: seen.append(recipe.batch(rng)) or seen[-1])
    for _ in training(watched, start(watched)):
        pass
    return seen


def trained(recipe):
    state = start(recipe)
    for _ in training(recipe, state):
        pass
    return state.theta


def test_the_seed_decides_everything():
    recipe = line_recipe(dropout=0.5)
    assert_array_equal(trained(recipe), trained(recipe))
    assert (trained(recipe) != trained(line_recipe(dropout=0.5, seed=4))).all()


def test_dropout_changes_neither_the_first_parameters_nor_the_batches():
    assert_array_equal(start(line_recipe(dropout=0.5)).theta, start(line_recipe()).theta)
    assert batches_of(line_recipe(dropout=0.5)) == batches_of(line_recipe())
    assert (trained(line_recipe(dropout=0.5)) != trained(line_recipe())).any()


def test_more_random_numbers_for_the_first_parameters_do_not_change_the_batches():
    def longer(rng):
        rng.normal(size=100)
        return line_initial(rng)

    assert batches_of(line_recipe(initial=longer)) == batches_of(line_recipe())


def test_measuring_changes_nothing():
    """Of the real models, whose measures write text."""
    for make in (tiny_reversal, tiny_language):
        often, never = (make(measured_every=every, steps=4) for every in (1, 100))
        assert_array_equal(trained(often), trained(never))


# --- diverging -------------------------------------------------------------------------------------------------------


def diverging():
    """A tiny model whose rate explodes after step 3: the update of step 4 makes parameters that overflow."""
    recipe = tiny_reversal(measured_every=100)
    return dataclasses.replace(recipe, rate=lambda step: 1e-3 if step <= 3 else 1e39)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_training_that_diverges_stops_with_the_step_and_what_to_do():
    recipe = diverging()
    state = start(recipe)
    with pytest.raises(FloatingPointError, match="^step 5: .* nan.*lower the learning rate"):
        for _ in training(recipe, state):
            pass
    assert state.step == 4


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_parameters_that_are_not_finite_are_neither_measured_nor_saved(tmp_path):
    recipe = dataclasses.replace(diverging(), measured_every=4)
    state = stopped(recipe, tmp_path / "model", 3)
    before = resuming.unfinished(tmp_path / "model").with_suffix(".unfinished.npz").read_bytes()
    with pytest.raises(FloatingPointError, match="step 4: parameters became inf or NaN"):
        next(training(recipe, state))
    with pytest.raises(FloatingPointError, match="step 4: parameters became inf or NaN"):
        resuming.save_state(tmp_path / "model", recipe, state, {})
    assert resuming.unfinished(tmp_path / "model").with_suffix(".unfinished.npz").read_bytes() == before
    assert resuming.load_state(tmp_path / "model", recipe).step == 3


def test_a_measure_that_is_not_finite_stops_the_training():
    """A record is JSON, which has no infinity: this would show only when it is saved."""
    recipe = line_recipe(measure=lambda params: {"some_perplexity": math.inf})
    with pytest.raises(FloatingPointError, match="^step 3: some perplexity is inf: lower the learning rate"):
        for _ in training(recipe, start(recipe)):
            pass


def test_a_loss_that_is_no_number_changes_no_parameter():
    recipe = line_recipe(loss=lambda params, batch, drop: (math.nan, {}))
    state = start(recipe)
    before = state.theta.copy()
    with pytest.raises(FloatingPointError, match="the loss is nan"):
        train_step(recipe, state)
    assert_array_equal(state.theta, before)
    assert state.step == 0
