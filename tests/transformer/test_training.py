"""The training loop: what a step does, that it can be stopped at any step, and what happens where it diverges."""

import dataclasses
import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from transformer import checkpoint, resuming
from transformer.files import FileRefused, sha256
from transformer.optimizers import adam_step
from transformer.parameters import allocate
from transformer.recipes import language, reversal
from transformer.training import FIRST, Recipe, result, start, train_step, training

# --- a model of two parameters: y = a x + b, so that every step can be followed ---------------------------------------


def line_recipe(**changes):
    """Least squares, one point a batch."""
    recipe = Recipe(configuration={"task": "line"}, seed=3, data_sha256="0" * 64, steps=7, initial=line_initial,
                    batch=line_batch, loss=line_loss, rate=lambda step: 0.1 / step,
                    optimizer=lambda params: partial(adam_step, beta1=0.5, beta2=0.25, eps=0.125),
                    measure=lambda params: {"a": float(params["a"][0])}, measured_every=3)
    return dataclasses.replace(recipe, **changes)


def line_initial(rng):
    theta, params = allocate({"a": (1,), "b": (1,)})
    theta[:] = rng.normal(size=2)
    return theta, params


def line_batch(rng):
    x = rng.normal()
    return x, 3 * x - 2


def line_loss(params, batch, drop):
    x, y = batch
    kept, _ = drop.forward(np.array([x]))
    error = params["a"] * kept + params["b"] - y
    return float(error[0] ** 2) / 2, {"b": error, "a": error * kept}


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


# --- stopped and resumed ---------------------------------------------------------------------------------------------


def tiny_reversal(seed=5, **changes):
    c = reversal.CONFIGURATION | {"d": 12, "H": 3, "d_ff": 14, "layers": 2, "batch": 7, "warmup": 6, "steps": 20,
                                  "held_out": 9, "measured_every": 8}
    return reversal.recipe(c | changes, seed)


def tiny_language(seed=5, **changes):
    c = language.CONFIGURATION | {"merges": 20, "n_max": 24, "d": 12, "H": 3, "d_ff": 14, "layers": 2, "batch": 7,
                                  "warmup": 6, "steps": 20, "sentences": 5, "measured_every": 8}
    return language.recipe(c | changes, seed)


def stopped(recipe, path, step):
    """Train up to a step and save. Returns the state."""
    state = start(recipe)
    for entry in training(recipe, state):
        if entry["step"] == step:
            break
    resuming.save_state(path, recipe, state, {})
    return state


@pytest.mark.parametrize("make", [tiny_reversal, tiny_language])
@pytest.mark.parametrize("step", [1, 10, 19])
def test_a_training_that_was_stopped_ends_in_the_same_bits(make, step, tmp_path):
    """20 steps at once; and so many steps, a file, a new recipe, and the rest. With dropout in both models."""
    recipe = make()
    assert recipe.dropout > 0
    whole = start(recipe)
    for _ in training(recipe, whole):
        pass
    stopped(make(), tmp_path / "model", step)
    again = make()
    rest = resuming.load_state(tmp_path / "model", again)
    assert rest.step == step
    entries = list(training(again, rest))
    assert [entry["step"] for entry in entries] == list(range(step + 1, 21))
    assert rest.theta.tobytes() == whole.theta.tobytes() and rest.theta.dtype == np.float32
    assert {name: array.tobytes() for name, array in rest.moments.items()} == {
        name: array.tobytes() for name, array in whole.moments.items()}
    assert rest.total.tobytes() == whole.total.tobytes() and rest.curve == whole.curve
    for name, rng in whole.rngs.items():
        assert rest.rngs[name].bit_generator.state == rng.bit_generator.state


def test_the_parameters_of_a_resumed_state_are_views_into_its_vector(tmp_path):
    recipe = tiny_reversal()
    stopped(recipe, tmp_path / "model", 2)
    state = resuming.load_state(tmp_path / "model", recipe)
    assert all(np.shares_memory(view, state.theta) for view in state.params.values())


@pytest.mark.parametrize(("changes", "why"), [
    ({"seed": 6}, "another seed (5, asked for 6)"),
    ({"dropout": 0.2}, "another model (dropout: trained with 0.1, run with 0.2)"),
    ({"steps": 30}, "another model (steps: trained with 20, run with 30)"),
])
def test_another_training_is_not_resumed(changes, why, tmp_path):
    stopped(tiny_reversal(), tmp_path / "model", 1)
    with pytest.raises(FileRefused) as caught:
        resuming.load_state(tmp_path / "model", tiny_reversal(**changes))
    assert why in str(caught.value)


def test_a_training_on_other_data_is_not_resumed(tmp_path):
    """The file has the same name and another content."""
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("the cat sat.\n" * 300)
    stopped(tiny_language(corpus=str(corpus)), tmp_path / "model", 1)
    corpus.write_text("the cat ran.\n" * 300)
    with pytest.raises(FileRefused, match="another data_sha256"):
        resuming.load_state(tmp_path / "model", tiny_language(corpus=str(corpus)))


@pytest.mark.parametrize("change", ["code", "versions"])
def test_a_training_is_not_resumed_with_other_code_or_versions(change, tmp_path):
    recipe = tiny_reversal()
    stopped(recipe, tmp_path / "model", 1)
    path = resuming.unfinished(tmp_path / "model")
    saved = checkpoint.load(path)
    name = "numpy" if change == "versions" else "transformer.softmax:softmax_forward"
    changed = getattr(saved.provenance, change) | {name: "other"}
    checkpoint.save(path, saved.arrays, dataclasses.replace(saved.provenance, **{change: changed}))
    with pytest.raises(FileRefused, match=f"other code or versions .1 differ; {name}: trained with other, run with"):
        resuming.load_state(tmp_path / "model", recipe)


