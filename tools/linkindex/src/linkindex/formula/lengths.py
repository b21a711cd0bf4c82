"""Axis lengths: arithmetic in size symbols, and the one that is left when the others are known."""

import ast
import operator
from collections.abc import Mapping

from linkindex.formula.errors import EvaluationError

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
}


def length(expression: str, sizes: Mapping[str, int]) -> int:
    """The value of, say, ``d / 2``: a whole number from 1. Raises EvaluationError for another, or an unknown size."""
    try:
        value = _value(ast.parse(expression, mode="eval").body, sizes)
    except SyntaxError:
        raise EvaluationError(f"the length {expression!r} is no arithmetic of sizes") from None
    if value != int(value):
        raise EvaluationError(f"the length {expression!r} is {value}, not a whole number")
    if value < 1:
        raise EvaluationError(f"the length {expression!r} is {int(value)} in a trial: write one that is at least 1")
    return int(value)


def solved(sizes: Mapping[str, int], relations: Mapping[str, str]) -> dict[str, int]:
    """``sizes`` and what follows from them by ``relations``, such as ``d: H * d_h``: a size, or one part of it."""
    known, found = dict(sizes), True
    while found:
        found = False
        for name, expression in relations.items():
            unknown = [part for part in {name, *_names(expression)} if part not in known]
            if unknown == [name]:
                known[name], found = length(expression, known), True
            elif len(unknown) == 1:
                known[unknown[0]], found = _part(unknown[0], expression, known, name), True
    return known


def _part(unknown: str, expression: str, known: Mapping[str, int], name: str) -> int:
    for candidate in range(1, known[name] + 1):
        if length(expression, {**known, unknown: candidate}) == known[name]:
            return candidate
    raise EvaluationError(f"no whole number {unknown} makes {expression} equal to {name} = {known[name]}")


def _names(expression: str) -> list[str]:
    return [node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)]


def _value(node: ast.expr, sizes: Mapping[str, int]) -> float:
    match node:
        case ast.Name(id=name):
            if name not in sizes:
                raise EvaluationError(f"the size {name} is not known")
            return sizes[name]
        case ast.Constant(value=int() as value):
            return value
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, sizes), _value(right, sizes))
    raise EvaluationError(f"the length {ast.unparse(node)!r} uses more than +, -, *, /, // and whole numbers")
