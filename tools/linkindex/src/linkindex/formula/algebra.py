"""The rules by which values are combined, as one object, so that a formula can be read by other rules."""

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from linkindex.formula import blocks, values
from linkindex.formula.errors import EvaluationError
from linkindex.formula.truth import chosen
from linkindex.formula.values import Value, aligned


class Algebra:
    """The rules of linear algebra: where sizes do not fit, nothing has a value."""

    outside = np.nan  # what stands beyond the ends of an axis; a condition may exclude it

    def entrywise(self, function: Callable, *operands: Value) -> Value:
        return values.entrywise(function, *operands)

    def product(self, a: Value, b: Value) -> Value:
        """Two factors side by side."""
        return values.product(a, b)

    def dot(self, a: Value, b: Value) -> Value:
        return values.dot(a, b)

    def hadamard(self, a: Value, b: Value) -> Value:
        if a.rank != b.rank:
            raise EvaluationError("\\odot needs two vectors or two matrices of one shape")
        return self.entrywise(np.multiply, a, b)

    def subscript(self, base: Value, indices: Sequence[Value]) -> Value:
        return values.subscript(base, indices, self.outside)

    def pick(self, base: Value, index: Value, site_axes: Sequence[str]) -> Value:
        return values.pick(base, index, site_axes, self.outside)

    def run(self, lower: float, upper: float) -> np.ndarray:
        """The values of an index from ``lower`` to ``upper``."""
        if not lower <= upper:
            raise EvaluationError(f"the entries run from {lower:g} to {upper:g}: there are none")
        return np.arange(lower, upper + 1)

    def stacked(self, rows: Sequence[Sequence[Value]]) -> Value:
        return blocks.stacked(rows)

    def cases(self, parts: Sequence[tuple[Value, Value]]) -> Value:
        """Pairs of a value and the truth of its condition."""
        times = sum(aligned([truth for _, truth in parts])[1])
        if np.any((times != 1) & ~np.isnan(times)):
            raise EvaluationError(
                "the cases must cover each entry exactly once: make the conditions exclude each other and leave"
                " nothing out"
            )
        return self.sum_of_cases(parts)

    def sum_of_cases(self, parts: Sequence[tuple[Value, Value]]) -> Value:
        """Each value is 0 where it does not hold, and all are added up."""
        held = [self.entrywise(lambda t, v: chosen(t, v, 0.0), truth, value) for value, truth in parts]
        return reduce(lambda a, b: self.entrywise(np.add, a, b), held)


LINEAR_ALGEBRA = Algebra()
