"""The step ``symbols``: every symbol of the formula has a recorded value, of the shape claimed, on different sizes."""

import unicodedata
from collections.abc import Iterator, Mapping

from linkindex.formula import Formula
from linkindex.model import Equation, ExampleRun, Finding, Link, Step, Symbol, SymbolRow, Value


Shapes = Mapping[str, Mapping[str, tuple[str, ...]]]  # function -> variable -> shape from its comment


def symbol_rows(
    equation: Equation,
    formula: Formula,
    links: tuple[Link, ...],
    symbols: Mapping[str, Symbol],
    shapes: Shapes,
    runs: tuple[ExampleRun, ...],
) -> tuple[SymbolRow, ...]:
    """The symbol table of one equation, with what the run with the configuration recorded."""
    run = next((run for run in runs if run.kind == "configuration"), None)
    rows = []
    for latex in formula.symbols:
        symbol = symbols[latex]
        value = next(iter(_recorded(symbol, run, equation.id)), None) if run else None
        rows.append(
            SymbolRow(
                latex=latex,
                meaning=symbol.meaning,
                code=", ".join(_codes(symbol)),
                shape=claimed_shape(symbol, links, shapes) or (),
                runtime_shape=value.shape if value else None,
                dtype=value.dtype if value else None,
            )
        )
    return tuple(rows)


def check_symbols(
    equation: Equation,
    formula: Formula,
    links: tuple[Link, ...],
    symbols: Mapping[str, Symbol],
    shapes: Shapes,
    runs: tuple[ExampleRun, ...],
) -> tuple[Step, list[Finding]]:
    findings = [
        finding
        for latex in formula.symbols
        for finding in _check_symbol(equation, symbols[latex], claimed_shape(symbols[latex], links, shapes), links, runs)
    ]
    if not runs:
        return Step(False, "the example was not run"), findings
    samples = [run for run in runs if run.sizes]
    if not samples:
        return Step(False, "no size sets are configured: add sizes to [tool.linkindex]"), findings
    return Step(not findings, findings[0].message if findings else None), findings


def claimed_shape(symbol: Symbol, links: tuple[Link, ...], shapes: Mapping) -> tuple[str, ...] | None:
    """The notation's shape, or else the one in the comment beside the variable in the linked function."""
    if symbol.shape is not None:
        return symbol.shape
    for link in links:
        for code in _codes(symbol):
            name = unicodedata.normalize("NFKC", code)  # as Python does with every identifier
            if link.probe and name in shapes.get(link.function, {}):
                return shapes[link.function][name]
    return None


def _check_symbol(
    equation: Equation, symbol: Symbol, shape: tuple[str, ...] | None, links: tuple[Link, ...], runs: tuple[ExampleRun, ...]
) -> Iterator[Finding]:
    """The first thing that is wrong with a symbol, if any."""
    code = ", ".join(_codes(symbol))
    place = equation.keys.get("latex", equation.place)
    if not code:
        message = f"{equation.id}: the symbol {symbol.latex} has no code: say which variable or expression holds it"
        yield Finding(symbol.place, "LI406", message)
        return
    if shape is None:
        message = f"{equation.id}: the shape of {symbol.latex} is unknown: add a shape comment beside {code}, or `shape` to the symbol"
        yield Finding(symbol.place, "LI407", message)
        return
    for run in runs:
        values = _recorded(symbol, run, equation.id)
        if not values:
            message = (
                f"{equation.id}: the symbol {symbol.latex} ({code}) has no value in {links[0].function}, "
                f"in the run {run.kind!r}: correct its code"
            )
            yield Finding(place, "LI406", message)
            return
        wrong = next(filter(None, (_mismatch(shape, value, run.sizes) for value in values)), None) if run.sizes else None
        if wrong:
            message = f"{equation.id}: {symbol.latex} ({code}) should have the shape ({', '.join(shape)}), but {wrong}"
            yield Finding(place, "LI408", message)
            return


def _codes(symbol: Symbol) -> list[str]:
    return list(symbol.family.values()) or ([symbol.code] if symbol.code else [])


def _recorded(symbol: Symbol, run: ExampleRun, equation: str) -> list[Value]:
    """All values of the symbol; empty if one visit or one member of a family lacks it."""
    values = []
    for code in _codes(symbol):
        found = [visit.names[code] for visit in run.visits.get(equation, ()) if code in visit.names]
        if not found:
            return []
        values.extend(found)
    return values


def _mismatch(shape: tuple[str, ...], value: Value, sizes: Mapping[str, int]) -> str | None:
    unknown = [axis for axis in shape if not axis.isdigit() and axis not in sizes]
    if unknown:
        return f"{unknown[0]} is no size symbol with a length: known are {', '.join(sizes)}"
    expected = tuple(int(axis) if axis.isdigit() else sizes[axis] for axis in shape)
    if value.shape == expected:
        return None
    listed = ", ".join(f"{name} = {size}" for name, size in sizes.items())
    return f"it has the shape {value.shape}; with the sizes {listed} it should have been {expected}"
