"""Compare pieces of code as syntax trees: blanks, line breaks, quotes and comments do not matter."""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache

IGNORED = {"ctx", "type_comment", "kind"}
BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")  # fields that hold statements, in source order
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Lambda)
# What stands inside runs at another time (scopes), or has no exact columns before Python 3.12 (f-strings).
CLOSED = (*SCOPES, ast.JoinedStr)


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


def fingerprint(node: ast.AST, bodies: bool = True) -> str:
    """A short hash of the code, equal for the same code in every layout and on every Python; or of all of it but the
    bodies of functions."""
    return hashlib.sha256(_canonical(node, bodies).encode()).hexdigest()[:16]


def _canonical(node: object, bodies: bool) -> str:
    if isinstance(node, ast.AST):
        left_out = "body" if not bodies and isinstance(node, FUNCTIONS) else None
        parts = ((name, getattr(node, name, None)) for name in _fields(type(node)) if name != left_out)
        inner = ",".join(f"{name}={_canonical(value, bodies)}" for name, value in parts if value not in (None, []))
        return f"{type(node).__name__}({inner})"
    if isinstance(node, list):
        return "[" + ",".join(_canonical(one, bodies) for one in node) + "]"
    return repr(node)


def without_bodies(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes but those in the bodies of functions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        inside = node.body if isinstance(node, FUNCTIONS) else ()
        waiting.extend(child for child in ast.iter_child_nodes(node) if child not in inside)


def own_nodes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """All nodes of a function's body in source order, without the insides of inner functions, classes and f-strings."""
    waiting = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, CLOSED):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def statements(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.stmt]:
    """The statements of a function's body, nested ones included, in source order."""
    return (inner for statement in function.body for inner in statements_in(statement))


def statements_in(statement: ast.stmt) -> Iterator[ast.stmt]:
    """A statement and those that stand in it, in source order."""
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, SCOPES):
            waiting.extend(reversed(inside(node)))


def inside(statement: ast.stmt) -> list[ast.stmt]:
    """The statements that stand directly in another one, in source order."""
    parts = [part for name in BLOCKS for part in getattr(statement, name, ())]
    bodies = ([part] if isinstance(part, ast.stmt) else part.body for part in parts)  # that of a handler, of a case
    return [one for body in bodies for one in body]


def head(statement: ast.stmt) -> list[ast.AST]:
    """What runs of a statement before those that stand in it."""
    parts = [part for name in BLOCKS for part in getattr(statement, name, ())]
    return [one for one in ast.iter_child_nodes(statement) if one not in parts]


def statement_around(function: ast.AST, node: ast.expr) -> ast.stmt:
    """The innermost statement that holds the expression."""
    return next(
        inner
        for inner in reversed(list(statements(function)))
        if (inner.lineno, inner.col_offset) <= (node.lineno, node.col_offset)
        and (node.end_lineno, node.end_col_offset) <= (inner.end_lineno, inner.end_col_offset)
    )


def lists_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[list[ast.stmt]]:
    """The lists of statements of a function: its body, and those of the statements in it."""
    yield function.body
    for statement in statements(function):
        if not isinstance(statement, SCOPES):
            parts = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
            yield from (body for part in parts for name in BLOCKS if (body := _list(part, name)))


def _list(part: ast.AST, name: str) -> list[ast.stmt]:
    return [one for one in getattr(part, name, ()) if isinstance(one, ast.stmt)]


def dotted_name(node: ast.expr) -> str | None:
    """``np.linalg.solve`` as text; None for what is no plain name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = dotted_name(node.value)
        return f"{head}.{node.attr}" if head else None
    return None
