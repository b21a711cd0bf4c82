"""What the tests of the command line share: commands in a process of their own, and checkpoints for one test."""

import json
import os
import sys
from pathlib import Path

from transformer import checkpoint, resuming
from transformer.files import sealed
from transformer.recipes import reversal
from transformer.training import start, training

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "transformer"]


def environment(**changes):
    """Of a command in a process of its own, which finds the package from any folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **changes}


def one_sentence(error):
    """The message of a failure, which is one line and no traceback."""
    assert error.startswith("error: ") and error.count("\n") == 1 and error.endswith("\n"), error
    return error


def begun(out, step=2):
    """A training of 4 steps that stands at an earlier one, as after Ctrl-C."""
    recipe = reversal.recipe(reversal.configuration(steps=4, small=True), 0)
    state = start(recipe)
    next(entry for entry in training(recipe, state) if entry["step"] == step)
    resuming.save_state(out, recipe, state, {})


def copy(model):
    """Copy a checkpoint to ``copy`` in the working folder, where a test may damage it."""
    for suffix in (".npz", ".json"):
        Path(f"copy{suffix}").write_bytes(Path(model + suffix).read_bytes())


def rewritten(path, version=checkpoint.VERSION, kind=checkpoint.KIND, **changes):
    """The record with other entries, sealed again."""
    record = json.loads(Path(f"{path}.json").read_text())
    content = {name: value for name, value in record.items() if name not in ("format", "version", "sha256")}
    Path(f"{path}.json").write_bytes(sealed(kind, version, content | changes))
