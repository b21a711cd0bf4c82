"""Size symbols: the free axis lengths, and those computed from them, such as ``d: H * d_h``."""

import ast
import operator
from collections.abc import Iterable, Mapping
from contextlib import suppress

from linkindex.model import Symbol

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv}
OF_LENGTHS = {**OPERATORS, ast.Div: operator.truediv}  # in a formula, d / 2 is a length where it is a whole number
MOST_PARTS = 200  # names, numbers and operators of one size; each Python has a limit of its own, far above


def all_sizes(symbols: Iterable[Symbol], free: Mapping[str, int]) -> dict[str, int]:
    """The free sizes and every computed one whose parts are known, without those that divide by zero. Raises ValueError
    for what is no arithmetic."""
    sizes = dict(free)
    waiting = {symbol.latex: symbol.size for symbol in symbols if symbol.size not in (None, "free")}
    while ready := [name for name, text in waiting.items() if names_in(text) <= sizes.keys()]:
        for name in ready:
            with suppress(ZeroDivisionError):
                sizes[name] = _value(_parse(waiting.pop(name)), sizes)
    return sizes


def size_faults(symbols: Iterable[Symbol], chosen: Iterable[Mapping[str, int]]) -> dict[str, str]:
    """What is wrong with the sizes of symbols, and with the lengths chosen for the free ones: symbol -> message."""
    sizes = {symbol.latex: symbol.size for symbol in symbols if symbol.size}
    faults = {name: fault for name, text in sizes.items() if (fault := _fault(name, text, sizes))}
    for lengths in () if faults else chosen:
        faults |= _faults_of(lengths, sizes, symbols)
    return faults


def _fault(name: str, text: str, known: Mapping[str, str]) -> str | None:
    """What is wrong with the expression of a size."""
    if text == "free":
        return None
    try:
        unknown = sorted(names_in(text) - known.keys())
    except ValueError as error:
        return f"{error}: use free sizes, whole numbers, and +, -, *, //, such as H * d_h"
    if unknown:
        listed = ", ".join(other for other in known if other != name)
        return f"the size {text!r} names {unknown[0]}, which is no size: known are {listed or 'none'}"
    return f"the size {text!r} goes round in a circle: use free sizes" if name in _behind(name, known) else None


def _behind(name: str, known: Mapping[str, str]) -> set[str]:
    """The sizes that a size is computed from, directly or through others."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        text = known.get(waiting.pop(), "free")
        with suppress(ValueError):  # one that is wrong itself
            inner = set() if text == "free" else names_in(text) - found
            found |= inner
            waiting.extend(inner)
    return found


def _faults_of(lengths: Mapping[str, int], sizes: Mapping[str, str], symbols: Iterable[Symbol]) -> dict[str, str]:
    """What is wrong with one choice of lengths, as pyproject.toml makes it; not with what is computed from that."""
    listed = ", ".join(f"{name} = {size}" for name, size in lengths.items())
    faults = {
        name: f"the free size {name} has no length among {listed or 'none'} in [tool.linkindex]: give it one"
        for name, text in sizes.items()
        if text == "free" and name not in lengths
    }
    faults |= {
        name: f"[tool.linkindex] gives {name} a length, and no symbol {name} has `size: free`: add it, or remove it"
        for name in lengths
        if sizes.get(name) != "free"
    }
    if faults:
        return faults
    computed = all_sizes(symbols, lengths)
    wrong = {name for name in sizes if computed.get(name, 0) < 1}
    first = [name for name in sizes if name in wrong and not wrong & _behind(name, sizes)]
    how = {name: "is no length" if name in computed else "divides by zero" for name in first}
    return {
        name: f"the size {sizes[name]!r} {how[name]} for {listed}: it must be a whole number from 1 on"
        for name in first
    }


def names_in(expression: str, operators: Mapping = OPERATORS) -> set[str]:
    return {node.id for node in ast.walk(_parse(expression, operators)) if isinstance(node, ast.Name)}


def length(expression: str, sizes: Mapping[str, int]) -> int:
    """The value of, say, ``d / 2``: a whole number from 1. Raises ValueError for another, or for an unknown size."""
    if unknown := sorted(names_in(expression, OF_LENGTHS) - sizes.keys()):
        raise ValueError(f"the size {unknown[0]} is not known")
    value = _value(_parse(expression, OF_LENGTHS), sizes)
    if value != int(value):
        raise ValueError(f"the length {expression!r} is {value}, not a whole number")
    if value < 1:
        raise ValueError(f"the length {expression!r} is {int(value)} in a trial: write one that is at least 1")
    return int(value)


def _parse(expression: str, operators: Mapping = OPERATORS) -> ast.expr:
    try:
        tree = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError) as error:
        why = error.msg if isinstance(error, SyntaxError) else error
        raise ValueError(f"the size {expression!r} is no arithmetic of sizes: {why}") from error
    if sum(1 for _ in ast.walk(tree)) > MOST_PARTS:
        raise ValueError(f"the size {expression!r} is no arithmetic of sizes: it has more than {MOST_PARTS} parts")
    for node in ast.walk(tree):
        match node:
            case ast.Name() | ast.expr_context() | ast.operator():
                pass
            case ast.Constant(value=value) if type(value) is int:
                pass
            case ast.BinOp(op=op) if type(op) in operators:
                pass
            case _:
                raise ValueError(f"the size {ast.unparse(node)!r} uses more than +, -, *, // and whole numbers")
    return tree


def _value(node: ast.expr, sizes: Mapping[str, int]) -> int:
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            return OF_LENGTHS[type(op)](_value(left, sizes), _value(right, sizes))
        case ast.Name(id=name):
            return sizes[name]
        case ast.Constant(value=value):
            return value
