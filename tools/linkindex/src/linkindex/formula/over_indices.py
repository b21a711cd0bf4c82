"""Sums, products, extremes and means over indices."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from linkindex.formula import truth
from linkindex.formula.errors import EvaluationError
from linkindex.formula.functions import MOMENTS, REDUCTIONS
from linkindex.formula.syntax import Bound, Chain, Index, Reduce, letter
from linkindex.formula.values import Value, entrywise

if TYPE_CHECKING:
    from linkindex.formula.evaluate import Evaluator


def limited(at: "Evaluator", bound: Bound) -> np.ndarray:
    """The values of an index between its limits. Where these vary, from the smallest to the largest of all."""
    ends = [end.data[~np.isnan(end.data)] for end in (at(bound.lower), at(bound.upper))]
    if not all(end.size and np.isfinite(end).all() for end in ends):
        raise EvaluationError(f"the limits of the index {letter(bound.name)} are not finite numbers: write others")
    return np.arange(ends[0].min(), ends[1].max() + 1)


def reduced(at: "Evaluator", node: Reduce) -> Value:
    limits = [bound for bound in node.bounds if bound.lower is not None]
    inside = at.within({bound.name: limited(at, bound) for bound in limits})
    between = [Chain(((b.lower,), (Index(b.name),), (b.upper,)), ("<=", "<=")) for b in limits]
    body, counts = inside(node.body), inside.all_true([*node.conditions, *between])
    for bound in node.bounds:  # a body without the index counts once for each of its values
        body = entrywise(lambda b, i: b + 0 * i, body, inside(Index(bound.name)))
    if node.operator in MOMENTS:
        return _moment(node, counts, body)
    function, excluded = REDUCTIONS[node.operator]
    body = entrywise(lambda c, b: truth.chosen(c, b, excluded), counts, body)
    for bound in node.bounds:
        axis = body.names.index(bound.name)
        data = function(body.data, axis=axis)
        if node.operator.startswith("arg"):
            nowhere = np.isnan(body.data).any(axis=axis) | (body.data == excluded).all(axis=axis)
            data = np.where(nowhere, np.nan, inside.ranges[bound.name][data])
        body = replace(body, data=data, names=body.names[:axis] + body.names[axis + 1 :])
    return body


def _moment(node: Reduce, counts: Value, body: Value) -> Value:
    """The mean, or the mean square distance from it, over all values of the indices that count."""

    def total(entries: Value) -> Value:
        kept = entrywise(lambda c, b: truth.chosen(c, b, 0.0), counts, entries)
        axes = tuple(kept.names.index(bound.name) for bound in node.bounds)
        names = tuple(name for axis, name in enumerate(kept.names) if axis not in axes)
        return replace(kept, data=kept.data.sum(axis=axes), names=names)

    def mean(entries: Value) -> Value:
        return entrywise(np.divide, total(entries), total(entrywise(np.ones_like, body)))

    if node.operator == "mean":
        return mean(body)
    return mean(entrywise(lambda b, m: (b - m) ** 2, body, mean(body)))
