"""Which sides choices take while an example runs: of ``min(a, b)``, of ``np.where``, of a condition."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from linkindex.model import CLIPPED, LARGEST, MAGNITUDES, SMALLEST

CHOOSERS = (*SMALLEST, *LARGEST, *MAGNITUDES, "clip")


def of_truth(value: object) -> Iterator[str]:
    """``true`` and ``false``, each where it is one entry's truth."""
    truth = value.astype(bool) if isinstance(value, np.ndarray) else bool(value)
    if np.any(truth):
        yield "true"
    if not np.all(truth):
        yield "false"


def watching(function: Callable, name: str, note: Callable[[Iterator[str]], None]) -> Callable:
    """The function, which notes the numbers of the arguments that it takes its value from."""
    sides = partial(of_extreme, smallest=name in SMALLEST)
    sides = {"clip": partial(of_clip, function), **dict.fromkeys(MAGNITUDES, of_abs)}.get(name, sides)

    def called(*arguments: object, **named: object) -> object:
        try:
            with np.errstate(all="ignore"):
                note(sides(*arguments, **(named if name == "clip" else {})))
        except Exception:  # no numbers: what it is called with is not for us to judge
            pass
        return function(*arguments, **named)

    return called


def of_extreme(*arguments: object, smallest: bool) -> Iterator[str]:
    """An argument is taken where it is beyond all others; where two are equal, nobody knows which one it was."""
    arrays = np.broadcast_arrays(*(np.asarray(one, dtype=float) for one in arguments))
    signed = [-one for one in arrays] if smallest else list(arrays)
    for number, one in enumerate(signed):
        others = [other for place, other in enumerate(signed) if place != number]
        if (one > np.max(others, axis=0)).any():
            yield str(number)
        elif (one == np.max(others, axis=0)).any():
            yield f"{number} tied"


def of_abs(value: object) -> Iterator[str]:
    return of_extreme(value, np.negative(value), smallest=False)


def of_clip(function: Callable, *arguments: object, **named: object) -> Iterator[str]:
    owner = getattr(function, "__self__", None)
    first = [owner] if isinstance(owner, (np.ndarray, np.generic)) else []  # of x.clip(0, 1)
    value, low, high = (*first, *arguments, *(named[one] for one in CLIPPED if one in named))
    below = np.less(value, -np.inf if low is None else low)
    above = np.greater(value, np.inf if high is None else high)
    for side, taken in {"0": ~(below | above), "1": below, "2": above}.items():
        if np.any(taken):
            yield side
