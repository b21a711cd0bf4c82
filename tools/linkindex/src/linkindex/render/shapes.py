"""Shapes in size symbols: (H, T, d_h) rather than (4, 12, 8)."""

from collections.abc import Mapping
from math import prod

from linkindex.model import Value
from linkindex.refs import canonical
from linkindex.render.book import Context
from linkindex.render.faults import fault
from linkindex.render.refs import look_up

Axes = tuple[str, ...]


def axes_of(context: Context, base: str) -> Axes | None:
    """Axis names of a recorded expression, from its symbol, else from the shape comment beside it, else from its sizes.

    A comment counts only if it fits the run with the configuration: shared helpers name axes of their own. None: the
    expression was not recorded in that run, and nothing is claimed. Raises Faults LI601 if a symbol claims otherwise.
    """
    run = context.configured.get(base)
    claimed = _claimed(context, base)
    if claimed is not None and run is not None and not fits(claimed, run.shape, context.sizes):
        wanted = tuple(context.sizes.get(axis, axis) for axis in claimed)
        message = f"{base!r} should have shape {written(claimed)}, which is {written(wanted)} with the configuration, "
        message += f"but the code made {written(run.shape)}"
        raise fault("LI601", f"{message}: correct the shape in the notation, or the code")
    if claimed is not None:
        return claimed
    if run is None:
        return None
    for function in dict.fromkeys(link.function for name in context.equations for link in _links(context, name)):
        comment = context.book.resolution.shapes.get(function, {}).get(base)
        if comment is not None and fits(comment, run.shape, context.sizes):
            return comment
    return from_sizes(run, context.sizes)


def from_sizes(value: Value, sizes: Mapping[str, int]) -> Axes:
    """Axis names read off the sizes, which are all different; a size of no symbol, or of two, stays a number."""
    return tuple(_name_of(size, sizes) for size in value.shape)


def fits(axes: Axes, shape: tuple[int, ...], sizes: Mapping[str, int]) -> bool:
    """Whether ``axes`` are known sizes (or whole numbers) and give ``shape``."""
    return len(axes) == len(shape) and all(str(sizes.get(axis, axis)) == str(size) for axis, size in zip(axes, shape))


def written(shape: tuple[object, ...]) -> str:
    """A shape as text: "(T, d)", "(d,)", "scalar"."""
    if not shape:
        return "scalar"
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def shape_row(context: Context, ref: str) -> dict[str, object]:
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


def _claimed(context: Context, base: str) -> Axes | None:
    for symbol in context.notation:
        if symbol.shape is not None and any(canonical(code) == base for code in symbol.codes):
            return symbol.shape
    return None


def _links(context: Context, identity: str):
    return context.book.resolution.links.get(identity, ())


def _name_of(size: int, sizes: Mapping[str, int]) -> str:
    names = [name for name, value in sizes.items() if value == size]
    return names[0] if len(names) == 1 else str(size)
