"""Files of a training: one from which it goes on to the last bit, and one of the finished model.

The first holds parameters, moments, generators and the curve; the second only what generating needs. Both are
checkpoints, so each is a pair of files; arrays are named "params.*" and "constants.*", and in the first also
"moments.*" and "average.total".
"""

import dataclasses
from pathlib import Path

import numpy as np

from transformer import answers, checkpoint
from transformer.checkpoint import Provenance
from transformer.files import FileRefused, sha256
from transformer.generation import sampler
from transformer.parameters import assign, scope, scoped
from transformer.provenance import code_hashes, functions_reached
from transformer.recipes import TASKS
from transformer.trained import Model
from transformer.training import check_finite, measured_by, result, start, training

PLACES = ("corpus",)  # entries of a configuration that name a file: what it holds is told by data_sha256


def prepared(configuration, seed):
    """(recipe, code): the recipe of a configuration, and the hashes of all functions that a training by it reaches.

    These are what makes the recipe, from the text to the tokenizer, the start, one step and the result: the code that a
    model comes from. Not what measures or writes: that may change, and the model is the same; see ``judged``.
    Raises what the recipe raises.
    """
    made = []

    def train():
        made.append(TASKS[configuration["task"]].recipe(configuration, seed))
        after_one_step(dataclasses.replace(made[0], steps=2, measured_every=2, averaged=(1,)))

    code = hashes_of(train)
    return made[0], code


def judged(recipe, state):
    """(measures, writing): what the recipe measures of the trained model, and the hashes of all functions that this
    reached, or that wrote an answer: by chance, and by beam search.
    """
    params, measures = result(recipe, state), {}

    def judge():
        measures.update(measured_by(recipe, params, state.step))
        task = TASKS[recipe.configuration["task"]]
        config = task.sizes(recipe.configuration, recipe.constants)
        model = Model(recipe.configuration["task"], config, params, recipe.constants, None)
        writing = task.writing(model, task.SAMPLE)
        answers.sampled(writing, 1, 1, sampler(1.0, top_k=2, top_p=0.5), np.random.default_rng(0))
        answers.searched(writing, 1, 1, 1)

    writing = hashes_of(judge)
    return measures, writing


def hashes_of(call):
    """The hashes of the functions that ``call()`` reaches, without those that only keep files or note a Ctrl-C."""
    aside = (f"{__name__}:", "transformer.command_line.")
    return code_hashes(name for name in functions_reached(call) if not name.startswith(aside))


def after_one_step(recipe):
    """The parameters after the first step."""
    state = start(recipe)
    next(training(recipe, state))
    return result(recipe, state)


def unfinished(path):
    """The path of the checkpoint from which the training that makes ``path`` goes on."""
    return Path(f"{path}.unfinished")


def save_state(path, recipe, state, code):
    """Write unfinished(path). Raises FloatingPointError where a parameter is not finite: the file before is kept."""
    check_finite(state)
    progress = {"step": state.step, "rngs": {name: rng.bit_generator.state for name, rng in state.rngs.items()}}
    arrays = arrays_of(recipe, state.params) | scoped("moments", state.moments) | {"average.total": state.total}
    checkpoint.save(unfinished(path), arrays, provenance(recipe, state, code, progress=progress))


def load_state(path, recipe):
    """The State that ``save_state`` wrote for the same recipe.

    Raises FileRefused where there is none, or where the recipe, the seed, the data, the code or a version is another:
    the result would be that of no one training.
    """
    path = unfinished(path)
    saved = checkpoint.load(path)
    moved = {name: recipe.configuration[name] for name in PLACES
             if saved.provenance.configuration.get(name) is not None and recipe.configuration.get(name) is not None}
    checkpoint.check_configuration(
        path, dataclasses.replace(saved.provenance, configuration=saved.provenance.configuration | moved),
        recipe.configuration)
    for what in ("seed", "data_sha256"):
        begun, asked = getattr(saved.provenance, what), getattr(recipe, what)
        if begun != asked:
            raise FileRefused(f"{path}.json was begun with another {what} ({begun}, asked for {asked}): ask for the "
                              "same, or train again from the start")
    changed = checkpoint.code_differences(saved.provenance) + checkpoint.version_differences(saved.provenance)
    if changed:
        raise FileRefused(f"{path}.json was begun with other code or versions ({len(changed)} differ; {changed[0]}): "
                          "restore them, or train again from the start")
    for name, array in scoped("constants", recipe.constants).items():
        if not np.array_equal(saved.arrays.get(name), array):
            raise FileRefused(f"{path}.npz has other {name} than the same data give now: train again from the start")
    try:
        return restored(start(recipe), saved)
    except (KeyError, TypeError, ValueError) as error:
        raise FileRefused(f"{path}.json and .npz do not hold a state to go on from ({type(error).__name__}: {error}): "
                          "train again from the start") from None


def restored(state, saved):
    """The state, with all that a checkpoint holds in place of its own."""
    assign(state.params, scope(saved.arrays, "params"))
    assign(state.moments, scope(saved.arrays, "moments"))
    state.total[:] = saved.arrays["average.total"]
    state.step, state.curve = int(saved.provenance.progress["step"]), saved.provenance.curve
    for name, rng in state.rngs.items():
        rng.bit_generator.state = saved.provenance.progress["rngs"][name]
    return state


def save_model(path, recipe, state, code, measures, writing):
    """Write the finished model, and remove what it could have been resumed from. measures, writing: from ``judged``.

    Its record also has the sha256 of the initial parameters: a seed draws the same numbers only with the same NumPy.
    """
    progress = {"step": state.step, "initial_sha256": sha256(start(recipe).theta.tobytes())}
    arrays = arrays_of(recipe, result(recipe, state))
    checkpoint.save(path, arrays, provenance(recipe, state, code, progress=progress, measures=measures,
                                             writing=writing))
    remove(unfinished(path))


def remove(path):
    """Remove the pair of files of a checkpoint; the record goes first, so that no killed removal leaves a half."""
    for suffix in (".json", ".npz"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def arrays_of(recipe, params):
    """What generating needs, by name."""
    return scoped("params", params) | scoped("constants", recipe.constants)


def provenance(recipe, state, code, **more):
    """Where the state comes from."""
    return Provenance(recipe.configuration, recipe.seed, recipe.data_sha256, code, state.curve, **more)
