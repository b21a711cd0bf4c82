"""A training that was stopped goes on as if it had not been, with the same code and data, or not at all."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.transformer.trainings import stopped, tiny_language, tiny_reversal
from transformer import checkpoint, resuming
from transformer.files import FileRefused, sha256
from transformer.training import start, training

pytestmark = pytest.mark.slow  # two dozen short trainings

# --- stopped and resumed ---------------------------------------------------------------------------------------------


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
