"""Trained models, read from checkpoints."""

from typing import NamedTuple

import numpy as np

from transformer import checkpoint, tokenizer
from transformer.checkpoint import Provenance
from transformer.files import FileRefused
from transformer.parameters import assign, groups, scope
from transformer.recipes import TASKS


class Model(NamedTuple):
    """A trained model, with where it comes from."""

    task: str              # a key of TASKS
    config: tuple          # encoder_decoder.Config or decoder_only.Config
    params: dict           # name -> view into one flat vector
    constants: dict        # arrays beside the parameters, such as the merges of the tokenizer
    provenance: Provenance


def load(path):
    """The Model of the checkpoint path.npz and path.json, finished or not.

    Raises FileRefused with one sentence where checkpoint.load does, or where the checkpoint is of no task known here.
    """
    saved = checkpoint.load(path)
    configuration = saved.provenance.configuration
    name = configuration.get("task")
    if not isinstance(name, str) or name not in TASKS:
        raise FileRefused(f"{path}.json is the checkpoint of the task {name!r}, known are {', '.join(TASKS)}: name "
                          "another checkpoint, or update the package")
    try:
        constants = scope(saved.arrays, "constants") if "constants" in groups(saved.arrays) else {}
        if "merges" in constants:
            tokenizer.pairs_of(constants["merges"].tolist())
        config = TASKS[name].sizes(configuration, constants)
        check_sizes(config, configuration["dtype"])
        _, params = TASKS[name].initial(np.random.default_rng(0), config, configuration["dtype"])
        assign(params, scope(saved.arrays, "params"))
    except (KeyError, TypeError, ValueError) as error:
        raise FileRefused(f"{path}.npz does not hold the model that {path}.json describes ({error}): restore both or "
                          "train again") from None
    return Model(name, config, params, constants, saved.provenance)


def check_sizes(config, dtype):
    """Raises ValueError where a number of a configuration is not whole and 1 or more, or the dtype is not known."""
    for name, size in config._asdict().items():
        if not isinstance(size, str) and (type(size) is not int or size < 1):
            raise ValueError(f"its {name} is {size!r}, not a whole number from 1 on")
    if dtype not in ("float16", "float32", "float64"):
        raise ValueError(f"its dtype is {dtype!r}, not float16, float32 or float64")


def code_warnings(provenance):
    """Lines for a user where the code is not as it was: that from which the model comes, and that which writes."""
    lines = []
    if changed := checkpoint.code_differences(provenance):
        lines.append(f"the code has changed since training: {_first(changed, 'trained')}; what the model writes may "
                     "differ, training again makes a model of this code")
    if changed := checkpoint.writing_differences(provenance):
        lines.append(f"the code that writes has changed since the model was measured: {_first(changed, 'measured')}; "
                     "what it writes may differ, its parameters do not")
    return lines


def _first(changed, before):
    """The first of several differences, and how many more there are."""
    first = changed[0]
    others = f", and {len(changed) - 1} more" if len(changed) > 1 else ""
    return f"{first.what}: {before} with {first.trained[:12]}, run with {first.run[:12]}{others}"
