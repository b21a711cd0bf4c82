"""How far two arrays are from each other, and from when on they count as different."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

TOLERANCE = 1e-10  # of |y| + FLOOR max |y|, for each entry; the maximum is over the entries that are not equal
FLOOR = 1e-2
ROUND_OFF = 1e-4  # of the largest terms added up, beside that: 1e-14 of them is what another order of adding may change
LARGEST_TERM = 1e3  # times the largest number recorded: terms larger than that count as no larger


@dataclass(frozen=True)
class Difference:
    """``error`` in units of |y| + FLOOR max |y|; ``finite_error`` of those entries alone that are finite on both sides.

    Both are infinite where the unit is 0. ``why`` says what disagrees, if anything.
    """

    error: float = 0.0
    finite_error: float = 0.0
    why: str | None = None

    @property
    def agrees(self) -> bool:
        return self.why is None and self.error <= TOLERANCE


def largest(differences: Iterable[Difference]) -> Difference:
    """The largest of each kind, and the first reason."""
    found = [Difference(), *differences]
    why = next((difference.why for difference in found if difference.why), None)
    return Difference(max(d.error for d in found), max(d.finite_error for d in found), why)


def difference(y: np.ndarray, other: np.ndarray, scale: float | None, slack: float = 0.0) -> Difference:
    """The largest |y - other| / (|y| + FLOOR max |y| + slack), or / (FLOOR scale + slack); infinities must be equal."""
    same = y == other
    numbers = np.isfinite(y) & np.isfinite(other) & ~same
    finite = _relative(y[numbers], other[numbers], scale, slack)
    return Difference(finite if (same | numbers).all() else np.inf, finite)


def _relative(y: np.ndarray, other: np.ndarray, scale: float | None, slack: float) -> float:
    if not y.size:
        return 0.0
    floor = FLOOR * (np.abs(y).max() if scale is None else scale) + slack
    allowed = floor if scale is not None else np.abs(y) + floor
    with np.errstate(divide="ignore"):
        return float(np.max(np.abs(y - other) / allowed))
