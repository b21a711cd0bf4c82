"""``python -m transformer train``: a training with its files, from the start or from where it was stopped."""

import shlex
import sys

import numpy as np

from transformer import checkpoint, resuming
from transformer.command_line.interruption import interruption
from transformer.command_line.place import alone, check_place, exists, path_of, writing
from transformer.command_line.progress import Bar
from transformer.files import FileRefused
from transformer.recipes import TASKS
from transformer.training import start, training


def train(options):
    """Train what was asked for. Returns whether it is finished, not stopped with Ctrl-C."""
    path = path_of(options)
    check_place(path, options)
    try:
        recipe, code = prepared(path, options)
        with alone(path):
            check_place(path, options)  # once more, since another training may have come and gone meanwhile
            state = begin(path, options, recipe, code)
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


def prepared(path, options):
    """(recipe, code) of what is asked for, as from resuming.prepared. Nothing is written."""
    try:
        return resuming.prepared(*asked_for(path, options))
    except (KeyError, TypeError) as error:
        if not options.resume:
            raise
        raise FileRefused(f"{resuming.unfinished(path)}.json has no whole configuration ({type(error).__name__}: "
                          f"{error}): train again with --overwrite") from None


def begin(path, options, recipe, code):
    """The state before the first step to be made, saved at once: what cannot be written shows here.

    From here on, what is kept at the path or resumed from there is of this training.
    """
    state = resuming.load_state(path, recipe) if options.resume else start(recipe)
    with writing(path):
        resuming.save_state(path, recipe, state, code)
    return state


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
