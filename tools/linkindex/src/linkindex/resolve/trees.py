"""Compare pieces of code as syntax trees: blanks, line breaks, quotes and comments do not matter."""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache

IGNORED = {"ctx", "type_comment", "kind"}
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(name for name in kind._fields if name not in IGNORED)


def same(a: object, b: object) -> bool:
    """Whether two trees are the same code."""
    if type(a) is not type(b):
        return False
    if isinstance(a, ast.AST):
        return all(same(getattr(a, name, None), getattr(b, name, None)) for name in _fields(type(a)))
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def fingerprint(node: ast.AST) -> str:
    """A short hash of the code, equal for the same code in every layout and on every Python."""
    return hashlib.sha256(_canonical(node).encode()).hexdigest()[:16]


def _canonical(node: object) -> str:
    if isinstance(node, ast.AST):
        parts = ((name, getattr(node, name, None)) for name in _fields(type(node)))
        inner = ",".join(f"{name}={_canonical(value)}" for name, value in parts if value not in (None, []))
        return f"{type(node).__name__}({inner})"
    if isinstance(node, list):
        return "[" + ",".join(map(_canonical, node)) + "]"
    return repr(node)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a function's body, without those of functions and classes defined inside it, in source order."""
    for child in ast.iter_child_nodes(function):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and child not in function.body:
            continue  # decorators, defaults and annotations run elsewhere
        yield from _walk(child)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from _walk(child)


def statements(function: ast.AST) -> Iterator[ast.stmt]:
    return (node for node in own_nodes(function) if isinstance(node, ast.stmt))
