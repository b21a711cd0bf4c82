"""Size symbols: the free axis lengths, and those computed from them, such as ``d: H * d_h``."""

import ast
import operator
from collections.abc import Iterable, Mapping

from linkindex.model import Symbol

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv}


def all_sizes(symbols: Iterable[Symbol], free: Mapping[str, int]) -> dict[str, int]:
    """The free sizes and every computed one whose parts are known. Raises ValueError for what is no arithmetic."""
    sizes = dict(free)
    waiting = {symbol.latex: symbol.size for symbol in symbols if symbol.size not in (None, "free")}
    while ready := [name for name, text in waiting.items() if names_in(text) <= sizes.keys()]:
        for name in ready:
            sizes[name] = _value(_parse(waiting.pop(name)), sizes)
    return sizes


def names_in(expression: str) -> set[str]:
    return {node.id for node in ast.walk(_parse(expression)) if isinstance(node, ast.Name)}


def _parse(expression: str) -> ast.expr:
    try:
        return ast.parse(expression, mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"the size {expression!r} is no arithmetic of sizes: {error.msg}") from error


def _value(node: ast.expr, sizes: Mapping[str, int]) -> int:
    match node:
        case ast.Name(id=name):
            return sizes[name]
        case ast.Constant(value=int() as value):
            return value
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, sizes), _value(right, sizes))
    raise ValueError(f"the size {ast.unparse(node)!r} uses more than +, -, *, // and whole numbers")
