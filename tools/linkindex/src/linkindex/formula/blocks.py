"""A matrix from its entries: numbers, vectors or blocks."""

from collections.abc import Sequence

import numpy as np

from linkindex.formula.errors import EvaluationError
from linkindex.formula.values import Value, aligned


def stacked(rows: Sequence[Sequence[Value]]) -> Value:
    """The entries side by side and below each other. One row or column of numbers or vectors is a vector."""
    entries = [entry for row in rows for entry in row]
    ranks = {entry.rank for entry in entries}
    if max(ranks) > 2:
        raise EvaluationError("the entries of a matrix must be numbers, vectors or matrices: name axes in `per`")
    if len({len(row) for row in rows}) > 1:
        raise EvaluationError("the rows of a matrix differ in length")
    width = len(rows[0])
    names, arrays = aligned(entries)
    sizes = np.broadcast_shapes(*(array.shape[: len(names)] for array in arrays))
    blocks = [
        _block(np.broadcast_to(array, sizes + array.shape[len(names) :]), entry)
        for array, entry in zip(arrays, entries, strict=True)
    ]
    try:
        lines = [np.concatenate(blocks[at : at + width], axis=-1) for at in range(0, len(blocks), width)]
        data = np.concatenate(lines, axis=-2)
    except ValueError:
        raise EvaluationError(
            "the blocks of the matrix do not fit together: their sizes differ; transpose a vector with ^\\top?"
        ) from None
    if max(ranks) < 2 and 1 in data.shape[-2:]:
        is_row = data.shape[-2] == 1
        return Value(data[..., 0, :] if is_row else data[..., 0], names, 1, is_row)
    return Value(data, names, 2)


def end_to_end(parts: Sequence[Value]) -> Value:
    """Numbers and vectors as one vector, which lies if all of its vectors do."""
    names, arrays = aligned(parts)
    arrays = [array if part.rank else array[..., None] for array, part in zip(arrays, parts)]
    sizes = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    data = np.concatenate([np.broadcast_to(array, sizes + array.shape[-1:]) for array in arrays], axis=-1)
    return Value(data, names, 1, all(part.row for part in parts if part.rank))


def _block(data: np.ndarray, entry: Value) -> np.ndarray:
    """Each entry as a matrix: a row lies, a column stands."""
    if entry.rank == 0:
        return data[..., None, None]
    if entry.rank == 1:
        return data[..., None, :] if entry.row else data[..., None]
    return data
