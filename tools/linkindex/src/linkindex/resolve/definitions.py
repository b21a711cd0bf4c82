"""The functions and classes of a module, with their qualified names and with the role that tells equal names apart."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from linkindex.sources import Source

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Named:
    """A definition, its name within the module, and its role where several share the name.

    Roles hold no line numbers, so that they stay when the code moves: "getter", "branch:else", "definition:2".
    """

    name: str
    role: str
    node: Definition


@lru_cache(maxsize=2000)
def definitions(source: Source) -> tuple[Named, ...]:
    """All functions and classes in source order; overload stubs are left out. Equal roles of a name are numbered."""
    stub_names = _overload_names(source.tree)
    seen: Counter[tuple[str, str]] = Counter()
    result = []
    for named in _definitions(source.tree.body, "", ""):
        if not any(last_name(decorator) in stub_names for decorator in named.node.decorator_list):
            seen[named.name, named.role] += 1
            count = seen[named.name, named.role]
            result.append(named if count == 1 else replace(named, role=f"{named.role}:{count}"))
    return tuple(result)


def _definitions(body: list[ast.stmt], prefix: str, role: str) -> Iterator[Named]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield Named(prefix + node.name, _accessor(node) or role or "definition", node)
                yield from _definitions(node.body, f"{prefix}{node.name}.<locals>.", role)
            case ast.ClassDef():
                yield Named(prefix + node.name, role or "definition", node)
                yield from _definitions(node.body, f"{prefix}{node.name}.", role)
            case ast.If():
                yield from _definitions(node.body, prefix, "branch:if")
                yield from _otherwise(node, prefix)
            case ast.Try() | ast.TryStar():
                yield from _definitions(node.body, prefix, "branch:try")
                for handler in node.handlers:
                    yield from _definitions(handler.body, prefix, "branch:except")
                yield from _definitions(node.orelse, prefix, "branch:else")
                yield from _definitions(node.finalbody, prefix, "branch:finally")
            case ast.Match():
                for case in node.cases:
                    yield from _definitions(case.body, prefix, "branch:case")
            case ast.With() | ast.AsyncWith():
                yield from _definitions(node.body, prefix, role)
            case ast.For() | ast.AsyncFor() | ast.While():
                yield from _definitions(node.body, prefix, role)
                yield from _definitions(node.orelse, prefix, "branch:else")


def _otherwise(node: ast.If, prefix: str) -> Iterator[Named]:
    """What stands behind ``elif`` or ``else``; to the syntax tree, ``elif`` is an ``if`` alone in the ``else``."""
    match node.orelse:
        case [ast.If() as following]:
            yield from _definitions(following.body, prefix, "branch:elif")
            yield from _otherwise(following, prefix)
        case other:
            yield from _definitions(other, prefix, "branch:else")


def _accessor(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    for decorator in node.decorator_list:
        name = last_name(decorator)
        if name in ("setter", "deleter", "getter"):
            return name
        if name in ("property", "cached_property"):
            return "getter"
    return None


def _overload_names(tree: ast.Module) -> set[str]:
    """What the module calls ``typing.overload``."""
    imported = (alias for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names)
    return {"overload", *(alias.asname for alias in imported if alias.name == "overload" and alias.asname)}


def last_name(node: ast.expr) -> str | None:
    """The last part of a dotted name, also of a called one."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def first_line(source: Source, node: Definition) -> int:
    """The line of ``def``, or of the first decorator's ``@``, which may stand above its expression: ``@(``."""
    if not node.decorator_list:
        return node.lineno
    line = node.decorator_list[0].lineno
    while not source.lines[line - 1].lstrip(" \t\f").startswith("@"):
        line -= 1
    return line
