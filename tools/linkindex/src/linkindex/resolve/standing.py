"""Whether an expression stands in a function, wherever and however often."""

import ast
from functools import lru_cache

from linkindex.code import parse_code
from linkindex.model import Span
from linkindex.resolve.trees import same


@lru_cache(maxsize=1000)
def stands_in(function: Span, source: str, code: str) -> bool:
    """``source``: the text of the function's file."""
    wanted = parse_code(code)
    return any(
        same(node, wanted)
        for node in ast.walk(_tree(source))
        if type(node) is type(wanted) and function.line <= node.lineno and node.end_lineno <= function.end_line
    )


def names_something(node: ast.AST) -> bool:
    """Whether an expression is more than a constant."""
    return any(isinstance(inner, ast.Name) for inner in ast.walk(node))


@lru_cache(maxsize=20)
def _tree(source: str) -> ast.Module:
    return ast.parse(source)
