"""What the tasks share."""

from collections.abc import Callable
from typing import NamedTuple


class Writing(NamedTuple):
    """All that generation needs to let a trained model answer one text."""

    step: Callable   # as in transformer.generation
    state: object    # its first state, of one row
    prompt: list     # ids
    eos: int
    room: int        # the most tokens that the model can write
    text: Callable   # text(ids) -> what the user sees of the ids that were written


def chosen(configuration, **given):
    """A configuration with what was given in place of its own values; None is not given."""
    return configuration | {name: value for name, value in given.items() if value is not None}
