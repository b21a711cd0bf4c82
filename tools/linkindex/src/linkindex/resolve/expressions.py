"""Find a piece of code in a function: a variable's assigned value, or an expression, wherever it stands."""

import ast
import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher

from linkindex.load.symbols import parse_shape
from linkindex.model import Span
from linkindex.resolve.assignments import VARIABLES, assignments_of
from linkindex.resolve.definitions import definitions
from linkindex.resolve.functions import Found, NotFound, nearest
from linkindex.resolve.trees import SCOPES, dotted_name, own_nodes, same, statement_around
from linkindex.sources import Source


@dataclass(frozen=True)
class Expression:
    """An expression of a function, with the statement around it and the variable that the statement assigns it to."""

    node: ast.expr
    statement: ast.stmt
    target: str | None
    element: int | None


def find_expression(found: Found, code: str) -> Expression:
    """The expression that ``code`` means: what is assigned to a name, or this very code. Raises NotFound."""
    try:
        pattern = ast.parse(code.strip(), mode="eval").body
    except SyntaxError as error:
        raise NotFound("LI206", f"{code!r} is no Python expression: {error.msg}: write the code as it stands") from None
    if isinstance(pattern, ast.Name) or (isinstance(pattern, VARIABLES) and _is_assigned(found, pattern)):
        return _assigned(found, ast.unparse(pattern))
    matches = [node for node in own_nodes(found.node) if isinstance(node, ast.expr) and same(node, pattern)]
    if len(matches) == 1:
        return _locate(found, matches[0])
    where = f"{found.function.name} ({found.source.path}:{found.function.line})"
    if matches:
        places = ", ".join(f"{place.line}:{place.col}" for place in map(found.source.place, matches))
        raise NotFound(
            "LI208",
            f"{code!r} stands {len(matches)} times in {where}, at {places}: name a longer piece that is there once",
        )
    if line := _line_in_string(found, pattern):
        message = (
            f"{code!r} stands inside an f-string of {where}, in line {line}: assign it to a name, "
            "and put the name into the string"
        )
        raise NotFound("LI207", message)
    remedy = _inside(found, pattern) or _nearest_code(found, pattern)
    raise NotFound("LI207", f"{code!r} is not in {where}; {remedy}{_implementations(found)}")


def _is_assigned(found: Found, pattern: ast.expr) -> bool:
    return any(assignment.target == ast.unparse(pattern) for assignment in assignments_of(found))


def _assigned(found: Found, name: str) -> Expression:
    every = assignments_of(found)
    matches = [assignment for assignment in every if assignment.target == name]
    where = f"{found.function.name} ({found.source.path}:{found.function.line})"
    if len(matches) == 1 and matches[0].value is None:
        line = matches[0].statement.lineno
        raise NotFound(
            "LI208", f"{name!r} is changed in place in {where}, in line {line}: assign the result to a name of its own"
        )
    if len(matches) == 1:
        one = matches[0]
        return Expression(one.value, one.statement, name, one.element)
    if matches:
        lines = ", ".join(str(assignment.statement.lineno) for assignment in matches)
        raise NotFound(
            "LI208",
            f"{name!r} is assigned {len(matches)} times in {where}, in lines {lines}: "
            "give each result a name of its own, or write the statement that is meant, or its expression, under code",
        )
    known = list(dict.fromkeys(assignment.target for assignment in every))
    near = nearest(name, known, 0.4)
    hint = f"nearest: {', '.join(near)}" if near else f"it assigns {', '.join(known) or 'nothing'}"
    more = _implementations(found)
    raise NotFound("LI207", f"{where} assigns no variable {name!r}; {hint}: correct the record, or the code{more}")


def _locate(found: Found, node: ast.expr) -> Expression:
    for assignment in assignments_of(found):
        if assignment.value is node:
            return Expression(node, assignment.statement, assignment.target, assignment.element)
    return Expression(node, statement_around(found.node, node), None, None)


def _line_in_string(found: Found, pattern: ast.expr) -> int | None:
    strings = (node for node in own_nodes(found.node) if isinstance(node, ast.JoinedStr))
    return next((string.lineno for string in strings for inner in ast.walk(string) if same(inner, pattern)), None)


def _inside(found: Found, pattern: ast.expr) -> str | None:
    """What to write for code that stands in a function or a lambda inside of the named one."""
    scopes = [node for node in ast.walk(found.node) if isinstance(node, SCOPES) and node is not found.node]
    holding = [scope for scope in scopes if any(same(node, pattern) for node in ast.walk(scope))]
    if not holding:
        return None
    inner = holding[-1]
    if isinstance(inner, ast.Lambda):
        return f"it stands in a lambda in line {inner.lineno}: write that as a function with def, and name the function"
    return f"it stands in {inner.name}, in line {inner.lineno}: name {found.function.name}.{inner.name} under `in`"


def _implementations(found: Found) -> str:
    """Of a function that others are registered for, as ``functools.singledispatch`` does, what to name instead."""
    wanted = f"{found.node.name}.register"
    every = definitions(found.source)
    count = Counter(named.name for named in every)
    names = [
        f"{found.function.module}.{named.name}{f'[{named.role}]' * (count[named.name] > 1)} (line {named.node.lineno})"
        for named in every
        for decorator in named.node.decorator_list
        if dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator) == wanted
    ]
    return f"; or name one of its implementations: {', '.join(names)}" if names else ""


def _nearest_code(found: Found, pattern: ast.expr) -> str:
    """The most similar pieces of the function, as written; operators of a chain group from the left."""
    wanted = ast.unparse(pattern)
    pieces = {}
    for node in own_nodes(found.node):
        if isinstance(node, ast.expr) and not isinstance(node, (ast.Constant, ast.Name)):
            text = ast.unparse(node)
            pieces.setdefault(text, (SequenceMatcher(None, wanted, text).ratio(), node))
    best = sorted(pieces.values(), key=lambda piece: -piece[0])[:3]
    if not best:
        return "the function has no expression"
    shown = "; ".join(f"line {node.lineno}: {' '.join(found.source.span(node).code.split())}" for _, node in best)
    return f"nearest: {shown}: copy the piece as it stands"


def comment_shape(source: Source, statement: Span) -> tuple[str, ...] | None:
    """The shape in the comment behind a statement, such as ``# (..., H, T, d_h)``, without leading dots."""
    rest = source.lines[statement.end_line - 1][statement.end_col - 1 :].strip()
    match = re.match(r"#\s*(\([^()]*\))", rest)
    return parse_shape(match[1]) if match else None
