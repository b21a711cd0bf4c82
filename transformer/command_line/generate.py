"""``python -m transformer generate``: a trained model writes."""

import sys
from collections import Counter

import numpy as np

from transformer import answers, models, trained
from transformer.command_line.options import WrongUse
from transformer.generation import sampler
from transformer.recipes import TASKS


def generate(options):
    """Print the answers of the model, one a line. Returns True."""
    check(options)
    model = load(options.model)
    given = answered(model, options)
    for warning in trained.code_warnings(model.provenance):
        print(f"warning: {warning}", file=sys.stderr)
    for answer in given:
        print(answer.text)
    sys.stdout.flush()  # what was cut is told below the answers
    for tokens, n in sorted(Counter(answer.tokens for answer in given if not answer.ended).items()):
        print(f"{n:,} answer{' was' if n == 1 else 's were'} cut after {tokens:,} token{'' if tokens == 1 else 's'}",
              file=sys.stderr)
    return True


def check(options):
    """Raises WrongUse where options exclude each other."""
    if options.beam is None:
        return
    for name in ("temperature", "top_k", "top_p"):
        if getattr(options, name) is not None:
            raise WrongUse(f"--beam leaves nothing to chance: leave out --{name.replace('_', '-')}, or --beam")
    if options.count > options.beam:
        raise WrongUse(f"a beam of {options.beam} cannot give {options.count} answers: raise --beam or lower --count")


def load(name):
    """The model of that name, or of that path: with or without the suffix of its files."""
    if name in models.NAMES:
        return models.load(name)
    return trained.load(name.removesuffix(".json").removesuffix(".npz"))


def answered(model, options):
    """What the model writes. Raises WrongUse where it cannot take the prompt, or write so much."""
    task = TASKS[model.task]
    try:
        writing = task.writing(model, options.prompt)
    except ValueError as error:
        raise WrongUse(f"--prompt: {error}") from None
    max_new = writing.room if options.max_new is None else options.max_new
    if max_new > writing.room:
        raise WrongUse(f"--max-new: after this prompt the model can write {writing.room} tokens, not {max_new}")
    if options.beam is not None:
        return answers.searched(writing, options.count, options.beam, max_new)
    temperature = task.TEMPERATURE if options.temperature is None else options.temperature
    choose = sampler(temperature, options.top_k, options.top_p)
    return answers.sampled(writing, options.count, max_new, choose, np.random.default_rng(options.seed))
