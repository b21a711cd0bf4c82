"""What can be asked for on the command line."""

import argparse

from transformer.models import NAMES
from transformer.recipes import TASKS

EXAMPLES = """examples:
  python -m transformer generate --prompt "The old fox" --count 5
  python -m transformer generate --model reversal --prompt abcdef
  python -m transformer train reversal --small
  python -m transformer train language --corpus my.txt --out my-model
  python -m transformer generate --model my-model

exit codes: 0 all went well, 1 it could not be done, 2 asked for wrongly, 130 stopped with Ctrl-C
"""


MOST_ANSWERS, WIDEST_BEAM = 10_000, 1_000  # rows that are written side by side, each with its keys and values in memory


class WrongUse(ValueError):
    """What was asked for does not fit together, or not to the model. The message says what to give instead."""


def parser():
    """The parser of ``python -m transformer``; ``command`` is "train" or "generate"."""
    top = argparse.ArgumentParser(
        prog="python -m transformer", description="Train a transformer, and write with a trained one.", epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_train(commands)
    _add_generate(commands)
    return top


def _add_train(commands):
    train = commands.add_parser("train", help="train a model and save it",
                                description="Train a model. Ctrl-C saves, and a training that was stopped goes on with "
                                            "--resume to the same result, to the last bit, as one that was not.")
    tasks = train.add_subparsers(dest="task", required=True, metavar="TASK")
    for name, task in TASKS.items():
        _add_task(tasks.add_parser(name, help=task.HELP), name, task)


def _add_task(parser, name, task):
    add = parser.add_argument
    if "corpus" in task.CONFIGURATION:
        add("--corpus", metavar="FILE",
            help="a text in UTF-8; a line of it, be it a sentence or a paragraph, is what the model learns to write "
                 "(default: sentences of a small grammar)")
    add("--seed", type=whole, metavar="N", help="what all chance comes from (default: 0)")
    add("--steps", type=positive, metavar="N",
        help=f"how many updates (default: {task.CONFIGURATION['steps']}, with --small {task.SMALL['steps']})")
    add("--small", action="store_true", help="a smaller model that trains in seconds")
    add("--out", metavar="PATH", help=f"where to save, without suffix (default: trained/{name})")
    add("--save-every", type=positive, default=200, metavar="N",
        help="save every N steps, to resume from there (default: %(default)s)")
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="go on with the training that was stopped at --out")
    again.add_argument("--overwrite", action="store_true", help="train from the start, in place of what is at --out")


def _add_generate(commands):
    generate = commands.add_parser("generate", help="write with a trained model",
                                   description="Write with a trained model, one answer a line.")
    add = generate.add_argument
    add("--model", default="language", metavar="MODEL",
        help=f"{' or '.join(NAMES)}, which come with the package, or the path of a checkpoint (default: %(default)s)")
    add("--prompt", default="", metavar="TEXT", help="what to continue; for reversal, the letters to reverse")
    add("--count", type=up_to(MOST_ANSWERS), default=1, metavar="N",
        help=f"how many answers, at most {MOST_ANSWERS:,} (default: %(default)s)")
    add("--max-new", type=positive, metavar="N", help="at most so many tokens (default: what the model can)")
    add("--temperature", type=temperature, metavar="T",
        help="below 1 the likely tokens are preferred more, above 1 less; 0 always takes the likeliest "
             f"(default: {', '.join(f'{task.TEMPERATURE} for {name}' for name, task in TASKS.items())})")
    add("--top-k", type=positive, metavar="K", help="choose among the K likeliest tokens")
    add("--top-p", type=share, metavar="P", help="choose among the likeliest tokens that have the share P together")
    add("--beam", type=up_to(WIDEST_BEAM), metavar="N",
        help=f"search for the likeliest answer, keeping N at a time, at most {WIDEST_BEAM:,}; no chance")
    add("--seed", type=whole, default=0, metavar="N", help="what the chance comes from (default: %(default)s)")


# --- kinds of arguments ----------------------------------------------------------------------------------------------


def whole(text):
    """A whole number from 0 on."""
    return _number(text, int, lambda n: n >= 0, "a whole number from 0 on")


def positive(text):
    """A whole number from 1 on."""
    return _number(text, int, lambda n: n >= 1, "a whole number from 1 on")


def up_to(most):
    """A kind of argument: a whole number from 1 to the most."""
    return lambda text: _number(text, int, lambda n: 1 <= n <= most, f"a whole number from 1 to {most:,}")


def temperature(text):
    """A finite number from 0 on."""
    return _number(text, float, lambda T: 0 <= T < float("inf"), "0 or a positive number")


def share(text):
    """A number from 0 to 1."""
    return _number(text, float, lambda p: 0 <= p <= 1, "a number from 0 to 1")


def _number(text, kind, fits, wanted):
    try:
        number = kind(text)
    except ValueError:
        number = None
    if number is None or not fits(number):
        raise argparse.ArgumentTypeError(f"{text!r} is not {wanted}")
    return number
