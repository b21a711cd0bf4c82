"""The arrays that a run recorded for the symbols of a page, row by row."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from linkindex.refs import canonical
from linkindex.render import numbers
from linkindex.render.book import Context
from linkindex.render.refs import entry_of
from linkindex.render.shapes import written


@dataclass(frozen=True)
class Recorded:
    """An array by its code: ``rows`` holds each row's ref and its numbers as text."""

    latex: str
    code: str
    shape: str
    rows: tuple[tuple[str, str], ...]


def arrays(context: Context, decimals: int) -> tuple[Recorded, ...]:
    """Each symbol's array once, in the order of the notation; single numbers are left out."""
    found: dict[str, Recorded] = {}
    for symbol in context.notation:
        code = canonical(symbol.code or "") or ""
        value = context.of_page.get(code)
        if value is not None and value.shape and code not in found:
            rows = tuple(_rows(code, value.array(), decimals))
            found[code] = Recorded(symbol.latex, code, written(value.shape), rows)
    return tuple(found.values())


def _rows(code: str, array: np.ndarray, decimals: int) -> Iterator[tuple[str, str]]:
    show = numbers.together(array.ravel().tolist(), decimals, numbers.fixed)
    for index in np.ndindex(array.shape[:-1]):
        yield entry_of(code, *index), " ".join(map(show, array[index].tolist()))
