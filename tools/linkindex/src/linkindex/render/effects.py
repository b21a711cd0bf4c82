"""What a mutant does to the numbers of an example, for people: in words, and by the first row that differs."""

from dataclasses import dataclass

import numpy as np

from linkindex.model import Effect, Value
from linkindex.render import numbers
from linkindex.render.matrix import Cell, cell
from linkindex.render.shapes import written

MOST_COLUMNS = 8
_DECIMALS = (4, 6, 8, 12, 17)                            # as many as it takes to tell two numbers apart


@dataclass(frozen=True)
class Row:
    """One row of the value, as it is and changed: ``index`` picks it, ``first`` is its first column shown."""

    index: tuple[int, ...]
    first: int
    before: tuple[Cell, ...]
    after: tuple[Cell, ...]
    changed: tuple[bool, ...]
    shape: tuple[int, ...]                               # of the whole value


@dataclass(frozen=True)
class Outcome:
    """``differs``: the example shows that something is wrong. ``row`` is None where no two numbers can be compared."""

    words: str
    differs: bool
    row: Row | None = None
    raised: bool = False


def outcome(effect: Effect) -> Outcome:
    before, after = effect.before, effect.after
    if effect.error:
        return Outcome(f"raises {effect.error}", True, raised=True)
    if before is None or after is None:
        return Outcome("the value is neither a number nor an array", False)
    if before.shape != after.shape:
        return Outcome(f"gives {_kind(after)} instead of {_kind(before)}", True)
    changed = _different(before, after)
    count = int(changed.sum())
    if not count:
        return Outcome("gives the same numbers on this example", False)
    words = "gives another number" if not changed.shape else f"changes {count} of {changed.size} numbers"
    return Outcome(words, True, _row(before, after, changed))


def _kind(value: Value) -> str:
    return f"shape {written(value.shape)}" if value.shape else "a single number"


def _different(before: Value, after: Value) -> np.ndarray:
    a, b = before.array(), after.array()
    return ~((a == b) | ((a != a) & (b != b)))           # two entries that are no numbers are the same


def row_at(effect: Effect, index: tuple[int, ...]) -> Row | None:
    """The row at these indices; None where the value has none there, or no numbers to compare."""
    before, after = effect.before, effect.after
    if before is None or after is None or before.shape != after.shape or len(index) != len(before.shape) - 1:
        return None
    if any(i >= size for i, size in zip(index, before.shape)):
        return None
    return _row(before, after, _different(before, after), index)


def _row(before: Value, after: Value, changed: np.ndarray, index: tuple[int, ...] | None = None) -> Row:
    """The row at ``index``, or that with the first entry that differs; of a long row, the part around that entry."""
    place = tuple(int(i) for i in np.argwhere(changed)[0]) if index is None else (*index, 0)
    index, column = place[:-1], (place or (0,))[-1]
    old, new, differs = (np.atleast_1d(array[index]) for array in (before.array(), after.array(), changed))
    first = max(0, min(column - 2, old.size - MOST_COLUMNS))
    shown = slice(first, first + MOST_COLUMNS)
    old, new, differs = (row[shown].tolist() for row in (old, new, differs))
    decimals = next((d for d in _DECIMALS if _told_apart(old, new, differs, d)), _DECIMALS[-1])
    show = numbers.together(old + new, decimals)
    cells = [tuple(cell(x, show) for x in row) for row in (old, new)]
    return Row(index, first, cells[0], cells[1], tuple(differs), before.shape)


def _told_apart(old: list, new: list, differs: list[bool], decimals: int) -> bool:
    return all(numbers.strip(a, decimals) != numbers.strip(b, decimals) for a, b, d in zip(old, new, differs) if d)
