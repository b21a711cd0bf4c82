"""Find a piece of code in a function: a variable's assigned value, or an expression, wherever it stands."""

import ast
import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from linkindex.load.symbols import parse_shape
from linkindex.model import Span
from linkindex.resolve.functions import Found, NotFound, nearest
from linkindex.resolve.trees import own_nodes, same, statements
from linkindex.sources import Source


@dataclass(frozen=True)
class Expression:
    """An expression of a function, with the statement around it and the variable that the statement assigns it to."""

    node: ast.expr
    statement: ast.stmt
    target: str | None
    element: int | None


@dataclass(frozen=True)
class Assignment:
    """A binding of a name; ``value`` is None where the name is changed in place: no expression holds what it is."""

    target: str
    element: int | None
    value: ast.expr | None
    statement: ast.stmt


def find_expression(found: Found, code: str) -> Expression:
    """The expression that ``code`` means: what is assigned to a name, or this very code. Raises NotFound."""
    try:
        pattern = ast.parse(code.strip(), mode="eval").body
    except SyntaxError as error:
        raise NotFound("LI206", f"{code!r} is no Python expression: {error.msg}: write the code as it stands") from None
    if isinstance(pattern, ast.Name):
        return _assigned(found, pattern.id)
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
    raise NotFound("LI207", f"{code!r} is not in {where}; {_nearest_code(found, code, pattern)}")


def assignments_of(found: Found) -> tuple[Assignment, ...]:
    """The bindings of a function whose text is known: only where it holds a := are its expressions searched."""
    return assignments(found.node, ":=" in found.function.span.code)


@lru_cache(maxsize=2000)
def assignments(function: ast.FunctionDef | ast.AsyncFunctionDef, inside: bool = True) -> tuple[Assignment, ...]:
    """Every binding of a name by an assignment statement or, ``inside`` of expressions, a :=, in source order."""
    result: list[Assignment] = []
    for statement in statements(function):
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    result.extend(_bound(target, value, statement))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                result.extend(_bound(target, value, statement))
            case ast.AugAssign(target=ast.Name(id=name)):
                result.append(Assignment(name, None, None, statement))
    for node in own_nodes(function) if inside else ():
        if isinstance(node, ast.NamedExpr):
            result.append(Assignment(node.target.id, None, node.value, _statement_around(function, node)))
    return tuple(sorted(result, key=lambda one: (one.statement.lineno, one.statement.col_offset)))


def _bound(target: ast.expr, value: ast.expr, statement: ast.stmt) -> list[Assignment]:
    if isinstance(target, ast.Name):
        return [Assignment(target.id, None, value, statement)]
    if not isinstance(target, (ast.Tuple, ast.List)):
        return []
    stars = (position for position, item in enumerate(target.elts) if isinstance(item, ast.Starred))
    starred = next(stars, len(target.elts))
    names = [
        (position if position < starred else position - len(target.elts), item.id)  # behind a star, count from the end
        for position, item in enumerate(target.elts)
        if isinstance(item, ast.Name)
    ]
    paired = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
    if paired and not any(isinstance(item, ast.Starred) for item in (*target.elts, *value.elts)):
        return [Assignment(name, None, value.elts[position], statement) for position, name in names]
    return [Assignment(name, position, value, statement) for position, name in names]


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
            "give each result a name of its own, or name the expression under code",
        )
    known = list(dict.fromkeys(assignment.target for assignment in every))
    near = nearest(name, known, 0.4)
    hint = f"nearest: {', '.join(near)}" if near else f"it assigns {', '.join(known) or 'nothing'}"
    raise NotFound("LI207", f"{where} assigns no variable {name!r}; {hint}: correct the record, or the code")


def _locate(found: Found, node: ast.expr) -> Expression:
    for assignment in assignments_of(found):
        if assignment.value is node:
            return Expression(node, assignment.statement, assignment.target, assignment.element)
    return Expression(node, _statement_around(found.node, node), None, None)


def _statement_around(function: ast.AST, node: ast.expr) -> ast.stmt:
    """The innermost statement that holds the expression."""
    return next(
        inner
        for inner in reversed(list(statements(function)))
        if (inner.lineno, inner.col_offset) <= (node.lineno, node.col_offset)
        and (node.end_lineno, node.end_col_offset) <= (inner.end_lineno, inner.end_col_offset)
    )


def _line_in_string(found: Found, pattern: ast.expr) -> int | None:
    strings = (node for node in own_nodes(found.node) if isinstance(node, ast.JoinedStr))
    return next((string.lineno for string in strings for inner in ast.walk(string) if same(inner, pattern)), None)


def _nearest_code(found: Found, code: str, pattern: ast.expr) -> str:
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
