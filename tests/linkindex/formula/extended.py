r"""Zero extension: beyond its axes every array is 0. By this convention a wrong formula has a value to compare.

A wrong formula often has none: a transpose is missing and sizes do not fit, an index is one too large, a case leaves
entries out. That refuses it, but says nothing of how far it is from the code. Here

- a row is a matrix of one row, a column a matrix of one column, and all matrices go on with zeros, so that sums, entry
  by entry products, inner sizes of products and the two sides of an equation fit; a number still goes with every entry,
  and ``\mathbf{1}`` is as long as its place asks for;
- an index beyond its axis reads 0, also in a condition, and every index runs as in the formula that is right;
- cases are added up, each 0 where its condition does not hold; a run without entries is a matrix without columns;
- an index on one side only stands for all its values: the equation is compared for each of them.

Where sizes fit and indices stay on their axes, the value is that of linear algebra. Quotients such as 0 / 0, the
logarithm or root of a negative number, and conditions on them stay without a value. It measures wrong formulas; none is
proved by it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from linkindex.formula.algebra import Algebra
from linkindex.formula.compare import Case, Comparison, compare
from linkindex.formula.errors import EvaluationError
from linkindex.formula.evaluate import Evaluator
from linkindex.formula.parse import Formula
from linkindex.formula.syntax import Node
from linkindex.formula.trials import Reading, Trial
from linkindex.formula.values import Value


def compare_extended(wrong: Formula, right: Formula, trial: Trial, reading: Reading) -> Comparison:
    """``wrong`` is ``right`` with a fault. Raises EvaluationError where it has no value by zero extension either.

    An entry without a value, as 0 / 0, does not hide the difference of another one; but without any there is none.
    """
    return compare(wrong, trial, reading, partial(_ExtendedCase, right=right))


class ZeroExtension(Algebra):
    """Operands are filled with zeros until they fit; then the rules are those of linear algebra."""

    outside = 0.0

    def entrywise(self, function: Callable, *operands: Value) -> Value:
        return super().entrywise(function, *alike(operands))

    def product(self, a: Value, b: Value) -> Value:
        try:
            return super().product(a, b)
        except EvaluationError:  # no product of linear algebra: two matrices whose inner sizes are filled
            if not (a.rank and b.rank):
                raise
            return super().product(*_meeting(_as_matrix(a), _as_matrix(b)))

    def dot(self, a: Value, b: Value) -> Value:
        return super().dot(*alike(_upright(a, b))) if a.rank == b.rank == 1 else self.product(a, b)

    def hadamard(self, a: Value, b: Value) -> Value:
        return self.entrywise(np.multiply, a, b)

    def run(self, lower: float, upper: float) -> np.ndarray:
        return np.arange(lower, upper + 1)

    def stacked(self, rows: Sequence[Sequence[Value]]) -> Value:
        return super().stacked(rows) if any(rows) else Value(np.zeros((0, 0)), rank=2)

    def cases(self, parts: Sequence[tuple[Value, Value]]) -> Value:
        return self.sum_of_cases(parts)


class _ExtendedCase(Case):
    algebra = ZeroExtension()
    needs_every_entry = False

    def __init__(self, wrong: Formula, trial: Trial, reading: Reading, members: Mapping[str, str], right: Formula):
        self.right = Case(right, trial, reading, members).at
        super().__init__(wrong, trial, reading, members)

    def with_ranges(self, at: Evaluator, given: Mapping[str, np.ndarray]) -> Evaluator:
        return replace(at.within(self.right.ranges), counting=self.right.counting)

    def of_one_form(self, a: Value, b: Value, nodes: tuple[Node | None, Node]) -> tuple[Value, Value]:
        return alike(_upright(a, b) if a.rank == b.rank == 1 else (a, b))


# --- filling with zeros


def alike(operands: Sequence[Value]) -> Sequence[Value]:
    """Vectors and matrices of one size: filled, and as matrices unless all are rows or all are columns."""
    if len({(value.rank, value.row) for value in operands if value.rank}) > 1:
        operands = [_as_matrix(value) for value in operands]
    if any(value.rank > 2 for value in operands):
        return operands
    cores = [value.core for value in operands if value.rank]
    sizes = [max(axis) for axis in zip(*cores)]
    return [_filled(value, sizes) if value.rank else value for value in operands]


def _meeting(a: Value, b: Value) -> tuple[Value, Value]:
    """Two matrices with as many columns in ``a`` as there are rows in ``b``."""
    size = max(a.core[-1], b.core[0])
    return _filled(a, [*a.core[:-1], size]), _filled(b, [size, *b.core[1:]])


def _filled(value: Value, sizes: Sequence[int]) -> Value:
    """Zeros after the last entry of each core axis, up to ``sizes``."""
    named = [(0, 0)] * len(value.names)
    core = [(0, 0 if loose else size - now) for size, now, loose in zip(sizes, value.core, value.is_loose, strict=True)]
    return replace(value, data=np.pad(value.data, named + core))


def _as_matrix(value: Value) -> Value:
    if value.rank != 1:
        return value
    loose = (False, *value.is_loose) if value.row else (*value.is_loose, False)
    return Value(np.expand_dims(value.data, -2 if value.row else -1), value.names, 2, loose=loose)


def _upright(*vectors: Value) -> list[Value]:
    """Between two vectors alone it does not matter which one lies."""
    return [replace(vector, row=False) for vector in vectors]
