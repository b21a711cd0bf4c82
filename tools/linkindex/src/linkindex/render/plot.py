"""Plots of recorded values: curves, bars and histograms as SVG, whose text is text and whose colours are variables."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkindex.render import numbers
from linkindex.render.actual import labels
from linkindex.render.book import Context
from linkindex.render.faults import each, fault
from linkindex.render.html import fill
from linkindex.render.matrix import Cell, cell
from linkindex.render.refs import look_up

WIDTH, HEIGHT = 470, 250                                 # of the picture, which grows with its column
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 46                # around the plane
MOST = 4                                                 # series that can be told apart
_TICKS = 5                                               # about as many on an axis
_BINS = 20


@dataclass(frozen=True)
class Series:
    """One row of numbers. ``path``: how it is drawn; ``number`` gives its colour and its dashes or stripes."""

    name: str
    ref: str
    number: int
    path: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Axis:
    """From numbers to places in the picture, with round numbers to write beside it."""

    low: float
    high: float
    start: float
    end: float

    def at(self, x: float) -> float:
        return self.start + (x - self.low) / (self.high - self.low) * (self.end - self.start)

    @property
    def ticks(self) -> tuple[tuple[str, str], ...]:
        """Place and text of each round number within."""
        step = _round_step((self.high - self.low) / _TICKS)
        decimals = max(0, -math.floor(math.log10(step)))
        first = math.ceil(self.low / step - 1e-9)
        found = [step * k for k in range(first, math.floor(self.high / step + 1e-9) + 1)]
        return tuple((_place(self.at(x)), numbers.fixed(float(x), decimals)) for x in found)


def plotted(context: Context, options: Mapping[str, Any]) -> str:
    """The plot. Raises Faults LI603 and LI606 where its values are not there, or are no rows of finite numbers."""
    context, refs, way = context.elsewhere(options["page"]), options["of"], options["as"]
    if len(refs) > MOST:
        raise fault("LI606", f"{len(refs)} series in one plot cannot be told apart: draw at most {MOST}")
    rows = dict(zip(refs, each(lambda ref: _row(context, ref), refs.values())))
    along = _row(context, options["over"]) if options["over"] else None
    names = labels(context, options["names"]) if options["names"] else None
    if way == "histogram":
        low, high = (bound(min(map(bound, rows.values())), max(map(bound, rows.values()))) for bound in (min, max))
        edges = np.linspace(low, high if high > low else low + 1, _BINS + 1)
        rows = {name: np.histogram(row, edges)[0].astype(float) for name, row in rows.items()}
        along = (edges[:-1] + edges[1:]) / 2
    count = len(next(iter(rows.values())))
    along = np.arange(count, dtype=float) if along is None else along
    for name, row in (*rows.items(), ("over", along)):
        if len(row) != count:
            message = f"the rows of one plot have {count} and ({name}) {len(row)} numbers"
            raise fault("LI606", f"{message}: give rows of one length")
    if names and len(names) != count:
        raise fault("LI606", f"{len(names)} names stand beside {count} places: correct labels()")
    return _filled(context, options, rows, along, names, refs)


def _filled(context: Context, options: Mapping[str, Any], rows, along, names, refs) -> str:
    bars, decimals = options["as"] != "lines", options["decimals"]
    gap = (along[1] - along[0]) if len(along) > 1 else 1.0
    x = _axis(along, LEFT, WIDTH - RIGHT, gap / 2 if bars else 0.0, whole=False)
    y = _axis(np.concatenate(list(rows.values())), HEIGHT - BOTTOM, TOP, 0.0, whole=bars)
    series = [
        Series(
            name, refs[name], number,
            "".join(_bars(x, y, along, row, gap, number, len(rows))) if bars else _line(x, y, along, row),
            _cells(row, decimals),
        )
        for number, (name, row) in enumerate(rows.items())
    ]
    texts = [(_place(x.at(value)), name) for value, name in zip(along.tolist(), names)] if names else x.ticks
    places = names or [numbers.strip(value, decimals) for value in along.tolist()]
    return fill(
        "plot",
        context=context, title=options["title"], note=options["note"], series=series, x_ticks=texts, y_ticks=y.ticks,
        zero=_place(y.at(min(max(0.0, y.low), y.high))), bars=bars, x=options["x"], y=options["y"], places=places,
        width=WIDTH, height=HEIGHT, left=LEFT, right=WIDTH - RIGHT, top=TOP, bottom=HEIGHT - BOTTOM,
        anchor=f"plot-{context.page.stem.replace('/', '-')}-{context.directive.place.line}",
    )


def _cells(row: np.ndarray, decimals: int) -> tuple[Cell, ...]:
    show = numbers.together(row.tolist(), decimals, numbers.fixed)
    return tuple(cell(value, show) for value in row.tolist())


def _row(context: Context, ref: str) -> np.ndarray:
    recorded = look_up(ref, context.of_page)
    row = np.asarray(recorded.data, float)
    if row.ndim != 1 or not len(row) or not np.isfinite(row).all():
        message = f"{ref!r} has shape {recorded.shape}" if row.ndim != 1 or not len(row) else f"{ref!r} is not finite"
        raise fault("LI606", f"{message}: a plot needs rows of finite numbers")
    return row


def _axis(values: np.ndarray, start: float, end: float, margin: float, whole: bool) -> Axis:
    """An axis that holds all values; ``whole``: and zero, from which bars grow."""
    low, high = float(values.min()) - margin, float(values.max()) + margin
    low, high = (min(low, 0.0), max(high, 0.0)) if whole else (low, high)
    return Axis(low, high if high > low else low + 1, start, end)


def _line(x: Axis, y: Axis, along: np.ndarray, row: np.ndarray) -> str:
    return "M" + "L".join(f"{_place(x.at(a))} {_place(y.at(b))}" for a, b in zip(along.tolist(), row.tolist()))


def _bars(x: Axis, y: Axis, along, row, gap: float, number: int, count: int) -> Iterator[str]:
    """One bar at each place; those of several series stand side by side."""
    width = 0.8 * gap / count
    for a, b in zip(along.tolist(), row.tolist()):
        left, right = (x.at(a - 0.4 * gap + width * k) for k in (number, number + 1))
        yield f"M{_place(left)} {_place(y.at(0.0))}V{_place(y.at(b))}H{_place(right)}V{_place(y.at(0.0))}z"


def _round_step(step: float) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * (1 - 1e-9))


def _place(value: float) -> str:
    return numbers.strip(float(value), 1)
