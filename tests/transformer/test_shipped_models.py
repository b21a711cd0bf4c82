"""The models that come with the package: that they are the files, the code, the data and the numbers they claim."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from transformer import checkpoint, models, tokenizer
from transformer.cross_entropy import smoothing_floor
from transformer.data import grammar
from transformer.recipes import TASKS, language
from transformer.training import FIRST, start, training

FOLDER = Path(models.__file__).parent
SUFFIXES = (".npz", ".json")

# Float32, and OpenBLAS has another kernel for each kind of processor: the same sums in another order. Over these steps
# its kernels SkylakeX, Haswell, Nehalem and Prescott moved a loss by 3e-7 of itself and the length of a gradient by
# 8e-6, at most; one thread or two made no difference. The tolerance is ten times that and more. (Over a whole training
# such differences grow until the parameters are others, so a model is the same to the last bit on the same kind only.)
REPLAY = {"loss": 1e-5, "norm": 1e-4, "lr": 1e-12}


@pytest.fixture(scope="module", params=models.NAMES)
def shipped(request):
    """(model, recipe): a shipped model, and the recipe made again from its configuration."""
    model = models.load(request.param)
    return model, TASKS[model.task].recipe(model.provenance.configuration, model.provenance.seed)


def how_to_train_again(name):
    return f"train again: python -m transformer train {name} --seed 0 --out transformer/models/{name} --overwrite"


def test_row_E37_the_files_are_those_whose_hashes_are_listed():
    """A seed is no proof of what was published; the bytes are."""
    listed = dict(reversed(line.split()) for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()
             for path in FOLDER.iterdir() if path.suffix in SUFFIXES}
    assert found == listed
    assert set(found) == {name + suffix for name in models.NAMES for suffix in SUFFIXES}


def test_the_list_of_hashes_is_made_from_the_files(tmp_path):
    for name in ("b.npz", "a.json", "c.txt"):
        (tmp_path / name).write_bytes(name.encode())
    models.list_hashes(tmp_path)
    assert (tmp_path / "SHA256SUMS").read_bytes().decode() == "".join(
        f"{hashlib.sha256(name.encode()).hexdigest()}  {name}\n" for name in ("a.json", "b.npz"))


def test_row_E37_the_seed_still_draws_the_initial_weights_of_the_record(shipped):
    model, recipe = shipped
    found = hashlib.sha256(start(recipe).theta.tobytes()).hexdigest()
    assert found == model.provenance.progress["initial_sha256"], (
        f"the seed gives other parameters to start from than in training, with NumPy {np.__version__} and not "
        f"{model.provenance.versions['numpy']} or with other code; {how_to_train_again(model.task)}")


def test_they_are_small_and_hold_parameters_only(shipped):
    model, _ = shipped
    arrays = checkpoint.load(models.path_of(model.task)).arrays
    assert {name.partition(".")[0] for name in arrays} <= {"params", "constants"}
    assert {str(array.dtype) for name, array in arrays.items() if name.startswith("params.")} == {"float32"}
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 4e6


def test_they_were_trained_as_the_command_trains_by_default(shipped):
    """The configuration of the command without options, seed 0, and the data that the recipe makes now."""
    model, recipe = shipped
    assert model.provenance.seed == 0
    assert model.provenance.configuration == TASKS[model.task].configuration()
    assert model.provenance.data_sha256 == recipe.data_sha256
    assert model.provenance.progress["step"] == recipe.steps


def test_they_were_trained_with_the_code_that_is_here(shipped):
    model, _ = shipped
    changed = checkpoint.code_differences(model.provenance) + checkpoint.writing_differences(model.provenance)
    assert not changed, "\n".join([f"{model.task} comes from other code; {how_to_train_again(model.task)}",
                                   *map(str, changed)])
    assert model.provenance.writing


def test_the_first_steps_of_the_training_come_out_again(shipped):
    """Loss by loss, rate by rate and gradient by gradient, from the seed alone."""
    model, recipe = shipped
    stored = [entry for entry in model.provenance.curve if entry["step"] <= FIRST]
    assert [entry["step"] for entry in stored] == list(range(1, FIRST + 1))
    steps = training(recipe, start(recipe))
    replayed = [entry for entry, _ in zip(steps, stored)]
    for name, allowed in REPLAY.items():
        worst = max(abs(again[name] / before[name] - 1) for again, before in zip(replayed, stored, strict=True))
        assert worst <= allowed, f"{name}: off by {worst:.1e} of itself; {how_to_train_again(model.task)}"


def test_the_numbers_of_the_record_are_those_of_the_model(shipped):
    """Measured again on the parameters that are shipped.

    Losses agree up to rounding. A share may move by single sequences: where two tokens are nearly equally likely, or
    the random number falls on the border between two, another rounding chooses the other.
    """
    model, recipe = shipped
    stated, found = model.provenance.measures, recipe.measure(model.params)
    assert found.keys() == stated.keys() and model.provenance.curve[-1]["step"] == recipe.steps
    for name, value in found.items():
        exact = "loss" in name or name == "perplexity"
        assert value == pytest.approx(stated[name], **({"rel": 1e-4} if exact else {"abs": 0.02})), name


def test_the_reversal_model_reverses_every_unseen_sequence_and_reads_the_mirrored_letters():
    model = models.load("reversal")
    recipe = TASKS["reversal"].recipe(model.provenance.configuration, 0)
    found = recipe.measure(model.params)
    assert len(recipe.measure.keywords["sequences"]) == 500
    assert found["exact_match"] == 1.0
    assert found["antidiagonal"] > 0.99
    assert 0 < found["validation_smoothed_loss"] - smoothing_floor(13, 0.1) < 0.01


def test_the_language_model_writes_sentences_of_the_grammar_that_are_not_in_the_corpus():
    stated = models.load("language").provenance.measures
    assert stated["grammatical"] >= 0.8 and stated["new"] >= 0.5


def test_a_tokenizer_trained_again_is_the_shipped_one():
    model = models.load("language")
    again = tokenizer.train(grammar.corpus(), model.provenance.configuration["merges"])
    assert again == language.pairs(model.constants)


def test_a_name_that_is_not_shipped_is_refused():
    with pytest.raises(ValueError, match="the models of this package are reversal, language, got 'chess'"):
        models.load("chess")


def test_the_parameters_are_views_into_one_vector():
    """As after training, so that a training of one's own can go on from them."""
    params = models.load("reversal").params
    assert len({id(value.base if value.base is not None else value) for value in params.values()}) == 1
    assert sum(value.size for value in params.values()) == 234_304
    assert_array_equal(params["encoder0.norm1.gamma"].shape, (64,))
    assert np.isfinite(params["E"]).all()
