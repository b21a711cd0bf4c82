"""Where a formula or a condition is not a number: the part that brings this about, and what to do."""

from collections.abc import Iterator, Sequence

import numpy as np

from linkindex.formula.errors import EvaluationError
from linkindex.formula.evaluate import Evaluator
from linkindex.formula.syntax import (
    Bound, Case, Chain, Label, Node, Pick, Run, SetBuilder, SetOf, Subscript, Symbol, children,
)  # fmt: skip
from linkindex.formula.values import Value, selected

_WITHOUT_VALUE = Bound | Case | Label | Run | SetBuilder | SetOf  # what has a value stands inside of them


def not_a_number(nodes: Sequence[Node], at: Evaluator, where: Value | None, source: str) -> EvaluationError:
    """For expressions or conditions one of which is not a number at some entry ``where`` it counts (None: anywhere)."""
    part, condition = _innermost(nodes, at, where)
    if isinstance(part, Subscript | Pick):
        why = "an index leaves its axis"
        if at.counting.first:
            why += ", as the formula counts from 1 like its limits"
        remedy = "leave such entries out by a condition, as i + 1 < n does for i + 1"
    elif isinstance(part, Symbol):
        why, remedy = "the code computed none", "correct the sample, or leave such entries out by a condition"
    else:
        why = "0 / 0, or a root or logarithm that does not exist"
        remedy = "write cases, or leave such entries out by a condition"
    what = "this is not a number somewhere"
    if condition is not None:
        what = f"the condition {source[slice(*condition.span)]} is neither true nor false somewhere"
    return EvaluationError(f"{what}: {why}; {remedy}", part.span)


def _innermost(nodes: Sequence[Node], at: Evaluator, where: Value | None) -> tuple[Node, Chain | None]:
    """The smallest part that is not a number, and the innermost condition around it, if any."""
    part, condition = nodes[0], None
    while found := next((node for node in nodes if _is_missing(node, at, where)), None):
        part, condition = found, found if isinstance(found, Chain) else condition
        nodes = list(parts(found))
    return part, condition


def parts(node: Node) -> Iterator[Node]:
    """The expressions and conditions directly inside ``node``."""
    for child in children(node):
        if isinstance(child, _WITHOUT_VALUE):
            yield from parts(child)
        else:
            yield child


def _is_missing(node: Node, at: Evaluator, where: Value | None) -> bool:
    try:
        value = at.truth(node) if isinstance(node, Chain) else at(node)
    except EvaluationError:  # it has no value on its own, such as an entry of a run
        return False
    (data,) = selected(where, value)
    return bool(np.isnan(data).any())
