"""What stands behind an expression in its function: the expressions that are assigned to the names in it, and so on.

What a called function does is not looked at: that code has links of its own.
"""

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from linkindex.resolve.trees import SCOPES, dotted_name


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
    for one in body:
        match one:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _of_target(target, (value,), tests, last)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                yield from _of_target(target, (value,), tests, last)
            case ast.If(test=test, body=inner, orelse=other):
                yield from _bindings_in([*inner, *other], (*tests, test), last)
            case ast.For(target=target, iter=over, body=inner, orelse=other):
                end = last or one.end_lineno
                for binding in _of_target(target, () if _is_range(over) else (over,), tests, end):
                    yield replace(binding, counts=True)
                yield from _bindings_in([*inner, *other], tests, end)
            case ast.While(body=inner, orelse=other):
                yield from _bindings_in([*inner, *other], tests, last or one.end_lineno)
            case ast.With(items=items, body=inner):
                for item in items:
                    if item.optional_vars:
                        yield from _of_target(item.optional_vars, (item.context_expr,), tests, last)
                yield from _bindings_in(inner, tests, last)
            case ast.Try(body=inner, handlers=handlers, orelse=other, finalbody=final):
                handled = [line for handler in handlers for line in handler.body]
                yield from _bindings_in([*inner, *handled, *other, *final], tests, last)
        if not isinstance(one, (ast.If, ast.For, ast.While, ast.With, ast.Try, *SCOPES)):
            for inner in ast.walk(one):
                if isinstance(inner, ast.NamedExpr):
                    yield Binding(inner.target.id, (inner.value,), tests, inner.lineno, last)


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
    inside = tuple(part.slice for part in ast.walk(target) if isinstance(part, ast.Subscript))
    while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
        target = target.value
    if isinstance(target, ast.Name):
        yield Binding(target.id, (*values, *inside), tests, target.lineno, last)


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted_name(node.func) == "range"
