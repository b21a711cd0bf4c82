"""A piece of code as text, as records and links hold it, and the syntax tree that it stands for."""

import ast
import textwrap


def parse_code(code: str) -> ast.expr:
    """The tree of an expression as it stands in a file: over several lines, or with a comment behind it.

    Places in the tree count an opening bracket in front of ``code``. What a person typed, and may have left empty, is
    not for this function: nothing in brackets is an empty tuple. Raises SyntaxError, and ValueError for a null byte.
    """
    return ast.parse(f"({code}\n)", mode="eval").body


def parse_piece(code: str) -> ast.expr | ast.Module:
    """The tree of an expression, or of statements whose first line is not indented, as a span of a file holds them."""
    try:
        return parse_code(code)
    except SyntaxError as error:
        wrong = error
    second = next((line for line in code.splitlines()[1:] if line.strip()), "")
    indent = second[: len(second) - len(second.lstrip())]
    for size in range(len(indent), -1, -1):  # how deep the first line stands, too
        try:
            return ast.parse(textwrap.dedent(indent[:size] + code))
        except SyntaxError:
            continue
    raise wrong
