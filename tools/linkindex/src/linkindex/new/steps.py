"""The steps of a function: what it assigns and what it returns, each of which is a record of a new page."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from linkindex.model import Span
from linkindex.resolve.assignments import assignments_of
from linkindex.resolve.expressions import find_expression
from linkindex.resolve.functions import Found, NotFound

COMPUTES = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Call)


@dataclass(frozen=True)
class Step:
    """``code``: what the record must name, where the variable does not say which expression is meant."""

    id: str
    function: str
    variable: str | None
    code: str | None
    span: Span


def steps_of(found: Found, page: str, taken: set[str]) -> Iterator[Step]:
    """The steps that a record can name, in source order. ``taken``: ids of earlier steps, to which these are added."""
    for variable, value in _values(found):
        span = found.source.span(value)
        for code in (variable, span.code) if variable else (span.code,):
            try:
                named = find_expression(found, code).node is value
            except NotFound:
                named = False
            if named:
                name = _free_id(f"{page}.{_slug(variable or found.node.name)}", taken)
                yield Step(name, found.function.name, variable, None if code == variable else code, span)
                break


def returned(found: Found) -> list[ast.expr]:
    """The elements of what a function returns; none where it has more than one return."""
    returns = [node for node in ast.walk(found.node) if isinstance(node, ast.Return) and node.value is not None]
    if len(returns) != 1:
        return []
    value = returns[0].value
    return value.elts if isinstance(value, ast.Tuple) else [value]


def _values(found: Found) -> Iterator[tuple[str | None, ast.expr]]:
    """The variables with their values, then the values that are returned without a name; not what is only handed on."""
    seen = set()
    for one in assignments_of(found):
        if one.value is not None and one.target.isidentifier() and id(one.value) not in seen and _computes(one.value):
            seen.add(id(one.value))  # the names that one call binds together are one step
            yield one.target, one.value
    yield from ((None, value) for value in returned(found) if _computes(value))


def _computes(value: ast.expr) -> bool:
    while isinstance(value, (ast.Attribute, ast.Subscript)):
        value = value.value
    return isinstance(value, COMPUTES)


def _free_id(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free


def _slug(variable: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", variable.lower()).strip("-") or "step"
