"""Numbers made of all entries of a vector or matrix: norms, the largest and the smallest entry."""

import numpy as np

from linkindex.formula.errors import EvaluationError
from linkindex.formula.values import Value

NORMS = {"": "norm", "1": "norm 1", "2": "norm 2", "\\infty": "norm infinity", "F": "norm F"}
_OF_VECTORS = {"norm": 2, "norm 1": 1, "norm 2": 2, "norm infinity": np.inf}
_OF_MATRICES = {"norm F": "fro", "norm 2": 2}


def norm(name: str, value: Value) -> Value:
    r"""``\lVert x \rVert``, with 1, 2 or ``\infty`` below it for vectors, with 2 or F for matrices."""
    if value.rank == 0 and name != "norm F":
        return Value(np.abs(value.data), value.names)
    core = _core(value, "norm")
    order = (_OF_VECTORS, _OF_MATRICES)[value.rank - 1].get(name)
    if order is None and value.rank == 1:
        raise EvaluationError("which norm of a vector? Write 1, 2 or \\infty below it, as in \\lVert x \\rVert_2")
    if order is None:
        raise EvaluationError(
            "which norm of a matrix? Write \\lVert A \\rVert_F for the root of all squares added up, or"
            " \\lVert A \\rVert_2 for the largest singular value"
        )
    known = ~np.isnan(value.data).any(axis=core)
    data = np.linalg.norm(np.nan_to_num(value.data), ord=order, axis=core if value.rank == 2 else core[0])
    return Value(np.where(known, data, np.nan), value.names)


def extreme(name: str, value: Value) -> Value:
    """The largest or smallest entry."""
    return Value({"max": np.max, "min": np.min}[name](value.data, axis=_core(value, name)), value.names)


def _core(value: Value, name: str) -> tuple[int, ...]:
    """Which axes it goes over."""
    if any(value.is_loose):
        raise EvaluationError("how many ones there are is not known: name the vector")
    if value.rank == 0:
        what = "\\lvert x \\rvert" if name == "norm" else f"\\{name}(0, x), or an index: \\{name}_i x_i"
        raise EvaluationError(f"the {name} of one number: write {what}")
    if value.rank > 2:
        raise EvaluationError(f"an array of {value.rank} axes: name axes in `per`, or write an index below")
    return tuple(range(len(value.names), value.data.ndim))
