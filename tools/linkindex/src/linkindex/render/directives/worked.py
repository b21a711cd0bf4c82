"""One cell, or one row, of a result worked out from the recorded operands of its own expression."""

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from linkindex.model import Value
from linkindex.render import numbers
from linkindex.render.book import Context
from linkindex.render.faults import fault
from linkindex.render.html import fill
from linkindex.render.matrix import Cell, axes_after_indices, cell, names_along
from linkindex.render.options import Option, decimals, indices, read_options, text
from linkindex.render.refs import canonical, look_up

_TRANSPOSES = {"T": lambda a: a.T, "mT": lambda a: a.swapaxes(-1, -2)}


@dataclass(frozen=True)
class Operand:
    """A number, or a row of numbers, and the code whose recorded value it is."""

    ref: str
    cells: tuple[Cell, ...]
    row: bool                                            # shown in brackets


@dataclass(frozen=True)
class Working:
    """``sign`` stands between the factors of each term; terms are added up; the result is what the code recorded."""

    place: str                                           # "row 2 (sat), column 1 (cat)"
    terms: tuple[tuple[Operand, Operand], ...]
    sign: str
    result: Operand
    vectors: tuple[Operand, ...] = ()                    # a dot product is shown as two vectors first
    left_out: int = 0                                    # terms whose factor is exactly 0


def worked(context: Context) -> str:
    """``::: worked``: ``of`` is a matrix product or a quotient, ``at`` the indices of a cell, or of a row."""
    options = read_options(context.directive, {
        "of": Option(text, required=True), "at": Option(indices, required=True),
        "title": Option(text), "note": Option(text), "decimals": Option(decimals, default=4),
    })
    result = look_up(options["of"], context.values)
    at, shape = options["at"], result.whole.shape
    if result.indices or len(shape) - len(at) not in (0, 1) or any(i >= n for i, n in zip(at, shape)):
        message = f"'at' must pick a cell or a row of {options['of']!r}, whose shape is {shape}; found {list(at)}"
        raise fault("LI607", message)
    expression = _expression(context, result.base)
    left, right = (_operand(node, context.values) for node in (expression.left, expression.right))
    make = _product if isinstance(expression.op, ast.MatMult) else _quotient
    working = make(context, expression, left, right, look_up(options["of"], context.values).whole, at, options["decimals"])
    return fill("worked", context=context, working=working, code=options["of"], title=options["title"], note=options["note"])


def _expression(context: Context, base: str) -> ast.BinOp:
    """The product or quotient that ``base`` is, or that the code assigns to the variable ``base``."""
    node = ast.parse(base, mode="eval").body
    if isinstance(node, ast.Name):
        links = context.book.resolution.links
        code = next((link.span.code for name in context.equations for link in links.get(name, ()) if link.target == base), base)
        node = ast.parse(canonical(code) or base, mode="eval").body
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.MatMult, ast.Div)):
        return node
    message = f"expected a matrix product (@) or a quotient (/) to work out, found {ast.unparse(node)!r}"
    raise fault("LI607", f"{message}: name one of its parts, or leave this block out")


def _operand(node: ast.expr, known: Mapping[str, Value]) -> np.ndarray:
    """The recorded value of an operand; a transpose or a square root of one is read off it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return np.asarray(node.value)
    if (code := ast.unparse(node)) in known:
        return known[code].array()
    if isinstance(node, ast.Attribute) and node.attr in _TRANSPOSES:
        return _TRANSPOSES[node.attr](_operand(node.value, known))
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("math.sqrt", "np.sqrt") and len(node.args) == 1:
        return np.asarray(math.sqrt(_operand(node.args[0], known)))
    message = f"the example recorded no value for the operand {code!r}: add it to the notation, or leave this block out"
    raise fault("LI607", message)


def _product(
    context: Context, expression: ast.BinOp, left: np.ndarray, right: np.ndarray, result: Value, at: tuple[int, ...], k: int
) -> Working:
    """Sum of products: of numbers for a cell, of weights and rows for a row."""
    whole_row = len(at) < len(result.shape)
    *lead, i = at if whole_row else at[:-1]
    weights = _layer(left, lead)[i]
    others = _layer(right, lead) if whole_row else _layer(right, lead)[:, at[-1]]
    if weights.shape[0] != others.shape[0]:
        raise fault("LI607", f"the recorded operands of {ast.unparse(expression)!r} do not fit: {left.shape} and {right.shape}")
    codes = ast.unparse(expression.left), ast.unparse(expression.right)
    used = [j for j in range(len(weights)) if weights[j] != 0 or not whole_row] or [0]
    terms = tuple(
        (_shown(_at(codes[0], *lead, i, j), weights[j], k), _shown(_at(codes[1], *lead, j, *at[len(lead) + 1:]), others[j], k))
        for j in used
    )
    vectors = () if whole_row else (
        _shown(_at(codes[0], *lead, i), weights, k), _shown(_at(codes[1], *lead, ":", at[-1]), others, k),
    )
    shown = _shown(_at(ast.unparse(expression), *at), np.asarray(result.array()[at]), k)
    return Working(_place(context, expression, result, at), terms, "×", shown, vectors, len(weights) - len(used))


def _quotient(
    context: Context, expression: ast.BinOp, left: np.ndarray, right: np.ndarray, result: Value, at: tuple[int, ...], k: int
) -> Working:
    parts = []
    for node, whole in ((expression.left, left), (expression.right, right)):
        code = ast.unparse(node)
        part = np.broadcast_to(whole, result.shape)[at] if whole.shape else whole
        parts.append(_shown(_at(code, *at) if whole.shape else code, part, k))
    shown = _shown(_at(ast.unparse(expression), *at), np.asarray(result.array()[at]), k)
    return Working(_place(context, expression, result, at), ((parts[0], parts[1]),), "/", shown)


def _layer(whole: np.ndarray, lead: list[int]) -> np.ndarray:
    """The matrix at the leading indices; an operand with fewer axes is the same for all of them."""
    missing = len(lead) - (whole.ndim - 2)
    return whole[tuple(lead[missing:])]


def _shown(ref: str, value: np.ndarray, k: int) -> Operand:
    data = value.tolist()
    row = isinstance(data, list)
    return Operand(ref, tuple(cell(x, k, numbers.strip) for x in (data if row else [data])), row)


def _at(code: str, *at: object) -> str:
    node = ast.parse(code, mode="eval").body
    inner = code if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else f"({code})"
    return f"{inner}[{', '.join(map(str, at))}]" if at else code


def _place(context: Context, expression: ast.BinOp, result: Value, at: tuple[int, ...]) -> str:
    """Where the cell is, in words, with the names of its row and column."""
    base = ast.unparse(expression)
    axes = axes_after_indices(context, look_up(base if base in context.values else context.directive.options["of"], context.values))
    words = []
    for position, (axis, index, size) in enumerate(zip(axes, at, result.shape)):
        kind = {len(result.shape) - 2: "row", len(result.shape) - 1: "column"}.get(position, axis)
        name = names_along(context, axis, size)[index]
        words.append(f"{kind} {index}" + (f" ({name})" if name != str(index) else ""))
    return ", ".join(words)
