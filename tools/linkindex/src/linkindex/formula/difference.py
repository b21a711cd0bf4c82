"""How far two arrays are from each other, and from when on they count as different."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

TOLERANCE = 1e-10  # of |y| + FLOOR max |y|, for each entry; the maximum is over the entries that are not equal
FLOOR = 1e-2
ROUND_OFF = 1e-4  # of the largest terms added up, beside that: 1e-14 of them is what another order of adding may change
COARSE = {"float32": (1e-5, 1e-1), "float16": (1e-2, 1.0)}  # dtype -> tolerance and round-off, in place of these two
LARGEST_TERM = 1e3  # times the largest number recorded: terms larger than that count as no larger


@dataclass(frozen=True)
class Difference:
    """``error`` in units of |y| + FLOOR max |y|; ``finite_error`` of those entries alone that are finite on both sides.

    Both are infinite where the unit is 0. ``why`` says what disagrees, if anything.
    """

    error: float = 0.0
    finite_error: float = 0.0
    why: str | None = None
    tolerance: float = field(default=TOLERANCE, kw_only=True)

    @property
    def agrees(self) -> bool:
        return self.why is None and self.error <= self.tolerance


def rounding(dtype: str) -> tuple[float, float]:
    """The tolerance and the round-off of numbers that were computed in this dtype."""
    return COARSE.get(dtype, (TOLERANCE, ROUND_OFF))


def largest(differences: Iterable[Difference]) -> Difference:
    """The largest of each kind, and the first reason."""
    found = [Difference(), *differences]
    why = next((difference.why for difference in found if difference.why), None)
    tolerance = max(d.tolerance for d in found)
    return Difference(max(d.error for d in found), max(d.finite_error for d in found), why, tolerance=tolerance)


def difference(
    y: np.ndarray, other: np.ndarray, scale: float | None, slack: float = 0.0, tolerance: float = TOLERANCE
) -> Difference:
    """The largest |y - other| / (|y| + FLOOR max |y| + slack), or / (FLOOR scale + slack); infinities must be equal."""
    same = y == other
    numbers = np.isfinite(y) & np.isfinite(other) & ~same
    finite = _relative(y[numbers], other[numbers], scale, slack)
    return Difference(finite if (same | numbers).all() else np.inf, finite, tolerance=tolerance)


def _relative(y: np.ndarray, other: np.ndarray, scale: float | None, slack: float) -> float:
    if not y.size:
        return 0.0
    floor = FLOOR * (np.abs(y).max() if scale is None else scale) + slack
    allowed = floor if scale is not None else np.abs(y) + floor
    with np.errstate(divide="ignore"):
        return float(np.max(np.abs(y - other) / allowed))
