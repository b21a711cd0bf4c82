"""The value of a syntax tree, given the values of its symbols and the ranges of its indices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from linkindex.formula import blocks, norms, over_indices, sets, truth, values
from linkindex.formula.algebra import LINEAR_ALGEBRA, Algebra
from linkindex.formula.counting import Counting
from linkindex.formula.errors import EvaluationError
from linkindex.formula.functions import EXTREMES, FUNCTIONS, POWER, RELATIONS
from linkindex.formula.syntax import (
    Apply, Binary, Cases, Chain, Constant, Fraction, Index, Indicator, Joined, Matrix, Negative, Node, Number,
    Ones, Operator, Pick, Power, Product, Reduce, Root, Run, SetBuilder, SetOf, Subscript, Sum, Symbol, Transpose,
    letter,
)  # fmt: skip
from linkindex.formula.values import Value, entrywise, number

_CONSTANTS = {"e": np.e, "pi": np.pi, "infinity": np.inf}


class UnknownRange(EvaluationError):
    """An index whose range is not known (yet)."""


@dataclass(frozen=True)
class Evaluator:
    """``evaluator(node)`` is a Value. Raises EvaluationError, with the place, where there is none."""

    symbols: Mapping[str, Value]
    ranges: Mapping[str, np.ndarray] = field(default_factory=dict)  # index -> its values
    operators: Mapping[str, object] = field(default_factory=dict)  # name -> function of values
    site_axes: tuple[str, ...] = ()  # names of the site's batch axes
    algebra: Algebra = LINEAR_ALGEBRA
    counting: Counting = Counting()
    columns: bool = False  # the rows that an index picks from a matrix stand

    def __call__(self, node: Node) -> Value:
        try:
            return _RULES[type(node)](self, node)
        except EvaluationError as error:
            if error.span == (0, 0):
                error.span = node.span
            raise

    def within(self, ranges: Mapping[str, np.ndarray]) -> "Evaluator":
        return replace(self, ranges={**self.ranges, **ranges})

    def place(self, node: Node) -> Value:
        """An index expression, counted from 0 at the first entry of an axis."""
        value, offset = self(node), self.counting.offset(node)
        return replace(value, data=value.data - offset) if offset else value

    def truth(self, chain: Chain) -> Value:
        """Where all relations of ``chain`` hold exactly: 1, 0, or not a number."""
        links = zip(chain.members, chain.relations, chain.members[1:])
        return truth.all_of(
            [self.link(a, relation, b) for left, relation, right in links for a, b in zip(left, right, strict=True)]
        )

    def link(self, left: Node, relation: str, right: Node) -> Value:
        """Where one relation holds. A vector or matrix is in it if all of its entries are."""
        if relation == "in":
            return sets.membership(self, left, right)
        entries = self.algebra.entrywise(RELATIONS[relation], self(left), self(right))
        core = tuple(range(len(entries.names), entries.data.ndim))
        return Value(truth.every(entries.data, core), entries.names)

    def all_true(self, chains: Sequence[Chain]) -> Value:
        return truth.all_of([self.truth(chain) for chain in chains])


# --- names and scripts


def _symbol(at: Evaluator, node: Symbol) -> Value:
    if node.latex not in at.symbols:
        raise EvaluationError(f"{node.latex} has no recorded value", node.span)
    return at.symbols[node.latex]


def _index(at: Evaluator, node: Index) -> Value:
    if node.name not in at.ranges:
        raise UnknownRange(
            f"how far the index {letter(node.name)} runs is not known: use it alone in a subscript, write limits,"
            f" or give `indices: {{{letter(node.name)}: ...}}`",
            node.span,
        )
    return Value(at.ranges[node.name].astype(float), (node.name,))


def _subscript(at: Evaluator, node: Subscript) -> Value:
    base = at(node.base)
    if base.rank > 1 and len(node.indices) == 1 and _may_be_several(node.indices[0]):
        raise EvaluationError(
            "this may be one index or several: write commas between the indices, one index for each axis", node.span
        )
    value = at.algebra.subscript(base, [at.place(index) for index in node.indices])
    return replace(value, row=value.row and not at.columns)


def _may_be_several(index: Node) -> bool:
    """``_{12}`` and ``_{2i}``, where a row 12 and a row 2i may be meant, or row 1 and 2, column 2 and i."""
    if isinstance(index, Product):
        return isinstance(index.factors[0], Number)
    return isinstance(index, Number) and len(index.text) > 1


def _pick(at: Evaluator, node: Pick) -> Value:
    return at.algebra.pick(at(node.base), at.place(node.index), at.site_axes)


def _power(at: Evaluator, node: Power) -> Value:
    base, exponent = at(node.base), at(node.exponent)
    if base.rank == 2 and node.exponent == Negative(Number("1")):
        return _inverse(base, node)
    if base.rank or exponent.rank:
        raise EvaluationError(
            "a power with a vector or matrix can be read in two ways: use indices, or name axes in `per`", node.span
        )
    return entrywise(POWER, base, exponent)


def _inverse(base: Value, node: Power) -> Value:
    if base.core[0] != base.core[1]:
        raise EvaluationError(f"a matrix of the shape {base.core} has no inverse: only square ones do", node.span)
    try:
        return replace(base, data=np.linalg.inv(base.data))
    except np.linalg.LinAlgError:
        raise EvaluationError("the inverse of a singular matrix: draw a sample that has one", node.span) from None


# --- arithmetic


def _sum(at: Evaluator, node: Sum) -> Value:
    return reduce(lambda a, b: at.algebra.entrywise(np.add, a, b), [at(term) for term in node.terms])


def _product(at: Evaluator, node: Product) -> Value:
    return reduce(at.algebra.product, [at(factor) for factor in node.factors])


def _binary(at: Evaluator, node: Binary) -> Value:
    left, right = at(node.left), at(node.right)
    if node.operator == "cdot":
        return at.algebra.dot(left, right)
    if node.operator == "odot":
        return at.algebra.hadamard(left, right)
    if node.operator == "times":
        if left.rank and right.rank:
            raise EvaluationError("\\times is for numbers: write matrices side by side, or \\odot", node.span)
        return at.algebra.entrywise(np.multiply, left, right)
    if left.rank or right.rank:
        raise EvaluationError("\\bmod is for numbers", node.span)
    return at.algebra.entrywise(np.mod, left, right)


def _fraction(at: Evaluator, node: Fraction) -> Value:
    numerator, denominator = at(node.numerator), at(node.denominator)
    if denominator.rank:
        raise EvaluationError(
            "division by a vector or matrix: use indices, or name axes in `per`", node.denominator.span
        )
    return at.algebra.entrywise(np.divide, numerator, denominator)


def _root(at: Evaluator, node: Root) -> Value:
    radicand = at(node.radicand)
    if radicand.rank:
        raise EvaluationError("the root of a vector or matrix: use indices, or name axes in `per`", node.span)
    if node.degree is None:
        return at.algebra.entrywise(np.sqrt, radicand)
    return at.algebra.entrywise(lambda x, n: POWER(x, 1 / n), radicand, at(node.degree))


def _apply(at: Evaluator, node: Apply) -> Value:
    arguments = [at(argument) for argument in node.arguments]
    if node.function in EXTREMES and len(arguments) == 1:
        return norms.extreme(node.function, arguments[0])
    if node.function in EXTREMES:
        return reduce(lambda a, b: at.algebra.entrywise(EXTREMES[node.function], a, b), arguments)
    if len(arguments) != 1:
        raise EvaluationError(f"{node.function} takes one argument, found {len(arguments)}", node.span)
    if node.function in norms.NORMS.values():
        return norms.norm(node.function, arguments[0])
    return at.algebra.entrywise(FUNCTIONS[node.function], arguments[0])


def _operator(at: Evaluator, node: Operator) -> Value:
    if node.name not in at.operators:
        known = ", ".join(sorted(at.operators)) or "none"
        raise EvaluationError(
            f"{node.name} is defined by no formula (known: {known}): give one the key `defines: {node.name}(...)`",
            node.span,
        )
    return at.operators[node.name]([at(argument) for argument in node.arguments], at)


# --- conditions


def _indicator(at: Evaluator, node: Indicator) -> Value:
    return at.all_true(node.conditions)


def _cases(at: Evaluator, node: Cases) -> Value:
    some = truth.any_of([at.all_true(case.conditions) for case in node.cases if case.conditions])
    otherwise = Value(truth.opposite(some.data), some.names)
    return at.algebra.cases(
        [(at(case.value), at.all_true(case.conditions) if case.conditions else otherwise) for case in node.cases]
    )


# --- matrices and sets


def _joined(at: Evaluator, node: Joined) -> Value:
    parts = [entry for part in node.parts for entry in _entries(at, part)]
    if all(part.rank < 2 for part in parts):
        return blocks.end_to_end(parts)
    return at.algebra.stacked([[part] for part in parts] if node.below else [parts])


def _set(at: Evaluator, node: Node) -> Value:
    raise EvaluationError("a set has no value of its own: write what is in it, as i \\in \\{...\\}", node.span)


def _matrix(at: Evaluator, node: Matrix) -> Value:
    return at.algebra.stacked([[entry for written in row for entry in _entries(at, written)] for row in node.rows])


def _entries(at: Evaluator, written: Node) -> list[Value]:
    if not isinstance(written, Run):
        return [at(written)]
    lower, upper = at(written.lower), at(written.upper)
    if lower.names or upper.names:
        raise EvaluationError("the ends of a run must be single numbers", written.span)
    entries = []
    for value in at.algebra.run(float(lower.data), float(upper.data)):
        entry = at.within({written.index: np.array([value])})(written.body)
        axis = entry.names.index(written.index)  # of size 1
        entries.append(
            replace(entry, data=entry.data.squeeze(axis), names=entry.names[:axis] + entry.names[axis + 1 :])
        )
    return entries


_RULES = {
    Number: lambda at, node: number(float(node.text)), Constant: lambda at, node: number(_CONSTANTS[node.name]),
    Ones: lambda at, node: values.ONES, Symbol: _symbol, Index: _index, Subscript: _subscript, Pick: _pick,
    Power: _power, Transpose: lambda at, node: values.transpose(at(node.base)),
    Negative: lambda at, node: entrywise(np.negative, at(node.operand)), Sum: _sum, Product: _product, Binary: _binary,
    Fraction: _fraction, Root: _root, Apply: _apply, Operator: _operator, Indicator: _indicator, Cases: _cases,
    Reduce: over_indices.reduced, Matrix: _matrix, Joined: _joined, SetOf: _set, SetBuilder: _set,
}  # fmt: skip
