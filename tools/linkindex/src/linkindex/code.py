"""A piece of code as text, as records and links hold it, and the syntax tree that it stands for."""

import ast


def parse_code(code: str) -> ast.expr:
    """The tree of an expression as it stands in a file: over several lines, or with a comment behind it.

    Places in the tree count an opening bracket in front of ``code``. What a person typed, and may have left empty, is
    not for this function: nothing in brackets is an empty tuple. Raises SyntaxError, and ValueError for a null byte.
    """
    return ast.parse(f"({code}\n)", mode="eval").body
