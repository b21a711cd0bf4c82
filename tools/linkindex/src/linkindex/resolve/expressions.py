"""Find a piece of code in a function: a variable's assigned value, or an expression, wherever it stands."""

import ast
import re
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches

from linkindex.load.symbols import parse_shape
from linkindex.model import Span
from linkindex.resolve.functions import Found, NotFound
from linkindex.resolve.sources import Source
from linkindex.resolve.trees import own_nodes, same, statements


@dataclass(frozen=True)
class Expression:
    """An expression of a function, with the statement around it and the variable that the statement assigns it to."""

    node: ast.expr
    statement: ast.stmt
    target: str | None
    element: int | None


@dataclass(frozen=True)
class Assignment:
    target: str
    element: int | None
    value: ast.expr
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
        lines = ", ".join(str(node.lineno) for node in matches)
        raise NotFound("LI208", f"{code!r} stands {len(matches)} times in {where}, in lines {lines}: name a longer piece that is there once")
    raise NotFound("LI207", f"{code!r} is not in {where}; {_nearest_code(found, code, pattern)}")


def assignments(function: ast.AST) -> list[Assignment]:
    """Every binding of a name by an assignment statement of the function, in source order."""
    result = []
    for statement in statements(function):
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    result.extend(_bound(target, value, statement))
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                result.extend(_bound(target, value, statement))
    return result


def _bound(target: ast.expr, value: ast.expr, statement: ast.stmt) -> list[Assignment]:
    if isinstance(target, ast.Name):
        return [Assignment(target.id, None, value, statement)]
    if not isinstance(target, (ast.Tuple, ast.List)):
        return []
    names = [(position, item.id) for position, item in enumerate(target.elts) if isinstance(item, ast.Name)]
    if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
        return [Assignment(name, None, value.elts[position], statement) for position, name in names]
    return [Assignment(name, position, value, statement) for position, name in names]


def _assigned(found: Found, name: str) -> Expression:
    every = assignments(found.node)
    matches = [assignment for assignment in every if assignment.target == name]
    where = f"{found.function.name} ({found.source.path}:{found.function.line})"
    if len(matches) == 1:
        one = matches[0]
        return Expression(one.value, one.statement, name, one.element)
    if matches:
        lines = ", ".join(str(assignment.statement.lineno) for assignment in matches)
        raise NotFound("LI208", f"{name!r} is assigned {len(matches)} times in {where}, in lines {lines}: give each result a name of its own, or name the expression under code")
    known = list(dict.fromkeys(assignment.target for assignment in every))
    near = get_close_matches(name, known, 3, 0.4) or get_close_matches(name.lower(), known, 3, 0.4)
    hint = f"nearest: {', '.join(near)}" if near else f"it assigns {', '.join(known) or 'nothing'}"
    raise NotFound("LI207", f"{where} assigns no variable {name!r}; {hint}: correct the record, or the code")


def _locate(found: Found, node: ast.expr) -> Expression:
    for assignment in assignments(found.node):
        if assignment.value is node:
            return Expression(node, assignment.statement, assignment.target, assignment.element)
    statement = next(
        inner
        for inner in reversed(list(statements(found.node)))
        if (inner.lineno, inner.col_offset) <= (node.lineno, node.col_offset)
        and (node.end_lineno, node.end_col_offset) <= (inner.end_lineno, inner.end_col_offset)
    )
    return Expression(node, statement, None, None)


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
