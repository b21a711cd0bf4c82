"""``python -m transformer train``: a training with its files, from the start or from where it was stopped."""

import os
import shlex
import sys
from pathlib import Path

import numpy as np

from transformer import checkpoint, resuming
from transformer.command_line.interruption import interruption
from transformer.command_line.options import WrongUse
from transformer.command_line.progress import Bar
from transformer.files import FileRefused
from transformer.recipes import TASKS
from transformer.training import start, training


def train(options):
    """Train what was asked for. Returns whether it is finished, not stopped with Ctrl-C."""
    path = path_of(options)
    check_place(path, options)
    try:
        recipe, code, state = prepared(path, options)
        print(f"{options.task}: {state.theta.size:,} parameters, step {state.step:,} of {recipe.steps:,}, "
              f"seed {recipe.seed}", flush=True)
        with interruption() as asked:
            if run(path, recipe, state, code, options.save_every, asked):
                finish(path, recipe, state, code)
                return True
        print(f"stopped after step {state.step:,} of {recipe.steps:,}, and saved; go on with: {resume(path, options)}",
              file=sys.stderr)
    except KeyboardInterrupt:  # while all was made ready, or a second Ctrl-C, for which nothing waits
        print(f"stopped; {kept(path)}", file=sys.stderr)
    return False


# --- before the first step -------------------------------------------------------------------------------------------


def path_of(options):
    """Where to save, without suffix. Raises WrongUse for what is no name of a file."""
    out = f"trained/{options.task}" if options.out is None else options.out
    stem = out.removesuffix(".json").removesuffix(".npz")
    if stem.endswith(("/", os.sep)) or Path(stem).name in ("", "..") or os.path.isdir(stem):
        raise WrongUse(f"--out: {out!r} names a folder or nothing: name the files to write, without suffix, such as "
                       f"{os.path.join(stem, options.task)}")
    return Path(stem)


def check_place(path, options):
    """Raises WrongUse where something is in the way, or nothing is there to go on with."""
    begun, finished = exists(resuming.unfinished(path)), exists(path)
    if options.resume and not begun:
        raise WrongUse(f"{path}: the training is finished, there is nothing to resume" if finished else
                       f"{path}: no training was begun there: leave out --resume")
    if begun and not (options.resume or options.overwrite):
        raise WrongUse(f"{path}: a training was begun there: go on with --resume, begin again with --overwrite, or "
                       "name another --out")
    if finished and not (options.resume or options.overwrite):
        raise WrongUse(f"{path}: a model is there: train in its place with --overwrite, or name another --out")


def exists(path):
    """Whether there is a checkpoint."""
    return os.path.exists(f"{path}.json")


def prepared(path, options):
    """(recipe, code, state) before the first step to be made, saved at once: what cannot be written shows here.

    From here on, what is kept at the path or resumed from there is of this training.
    """
    try:
        recipe, code = resuming.prepared(*asked_for(path, options))
    except (KeyError, TypeError) as error:
        if not options.resume:
            raise
        raise FileRefused(f"{resuming.unfinished(path)}.json has no whole configuration ({type(error).__name__}: "
                          f"{error}): train again with --overwrite") from None
    state = resuming.load_state(path, recipe) if options.resume else start(recipe)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        resuming.save_state(path, recipe, state, code)
    except OSError as error:
        raise FileRefused(f"{path}: cannot write there ({error.strerror}): name another --out") from None
    return recipe, code, state


def asked_for(path, options):
    """(configuration, seed); with --resume, what is not asked for is as it was begun."""
    task = TASKS[options.task]
    corpus = {"corpus": options.corpus} if getattr(options, "corpus", None) is not None else {}
    if not options.resume:
        return task.configuration(small=options.small, steps=options.steps, **corpus), options.seed or 0
    begun = checkpoint.load(resuming.unfinished(path)).provenance
    configuration = begun.configuration | corpus
    if begun.configuration.get("task") != options.task:
        raise FileRefused(f"{path}: the training there is of {begun.configuration.get('task')!r}, not {options.task!r}")
    if options.steps not in (None, configuration["steps"]):
        raise FileRefused(f"{path}: the training there is of {configuration['steps']:,} steps, and what each step does "
                          f"depends on how many there are: leave out --steps, or train {options.steps:,} from the "
                          "start with --overwrite")
    if options.small:
        again = {name: configuration[name] for name in ("steps", "corpus") if name in configuration}
        configuration = task.configuration(small=True, **again)
    return configuration, begun.seed if options.seed is None else options.seed


# --- training --------------------------------------------------------------------------------------------------------


def run(path, recipe, state, code, save_every, asked):
    """Train, print what is measured, and save now and then and at the end. Returns whether the last step was made.

    asked: from ``interruption``. Raises FloatingPointError where the training diverges; then the last file that was
    saved is kept.
    """
    bar = Bar(sys.stderr, recipe.steps, state.step)
    with np.errstate(over="ignore", invalid="ignore"):  # reported below, in one sentence
        try:
            for entry in training(recipe, state):
                stop = asked()
                if stop or state.step % save_every == 0 or state.step == recipe.steps:
                    resuming.save_state(path, recipe, state, code)
                tell(entry, bar)
                if stop:
                    break
        except FloatingPointError as error:
            raise FloatingPointError(f"{error}; {kept(path)}") from None
        except BrokenPipeError:  # nobody reads what is printed: stop between two steps, as with Ctrl-C
            resuming.save_state(path, recipe, state, code)
            raise
        finally:
            bar.clear()
    return state.step == recipe.steps


def finish(path, recipe, state, code):
    """Measure the model, save it, and say so."""
    measures, writing = resuming.judged(recipe, state)
    resuming.save_model(path, recipe, state, code, measures, writing)
    if recipe.averaged:
        print(f"the model, the mean of {len(recipe.averaged)} checkpoints:  {told(measures)}")
    print(f"saved {path}.npz and {path}.json")


def tell(entry, bar):
    """Print an entry that was measured; the bar shows the others."""
    numbers = f"loss {entry['loss']:.3f}"
    bar.show(entry["step"], numbers)
    measures = {name: value for name, value in entry.items() if name not in ("step", "loss", "lr", "norm")}
    if measures:
        bar.clear()
        print(f"step {entry['step']:>5}  lr {entry['lr']:.2e}  {numbers}  {told(measures)}", flush=True)


def told(measures):
    """Measures as one line."""
    return "  ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in measures.items())


def kept(path):
    """What is left of a training that diverged or was stopped at once."""
    if not exists(resuming.unfinished(path)):
        return "nothing had been saved"
    step = checkpoint.load(resuming.unfinished(path)).provenance.progress.get("step")
    return f"what was saved after step {step} is kept in {resuming.unfinished(path)}.npz and .json"


def resume(path, options):
    """The command that goes on."""
    return f"python -m transformer train {options.task} --out {shlex.quote(str(path))} --resume"
