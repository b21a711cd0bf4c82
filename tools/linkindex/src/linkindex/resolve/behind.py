"""What stands behind an expression in its function: the expressions that are assigned to the names in it, and so on.

What a called function does is not looked at: that code has links of its own.
"""

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from linkindex.resolve.trees import SCOPES, dotted_name, head, inside


@dataclass(frozen=True)
class Binding:
    """What gives a name its value: the expressions it comes from, and the tests of the branches that it stands in."""

    name: str
    values: tuple[ast.expr, ...]
    tests: tuple[ast.expr, ...]
    line: int
    last: int = 0  # line of the outermost loop around it, in which it may run before what stands above it
    counts: bool = False  # whether a loop gives it


def bindings_behind(
    function: ast.FunctionDef, node: ast.expr, line: int, shown: Collection[str] = ()
) -> list[Binding]:
    """All that the value of an expression goes back to which stands in the function at this line; not what is behind
    the variables that a formula shows, since it speaks of their values."""
    found: list[Binding] = []
    waiting = [(name, line) for name in names_in(node).difference(shown)]
    while waiting:
        name, before = waiting.pop()
        for binding in bindings(function):
            if binding.name != name or binding.line > max(before, binding.last) or binding in found:
                continue
            if binding.last == 0 and node in binding.values:  # what the expression itself is assigned to
                continue
            found.append(binding)
            inner = {name for one in (*binding.values, *binding.tests) for name in names_in(one)}.difference(shown)
            waiting += [(name, max(binding.line, binding.last)) for name in inner]
    return found


def names_in(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


@lru_cache(maxsize=500)
def bindings(function: ast.FunctionDef) -> tuple[Binding, ...]:
    return tuple(_bindings_in(function.body, (), 0))


def _bindings_in(body: list[ast.stmt], tests: tuple[ast.expr, ...], last: int) -> Iterator[Binding]:
    for one in (one for one in body if not isinstance(one, SCOPES)):
        end = last or one.end_lineno if isinstance(one, (ast.For, ast.AsyncFor, ast.While)) else last
        for target, values in _bound(one):
            for binding in _of_target(target, values, tests, end):
                yield replace(binding, counts=isinstance(one, (ast.For, ast.AsyncFor)))
        for inner in (inner for part in head(one) for inner in ast.walk(part)):
            if isinstance(inner, ast.NamedExpr):
                yield Binding(inner.target.id, (inner.value,), tests, inner.lineno, end)
        yield from _bindings_in(inside(one), (*tests, one.test) if isinstance(one, ast.If) else tests, end)


def _bound(statement: ast.stmt) -> Iterator[tuple[ast.expr, tuple[ast.expr, ...]]]:
    """What a statement itself binds, each with what it comes from."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, (value,)) for target in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
            yield target, (value,)
        case ast.For(target=target, iter=over) | ast.AsyncFor(target=target, iter=over):
            yield target, () if _is_range(over) else (over,)
        case ast.With(items=items) | ast.AsyncWith(items=items):
            yield from ((item.optional_vars, (item.context_expr,)) for item in items if item.optional_vars)


def _of_target(target: ast.expr, values: tuple, tests: tuple, last: int) -> Iterator[Binding]:
    """A part of an array, or an attribute, counts for the whole."""
    paired = len(values) == 1 and isinstance(target, ast.Tuple) and isinstance(values[0], ast.Tuple)
    if paired and len(target.elts) == len(values[0].elts):
        for item, value in zip(target.elts, values[0].elts):
            yield from _of_target(item, (value,), tests, last)
        return
    if isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            yield from _of_target(item, values, tests, last)
        return
    places = tuple(part.slice for part in ast.walk(target) if isinstance(part, ast.Subscript))
    while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
        target = target.value
    if isinstance(target, ast.Name):
        yield Binding(target.id, (*values, *places), tests, target.lineno, last)


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted_name(node.func) == "range"
