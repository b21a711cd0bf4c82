"""``python -m transformer``: training, stopping, resuming and writing, and one sentence for whatever goes wrong."""

import hashlib
import io
import itertools
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from transformer import checkpoint
from transformer.command_line import progress
from transformer.command_line.main import main
from transformer.files import sealed
from transformer.command_line.interruption import interruption
from transformer.recipes import language, reversal

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "transformer"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder of a test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder, capsys):
    """``run("train", ...)``: exit code, stdout and stderr of a command in the working folder."""

    def do(*arguments):
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return do


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Two models that had a few steps: the paths of their checkpoints."""
    folder = tmp_path_factory.mktemp("models")
    for task in ("reversal", "language"):
        assert main(["train", task, "--small", "--steps", "3", "--out", str(folder / task)]) == 0
    return {task: str(folder / task) for task in ("reversal", "language")}


def one_sentence(error):
    """The message of a failure, which is one line and no traceback."""
    assert error.startswith("error: ") and error.count("\n") == 1 and error.endswith("\n"), error
    return error


# --- training --------------------------------------------------------------------------------------------------------


def test_training_says_what_it_does_and_saves_a_model(run, folder):
    code, out, error = run("train", "reversal", "--small", "--steps", 4)
    assert (code, error) == (0, "")
    said = r"^reversal: 21,792 parameters, step 0 of 4, seed 0\nstep     4  lr .* loss \d\.\d{3}  exact match \d"
    assert re.search(said, out)
    assert out.endswith("saved trained/reversal.npz and trained/reversal.json\n")
    assert sorted(path.name for path in (folder / "trained").iterdir()) == ["reversal.json", "reversal.npz"]
    provenance = checkpoint.load("trained/reversal").provenance
    assert provenance.configuration == reversal.SMALL | {"steps": 4} and provenance.seed == 0
    assert [entry["step"] for entry in provenance.curve] == [1, 2, 3, 4]


def test_equal_commands_give_equal_files_and_another_seed_another_model(run, folder):
    for out, seed in (("a", 7), ("b", 7), ("c", 8)):
        assert run("train", "language", "--small", "--steps", 2, "--seed", seed, "--out", out)[0] == 0
    for suffix in (".npz", ".json"):
        assert Path(f"a{suffix}").read_bytes() == Path(f"b{suffix}").read_bytes()
    assert Path("a.npz").read_bytes() != Path("c.npz").read_bytes()


def test_a_corpus_of_the_user(run, folder):
    """Its name, its hash and its tokenizer are kept; the grammar has no say in it."""
    Path("my text.txt").write_text("Zwölf Boxkämpfer jagen Viktor über den Sylter Deich.\n" * 60, encoding="utf-8")
    code, out, error = run("train", "language", "--small", "--steps", 2, "--corpus", "my text.txt", "--out", "mine")
    assert (code, error) == (0, "") and "perplexity" in out and "grammatical" not in out
    saved = checkpoint.load("mine")
    assert saved.provenance.configuration["corpus"] == "my text.txt"
    assert saved.provenance.data_sha256 == hashlib.sha256(Path("my text.txt").read_bytes()).hexdigest()
    assert len(saved.arrays["constants.merges"]) > 10
    assert run("generate", "--model", "mine", "--prompt", "Zwölf", "--max-new", 4)[1].startswith("Zwölf")


def test_a_corpus_may_be_called_as_the_grammar_is(run, folder):
    Path("grammar").write_text("one two three four five six seven\n" * 60)
    assert run("train", "language", "--small", "--steps", 1, "--corpus", "grammar", "--out", "mine")[0] == 0
    expected = hashlib.sha256(Path("grammar").read_bytes()).hexdigest()
    assert checkpoint.load("mine").provenance.data_sha256 == expected


def interrupted(folder, *arguments):
    """Run a training in a process of its own and press Ctrl-C after its first step that is measured."""
    process = subprocess.Popen([*COMMAND, *arguments], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    printed = process.stdout.readline() + process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    return process.returncode, printed + out, error


@pytest.mark.skipif(os.name != "posix", reason="not run: needs the signals of POSIX")
def test_ctrl_c_saves_and_says_how_to_go_on_to_the_same_model(run, folder):
    """The command that is printed works, and its model is, to the last bit, that of a training that was let alone."""
    arguments = ("train", "reversal", "--small", "--steps", "150", "--seed", "3")
    code, out, error = interrupted(folder, *arguments, "--out", "stopped here")
    assert code == 130 and "step   100" in out and "saved stopped" not in out
    said = re.fullmatch(r"stopped after step (\d+) of 150, and saved; go on with: python -m transformer (.*)\n", error)
    step, command = said.groups()
    assert 100 <= int(step) < 150
    assert sorted(path.name for path in folder.iterdir()) == [
        "stopped here.unfinished.json", "stopped here.unfinished.npz"]
    assert command == "train reversal --out 'stopped here' --resume"

    code, out, error = run("train", "reversal", "--out", "stopped here", "--resume")
    assert (code, error) == (0, "") and f"step {step} of 150, seed 3" in out
    assert run(*arguments, "--out", "whole")[0] == 0
    for suffix in (".npz", ".json"):
        assert Path(f"stopped here{suffix}").read_bytes() == Path(f"whole{suffix}").read_bytes()
    assert not list(folder.glob("*.unfinished.*"))


def begun(run, out, step=2):
    """A training of 4 steps that stands at an earlier one, as after Ctrl-C."""
    from transformer import resuming
    from transformer.training import start, training

    recipe = reversal.recipe(reversal.configuration(steps=4, small=True), 0)
    state = start(recipe)
    next(entry for entry in training(recipe, state) if entry["step"] == step)
    resuming.save_state(out, recipe, state, {})


@pytest.mark.parametrize(("arguments", "why"), [
    (["--resume", "--seed", 1], "begun with another seed (0, asked for 1)"),
    (["--resume", "--steps", 9], "model: the training there is of 4 steps, and what each step does depends on how many "
                                 "there are: leave out --steps, or train 9 from the start with --overwrite"),
])
def test_a_training_goes_on_only_as_it_was_begun(run, folder, arguments, why):
    begun(run, "model")
    code, _, error = run("train", "reversal", "--out", "model", *arguments)
    assert code == 1 and why in one_sentence(error)
    assert run("train", "reversal", "--out", "model", "--resume", "--small", "--seed", 0)[0] == 0


def test_a_training_of_another_task_is_not_resumed(run, folder):
    begun(run, "model")
    code, _, error = run("train", "language", "--out", "model", "--resume")
    assert code == 1 and "the training there is of 'reversal', not 'language'" in one_sentence(error)


def test_nothing_is_overwritten_unless_asked_for(run, folder):
    begun(run, "model")
    code, _, error = run("train", "reversal", "--small", "--out", "model")
    assert code == 2 and "a training was begun there: go on with --resume" in one_sentence(error)
    assert run("train", "reversal", "--small", "--steps", 1, "--out", "model.npz", "--overwrite")[0] == 0
    before = Path("model.npz").read_bytes()
    code, _, error = run("train", "reversal", "--small", "--steps", 2, "--out", "model")
    assert code == 2 and "a model is there: train in its place with --overwrite" in one_sentence(error)
    code, _, error = run("train", "reversal", "--out", "model", "--resume")
    assert code == 2 and "the training is finished" in one_sentence(error)
    code, _, error = run("train", "reversal", "--out", "elsewhere", "--resume")
    assert code == 2 and "no training was begun there" in one_sentence(error)
    assert Path("model.npz").read_bytes() == before


@pytest.mark.parametrize("out", ["", ".", "..", "models/", "models", "models/.", "models/..", ".npz", "models/.json"])
def test_a_place_that_is_no_file_is_refused_before_the_training(run, folder, out):
    Path("models").mkdir()
    code, said, error = run("train", "reversal", "--small", "--steps", 1, "--out", out)
    assert (code, said) == (2, "") and "names a folder or nothing: name the files to write" in one_sentence(error)
    assert list(folder.rglob("*")) == [folder / "models"]


@pytest.mark.parametrize("out", ["file/model", "file/deeper/model", "x" * 300])
def test_a_place_where_nothing_can_be_written_is_refused_before_the_training(run, folder, out):
    Path("file").write_text("in the way")
    code, said, error = run("train", "reversal", "--small", "--steps", 100_000, "--out", out)
    assert (code, said) == (1, "") and re.search(r"cannot write there \(.+\): name another --out", one_sentence(error))


@pytest.mark.parametrize("entry", ["beta1", "task", "steps", "d"])
def test_a_training_whose_record_lacks_an_entry_is_not_resumed(run, folder, entry):
    begun(run, "model")
    configuration = checkpoint.load("model.unfinished").provenance.configuration
    del configuration[entry]
    rewritten("model.unfinished", configuration=configuration)
    code, _, error = run("train", "reversal", "--out", "model", "--resume")
    assert code == 1 and ("has no whole configuration" in one_sentence(error) or "is of None" in error)


def test_a_state_that_lacks_an_entry_is_not_resumed(run, folder):
    begun(run, "model")
    rewritten("model.unfinished", progress={})
    code, _, error = run("train", "reversal", "--out", "model", "--resume")
    assert code == 1 and "do not hold a state to go on from (KeyError: 'step')" in one_sentence(error)


def test_a_corpus_that_was_moved_is_the_same(run, folder):
    from transformer import resuming
    from transformer.training import start

    Path("here.txt").write_text("one two three four five six seven\n" * 60)
    recipe = language.recipe(language.configuration(steps=2, small=True, corpus="here.txt"), 0)
    resuming.save_state("model", recipe, start(recipe), {})
    Path("here.txt").rename("there.txt")
    assert run("train", "language", "--out", "model", "--resume")[0] == 1
    assert run("train", "language", "--out", "model", "--resume", "--corpus", "there.txt")[0] == 0
    assert checkpoint.load("model").provenance.configuration["corpus"] == "there.txt"


@pytest.mark.parametrize(("content", "why"), [
    (None, "corpus.txt: cannot be read (No such file or directory); name a text file"),
    (b"", "corpus.txt: the file is empty"),
    (b"caf\xe9\n", "corpus.txt:1: not UTF-8: byte 0xe9 at offset 3"),
    (b"too short", "corpus.txt: has 9 tokens, and a model that reads 32 needs 330"),
])
def test_a_corpus_that_cannot_be_used_is_one_sentence(run, folder, content, why):
    if content is not None:
        Path("corpus.txt").write_bytes(content)
    code, out, error = run("train", "language", "--small", "--corpus", "corpus.txt")
    assert (code, out) == (1, "") and why in one_sentence(error)
    assert not Path("trained").exists()


def test_a_training_that_diverges_is_one_sentence_and_keeps_what_was_saved(run, folder, monkeypatch):
    monkeypatch.setitem(reversal.SMALL, "peak", 1e39)
    code, _, error = run("train", "reversal", "--small", "--save-every", 100)
    assert code == 1 and re.search("step 2: .*; what was saved after step 0 is kept in", one_sentence(error))
    code, _, error = run("train", "reversal", "--small", "--save-every", 1, "--overwrite")
    assert code == 1 and re.search(r"step 2: the loss is nan: .* lower the learning rate; what was saved after step 1 "
                                   r"is kept in trained/reversal\.unfinished\.npz and \.json", one_sentence(error))
    saved = checkpoint.load("trained/reversal.unfinished")
    assert saved.provenance.progress["step"] == 1
    assert all(np.isfinite(array).all() for name, array in saved.arrays.items() if name.startswith("params."))


# --- killed or stopped -----------------------------------------------------------------------------------------------


def press_ctrl_c(monkeypatch, calls):
    """Ctrl-C while the model is measured: in these calls, counted from 1, once for each time the call is named."""
    measure, count = reversal.measure, itertools.count(1)

    def pressed(*arguments, **named):
        call = next(count)
        for _ in range(calls.count(call)):
            signal.raise_signal(signal.SIGINT)
        return measure(*arguments, **named)

    monkeypatch.setattr(reversal, "measure", pressed)


@pytest.fixture
def python_takes_ctrl_c():
    """As a program has it that was started from a terminal, whatever the tests were started from."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


