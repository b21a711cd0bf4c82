"""Ctrl-C and a kill, in every phase of a training: what is saved, and what is said."""

import itertools
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.transformer.command_line.commands import COMMAND, ROOT, begun, environment
from transformer import checkpoint
from transformer.command_line.interruption import interruption
from transformer.recipes import reversal

SHORT = ("train", "reversal", "--small", "--steps", 3)


@pytest.fixture
def python_takes_ctrl_c():
    """As a program has it that was started from a terminal, whatever the tests were started from."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def takes_ctrl_c():
    """The same, of a process that is about to begin."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def press_ctrl_c(monkeypatch, calls):
    """Ctrl-C while the model is measured: in these calls, counted from 1, once for each time the call is named."""
    measure, count = reversal.measure, itertools.count(1)

    def pressed(*arguments, **named):
        call = next(count)
        for _ in range(calls.count(call)):
            signal.raise_signal(signal.SIGINT)
        return measure(*arguments, **named)

    monkeypatch.setattr(reversal, "measure", pressed)


def interrupted(folder, *arguments):
    """Run a training in a process of its own and press Ctrl-C after its first step that is measured."""
    process = subprocess.Popen([*COMMAND, *arguments], cwd=folder, env=environment(), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, preexec_fn=takes_ctrl_c)
    printed = process.stdout.readline() + process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    return process.returncode, printed + out, error


def test_ctrl_c_waits_and_a_second_one_does_not():
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), interruption() as asked:
        assert not asked()
        signal.raise_signal(signal.SIGINT)
        assert asked()
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


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
                               env=environment(), stderr=subprocess.PIPE, text=True, preexec_fn=takes_ctrl_c)
    with open(folder / "corpus.txt", "wb"):  # waits until the other end is open
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (130, "stopped; nothing had been saved\n")


def test_ctrl_c_while_the_modules_are_read_is_no_traceback(folder):
    """NumPy is where most of that time goes; here a module that presses Ctrl-C has its name."""
    (folder / "numpy.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    done = subprocess.run([*COMMAND, "--help"], env=environment(PYTHONPATH=f"{folder}{os.pathsep}{ROOT}"),
                          capture_output=True, text=True, timeout=60, preexec_fn=takes_ctrl_c)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_training_that_is_killed_early_leaves_its_own_state_not_that_of_the_one_before(run, folder):
    """The state before the first step is saved, in place of what --overwrite gives up."""
    begun("model")
    process = subprocess.Popen([*COMMAND, "train", "reversal", "--small", "--steps", "9000", "--save-every", "9000",
                                "--seed", "9", "--out", "model", "--overwrite"], cwd=folder, stdout=subprocess.PIPE,
                               env=environment(), text=True)
    assert "step 0 of 9,000, seed 9" in process.stdout.readline()
    process.kill()
    process.communicate(timeout=60)
    saved = checkpoint.load("model.unfinished").provenance
    assert (saved.seed, saved.progress["step"]) == (9, 0)
