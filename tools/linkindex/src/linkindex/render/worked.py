"""One cell, or one row, of a result worked out from the recorded operands of its own expression."""

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkindex.code import parse_code
from linkindex.model import Value
from linkindex.render import numbers
from linkindex.render.book import Context
from linkindex.render.faults import fault
from linkindex.render.html import fill
from linkindex.render.matrix import Cell, Show, axes_after_indices, cell, names_along
from linkindex.render.refs import Recorded, entry_of, look_up

_TRANSPOSES = {"T": lambda a: a.T, "mT": lambda a: a.swapaxes(-1, -2)}


Number = tuple[str, np.ndarray]                          # a ref, and the number or the row of numbers that it names


@dataclass(frozen=True)
class Terms:
    """Pairs of factors whose products (or quotients) add up to the result."""

    pairs: tuple[tuple[Number, Number], ...]
    sign: str
    vectors: tuple[Number, ...] = ()                     # a dot product is shown as two vectors first
    left_out: int = 0                                    # terms whose factor is exactly 0


@dataclass(frozen=True)
class Operand:
    """A number, or a row of numbers, and the code whose recorded value it is."""

    ref: str
    cells: tuple[Cell, ...]
    row: bool                                            # shown in brackets


@dataclass(frozen=True)
class Working:
    """Terms as shown; the result is what the code recorded."""

    place: str                                           # "row 2 (sat), column 1 (cat)"
    terms: tuple[tuple[Operand, Operand], ...]
    sign: str
    result: Operand
    vectors: tuple[Operand, ...]
    left_out: int


def worked_out(context: Context, options: Mapping[str, Any]) -> str:
    """``of`` is a matrix product or a quotient, ``at`` the indices of a cell, or of a row."""
    result = look_up(options["of"], context.values)
    at, shape = options["at"], result.whole.shape
    if result.indices or len(shape) - len(at) not in (0, 1) or any(i >= n for i, n in zip(at, shape)):
        message = f"'at' must pick a cell or a row of {options['of']!r}, whose shape is {shape}; found {list(at)}"
        raise fault("LI607", message)
    expression = _expression(context, result.base)
    left, right = (_operand(node, context.values) for node in (expression.left, expression.right))
    make = _product if isinstance(expression.op, ast.MatMult) else _quotient
    terms = make(expression, left, right, result.whole, at)
    recorded = result.whole.array()[at]
    left_by_rounding = _check_sum(options["of"], terms, recorded, at)
    sides = [[pair[side] for pair in terms.pairs] for side in (0, 1)]
    of_left, of_right = (_together(options, *side) for side in sides)
    of_result = _together(options, (result.base, recorded), *(sides[0] + sides[1] if left_by_rounding else ()))
    working = Working(
        place=_place(context, result, at),
        terms=tuple((_shown(a, of_left), _shown(b, of_right)) for a, b in terms.pairs),
        sign=terms.sign,
        result=_shown((entry_of(options["of"], *at), recorded), of_result),
        vectors=tuple(map(_shown, terms.vectors, (of_left, of_right))),
        left_out=terms.left_out,
    )
    return fill(
        "worked", context=context, working=working, code=options["of"], title=options["title"], note=options["note"]
    )


def _expression(context: Context, base: str) -> ast.BinOp:
    """The product or quotient that ``base`` is, or that the code assigns to the variable ``base``."""
    node = parse_code(base)
    if isinstance(node, ast.Name):
        links = [link for name in context.equations for link in context.book.resolution.links.get(name, ())]
        code = next((link.span.code for link in links if link.target == base), base)
        node = parse_code(code)
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