SHORT = ("train", "reversal", "--small", "--steps", 3)


@pytest.mark.usefixtures("python_takes_ctrl_c")
@pytest.mark.parametrize("call", [1, 2], ids=["in the last step", "after it"])
def test_ctrl_c_when_all_steps_are_made_waits_for_the_model(run, folder, monkeypatch, call):
    assert run(*SHORT, "--out", "whole")[0] == 0
    press_ctrl_c(monkeypatch, [call])
    code, out, error = run(*SHORT, "--out", "model")
    assert (code, error) == (0, "") and out.endswith("saved model.npz and model.json\n")
    for suffix in (".npz", ".json"):
        assert Path(f"model{suffix}").read_bytes() == Path(f"whole{suffix}").read_bytes()


@pytest.mark.usefixtures("python_takes_ctrl_c")
def test_a_second_ctrl_c_after_the_last_step_loses_no_step(run, folder, monkeypatch):
    with monkeypatch.context() as patched:
        press_ctrl_c(patched, [2, 2])
        code, out, error = run(*SHORT, "--out", "model")
    assert code == 130
    assert error == "stopped; what was saved after step 3 is kept in model.unfinished.npz and .json\n"
    assert run("train", "reversal", "--out", "model", "--resume")[0] == 0
    assert run(*SHORT, "--out", "whole")[0] == 0
    assert Path("model.npz").read_bytes() == Path("whole.npz").read_bytes()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="not run: needs a pipe with a name")
