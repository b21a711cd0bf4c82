"""Size symbols: the free axis lengths, and those computed from them, such as ``d: H * d_h``."""

import ast
import operator
from collections.abc import Iterable, Mapping
from contextlib import suppress

from linkindex.model import Config, Page, Symbol

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv}
OF_LENGTHS = {**OPERATORS, ast.Div: operator.truediv}  # in a formula, d / 2 is a length where it is a whole number
SAMPLES = 3  # of a page that knows no sizes
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


def lengths_of(config: Config, page: Page) -> dict[str, Mapping[str, int]]:
    """The lengths of the free sizes in each run of a page's example: the page's, else those of the configuration."""
    sets, own = config.sizes or ({},), page.sizes
    count = max((len(config.sizes), *map(len, own.values()))) or SAMPLES
    samples = {
        f"sample {k}": {**sets[k % len(sets)], **{name: lengths[k % len(lengths)] for name, lengths in own.items()}}
        for k in range(count)
    }
    if not (config.configuration or own) and config.sizes:
        return samples
    shown = {name: lengths[0] for name, lengths in own.items()} | dict(config.configuration or sets[0])
    return {"configuration": shown, **samples}


def size_faults(symbols: Iterable[Symbol], config: Config, pages: Iterable[Page]) -> dict[str, str]:
    """What is wrong with the sizes of symbols, and with the lengths chosen for the free ones: symbol -> message."""
    sizes = {symbol.latex: symbol.size for symbol in symbols if symbol.size}
    faults = {name: fault for name, text in sizes.items() if (fault := _fault(name, text, sizes))}
    if faults:
        return faults
    chosen = [*config.sizes, config.configuration]
    faults = {
        name: f"[tool.linkindex] gives {name} a length, and no symbol {name} has `size: free`: add it, or remove it"
        for lengths in chosen
        for name in lengths
        if sizes.get(name) != "free"
    }
    for page in pages:
        listed = {symbol.latex for symbol in page.notation} & sizes.keys()
        needed = listed.union(*(_behind(name, sizes) for name in listed))
        for lengths in lengths_of(config, page).values() if listed else ():
            faults = _missing(lengths, needed, sizes, page) | faults
            chosen.insert(0, lengths)
    for lengths in () if faults else chosen:
        faults |= _no_lengths(lengths, sizes, symbols)
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


def _missing(lengths: Mapping[str, int], needed: set[str], sizes: Mapping[str, str], page: Page) -> dict[str, str]:
    return {
        name: f"the free size {name} has no length among {_listed(lengths)} in [tool.linkindex]: give it one there, or "
        f"under `sizes` in {page.records}"
        for name in sizes
        if name in needed and sizes[name] == "free" and name not in lengths
    }


def _no_lengths(lengths: Mapping[str, int], sizes: Mapping[str, str], symbols: Iterable[Symbol]) -> dict[str, str]:
    """What is computed from lengths and is none itself; not what is computed from that, nor from others."""
    computed = all_sizes(symbols, lengths)
    behind = {name: _behind(name, sizes) for name in sizes if sizes[name] != "free"}
    known = {name for name, parts in behind.items() if {part for part in parts if sizes[part] == "free"} <= {*lengths}}
    wrong = {name for name in known if computed.get(name, 0) < 1}
    first = [name for name in sizes if name in wrong and not wrong & behind[name]]
    how = {name: "is no length" if name in computed else "divides by zero" for name in first}
    return {
        name: f"the size {sizes[name]!r} {how[name]} for {_listed(lengths)}: it must be a whole number from 1 on"
        for name in first
    }


def _listed(lengths: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {size}" for name, size in lengths.items()) or "none"


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
