"""``python -m transformer``: what was asked for is done, and what goes wrong becomes one sentence and an exit code."""

import os
import sys

from transformer.command_line.generate import generate
from transformer.command_line.options import WrongUse, parser
from transformer.command_line.train import train
from transformer.files import FileRefused

DONE, FAILED, WRONG_USE, INTERRUPTED = 0, 1, 2, 130  # 130: as shells report a program that Ctrl-C ended


def main(arguments):
    """Do what the arguments ask for: answers go to stdout, all else to stderr. Returns the exit code."""
    try:
        code = run(arguments)
        sys.stdout.flush()  # here, where a closed pipe is caught
        return code
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone, as with "| head -1"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python tries once more at its end
        return FAILED
    except WrongUse as error:
        return complain(error, WRONG_USE)
    except MemoryError:
        return complain("there is not enough memory: ask for less, such as a lower --count or --beam, or a smaller "
                        "model", FAILED)
    except (FileRefused, FloatingPointError, OSError, ValueError) as error:
        return complain(error, FAILED)


def run(arguments):
    """The command. Returns the exit code."""
    sys.stdout.reconfigure(errors="replace")  # a model may write what the terminal cannot show
    try:
        options = parser().parse_args(arguments)
    except SystemExit as end:  # argparse has printed the help, or what is wrong
        return end.code
    finished = {"train": train, "generate": generate}[options.command](options)
    return DONE if finished else INTERRUPTED


def complain(error, code):
    """Say what went wrong. Returns the code."""
    print(f"error: {error}", file=sys.stderr)
    return code
