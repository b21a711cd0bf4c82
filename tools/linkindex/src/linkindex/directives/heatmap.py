"""One matrix, coloured by its entries."""

from dataclasses import replace
from math import isfinite

from linkindex.directives import directive
from linkindex.kinds import INDICES, TITLED, VALUE, WORDS, Option, decimals, many

_LEVELS = 8                                              # shades on either side of zero


_OPTIONS = {
    "show": Option(VALUE, "the matrix", required=True), **decimals(2), **TITLED,
    "axes": Option(many(WORDS), "what a row and what a column is, in a word or two each"),
    "frame": Option(INDICES, "of the cell that is worked out beside it; its row is followed"),
}  # fmt: skip


@directive(_OPTIONS, shows_numbers=True)
def heatmap(context, options):
    """One matrix, coloured; its cells are its own data table."""
    from linkindex.render import numbers
    from linkindex.render.faults import fault
    from linkindex.render.html import fill
    from linkindex.render.matrix import cell, matrix_of

    matrix = matrix_of(context, options["show"], options["decimals"], numbers.fixed)
    axes, frame, shape = options["axes"], options["frame"], (len(matrix.rows), len(matrix.columns))
    if axes and len(axes) != 2:
        raise fault("LI606", f"expected two words under `axes`, for rows and for columns, found {len(axes)}")
    if frame and not (len(frame) == 2 and frame[0] < shape[0] and frame[1] < shape[1]):
        message = f"{options['show']!r} is shown in {shape[0]} rows of {shape[1]}"
        raise fault("LI606", f"{message}: `frame` needs a row and a column")
    open_cells = [float(c.value) for _, row in matrix.rows for c in row if not c.masked and isfinite(float(c.value))]
    if not open_cells:
        raise fault("LI606", f"{options['show']!r} has no finite entry that is not masked: there is nothing to colour")
    low, high, top = min(open_cells), max(open_cells), max(map(abs, open_cells))
    signed = low < 0
    show = numbers.together(open_cells, options["decimals"], numbers.fixed)
    low, high, bottom, above = (cell(x, show) for x in (low, high, -top, top))
    coloured = tuple((name, tuple(_coloured(c, top) for c in row)) for name, row in matrix.rows)
    return fill(
        "heatmap", context=context, title=options["title"], note=options["note"], matrix=replace(matrix, rows=coloured),
        low=low, high=high, bottom=bottom, top=above if top else None, signed=signed, levels=_LEVELS,
        masked=any(c.masked for _, row in matrix.rows for c in row), axes=axes, frame=frame,
    )


def _coloured(one, top: float):
    """Level of a cell: its share of the largest magnitude, in whole steps; no colour means close to zero."""
    x = float(one.value)
    if one.masked or not top or not isfinite(x):
        return one
    return replace(one, level=round(_LEVELS * x / top))