def test_ctrl_c_before_the_first_step_says_that_nothing_was_saved(folder):
    """While the corpus is read, which comes from a pipe that gives nothing."""
    os.mkfifo(folder / "corpus.txt")
    process = subprocess.Popen([*COMMAND, "train", "language", "--small", "--corpus", "corpus.txt"], cwd=folder,
                               env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    with open(folder / "corpus.txt", "wb"):  # waits until the other end is open
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (130, "stopped; nothing had been saved\n")


def test_ctrl_c_while_the_modules_are_read_is_no_traceback(folder):
    """NumPy is where most of that time goes; here a module that presses Ctrl-C has its name."""
    (folder / "numpy.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    done = subprocess.run([*COMMAND, "--help"], env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
                          capture_output=True, text=True, timeout=60,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_training_that_is_killed_early_leaves_its_own_state_not_that_of_the_one_before(run, folder):
    """The state before the first step is saved, in place of what --overwrite gives up."""
    begun(run, "model")
    process = subprocess.Popen([*COMMAND, "train", "reversal", "--small", "--steps", "9000", "--save-every", "9000",
                                "--seed", "9", "--out", "model", "--overwrite"], cwd=folder, stdout=subprocess.PIPE,
                               env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True)
    assert "step 0 of 9,000, seed 9" in process.stdout.readline()
    process.kill()
    process.communicate(timeout=60)
    saved = checkpoint.load("model.unfinished").provenance
    assert (saved.seed, saved.progress["step"]) == (9, 0)


# --- writing ---------------------------------------------------------------------------------------------------------


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


def test_a_model_that_fits_into_no_memory_is_one_sentence(run, trained, folder):
    for suffix in (".npz", ".json"):
        Path(f"copy{suffix}").write_bytes(Path(trained["language"] + suffix).read_bytes())
    configuration = checkpoint.load("copy").provenance.configuration
    rewritten("copy", configuration=configuration | {"n_max": 10 ** 14})
    code, out, error = run("generate", "--model", "copy")
    assert (code, out) == (1, "") and "there is not enough memory: ask for less" in one_sentence(error)


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
    begun(run, "model")
    assert run("generate", "--model", "model.unfinished", "--prompt", "abc")[0] == 0


@pytest.mark.parametrize(("arguments", "why"), [
    (["--model", "reversal"], "--prompt: the model reverses letters: give it some, a to j"),
    (["--model", "reversal", "--prompt", "ab"], "--prompt: the model learned to reverse 3 to 8 letters, got 2"),
    (["--model", "reversal", "--prompt", "abcdefghij"], "the model learned to reverse 3 to 8 letters, got 10"),
    (["--model", "reversal", "--prompt", "abcz"], "--prompt: 'z' is not one of the letters a to j"),
    (["--model", "language", "--prompt", "word " * 70], "and the model reads 64, together with what it writes"),
    (["--model", "language", "--prompt", "\udcff"], "--prompt: character 0 of the text is the lone surrogate U+DCFF"),
    (["--model", "language", "--max-new", 64], "--max-new: after this prompt the model can write 63 tokens, not 64"),
    (["--beam", 3, "--temperature", 1], "--beam leaves nothing to chance: leave out --temperature, or --beam"),
    (["--beam", 3, "--top-k", 1], "leave out --top-k, or --beam"),
    (["--beam", 3, "--count", 4], "a beam of 3 cannot give 4 answers"),
])
def test_wrong_use_is_one_sentence(run, arguments, why):
    code, out, error = run("generate", *arguments)
    assert (code, out) == (2, "") and why in one_sentence(error)


@pytest.mark.parametrize(("arguments", "why"), [
    ([], "required: COMMAND"),
    (["train"], "required: TASK"),
    (["train", "reversal", "--corpus", "x"], "unrecognized arguments: --corpus"),
    (["train", "reversal", "--steps", "0"], "--steps: '0' is not a whole number from 1 on"),
    (["train", "reversal", "--resume", "--overwrite"], "not allowed with argument"),
    (["train", "reversal", "--seed", "-1"], "--seed: '-1' is not a whole number from 0 on"),
    (["generate", "--temperature", "nan"], "--temperature: 'nan' is not 0 or a positive number"),
    (["generate", "--top-p", "1.5"], "--top-p: '1.5' is not a number from 0 to 1"),
    (["generate", "--count", "1000000000000"], "--count: '1000000000000' is not a whole number from 1 to 10,000"),
    (["generate", "--beam", "1001"], "--beam: '1001' is not a whole number from 1 to 1,000"),
    (["generate", "--top-k", "few"], "--top-k: 'few' is not a whole number from 1 on"),
])
def test_wrong_arguments_are_refused_with_the_usage(run, arguments, why):
    code, out, error = run(*arguments)
    assert (code, out) == (2, "") and error.startswith("usage: python -m transformer") and why in error


@pytest.mark.parametrize("arguments", [["--help"], ["train", "--help"], ["train", "language", "--help"],
                                       ["generate", "--help"]])
def test_help(run, arguments):
    code, out, error = run(*arguments)
    assert (code, error) == (0, "") and out.startswith("usage: python -m transformer")


def damaged(path):
    data = bytearray(Path(f"{path}.npz").read_bytes())
    data[len(data) // 2] ^= 1
    Path(f"{path}.npz").write_bytes(data)


def rewritten(path, version=checkpoint.VERSION, kind=checkpoint.KIND, **changes):
    """The record with other entries, sealed again."""
    record = json.loads(Path(f"{path}.json").read_text())
    content = {name: value for name, value in record.items() if name not in ("format", "version", "sha256")}
    Path(f"{path}.json").write_bytes(sealed(kind, version, content | changes))


@pytest.mark.parametrize(("spoil", "why"), [
    (lambda path: Path(f"{path}.json").unlink(), "json does not exist"),
    (lambda path: Path(f"{path}.npz").unlink(), "npz does not exist"),
    (damaged, "is damaged"),
    (lambda path: rewritten(path, version=checkpoint.VERSION + 1), "is newer than this code"),
    (lambda path: rewritten(path, kind="something else"), "is not a transformer checkpoint"),
    (lambda path: rewritten(path, configuration={"task": "chess"}), "the task 'chess', known are reversal, language"),
    (lambda path: rewritten(path, configuration=reversal.CONFIGURATION), "does not hold the model that"),
    (lambda path: rewritten(path, configuration={"task": "language"}), "does not hold the model that"),
], ids=["no record", "no arrays", "damaged", "newer", "foreign", "other task", "other sizes", "no sizes"])
def test_a_checkpoint_that_cannot_be_used_is_one_sentence(run, folder, trained, spoil, why):
    for suffix in (".npz", ".json"):
        Path(f"copy{suffix}").write_bytes(Path(trained["reversal"] + suffix).read_bytes())
    spoil("copy")
    code, out, error = run("generate", "--model", "copy", "--prompt", "abc")
    assert (code, out) == (1, "") and why in one_sentence(error)


def test_code_that_has_changed_since_training_is_a_warning(run, folder, trained):
    for suffix in (".npz", ".json"):
        Path(f"copy{suffix}").write_bytes(Path(trained["reversal"] + suffix).read_bytes())
    code = checkpoint.load("copy").provenance.code
    name = "transformer.softmax:softmax_forward"
    rewritten("copy", code=code | {name: "0" * 64, "transformer.softmax:gone": "1" * 64})
    status, out, error = run("generate", "--model", "copy", "--prompt", "abc")
    assert status == 0 and out.count("\n") == 1 and error.count("warning:") == 1
    assert error.startswith("warning: the code has changed since training: transformer.softmax:gone: "
                            "trained with 111111111111, run with not there, and 1 more;")


def test_code_that_only_writes_and_has_changed_is_another_warning(run, folder, trained):
    """The parameters are as they were: nobody must train again."""
    for suffix in (".npz", ".json"):
        Path(f"copy{suffix}").write_bytes(Path(trained["reversal"] + suffix).read_bytes())
    writing = checkpoint.load("copy").provenance.writing
    rewritten("copy", writing=writing | {"transformer.recipes.reversal:writing": "0" * 64})
    status, out, error = run("generate", "--model", "copy", "--prompt", "abc", "--max-new", 2)
    assert status == 0
    assert re.fullmatch("warning: the code that writes has changed since the model was measured: transformer.recipes."
                        "reversal:writing: measured with 000000000000, run with [0-9a-f]{12}; what it writes may "
                        "differ, its parameters do not\n(1 answer was cut after 2 tokens\n)?", error)


# --- Ctrl-C ----------------------------------------------------------------------------------------------------------


def test_ctrl_c_waits_and_a_second_one_does_not():
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), interruption() as asked:
        assert not asked()
        signal.raise_signal(signal.SIGINT)
        assert asked()
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


# --- where the output goes -------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="not run: needs a shell")
@pytest.mark.parametrize(("command", "reader"), [
    ("generate --count 2000 --max-new 3", "true"), ("--help", "true"),
    ("train reversal --small --steps 300", "head -1"),
])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_gone_is_no_traceback(folder, command, reader, unbuffered):
    """``true`` reads nothing and ends at once; ``head`` reads that a training begins."""
    script = f"sleep 0.2; '{sys.executable}' -m transformer {command}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(["bash", "-c", f"({script}) | {reader}"], cwd=folder, env=environment, capture_output=True,
                          text=True, timeout=60)
    assert done.stderr == ""
    if command.startswith("train"):
        assert (folder / "trained" / "reversal.unfinished.npz").exists(), "what was trained is not lost"


def test_a_bar_shows_rate_loss_and_the_time_left():
    assert progress.line(250, 1000, 12.5, "loss 1.234", 79) == (
        "[#######                       ] 250/1,000  12.5 steps/s  loss 1.234  1:00 left")
    assert progress.clock_time(3723.4) == "1:02:03"


@pytest.mark.parametrize("width", [0, 1, 20, 44, 57, 58, 59, 200])
def test_a_bar_fits_its_terminal(width):
    line = progress.line(999, 1000, 3.21, "loss 1.234", width)
    assert len(line) <= max(width, 0) and "\n" not in line


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_is_drawn_ten_times_a_second_at_most_and_taken_away():
    seconds = iter([0.0, 0.01, 0.02, 0.2, 0.25])
    stream = Terminal()
    bar = progress.Bar(stream, total=10, clock=lambda: next(seconds))
    for step in range(1, 5):
        bar.show(step, "loss 1.000")
    drawn = stream.getvalue().split("\r")[1:]
    assert ["1/10" in text or "3/10" in text for text in drawn] == [True, True]
    bar.clear()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_there_is_no_bar_in_a_pipe():
    stream = io.StringIO()
    bar = progress.Bar(stream, total=10)
    bar.show(5, "loss 1.000")
    bar.clear()
    assert stream.getvalue() == ""


@pytest.mark.skipif(os.name != "posix", reason="not run: needs a terminal of POSIX")
def test_a_terminal_gets_a_bar_on_stderr(folder):
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, "train", "reversal", "--small", "--steps", "30"], cwd=folder, stderr=theirs,
                               stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)})
    out, _ = process.communicate(timeout=60)
    os.close(theirs)
    drawn = os.read(ours, 100_000).decode()
    os.close(ours)
    assert re.search(r"\r\[#* *\] \d+/30  \d+\.\d steps/s  loss \d\.\d{3}  \d:\d\d left", drawn)
    assert b"\r" not in out and out.endswith(b"saved trained/reversal.npz and trained/reversal.json\n")
