"""Recorded values as tables: names of rows and columns, rounded text beside the exact value."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from math import isinf
from operator import getitem

from linkindex.render import numbers
from linkindex.render.book import Context
from linkindex.render.faults import fault
from linkindex.render.refs import Recorded, entry_of, look_up
from linkindex.render.shapes import axes_of, from_sizes, written


@dataclass(frozen=True)
class Cell:
    """One number. ``level``: -8 to 8, its colour in a heat map; ``masked`` cells have none."""

    text: str
    value: str
    masked: bool = False
    level: int = 0


@dataclass(frozen=True)
class Matrix:
    """A table of cells. A vector is a matrix with one row, a number one with one cell; ``corner`` names the axes."""

    ref: str
    shape: str                                           # "(T, d_h) = (6, 2)"
    label: str                                           # unique on the page, for screen readers
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    code: str                                            # of the whole value
    indices: tuple[int, ...]                             # what the ref takes of it
    rank: int

    def at(self, row: int, column: int) -> str:
        """The ref of one cell: "A[0, 2, 1]"."""
        return entry_of(self.code, *self.indices, *(row, column)[2 - self.rank :])


Show = Callable[[float], str]


def matrix_of(
    context: Context, ref: str, decimals: int, format_number: numbers.Format = numbers.strip, like: str | None = None,
    beside: Iterable[float] = (),
) -> Matrix:
    """The value of ``ref`` as a table, with the axes of ``like`` if given; its numbers are shown like those ``beside``
    it. Raises Faults LI606 above two axes."""
    recorded = look_up(ref, context.values)
    rank = len(recorded.shape)
    if rank > 2:
        message = f"{ref!r} has shape {written(recorded.shape)}: add indices until two axes are left, such as {ref}[0]"
        raise fault("LI606", message)
    axes = axes_after_indices(context, look_up(like, context.values) if like else recorded)
    columns = names_along(context, axes[-1], recorded.shape[-1]) if rank else ("",)
    rows = names_along(context, axes[0], recorded.shape[0]) if rank == 2 else ("",)
    data = recorded.data if rank == 2 else [recorded.data] if rank == 1 else [[recorded.data]]
    masked = masked_cells(context, recorded)
    show = numbers.together([x for row in data for x in row] + [*beside], decimals, format_number)
    cells = tuple(
        (name, tuple(cell(x, show, (i, j) in masked) for j, x in enumerate(row)))
        for i, (name, row) in enumerate(zip(rows, data))
    )
    symbolic, numeric = written(axes), written(recorded.shape)
    shape = numeric if symbolic == numeric else f"{symbolic} = {numeric}"
    label = f"{ref}, example {context.ordinal} of {context.page.title}"
    corner = " \\ ".join(axes) if rank == 2 else ""
    return Matrix(ref, shape, label, corner, columns, cells, recorded.base, recorded.indices, rank)


def cell(x: float, show: Show, masked: bool = False) -> Cell:
    return Cell(show(x), numbers.exact(x), masked)


def alone(x: float, decimals: int, format_number: numbers.Format = numbers.strip) -> Cell:
    """A number that stands beside no others."""
    return cell(x, numbers.together([x], decimals, format_number))


def axes_after_indices(context: Context, recorded: Recorded) -> tuple[str, ...]:
    """Axis names of what the ref takes; the plain sizes, where nothing better is known."""
    axes = axes_of(context, recorded.base)
    if axes is None or len(axes) != len(recorded.whole.shape):
        axes = from_sizes(recorded.whole, {})
    return axes[len(recorded.indices):]


def names_along(context: Context, axis: str, size: int) -> tuple[str, ...]:
    """The example's names for the entries of an axis, else their indices."""
    names = context.labels.get(axis, ())
    return names if len(names) == size else tuple(map(str, range(size)))


def masked_cells(context: Context, recorded: Recorded) -> frozenset[tuple[int, int]]:
    """Cells that a mask has closed: minus infinity, or zero where a value of the same shape is minus infinity."""
    if len(recorded.shape) != 2:
        return frozenset()
    masks = [value for value in context.values.values() if value.shape == recorded.whole.shape]
    layers = [reduce(getitem, recorded.indices, value.data) for value in masks]
    return frozenset(
        (i, j)
        for i, row in enumerate(recorded.data)
        for j, x in enumerate(row)
        if _closed(x) or (x == 0 and any(_closed(layer[i][j]) for layer in layers))
    )


def _closed(x: float) -> bool:
    return isinf(x) and x < 0
