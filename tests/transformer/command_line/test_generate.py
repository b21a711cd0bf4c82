"""``python -m transformer generate``: what models write, and checkpoints that cannot be used."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.transformer.command_line.commands import begun, copy, one_sentence, rewritten
from transformer import checkpoint
from transformer.recipes import reversal


def test_the_shipped_models_write(run):
    assert run("generate", "--model", "reversal", "--prompt", "cabed") == (0, "debac\n", "")
    assert run("generate", "--model", "reversal", "--prompt", "cabed", "--beam", 3, "--count", 1)[1] == "debac\n"
    code, out, error = run("generate", "--prompt", "The old", "--count", 3, "--seed", 2)
    assert (code, error, out.count("\n")) == (0, "", 3)
    assert all(line.startswith("The old") for line in out.splitlines())


def test_answers_that_were_cut_are_counted(run, trained, folder):
    """Models that had three steps hardly come to an end."""
    code, out, error = run("generate", "--model", trained["language"], "--count", 2, "--max-new", 9, "--temperature", 0)
    assert (code, error) == (0, "2 answers were cut after 9 tokens\n")
    code, out, error = run("generate", "--model", trained["language"], "--beam", 2, "--max-new", 1)
    assert (code, error) == (0, "1 answer was cut after 1 token\n")


def test_the_seed_decides_what_is_written(run, trained):
    def write(*arguments):
        return run("generate", "--model", trained["language"], "--count", 2, "--max-new", 9, *arguments)

    assert write("--seed", 1) == write("--seed", 1)
    assert write("--seed", 1)[1] != write("--seed", 2)[1]
    lines = write("--seed", 1, "--temperature", 0)[1].splitlines()
    assert lines[0] == lines[1] and write("--seed", 2, "--temperature", 0)[1].splitlines() == lines
    assert write("--top-k", 1)[1].splitlines() == lines
    assert write("--top-p", 0)[1].splitlines() == lines


def test_a_path_may_have_a_suffix_and_a_training_that_was_stopped_writes_too(run, trained, folder):
    answers = {run("generate", "--model", trained["reversal"] + suffix, "--prompt", "abc")
               for suffix in ("", ".npz", ".json")}
    assert len(answers) == 1 and answers.pop()[0] == 0
    begun("model")
    assert run("generate", "--model", "model.unfinished", "--prompt", "abc")[0] == 0


def damaged(path):
    data = bytearray(Path(f"{path}.npz").read_bytes())
    data[len(data) // 2] ^= 1
    Path(f"{path}.npz").write_bytes(data)


@pytest.mark.parametrize(("spoil", "why"), [
    (lambda path: Path(f"{path}.json").unlink(), "json does not exist"),
    (lambda path: Path(f"{path}.npz").unlink(), "npz does not exist"),
    (damaged, "is damaged"),
    (lambda path: rewritten(path, version=checkpoint.VERSION + 1), "is newer than this code"),
    (lambda path: rewritten(path, kind="something else"), "is not a transformer checkpoint"),
    (lambda path: rewritten(path, configuration={"task": "chess"}), "the task 'chess', known are reversal, language"),
    (lambda path: rewritten(path, configuration={"task": []}), "the task [], known are reversal, language"),
    (lambda path: rewritten(path, configuration=reversal.CONFIGURATION), "does not hold the model that"),
    (lambda path: rewritten(path, configuration={"task": "language"}), "does not hold the model that"),
], ids=["no record", "no arrays", "damaged", "newer", "foreign", "other task", "no task", "other sizes", "no sizes"])
def test_a_checkpoint_that_cannot_be_used_is_one_sentence(run, folder, trained, spoil, why):
    copy(trained["reversal"])
    spoil("copy")
    code, out, error = run("generate", "--model", "copy", "--prompt", "abc")
    assert (code, out) == (1, "") and why in one_sentence(error)


@pytest.mark.parametrize("change", [
    lambda merges: np.concatenate([[[900, 5]], merges[1:]]),
    lambda merges: np.concatenate([merges[:-1], [[5, 256 + len(merges) - 1]]]),
    lambda merges: np.concatenate([[[-1, 5]], merges[1:]]),
    lambda merges: merges[:, :1], lambda merges: merges[:, 0], lambda merges: np.array(3),
    lambda merges: merges.astype(np.float64),
], ids=["not made yet", "itself", "negative", "one column", "no columns", "a number", "no whole numbers"])
def test_merges_that_are_no_pairs_of_earlier_tokens_are_refused(run, folder, trained, change):
    saved = checkpoint.load(trained["language"])
    arrays = saved.arrays | {"constants.merges": change(saved.arrays["constants.merges"])}
    checkpoint.save("copy", arrays, saved.provenance)
    code, out, error = run("generate", "--model", "copy", "--max-new", 20)
    assert (code, out) == (1, "")
    assert "does not hold the model that" in one_sentence(error) and "not pairs of earlier tokens" in error


@pytest.mark.parametrize(("name", "value", "why"), [
    ("dtype", [], "its dtype is [], not float16"), ("dtype", "object", "its dtype is 'object', not float16"),
    ("d", 0, "its d is 0, not a whole number from 1 on"), ("H", True, "its H is True, not a whole number"),
    ("layers", 1.0, "its layers is 1.0, not a whole number"), ("d_ff", None, "its d_ff is None, not a whole number"),
    ("n_max", "long", "does not hold the model that"),
])
def test_sizes_that_no_model_has_are_one_sentence(run, folder, trained, name, value, why):
    copy(trained["language"])
    rewritten("copy", configuration=checkpoint.load("copy").provenance.configuration | {name: value})
    code, out, error = run("generate", "--model", "copy", "--max-new", 3)
    assert (code, out) == (1, "") and why in one_sentence(error)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_a_folder_in_the_place_of_a_file_is_one_sentence(run, folder, trained, suffix):
    copy(trained["reversal"])
    Path(f"copy{suffix}").unlink()
    Path(f"copy{suffix}").mkdir()
    code, out, error = run("generate", "--model", "copy", "--prompt", "abc")
    assert (code, out) == (1, "") and f"copy{suffix} cannot be read (Is a directory)" in one_sentence(error)


def test_a_model_that_fits_into_no_memory_is_one_sentence(run, trained, folder):
    copy(trained["language"])
    configuration = checkpoint.load("copy").provenance.configuration
    rewritten("copy", configuration=configuration | {"n_max": 10 ** 14})
    code, out, error = run("generate", "--model", "copy")
    assert (code, out) == (1, "") and "there is not enough memory: ask for less" in one_sentence(error)


def test_code_that_has_changed_since_training_is_a_warning(run, folder, trained):
    copy(trained["reversal"])
    code = checkpoint.load("copy").provenance.code
    name = "transformer.softmax:softmax_forward"
    rewritten("copy", code=code | {name: "0" * 64, "transformer.softmax:gone": "1" * 64})
    status, out, error = run("generate", "--model", "copy", "--prompt", "abc")
    assert status == 0 and out.count("\n") == 1 and error.count("warning:") == 1
    assert error.startswith("warning: the code has changed since training: transformer.softmax:gone: "
                            "trained with 111111111111, run with not there, and 1 more;")


def test_code_that_only_writes_and_has_changed_is_another_warning(run, folder, trained):
    """The parameters are as they were: nobody must train again."""
    copy(trained["reversal"])
    writing = checkpoint.load("copy").provenance.writing
    rewritten("copy", writing=writing | {"transformer.recipes.reversal:writing": "0" * 64})
    status, out, error = run("generate", "--model", "copy", "--prompt", "abc", "--max-new", 2)
    assert status == 0
    assert re.fullmatch("warning: the code that writes has changed since the model was measured: transformer.recipes."
                        "reversal:writing: measured with 000000000000, run with [0-9a-f]{12}; what it writes may "
                        "differ, its parameters do not\n(1 answer was cut after 2 tokens\n)?", error)
