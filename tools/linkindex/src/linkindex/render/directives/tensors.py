"""Shapes: in symbols, with the sizes of the configuration, and as the code made them."""

from math import prod

from linkindex.render.book import Context
from linkindex.render.faults import each, fault
from linkindex.render.html import fill, heading
from linkindex.render.options import Option, read_options, text, texts
from linkindex.render.refs import look_up
from linkindex.render.shapes import axes_of, fits, written

_OPTIONS = {"of": Option(texts, required=True), "title": Option(text), "note": Option(text)}


def shapes(context: Context) -> str:
    """``::: shapes``: a table of shapes, and the sizes behind them."""
    options = read_options(context.directive, _OPTIONS)
    rows = each(lambda ref: _row(context, ref), options["of"])
    used = {axis for row in rows for axis in row["axes"]}
    sizes = {name: size for name, size in context.sizes.items() if name in used}
    title = heading(3, "Tensor shapes", f"{context.anchor}-shapes")
    twice = next((axis for row in rows for axis in row["axes"] if row["axes"].count(axis) > 1), None)
    table = fill(
        "shapes", context=context, rows=rows, sizes=sizes, title=options["title"], note=options["note"],
        twice=twice and written((twice, twice)),
    )
    return f"{title}\n\n{table}"


def grads(context: Context) -> str:
    """``::: grads``: the entries of a dictionary of gradients, each with its shape."""
    options = read_options(context.directive, _OPTIONS)
    rows = each(lambda ref: _row(context, ref), options["of"])
    return fill("grads", context=context, rows=rows, title=options["title"], note=options["note"])


def _row(context: Context, ref: str) -> dict[str, object]:
    """A ref with its shape in symbols, in numbers, and as run. Raises Faults LI601 where the two differ."""
    recorded = look_up(ref, context.configured)
    axes = (axes_of(context, recorded.base) or ())[len(recorded.indices):]
    if not fits(axes, recorded.shape, context.sizes):
        message = f"{ref!r} should have shape {written(axes)}"
        raise fault("LI601", f"{message}, but the run with the configuration made {written(recorded.shape)}")
    wanted = tuple(context.sizes.get(axis, axis) for axis in axes)
    return {
        "ref": ref, "axes": axes, "symbolic": written(axes), "configured": written(wanted),
        "run": written(recorded.shape), "count": prod(recorded.shape),
    }
