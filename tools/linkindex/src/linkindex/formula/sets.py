"""Whether a number is in a set: of those listed, of those that meet conditions, or of those that the code recorded."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from linkindex.formula import truth, values
from linkindex.formula.errors import EvaluationError
from linkindex.formula.functions import RELATIONS
from linkindex.formula.syntax import Chain, Index, Node, Number, Reduce, SetBuilder, SetOf
from linkindex.formula.values import Value

if TYPE_CHECKING:
    from linkindex.formula.evaluate import Evaluator


def membership(at: "Evaluator", left: Node, right: Node) -> Value:
    """Whether it is in a set: one of those listed, or of those that are recorded, as a mask or one by one."""
    if isinstance(right, SetOf):
        return truth.any_of([at.link(left, "=", element) for element in right.elements])
    if isinstance(right, SetBuilder):
        is_it = Chain(((left,), (right.element,)), ("=",))
        times = at(Reduce("sum", right.bounds, (*right.conditions, is_it), Number("1")))
        return replace(times, data=RELATIONS[">"](times.data, 0))
    members = at(right)
    if members.rank != 1:
        raise EvaluationError("a set is one row of booleans or of numbers: pick it first, or name axes in `per`")
    if members.is_mask:
        return at.algebra.subscript(members, [at.place(left)])
    names, (value, listed) = values.aligned([at.place(left), replace(members, row=False)], 1)
    return Value(truth.opposite(truth.every(RELATIONS["!="](value, listed), (-1,))), names)


def mask(at: "Evaluator", builder: SetBuilder, size: int) -> Value:
    """A set as a row of booleans: which numbers of an axis of this ``size`` are in it."""
    inside = at.within({"member·": np.arange(size) + at.counting.offset(builder.element)})
    return values.arranged(membership(inside, Index("member·"), builder), ["member·"])
