"""The parameters of a model by name: each with its shape, the line that made it, and the range of its entries."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from linkindex.code import parse_code
from linkindex.model import Called, Stored, Summary, Symbol
from linkindex.render import numbers
from linkindex.render.book import Context
from linkindex.render.faults import each, fault, nearest
from linkindex.render.html import fill
from linkindex.render.matrix import Cell, cell
from linkindex.render.path import called
from linkindex.render.places import CodeLine, code_line
from linkindex.render.shapes import fits, from_sizes, written


@dataclass(frozen=True)
class Row:
    name: str
    symbol: Symbol                                       # that stands for it in formulas, with its meaning
    axes: tuple[str, ...]
    shape: tuple[int, ...]
    made: str                                            # code
    line: CodeLine
    ends: tuple[Cell, Cell]                              # the smallest and the largest entry
    answers: tuple[str, ...]

    @property
    def count(self) -> int:
        return prod(self.shape)

    @property
    def shapes(self) -> tuple[str, str]:
        """In symbols, and with the configuration."""
        return written(self.axes), written(self.shape)


def parameter_table(context: Context, options: Mapping[str, Any]) -> str:
    """``from`` is a call of the example file that returns a model's parameters by name.

    Of these, the table shows the ``group``, whose names begin so. Each was stored, under the last part of its name,
    by one of the functions ``made in``: the expression whose value equals the parameter bit for bit is linked. ``ask``
    adds columns: a call that returns numbers under the same names, for each parameter all 1 (yes) or all 0 (no).
    """
    call, group = called(context, options["from"]), options["group"]
    names = [name for name in call.arrays if name.startswith(f"{group}.")]
    if not names:
        near = nearest(group, _groups(call.arrays))
        raise fault("LI619", f"no parameter of {options['from']} lies in {group!r}; {near}")
    table = each(lambda name: _row(context, name, call, options), names)
    used = {axis for row in table for axis in row.axes}
    return fill(
        "parameters", context=context, rows=table, questions=[question["question"] for question in options["ask"]],
        totals=_totals(call.arrays, group), alike=_alike(call.arrays, group), title=options["title"],
        note=options["note"], sizes={name: size for name, size in context.sizes.items() if name in used},
    )


def _row(context: Context, name: str, call: Called, options: Mapping) -> Row:
    found = call.arrays[name]
    symbol = _symbol(context, name)
    maker = _maker(context, name, call, options["made in"])
    ends = (found.least, found.greatest)
    show = numbers.together(ends, options["decimals"])
    return Row(
        name=name,
        symbol=symbol,
        axes=_axes(context, name, symbol, found),
        shape=found.shape,
        made=maker.span.code,
        line=code_line(context.book, "calls", maker.span, maker.function, context.url),
        ends=tuple(cell(x, show) for x in ends),
        answers=each(lambda question: _answer(context, name, question), options["ask"]),
    )


def _symbol(context: Context, name: str) -> Symbol:
    """The symbol whose code takes the parameter from a dictionary: params["wq"]. Raises Faults LI619."""
    key = _last(name)
    for symbol in context.notation:
        match parse_code(symbol.code) if symbol.code else None:
            case ast.Subscript(slice=ast.Constant(value=value)) if value == key:
                return symbol
    raise fault("LI619", f"no symbol of the notation stands for {name}: add one with a code such as params[{key!r}]")


def _axes(context: Context, name: str, symbol: Symbol, found: Summary) -> tuple[str, ...]:
    axes = symbol.shape if symbol.shape is not None else from_sizes(found, context.sizes)
    if not fits(axes, found.shape, context.sizes):
        message = f"{name} should have shape {written(axes)}, but the model has {written(found.shape)}"
        raise fault("LI601", f"{message}: correct the shape in the notation, or the code")
    return axes


def _maker(context: Context, name: str, call: Called, functions: Iterable[str]) -> Stored:
    """The one expression that made a parameter. Raises Faults LI619 where none did, or several may have."""
    known = {one.key: one for function in functions for one in context.book.resolution.stored.get(function, ())}
    digest = call.arrays[name].digest
    keys = {key for key, stored, made in call.stored if key in known and stored == _last(name) and made == digest}
    if len(keys) != 1:
        places = ", ".join(sorted(f"{known[key].span.file}:{known[key].span.line}" for key in keys)) or "none"
        message = f"{name} should be what one line of {', '.join(functions)} stored under {_last(name)!r}"
        raise fault("LI619", f"{message}, found {places}: name the function that makes it under 'made in'")
    return known[keys.pop()]


def _answer(context: Context, name: str, question: Mapping[str, str]) -> str:
    found = called(context, question["from"]).arrays.get(name)
    if found is None or found.least != found.greatest or found.least not in (0, 1):
        seen = "nothing" if found is None else f"{found.least:g} to {found.greatest:g}"
        raise fault("LI619", f"{question['from']} should answer with all 1 or all 0 for {name}, found {seen}")
    return question["yes"] if found.least else question["no"]


def _totals(arrays: Mapping[str, Summary], group: str) -> list[tuple[str, int]]:
    """Numbers in the group, in the groups around it, and in the whole model, which has no name."""
    parts = group.split(".")
    around = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    inside = {name: [found.shape for key, found in arrays.items() if key.startswith(f"{name}.")] for name in around}
    inside[""] = [found.shape for found in arrays.values()]
    return [(name, sum(map(prod, shapes))) for name, shapes in inside.items()]


def _alike(arrays: Mapping[str, Summary], group: str) -> list[str]:
    """The groups whose parameters have the same names and shapes, the group itself among them."""

    def layout(name: str) -> dict[str, tuple[int, ...]]:
        return {_last(key): found.shape for key, found in arrays.items() if key.rpartition(".")[0] == name}

    return [name for name in _groups(arrays) if layout(name) == layout(group)]


def _groups(arrays: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(group for name in arrays if (group := name.rpartition(".")[0])))


def _last(name: str) -> str:
    return name.rpartition(".")[2]
