"""Values with named axes: batch and index axes in front, a number, vector or matrix behind.

Broadcasting aligns the named axes by their names, never by their places. The core behind them follows the rules of
linear algebra: its sizes must be equal, and nothing is stretched but what ``\\mathbf{1}`` made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkindex.formula.errors import EvaluationError


@dataclass(frozen=True)
class Value:
    """``data`` has one axis for each name, then ``rank`` core axes."""

    data: np.ndarray
    names: tuple[str, ...] = ()
    rank: int = 0  # 0 number, 1 vector, 2 matrix; more only until it is indexed
    row: bool = False  # a vector that lies: transposed, or a row of a matrix
    loose: tuple[bool, ...] = ()  # core axes of size 1 that are as long as their place asks for
    is_mask: bool = False  # recorded as booleans: which numbers are in a set

    @property
    def core(self) -> tuple[int, ...]:
        return self.data.shape[len(self.names) :]

    @property
    def is_loose(self) -> tuple[bool, ...]:
        return self.loose or (False,) * self.rank

    def size_of(self, name: str) -> int:
        return self.data.shape[self.names.index(name)]


ONES = Value(np.ones(1), rank=1, loose=(True,))


def number(value: float) -> Value:
    return Value(np.asarray(value, dtype=float))


def batch_name(axis: str, occurrence: int = 0) -> str:
    """Batch axes are named apart from indices: an index ``n`` beside an axis ``n`` is another thing."""
    return f"[{axis}]" + "'" * occurrence


def bind(array: object, shape: Sequence[str], batch_axes: Sequence[str]) -> Value:
    """A recorded value with its symbolic shape. Axes "1" are dropped; axes in ``batch_axes`` get names, each entry of
    ``batch_axes`` for one axis; the entry "entry" stands for all axes."""
    is_mask = np.asarray(array).dtype.kind == "b"
    data = np.asarray(array, dtype=float)
    if data.ndim != len(shape):
        raise EvaluationError(
            f"the shape ({', '.join(shape)}) has {len(shape)} axes, the recorded value has {data.ndim}:"
            " correct the shape of the symbol"
        )
    kept = [axis for axis in range(data.ndim) if shape[axis] != "1"]
    data, axes = data.reshape([data.shape[axis] for axis in kept]), [shape[axis] for axis in kept]
    waiting, named, names = list(batch_axes), [], []
    for position, axis in enumerate(axes):
        if axis in waiting or "entry" in waiting:
            if axis in waiting:
                waiting.remove(axis)
            names.append(batch_name(axis, axes[:position].count(axis)))
            named.append(position)
    core = [position for position in range(len(axes)) if position not in named]
    return Value(data.transpose(named + core), tuple(names), len(core), is_mask=is_mask)


# --- alignment


def aligned(values: Sequence[Value], rank: int = 0) -> tuple[tuple[str, ...], list[np.ndarray]]:
    """The union of all names, and arrays that broadcast over it. Numbers get ``rank`` core axes of size 1."""
    names = tuple(dict.fromkeys(name for value in values for name in value.names))
    sizes: dict[str, int] = {}
    for value in values:
        for name in value.names:
            size = value.size_of(name)
            if sizes.setdefault(name, size) != size:
                raise EvaluationError(f"{shown(name)} runs over {sizes[name]} and over {size} entries: the axes differ")
    return names, [_spread(value, names, rank) for value in values]


def _spread(value: Value, names: tuple[str, ...], rank: int) -> np.ndarray:
    present = [name for name in names if name in value.names]
    order = [value.names.index(name) for name in present]
    data = value.data.transpose(order + list(range(len(value.names), value.data.ndim)))
    shape = [value.size_of(name) if name in value.names else 1 for name in names]
    return data.reshape(shape + ([1] * rank if value.rank == 0 else list(value.core)))


def selected(mask: Value | None, *values: Value) -> list[np.ndarray]:
    """The entries of each, in equal places, where ``mask`` is true. None: everywhere."""
    rank = max(value.rank for value in values)
    if mask is None:
        return list(np.broadcast_arrays(*aligned(values, rank)[1]))
    *arrays, chosen = np.broadcast_arrays(*aligned((*values, mask), rank)[1])
    return [array[chosen] for array in arrays]


def shown(name: str) -> str:
    """An index or axis as a reader knows it."""
    return (
        f"the axis {name[1:].rstrip(chr(39)).rstrip(']')}"
        if name.startswith("[")
        else f"the index {name.partition('·')[0]}"
    )


def entrywise(function: Callable, *values: Value) -> Value:
    """``function`` of entries in equal places. Numbers go with everything; vectors and matrices need equal cores."""
    ranks = {value.rank for value in values} - {0}
    if len(ranks) > 1:
        raise EvaluationError(
            f"{_kinds(values)} cannot be combined entry by entry: use indices, or \\mathbf{{1}} b^\\top to repeat a row"
        )
    cores = [value for value in values if value.rank]
    rank = max(ranks, default=0)
    for axis in range(rank):
        sizes = {value.core[axis] for value in cores if not value.is_loose[axis]}
        if len(sizes) > 1:
            raise EvaluationError(f"{_shapes(cores)} cannot be combined entry by entry: the sizes differ")
    if rank == 1 and len({value.row for value in cores}) > 1:
        raise EvaluationError("a row and a column cannot be combined entry by entry: transpose one of them with ^\\top")
    names, arrays = aligned(values, rank)
    loose = tuple(all(value.is_loose[axis] for value in cores) for axis in range(rank))
    return Value(function(*arrays), names, rank, any(value.row for value in cores), loose)


def _kinds(values: Sequence[Value]) -> str:
    words = ("a number", "a vector", "a matrix")
    return " and ".join(words[value.rank] if value.rank < 3 else f"an array of {value.rank} axes" for value in values)


def _shapes(values: Sequence[Value]) -> str:
    return " and ".join("(" + ", ".join(map(str, value.core)) + ")" for value in values)


# --- linear algebra


def product(a: Value, b: Value) -> Value:
    """Two factors side by side: scaling, or the product of linear algebra."""
    if 0 in (a.rank, b.rank):
        return entrywise(np.multiply, a, b)
    if max(a.rank, b.rank) > 2:
        raise EvaluationError(f"{_kinds((a, b))} have no product: pick entries first, or name axes in `per`")
    if a.rank == b.rank == 1:
        if a.row == b.row:
            raise EvaluationError("two vectors side by side: transpose exactly one with ^\\top, or write \\odot")
        return _inner(a, b) if a.row else _outer(a, b)
    if b.rank == 1 and b.row:
        raise EvaluationError("a matrix times a row: transpose the vector with ^\\top")
    return _matrix_product(a, b)


def _outer(a: Value, b: Value) -> Value:
    names, (left, right) = aligned((a, b))
    return Value(left[..., :, None] * right[..., None, :], names, 2, loose=a.is_loose + b.is_loose)


def _inner(a: Value, b: Value) -> Value:
    names, (left, right) = aligned((a, b))
    left, right = _contracted(a, b, left, right, -1)
    return Value((left * right).sum(axis=-1), names)


def _matrix_product(a: Value, b: Value) -> Value:
    if a.rank == 1 and a.is_loose[0] and not a.row:
        raise EvaluationError("a column of ones before a matrix: write \\mathbf{1}^\\top to add up its rows")
    names, (left, right) = aligned((a, b))
    if a.rank == 1:
        left = left[..., None, :]
    if b.rank == 1:
        right = right[..., :, None]
    left, right = _contracted(a, b, left, right, -2)
    data, loose = left @ right, a.is_loose[:-1] + b.is_loose[1:]
    if a.rank == 1:
        return Value(data[..., 0, :], names, 1, a.row, loose)
    return Value(data[..., :, 0], names, 1, False, loose) if b.rank == 1 else Value(data, names, 2, loose=loose)


def _contracted(a: Value, b: Value, left: np.ndarray, right: np.ndarray, axis: int):
    """Both arrays with equal sizes where they meet: the last axis of ``left``, ``axis`` of ``right``."""
    if a.is_loose[-1] and b.is_loose[0]:
        raise EvaluationError("ones times ones: how many is not known")
    if a.is_loose[-1]:
        left = np.broadcast_to(left, (*left.shape[:-1], right.shape[axis]))
    elif b.is_loose[0]:
        shape = list(right.shape)
        shape[axis] = left.shape[-1]
        right = np.broadcast_to(right, shape)
    elif left.shape[-1] != right.shape[axis]:
        raise EvaluationError(
            f"the product of {_shapes((a, b))} does not exist: the inner sizes {left.shape[-1]} and"
            f" {right.shape[axis]} differ; transpose one factor with ^\\top?"
        )
    return left, right


def dot(a: Value, b: Value) -> Value:
    r"""``a \cdot b``: of two vectors their inner product, else the product."""
    if a.rank == b.rank == 1:
        return _inner(a, b)
    return product(a, b)


def transpose(a: Value) -> Value:
    if a.rank == 1:
        return replace(a, row=not a.row)
    if a.rank != 2:
        raise EvaluationError(f"{_kinds((a,))} has no transpose")
    return replace(a, data=np.swapaxes(a.data, -1, -2), loose=a.is_loose[::-1])


# --- indices


def subscript(base: Value, indices: Sequence[Value], beyond: float = np.nan) -> Value:
    """Entries of the core at ``indices``, whose named axes become axes of the result; ``beyond`` its ends."""
    if len(indices) > base.rank:
        raise EvaluationError(
            f"{len(indices)} indices on {_kinds((base,))}: leave some out, or correct the shape or `per`"
        )
    if any(index.rank for index in indices):
        raise EvaluationError("an index must be a number")
    own = [Value(np.arange(base.size_of(name)), (name,)) for name in base.names]
    _, arrays = aligned([*own, *indices]) if own or indices else ((), [])
    names = tuple(dict.fromkeys([*base.names, *(name for index in indices for name in index.names)]))
    places, outside = list(arrays[: len(own)]), False
    for axis, array in enumerate(arrays[len(own) :]):
        size = base.core[axis]
        whole = np.rint(array)
        if not np.array_equal(whole, array, equal_nan=True):
            raise EvaluationError("an index is not a whole number")
        outside = outside | ~((whole >= 0) & (whole < size))  # also where the index is itself beyond an axis
        places.append(np.clip(np.nan_to_num(whole), 0, size - 1).astype(int))
    data = base.data[tuple(places)]
    rank = base.rank - len(indices)
    if np.any(outside):
        outside = np.broadcast_to(outside, data.shape[: data.ndim - rank])
        data = np.where(outside[(...,) + (None,) * rank], beyond, data)
    return Value(data, names, rank, row=base.rank == 2 and rank == 1, is_mask=base.is_mask)


def pick(base: Value, index: Value, site_axes: Sequence[str], beyond: float = np.nan) -> Value:
    """One entry of the leading axis: the innermost of the site's batch axes, else the first core axis."""
    candidates = [name for name in base.names if name in site_axes]
    if not candidates:
        if not base.rank:
            raise EvaluationError("a superscript in parentheses picks from the leading axis, and there is none")
        return subscript(base, [index], beyond)
    axis = base.names.index(candidates[-1])
    rest = tuple(name for name in base.names if name != candidates[-1])
    moved = np.moveaxis(base.data, axis, len(rest))
    picked = subscript(Value(moved, rest, base.rank + 1), [index], beyond)
    return replace(picked, row=base.row, loose=base.loose)


def arranged(value: Value, order: Sequence[str]) -> Value:
    """The index axes in ``order`` made the first core axes; the other named axes stay."""
    missing = [name for name in order if name not in value.names]
    if missing:
        raise EvaluationError(f"{shown(missing[0])} is on the left side and not in this member")
    rest = tuple(name for name in value.names if name not in order)
    axes = [value.names.index(name) for name in (*rest, *order)]
    data = value.data.transpose(axes + list(range(len(value.names), value.data.ndim)))
    return Value(data, rest, value.rank + len(order), value.row and not order, (False,) * len(order) + value.is_loose)
