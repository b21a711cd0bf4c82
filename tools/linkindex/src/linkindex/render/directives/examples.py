"""Numbers that the example produced: matrices, heat maps, row sums, single cells, comparisons."""

from dataclasses import replace
from math import fsum, isfinite

import numpy as np

from linkindex.render import numbers
from linkindex.render.book import Context
from linkindex.render.faults import each, fault
from linkindex.render.html import fill, heading
from linkindex.render.matrix import Cell, axes_after_indices, cell, masked_cells, matrix_of, names_along
from linkindex.render.options import Option, decimals, one_of, positive, read_options, rows, text, texts
from linkindex.render.refs import look_up
from linkindex.render.shapes import written

_LEVELS = 8                                              # shades on either side of zero
_TITLED = {"title": Option(text), "note": Option(text)}


def example(context: Context) -> str:
    """``::: example``: the heading, and what the label of the blocks below it means."""
    read_options(context.directive, {})
    if not context.page.example:
        raise fault("LI609", f"{context.page.path} has no example file: add {context.page.stem}.py beside it")
    title = heading(3, "Tiny numerical example", f"{context.anchor}-example")
    return f"{title}\n\n" + fill("example", path=context.page.example)


def matrices(context: Context) -> str:
    """``::: matrices``: recorded values side by side."""
    options = read_options(context.directive, {
        "show": Option(texts, required=True), "decimals": Option(decimals, default=4), **_TITLED,
    })
    shown = each(lambda ref: matrix_of(context, ref, options["decimals"]), options["show"])
    return fill("matrices", context=context, title=options["title"], note=options["note"], matrices=shown)


def heatmap(context: Context) -> str:
    """``::: heatmap``: one matrix, coloured; its cells are its own data table."""
    options = read_options(context.directive, {
        "show": Option(text, required=True), "decimals": Option(decimals, default=2), **_TITLED,
    })
    matrix = matrix_of(context, options["show"], options["decimals"], numbers.fixed)
    open_cells = [float(c.value) for _, row in matrix.rows for c in row if not c.masked and isfinite(float(c.value))]
    if not open_cells:
        raise fault("LI606", f"{options['show']!r} has no finite entry that is not masked: there is nothing to colour")
    low, high, top = min(open_cells), max(open_cells), max(map(abs, open_cells))
    signed = low < 0
    low, high, bottom, above = (cell(x, options["decimals"], numbers.fixed) for x in (low, high, -top, top))
    coloured = tuple((name, tuple(_coloured(c, top) for c in row)) for name, row in matrix.rows)
    return fill(
        "heatmap", context=context, title=options["title"], note=options["note"], matrix=replace(matrix, rows=coloured),
        low=low, high=high, bottom=bottom, top=above if top else None, signed=signed, levels=_LEVELS,
        masked=any(c.masked for _, row in matrix.rows for c in row),
    )


def _coloured(one: Cell, top: float) -> Cell:
    """Level of a cell: its share of the largest magnitude, in whole steps; no colour means close to zero."""
    x = float(one.value)
    if one.masked or not top or not isfinite(x):
        return one
    return replace(one, level=round(_LEVELS * x / top))


def rowsums(context: Context) -> str:
    """``::: rowsums``: what the rows add up to: rounded, and exactly."""
    options = read_options(context.directive, {
        "of": Option(text, required=True), "decimals": Option(decimals, default=4), **_TITLED,
    })
    recorded = look_up(options["of"], context.values)
    if len(recorded.shape) != 2:
        message = f"{options['of']!r} has shape {written(recorded.shape)}"
        raise fault("LI606", f"{message}: add indices until two axes are left")
    masked = masked_cells(context, recorded)
    names = names_along(context, axes_after_indices(context, recorded)[0], recorded.shape[0])
    sums = [
        {
            "name": name,
            "sum": cell(fsum(row), options["decimals"], numbers.fixed),
            "masked": sum(masked_row == i for masked_row, _ in masked),
        }
        for i, (name, row) in enumerate(zip(names, recorded.data))
    ]
    return fill(
        "rowsums", context=context, ref=options["of"], sums=sums, decimals=options["decimals"],
        title=options["title"], note=options["note"],
    )


def cells(context: Context) -> str:
    """``::: cells``: single numbers, each with its code; ``run``: of the inputs, or of the configuration."""
    options = read_options(context.directive, {
        "rows": Option(rows("quantity", "show"), required=True), "decimals": Option(decimals, default=4),
        "run": Option(one_of("inputs", "configuration"), default="inputs"), **_TITLED,
    })
    known = context.values if options["run"] == "inputs" else context.configured

    def number(row: dict[str, str]) -> dict[str, object]:
        recorded = look_up(row["show"], known)
        if recorded.shape:
            message = f"{row['show']!r} has shape {written(recorded.shape)}"
            raise fault("LI606", f"{message}: add indices until one number is left")
        return {"quantity": row["quantity"], "ref": row["show"], "cell": cell(recorded.data, options["decimals"])}

    shown = each(number, options["rows"])
    return fill(
        "cells", context=context, rows=shown, configured=options["run"] == "configuration",
        title=options["title"], note=options["note"],
    )


def bound(context: Context) -> str:
    """``::: bound``: that no entry is larger than ``limit``, where digits are round-off and mean nothing."""
    options = read_options(context.directive, {
        "of": Option(text, required=True), "limit": Option(positive, required=True), **_TITLED,
    })
    recorded = look_up(options["of"], context.values)
    entries = np.abs(np.asarray(recorded.data, dtype=float))
    if not np.all(entries <= options["limit"]):          # false for entries that are no numbers, too
        largest = numbers.exact(float(np.max(entries)))
        message = f"every entry of {options['of']!r} should be at most {options['limit']:g} in magnitude"
        raise fault("LI617", f"{message}, the largest is {largest}: correct the code, or the limit")
    return fill(
        "bound", context=context, ref=options["of"], limit=options["limit"], count=entries.size,
        title=options["title"], note=options["note"],
    )


def compare(context: Context) -> str:
    """``::: compare``: a value from its formula beside the same value measured, and the largest gap between them."""
    options = read_options(context.directive, {
        "rows": Option(rows("name", "formula", "measured"), required=True),
        "decimals": Option(decimals, default=4), **_TITLED,
    })

    def pair(row: dict[str, str]) -> dict[str, object]:
        formula, measured = each(lambda key: look_up(row[key], context.values), ("formula", "measured"))
        if formula.shape != measured.shape:
            shapes = " and ".join(f"{one.ref!r} of shape {written(one.shape)}" for one in (formula, measured))
            raise fault("LI606", f"cannot compare {shapes}: give values of one shape")
        gap = np.max(np.abs(np.asarray(formula.data, float) - np.asarray(measured.data, float)), initial=0.0)
        return {
            "name": row["name"], "gap": numbers.bound(float(gap)),
            "formula": matrix_of(context, formula.ref, options["decimals"], numbers.fixed),
            "measured": matrix_of(context, measured.ref, options["decimals"], numbers.fixed, like=formula.ref),
        }

    shown = each(pair, options["rows"])
    return fill("compare", context=context, rows=shown, title=options["title"], note=options["note"])
