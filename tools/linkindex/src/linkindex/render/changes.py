"""What a mutant changes in a line: its code in the layout of the original, and the pieces that differ."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from textwrap import dedent

from linkindex.code import parse_code
from linkindex.model import Link

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_HOLE = "__hole__"


@dataclass(frozen=True)
class Piece:
    """A stretch of code; ``changed``: it stands on one side only."""

    text: str
    changed: bool


@dataclass(frozen=True)
class Change:
    """A statement before and after, each in pieces."""

    before: tuple[Piece, ...]
    after: tuple[Piece, ...]


def change(link: Link, mutant: str) -> Change:
    """The statement of a link, as it is and with ``mutant`` in place of the linked expression."""
    statement, span = link.statement, link.span
    first_col = statement.col if span.line == statement.line else 1
    start = _offset(statement.code, span.line - statement.line, span.col - first_col)
    end = start + len(span.code)
    indent = " " * (statement.col - 1)
    before, after = (
        dedent(indent + statement.code[:start] + code + statement.code[end:])
        for code in (span.code, rewritten(span.code, mutant))
    )
    return _compared(before, after)


def rewritten(original: str, mutant: str) -> str:
    """``mutant`` in the layout of ``original``: only the smallest part that differs is written anew."""
    data = f"({original}\n)".encode()
    wanted = parse_code(mutant)
    for old, new in reversed(_paths(parse_code(original), wanted)):
        start, end = _range(data, old)
        for text in _texts(data, old, new):
            made = (data[:start] + text.encode() + data[end:]).decode()[1:-2]
            if _means(made, wanted):
                return made
    return mutant


def _paths(old: ast.expr, new: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Pairs of expressions that differ, from the whole to the smallest."""
    pairs = [(old, new)]
    while (inner := _only_difference(*pairs[-1])) is not None:
        pairs.append(inner)
    return pairs


def _only_difference(old: ast.AST, new: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The one pair of expressions below two nodes that differs; None if there is none, or more than one difference."""
    if type(old) is not type(new):
        return None
    different = [(a, b) for a, b in zip(_children(old), _children(new), strict=False) if _dump(a) != _dump(b)]
    if len(different) != 1 or len(list(_children(old))) != len(list(_children(new))):
        return None
    a, b = different[0]
    if isinstance(a, ast.expr) and isinstance(b, ast.expr):
        return a, b
    return _only_difference(a, b) if isinstance(a, (ast.keyword, ast.Slice)) else None


def _children(node: ast.AST) -> Iterator[object]:
    for _, value in ast.iter_fields(node):
        yield from value if isinstance(value, list) else (value,)


def _dump(node: object) -> str:
    return ast.dump(node) if isinstance(node, ast.AST) else repr(node)


def _texts(data: bytes, old: ast.expr, new: ast.expr) -> Iterator[str]:
    """Ways to write ``new`` in place of ``old``, the closest to the original first."""
    start, end = _range(data, old)
    text = data[start:end].decode()
    yield from _with_other_sign(data, old, new)
    if isinstance(old, ast.Constant) and isinstance(old.value, str) and isinstance(new, ast.Constant):
        yield text.replace(old.value, str(new.value))
    for inner in ast.walk(old):                          # a part of the original is all that is left
        if isinstance(inner, ast.expr) and _dump(inner) == _dump(new):
            kept = data[slice(*_range(data, inner))].decode()
            yield from (kept, f"({kept})")
    around = ast.unparse(_Hole(_dump(old)).visit(parse_code(ast.unparse(new))))
    if _HOLE in around:                                  # the original is a part of what is new
        yield from (around.replace(_HOLE, text), around.replace(_HOLE, f"({text})"))
    anew = ast.unparse(new)
    if '"' in text and "'" not in text:                  # the quotes that the author uses
        yield anew.replace("'", '"')
    yield from (anew, f"({anew})")


def _with_other_sign(data: bytes, old: ast.expr, new: ast.expr) -> Iterator[str]:
    match old, new:
        case ast.BinOp(left=left, op=op, right=right), ast.BinOp(op=other):
            pass
        case ast.Compare(left=left, ops=[op], comparators=[right]), ast.Compare(ops=[other]):
            pass
        case _:
            return
    start, end = _range(data, old)
    first, last = _range(data, left)[1], _range(data, right)[0]
    between = data[first:last].decode().replace(_SIGNS.get(type(op), "\0"), _SIGNS.get(type(other), "\0"))
    yield data[start:first].decode() + between + data[last:end].decode()


class _Hole(ast.NodeTransformer):
    """Puts a name in place of the part that is the original."""

    def __init__(self, dumped: str):
        self.dumped = dumped

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.Name(_HOLE, ast.Load()) if _dump(node) == self.dumped else self.generic_visit(node)


def _means(code: str, wanted: ast.expr) -> bool:
    try:
        return _dump(parse_code(code)) == _dump(wanted)
    except SyntaxError:
        return False


def _range(data: bytes, node: ast.expr) -> tuple[int, int]:
    """Where a node begins and ends, in bytes."""
    lines = data.split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _offset(text: str, line: int, col: int) -> int:
    """Characters before a place; ``line`` and ``col`` count from 0."""
    return sum(len(before) + 1 for before in text.split("\n")[:line]) + col


def _compared(before: str, after: str) -> Change:
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for side, text in zip(sides, ("".join(old[a:b]), "".join(new[c:d])), strict=True):
            if text:
                side.append(Piece(text, kind != "equal"))
    return Change(tuple(sides[0]), tuple(sides[1]))
