"""What a formula is proved on: recorded values, and how the equation's record says that the formula is to be read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np


@dataclass(frozen=True)
class Bound:
    """What was recorded for a symbol, and its symbolic shape. A family holds a value for each of its members."""

    value: object  # array, number, or mapping: member -> array
    shape: tuple[str, ...]

    def arrays(self) -> list[np.ndarray]:
        values = self.value.values() if isinstance(self.value, Mapping) else [self.value]
        return [np.asarray(value) for value in values]

    @property
    def is_whole(self) -> bool:
        return all(array.dtype.kind in "biu" for array in self.arrays())

    def changed(self, change: Callable[[np.ndarray], np.ndarray]) -> "Bound":
        if isinstance(self.value, Mapping):
            return Bound({member: change(np.asarray(value)) for member, value in self.value.items()}, self.shape)
        return Bound(change(np.asarray(self.value)), self.shape)


@dataclass(frozen=True)
class Trial:
    """The values of one run. ``target``: of the linked expression, one for each element of a tuple."""

    symbols: Mapping[str, Bound]
    target: tuple[Bound, ...]
    sizes: Mapping[str, int] = field(default_factory=dict)

    def moved(self, latex: str, rng: np.random.Generator, step: float) -> "Trial":
        """This run with other values for one symbol."""
        return replace(self, symbols={**self.symbols, latex: moved(self.symbols[latex], rng, step)})


@dataclass(frozen=True)
class Reading:
    """How the formula is to be read."""

    operators: Mapping[str, object] = field(default_factory=dict)  # name -> Operator
    batch_axes: tuple[str, ...] = ("B", "H")  # of the site
    per: tuple[str, ...] = ()  # further axes that it is evaluated over, one by one
    indices: Mapping[str, str] = field(default_factory=dict)  # index -> its length, in sizes
    free: tuple[str, ...] = ()  # symbols that may have any value
    property: bool = False
    columns: bool = False  # q_i of a matrix q is a column, as in q_i^\top k_j; tried where it makes no sense as a row


def moved(bound: Bound, rng: np.random.Generator, step: float) -> Bound:
    """Other values of the same kind: numbers move by about ``step`` times their size and spread.

    Positive arrays stay positive, infinities stay. Arrays of whole numbers are drawn anew, whatever the step: counts of
    them do not move when they only change places.
    """
    return bound.changed(lambda array: _moved(array, rng, step))


def random_like(bound: Bound, rng: np.random.Generator) -> Bound:
    return bound.changed(lambda array: _random(array, rng))


def _random(array: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    if array.dtype.kind in "iu":
        return rng.integers(1, 2 * np.abs(array).max() + 1, size=array.shape)
    return rng.normal(size=array.shape)


def _drawn(array: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Whole numbers drawn anew: each of those that are there, so that ids stay ids, but not as often as before."""
    values, before = np.unique(array, return_counts=True)
    while True:
        drawn = rng.choice(values, array.shape)
        if not np.array_equal(np.bincount(np.searchsorted(values, drawn).ravel(), minlength=len(values)), before):
            return drawn


def _moved(array: np.ndarray, rng: np.random.Generator, step: float) -> np.ndarray:
    if array.dtype.kind == "b":
        return ~array
    if array.dtype.kind in "iu":
        return _drawn(array, rng) if array.size and np.ptp(array) else array + 1
    factor = step * rng.uniform(0.5, 1.5, array.shape) * rng.choice([-1, 1], array.shape)
    if np.all(array > 0):
        return array * np.exp(factor)
    finite = np.isfinite(array)
    spread = array[finite].std() if finite.any() else 1.0
    return np.where(finite, array + factor * (np.abs(array) + spread), array)
