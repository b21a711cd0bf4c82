"""The value of a syntax tree, given the values of its symbols and the ranges of its indices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from linkindex.formula import values
from linkindex.formula.blocks import stacked
from linkindex.formula.errors import EvaluationError
from linkindex.formula.functions import EXTREMES, FUNCTIONS, REDUCTIONS, RELATIONS
from linkindex.formula.syntax import (
    Apply,
    Binary,
    Cases,
    Chain,
    Constant,
    Fraction,
    Index,
    Indicator,
    Matrix,
    Negative,
    Node,
    Number,
    Ones,
    Operator,
    Pick,
    Power,
    Product,
    Reduce,
    Root,
    Run,
    Subscript,
    Sum,
    Symbol,
    Transpose,
    letter,
)
from linkindex.formula.values import Value, aligned, entrywise, number

_CONSTANTS = {"e": np.e, "pi": np.pi, "infinity": np.inf}


@dataclass(frozen=True)
class Range:
    """The values of an index; ``base`` is the one that stands for the first entry of an axis."""

    numbers: np.ndarray
    base: int = 0


class UnknownRange(EvaluationError):
    """An index whose range is not known (yet)."""


@dataclass(frozen=True)
class Evaluator:
    """``evaluator(node)`` is a Value. Raises EvaluationError, with the place, where there is none."""

    symbols: Mapping[str, Value]
    ranges: Mapping[str, Range] = field(default_factory=dict)
    operators: Mapping[str, object] = field(default_factory=dict)  # name -> function of values
    site_axes: tuple[str, ...] = ()  # names of the site's batch axes

    def __call__(self, node: Node) -> Value:
        try:
            return _RULES[type(node)](self, node)
        except EvaluationError as error:
            if error.span == (0, 0):
                error.span = node.span
            raise

    def within(self, ranges: Mapping[str, Range]) -> "Evaluator":
        return replace(self, ranges={**self.ranges, **ranges})

    def truth(self, chain: Chain) -> Value:
        """Where all relations of ``chain`` hold exactly, as a Value of booleans."""
        links = []
        for left, relation, right in zip(chain.members, chain.relations, chain.members[1:]):
            options = right[0].elements if relation == "in" else (right[0],)
            compare = RELATIONS["=" if relation == "in" else relation]
            links.append(reduce(_or, [_whole(entrywise(compare, self(left[0]), self(option))) for option in options]))
        return reduce(_and, links)

    def all_true(self, chains: Sequence[Chain]) -> Value:
        return reduce(_and, [self.truth(chain) for chain in chains])


def _whole(value: Value) -> Value:
    """A vector or matrix is in a relation if all of its entries are."""
    axes = tuple(range(len(value.names), value.data.ndim))
    return Value(value.data.all(axis=axes), value.names)


def _and(a: Value, b: Value) -> Value:
    return entrywise(np.logical_and, a, b)


def _or(a: Value, b: Value) -> Value:
    return entrywise(np.logical_or, a, b)


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
    return Value(at.ranges[node.name].numbers.astype(float), (node.name,))


def _place(at: Evaluator, node: Node) -> Value:
    """An index expression, counted from the first entry of an axis."""
    base = at.ranges[node.name].base if isinstance(node, Index) and node.name in at.ranges else 0
    value = at(node)
    return Value(value.data - base, value.names, value.rank) if base else value


def _subscript(at: Evaluator, node: Subscript) -> Value:
    return values.subscript(at(node.base), [_place(at, index) for index in node.indices])


def _pick(at: Evaluator, node: Pick) -> Value:
    return values.pick(at(node.base), _place(at, node.index), at.site_axes)


def _power(at: Evaluator, node: Power) -> Value:
    base, exponent = at(node.base), at(node.exponent)
    if base.rank or exponent.rank:
        raise EvaluationError(
            "a power with a vector or matrix can be read in two ways: use indices, or name axes in `per`", node.span
        )
    return entrywise(np.power, base, exponent)


# --- arithmetic


def _sum(at: Evaluator, node: Sum) -> Value:
    return reduce(lambda a, b: entrywise(np.add, a, b), [at(term) for term in node.terms])


def _product(at: Evaluator, node: Product) -> Value:
    return reduce(values.product, [at(factor) for factor in node.factors])


def _binary(at: Evaluator, node: Binary) -> Value:
    left, right = at(node.left), at(node.right)
    if node.operator == "cdot":
        return values.dot(left, right)
    if node.operator == "odot":
        if left.rank != right.rank:
            raise EvaluationError("\\odot needs two vectors or two matrices of one shape", node.span)
        return entrywise(np.multiply, left, right)
    if node.operator == "times":
        if left.rank and right.rank:
            raise EvaluationError("\\times is for numbers: write matrices side by side, or \\odot", node.span)
        return entrywise(np.multiply, left, right)
    if left.rank or right.rank:
        raise EvaluationError("\\bmod is for numbers", node.span)
    return entrywise(np.mod, left, right)


def _fraction(at: Evaluator, node: Fraction) -> Value:
    numerator, denominator = at(node.numerator), at(node.denominator)
    if denominator.rank:
        raise EvaluationError(
            "division by a vector or matrix: use indices, or name axes in `per`", node.denominator.span
        )
    return entrywise(np.divide, numerator, denominator)


def _root(at: Evaluator, node: Root) -> Value:
    radicand = at(node.radicand)
    if radicand.rank:
        raise EvaluationError("the root of a vector or matrix: use indices, or name axes in `per`", node.span)
    if node.degree is None:
        return entrywise(np.sqrt, radicand)
    return entrywise(lambda x, n: np.power(x, 1 / n), radicand, at(node.degree))


def _apply(at: Evaluator, node: Apply) -> Value:
    arguments = [at(argument) for argument in node.arguments]
    if node.function in EXTREMES:
        return reduce(lambda a, b: entrywise(EXTREMES[node.function], a, b), arguments)
    if len(arguments) != 1:
        raise EvaluationError(f"{node.function} takes one argument, found {len(arguments)}", node.span)
    if node.function == "norm":
        value = arguments[0]
        core = tuple(range(len(value.names), value.data.ndim))
        return Value(np.sqrt(np.sum(value.data**2, axis=core)), value.names)
    return entrywise(FUNCTIONS[node.function], arguments[0])


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
    truth = at.all_true(node.conditions)
    return Value(truth.data.astype(float), truth.names)


def _cases(at: Evaluator, node: Cases) -> Value:
    masks = [at.all_true(case.conditions) if case.conditions else None for case in node.cases]
    known = [mask for mask in masks if mask is not None]
    some = reduce(_or, known)
    masks = [Value(~some.data, some.names) if mask is None else mask for mask in masks]
    names, covered = aligned(masks)
    if not np.all(sum(mask.astype(int) for mask in covered) == 1):
        raise EvaluationError(
            "the cases must cover each entry exactly once: make the conditions exclude each other and leave"
            " nothing out",
            node.span,
        )
    result = at(node.cases[-1].value)
    for case, mask in zip(node.cases[:-1], masks):
        result = entrywise(lambda m, a, b: np.where(m, a, b), mask, at(case.value), result)
    return result


# --- reductions and matrices


def _reduce(at: Evaluator, node: Reduce) -> Value:
    ranges, limits = {}, []
    for bound in node.bounds:
        if bound.lower is not None:
            lower, upper = at(bound.lower), at(bound.upper)
            base = 1 if bound.lower == Number("1") else 0
            ranges[bound.name] = Range(np.arange(lower.data.min(), upper.data.max() + 1), base)
            limits.append((bound.name, lower, upper))
    inside = at.within(ranges)
    body = inside(node.body)
    masks = [inside.all_true(node.conditions)] if node.conditions else []
    for name, lower, upper in limits:
        counter = inside(Index(name))
        masks += [entrywise(np.less_equal, lower, counter), entrywise(np.less_equal, counter, upper)]
    function, excluded = REDUCTIONS[node.operator]
    for bound in node.bounds:  # a body without the index counts once for each of its values
        body = entrywise(lambda b, i: b + 0 * i, body, inside(Index(bound.name)))
    if masks:
        body = entrywise(lambda m, b: np.where(m, b, excluded), reduce(_and, masks), body)
    for bound in node.bounds:
        axis = body.names.index(bound.name)
        data = function(body.data, axis=axis)
        if node.operator.startswith("arg"):
            data = inside.ranges[bound.name].numbers[data].astype(float)
        body = replace(body, data=data, names=body.names[:axis] + body.names[axis + 1 :])
    return body


def _matrix(at: Evaluator, node: Matrix) -> Value:
    return stacked([[entry for written in row for entry in _entries(at, written)] for row in node.rows])


def _entries(at: Evaluator, written: Node) -> list[Value]:
    if not isinstance(written, Run):
        return [at(written)]
    lower, upper = at(written.lower), at(written.upper)
    if lower.names or upper.names:
        raise EvaluationError("the ends of a run must be single numbers", written.span)
    entries = []
    if lower.data > upper.data:
        raise EvaluationError(f"the entries run from {lower.data:g} to {upper.data:g}: there are none", written.span)
    for value in np.arange(float(lower.data), float(upper.data) + 1):
        entry = at.within({written.index: Range(np.array([value]))})(written.body)
        axis = entry.names.index(written.index)  # of size 1
        entries.append(
            replace(entry, data=entry.data.squeeze(axis), names=entry.names[:axis] + entry.names[axis + 1 :])
        )
    return entries


_RULES = {
    Number: lambda at, node: number(float(node.text)),
    Constant: lambda at, node: number(_CONSTANTS[node.name]),
    Ones: lambda at, node: values.ONES,
    Symbol: _symbol,
    Index: _index,
    Subscript: _subscript,
    Pick: _pick,
    Power: _power,
    Transpose: lambda at, node: values.transpose(at(node.base)),
    Negative: lambda at, node: entrywise(np.negative, at(node.operand)),
    Sum: _sum,
    Product: _product,
    Binary: _binary,
    Fraction: _fraction,
    Root: _root,
    Apply: _apply,
    Operator: _operator,
    Indicator: _indicator,
    Cases: _cases,
    Reduce: _reduce,
    Matrix: _matrix,
}
