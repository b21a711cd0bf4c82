"""The symbols of a section in three groups: values, indices, sizes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linkindex.model import Symbol
from linkindex.refs import canonical
from linkindex.render.book import Context
from linkindex.render.shapes import written


@dataclass(frozen=True)
class Row:
    """A symbol with what it means; of a value its code and shape, of a size its length in the run that is shown."""

    latex: str
    meaning: str
    code: str = ""
    shape: str = ""
    here: int | None = None


def groups(context: Context, indices: Mapping[str, str]) -> Mapping[str, tuple[Row, ...]]:
    """Title -> rows, without empty groups. The sizes are those in the formulas and in the shapes of their symbols."""
    known = {symbol.latex: symbol for symbol in (*context.book.index.symbols, *context.notation)}
    sizes = {latex for latex, symbol in known.items() if symbol.size is not None}
    values = [row for row in context.symbols if row.latex not in sizes]
    listed = dict.fromkeys([*(axis for row in values for axis in row.shape), *(row.latex for row in context.symbols)])
    lengths = dict(_lengths(context))
    found = {
        "Values": tuple(Row(row.latex, row.meaning, row.code, written(row.shape)) for row in values),
        "Indices": tuple(Row(letter, meaning) for letter, meaning in indices.items()),
        "Sizes": tuple(_size(known[name], lengths) for name in listed if name in sizes),
    }
    return {title: rows for title, rows in found.items() if rows}


def _size(symbol: Symbol, lengths: Mapping[str, int]) -> Row:
    return Row(symbol.latex, symbol.meaning, here=lengths.get(symbol.latex))


def _lengths(context: Context) -> Iterator[tuple[str, int]]:
    """The length of each axis in the run that the page shows, read off the values of the symbols."""
    for row in context.symbols:
        value = context.values.get(canonical(row.code) or "")
        if value is None:
            continue
        if not value.shape:
            yield row.latex, value.data
        elif len(value.shape) == len(row.shape):
            yield from zip(row.shape, value.shape)