def test_the_same_text_at_another_place_is_the_same_corpus(tmp_path):
    for name in ("here.txt", "there.txt"):
        (tmp_path / name).write_text("the cat sat.\n" * 300)
    stopped(tiny_language(corpus=str(tmp_path / "here.txt")), tmp_path / "model", 1)
    recipe = tiny_language(corpus=str(tmp_path / "there.txt"))
    assert resuming.load_state(tmp_path / "model", recipe).step == 1


def test_other_constants_from_the_same_data_are_refused(tmp_path):
    """As where another version of the tokenizer learns other merges."""
    recipe = tiny_language()
    stopped(recipe, tmp_path / "model", 1)
    other = {"merges": recipe.constants["merges"][::-1].copy()}
    with pytest.raises(FileRefused, match="has other constants.merges than the same data give now"):
        resuming.load_state(tmp_path / "model", dataclasses.replace(recipe, constants=other))


@pytest.mark.parametrize("entry", ["step", "rngs"])
def test_a_state_that_lacks_an_entry_is_refused(entry, tmp_path):
    recipe = tiny_reversal()
    stopped(recipe, tmp_path / "model", 1)
    path = resuming.unfinished(tmp_path / "model")
    saved = checkpoint.load(path)
    del saved.provenance.progress[entry]
    checkpoint.save(path, saved.arrays, saved.provenance)
    with pytest.raises(FileRefused, match=f"do not hold a state to go on from .KeyError: '{entry}'.: train again"):
        resuming.load_state(tmp_path / "model", recipe)


# --- which code ------------------------------------------------------------------------------------------------------

TRAINED = {
    "reversal": {"transformer.recipes.reversal:recipe", "transformer.recipes.reversal:rate_of",
                 "transformer.recipes.reversal:sizes", "transformer.recipes.reversal:averaged",
                 "transformer.data.reversal:held_out", "transformer.recipes.reversal:initial",
                 "transformer.training:start", "transformer.training:train_step", "transformer.training:result",
                 "transformer.optimizers:adam_step", "transformer.encoder_decoder:encoder_decoder_backward",
                 "transformer.data.reversal:batch", "transformer.dropout:dropout_forward",
                 "transformer.schedules:warmup_inverse_root"},
    "language": {"transformer.recipes.language:recipe", "transformer.data.grammar:corpus",
                 "transformer.data.grammar:expand", "transformer.tokenizer:train", "transformer.tokenizer:encode",
                 "transformer.tokenizer:pieces", "transformer.data.text:split", "transformer.data.text:random_windows",
                 "transformer.schedules:warmup_cosine", "transformer.optimizers:adamw_step"},
}
JUDGED = {
    "reversal": {"transformer.recipes.reversal:writing", "transformer.recipes.reversal:exact_match",
                 "transformer.encoder_decoder:reader"},
    "language": {"transformer.recipes.language:writing", "transformer.recipes.language:validation_losses",
                 "transformer.perplexity:perplexity", "transformer.recipes.language:judged",
                 "transformer.tokenizer:decode", "transformer.decoder_only:writer"},
}


@pytest.fixture(scope="module", params=["reversal", "language"])
def hashed(request):
    """(task, code, writing) of a tiny model."""
    made = {"reversal": tiny_reversal, "language": tiny_language}[request.param]()
    recipe, code = resuming.prepared(made.configuration, 5)
    return request.param, code, resuming.judged(dataclasses.replace(recipe, averaged=()), start(recipe))[1]


def test_the_code_of_a_model_is_all_that_its_training_reaches(hashed):
    """From the text to the result; what only measures or writes must not count as other training, nor what saves."""
    task, code, _ = hashed
    assert TRAINED[task] <= code.keys()
    assert not JUDGED[task] & code.keys()
    foreign = ("transformer.generation", "transformer.beam", "transformer.command_line", "transformer.resuming",
               "transformer.checkpoint", "transformer.provenance")
    assert not [name for name in code if name.startswith(foreign)]


def test_what_measures_and_writes_is_hashed_too(hashed):
    task, _, writing = hashed
    both = {"transformer.generation:generate", "transformer.generation:sampler", "transformer.beam:beam_search",
            "transformer.answers:sampled", "transformer.answers:searched"}
    assert JUDGED[task] | both <= writing.keys()
    assert not [name for name in writing if name.startswith("transformer.resuming")]


def test_the_recipe_that_is_prepared_is_the_one_asked_for(hashed):
    made = {"reversal": tiny_reversal, "language": tiny_language}[hashed[0]]()
    recipe, _ = resuming.prepared(made.configuration, 5)
    assert recipe.steps == 20 and recipe.averaged == made.averaged and recipe.measured_every == 8
    assert_array_equal(start(recipe).theta, start(made).theta)


# --- finished --------------------------------------------------------------------------------------------------------


def test_a_finished_model_has_its_parameters_and_nothing_to_resume(tmp_path):
    recipe = tiny_language()
    state = stopped(recipe, tmp_path / "model", 2)
    resuming.save_model(tmp_path / "model", recipe, state, {}, {"perplexity": 2.5}, {"a:f": "1"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "model.npz"]
    saved = checkpoint.load(tmp_path / "model")
    assert saved.arrays.keys() == {"constants.merges", *("params." + name for name in state.params)}
    assert_array_equal(saved.arrays["params.E"], state.params["E"])
    assert saved.provenance.measures == {"perplexity": 2.5} and saved.provenance.writing == {"a:f": "1"}
    assert saved.provenance.progress["step"] == 2 and saved.provenance.curve == state.curve
    assert saved.provenance.progress["initial_sha256"] == sha256(start(tiny_language()).theta.tobytes())


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
