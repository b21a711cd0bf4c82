"""Edits of Python texts, found by their syntax trees."""

import ast
import copy
from collections.abc import Iterator

from linkindex.selfattack.model import NotApplicable
from linkindex.selfattack.texts import lines_of, offset_of, with_line, without_lines

Definition = ast.FunctionDef | ast.AsyncFunctionDef


def function_at(text: str, line: int) -> Definition:
    """The function whose ``def`` stands in a line. Raises NotApplicable."""
    for node in ast.walk(ast.parse("\n".join(lines_of(text)))):
        if isinstance(node, Definition) and node.lineno == line:
            return node
    raise NotApplicable(f"no function begins in line {line}")


def top_level(text: str, name: str) -> Definition:
    """A function of a module. Raises NotApplicable."""
    for node in ast.parse("\n".join(lines_of(text))).body:
        if isinstance(node, Definition) and node.name == name:
            return node
    raise NotApplicable(f"there is no function {name}")


def first_line(node: Definition) -> int:
    """The line of the first decorator, or of ``def``."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def body_of(node: Definition) -> list[ast.stmt]:
    """The statements behind the docstring. Raises NotApplicable where they have no lines of their own."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if not body or body[0].lineno == node.lineno:
        raise NotApplicable(f"{node.name} has no body with lines of its own")
    return body


def with_first(text: str, node: Definition, *lines: str) -> tuple[str, int]:
    """The text with lines at the start of a function's body, and the number of the first of them."""
    start = body_of(node)[0]
    start_line = first_line(start) if isinstance(start, Definition) else start.lineno
    return with_line(text, start_line, *(" " * start.col_offset + line for line in lines)), start_line


def with_body(text: str, node: Definition, *lines: str) -> str:
    """The text with another body; the docstring stays."""
    start = body_of(node)[0]
    shorter = without_lines(text, start.lineno, node.end_lineno)
    return with_line(shorter, start.lineno, *(" " * start.col_offset + line for line in lines))


def with_decorator(text: str, node: Definition, decorator: str) -> str:
    return with_line(text, first_line(node), " " * node.col_offset + decorator)


def with_def_name(text: str, node: Definition, name: str) -> str:
    """The text with another name behind ``def``; calls keep the old one."""
    start = offset_of(text, node.lineno)
    before, found, behind = text[start:].partition(f"def {node.name}")
    if not found or "\n" in before:
        raise NotApplicable(f"the name of {node.name} is not in the line of its def")
    return f"{text[:start]}{before}def {name}{behind}"


def names(node: ast.AST, name: str) -> Iterator[ast.Name]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id == name)


def renamed(text: str, function: Definition, name: str, new: str) -> str:
    """The text with a variable of a function renamed, wherever the function uses it."""
    lines = text.split("\n")
    places = sorted({(inner.lineno, inner.col_offset) for inner in names(function, name)}, reverse=True)
    for number, offset in places:
        line = lines[number - 1].encode()
        lines[number - 1] = (line[:offset] + new.encode() + line[offset + len(name.encode()) :]).decode()
    return "\n".join(lines)


def assertions(node: Definition) -> list[ast.stmt]:
    """The statements of a test that assert something: ``assert ...`` and calls of some ``assert_...``."""
    statements = (inner for inner in ast.walk(node) if isinstance(inner, (ast.Assert, ast.Expr)))
    return [one for one in statements if isinstance(one, ast.Assert) or _is_check(one.value)]


def compared(statement: ast.stmt) -> ast.expr | None:
    """What an assertion looks at first: the first argument of its call, or the left side of its comparison."""
    match _comparison(statement):
        case ast.Call(args=[first, *_]) if not isinstance(first, ast.Starred):
            return first
        case ast.Compare(left=left):
            return left
    return None


def compared_with_itself(statement: ast.stmt) -> str | None:
    """The code of an assertion in which what it looks at first takes the place of what that is compared with."""
    changed = copy.deepcopy(statement)
    match _comparison(changed):
        case ast.Call(args=[first, _, *_]) as call:
            call.args[1] = first
        case ast.Compare(left=left) as comparison:
            comparison.comparators[0] = left
        case _:
            return None
    return ast.unparse(changed)


def _comparison(statement: ast.stmt) -> ast.expr:
    node = statement.test if isinstance(statement, ast.Assert) else statement.value
    while isinstance(node, ast.Call) and not node.args and isinstance(node.func, ast.Attribute):
        node = node.func.value  # (a == b).all()
    return node


def with_statement(text: str, statement: ast.stmt, new: str) -> str:
    """The text with one line in place of a statement."""
    shorter = without_lines(text, statement.lineno, statement.end_lineno)
    return with_line(shorter, statement.lineno, " " * statement.col_offset + new)


def _is_check(node: ast.expr) -> bool:
    name = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else name
    return name.lower().startswith("assert")
