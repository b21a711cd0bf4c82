"""The truth of conditions as numbers: 1 true, 0 false, and not a number where a member of the condition is none.

An entry beyond its axis is neither equal to a number nor unequal. Conditions that are joined may be decided all the
same: what is false with one of them is false, whatever the others are, and in whatever order they are written. So
``for i + 1 < n`` protects a premise on ``x_{i+1}``. (Kleene 1952, section 64: the strong tables.)
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

import numpy as np

from linkindex.formula.values import Value, entrywise, number


def both(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where((a == 0) | (b == 0), 0.0, a * b)


def either(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return opposite(both(opposite(a), opposite(b)))


def opposite(a: np.ndarray) -> np.ndarray:
    return 1 - a


def every(a: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """Whether all entries along ``axes`` are true."""
    return np.where((a == 0).any(axis=axes), 0.0, a.min(axis=axes, initial=1.0))


def all_of(truths: Sequence[Value]) -> Value:
    return reduce(lambda a, b: entrywise(both, a, b), truths, number(1))


def any_of(truths: Sequence[Value]) -> Value:
    return reduce(lambda a, b: entrywise(either, a, b), truths, number(0))


def chosen(truth: np.ndarray, value: np.ndarray, other: float) -> np.ndarray:
    """``value`` where true, ``other`` where false."""
    return np.where(np.isnan(truth), np.nan, np.where(truth == 1, value, other))


# --- what becomes of conditions

Truths = Mapping[tuple[int, int], tuple[bool, bool]]  # span of a condition -> is it true somewhere, false somewhere


def true_and_false(truth: Value) -> tuple[bool, bool]:
    return bool((truth.data == 1).any()), bool((truth.data == 0).any())


def merged(all_truths: Iterable[Truths]) -> Truths:
    """What is true somewhere in one of them, and what is false."""
    found: dict[tuple[int, int], tuple[bool, bool]] = {}
    for truths in all_truths:
        for span, (true, false) in truths.items():
            before = found.get(span, (False, False))
            found[span] = before[0] or true, before[1] or false
    return found