def _product(expression: ast.BinOp, left: np.ndarray, right: np.ndarray, result: Value, at: tuple[int, ...]) -> Terms:
    """Sum of products: of numbers for a cell, of weights and rows for a row, where zero weights are left out."""
    whole_row = len(at) < len(result.shape)
    *lead, i = at if whole_row else at[:-1]
    column = at[len(lead) + 1:]                          # none for a row
    weights = _layer(left, lead)[i]
    others = _layer(right, lead)[(slice(None), *column)]
    if len(weights) != len(others):
        shapes = f"{left.shape} and {right.shape}"
        raise fault("LI607", f"the recorded operands of {ast.unparse(expression)!r} do not fit: {shapes}")
    code = ast.unparse(expression.left)
    used = [j for j in range(len(weights)) if weights[j] != 0] if whole_row else list(range(len(weights)))
    pairs = tuple(
        ((entry_of(code, *lead, i, j), weights[j]), (_column_at(expression.right, lead, column, j), others[j]))
        for j in used
    )
    rows = ((entry_of(code, *lead, i), weights), (_column_at(expression.right, lead, column), others))
    return Terms(pairs, "×", () if whole_row else rows, len(weights) - len(used))


def _quotient(expression: ast.BinOp, left: np.ndarray, right: np.ndarray, result: Value, at: tuple[int, ...]) -> Terms:
    def part(node: ast.expr, whole: np.ndarray) -> Number:
        code = ast.unparse(node)
        return (entry_of(code, *at), np.broadcast_to(whole, result.shape)[at]) if whole.shape else (code, whole)

    return Terms(((part(expression.left, left), part(expression.right, right)),), "/")


def _check_sum(of: str, terms: Terms, recorded: np.ndarray, at: tuple[int, ...]) -> bool:
    """Whether the recorded result is no more than round-off. Raises Faults LI607 unless the terms give it: an operand
    may have been bound anew since."""
    products = [a / b if terms.sign == "/" else a * b for (_, a), (_, b) in terms.pairs]
    slack = 64 * np.finfo(recorded.dtype if recorded.dtype.kind == "f" else float).eps * sum(map(np.abs, products))
    if not np.all(np.abs(sum(products) - recorded) <= slack):
        message = f"the operands of {of!r} give {sum(products)} at {list(at)}, but the code computed {recorded}"
        raise fault("LI607", f"{message}: work out an expression whose operands keep their values")
    return bool(np.all(np.abs(recorded) <= slack))


def _layer(whole: np.ndarray, lead: list[int]) -> np.ndarray:
    """The matrix at the leading indices; an operand with fewer axes is the same for all of them."""
    missing = len(lead) - (whole.ndim - 2)
    return whole[tuple(lead[missing:])]


def _together(options: Mapping[str, Any], *shown: Number) -> Show:
    return numbers.together([x for _, value in shown for x in np.ravel(value).tolist()], options["decimals"])


def _shown(number: Number, show: Show) -> Operand:
    ref, value = number
    data = np.asarray(value).tolist()
    row = isinstance(data, list)
    return Operand(ref, tuple(cell(x, show) for x in (data if row else [data])), row)


def _column_at(right: ast.expr, lead: list[int], column: tuple[int, ...], *row: int) -> str:
    """The ref of an entry, or of a column, of the right factor; that of a transpose is named in the matrix itself."""
    if isinstance(right, ast.Attribute) and right.attr in _TRANSPOSES and column:
        return entry_of(ast.unparse(right.value), *lead, *column, *row)
    if row:
        return entry_of(ast.unparse(right), *lead, *row, *column)
    return entry_of(ast.unparse(right), *lead, ":", *column)


def _place(context: Context, result: Recorded, at: tuple[int, ...]) -> str:
    """Where the cell is, in words, with the names of its row and column; of a leading axis the name alone."""
    rank = len(result.whole.shape)
    words = []
    for position, (axis, index, size) in enumerate(zip(axes_after_indices(context, result), at, result.whole.shape)):
        name = names_along(context, axis, size)[index]
        named = name != str(index)
        if position < rank - 2:
            words.append(name if named else f"entry {index} of axis {axis}")
        else:
            words.append(f"{'row' if position == rank - 2 else 'column'} {index}" + (f" ({name})" if named else ""))
    return ", ".join(words)
