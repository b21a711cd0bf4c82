"""What ``per`` decides, in words: whether a formula speaks of entries, of rows, or of matrices of its arrays."""

from dataclasses import dataclass

from linkindex.formula.values import apart
from linkindex.model import Equation
from linkindex.render.book import Book, Entry


@dataclass(frozen=True)
class Each:
    """``part`` of the arrays that the formula speaks of; ``axes`` along which there are many."""

    part: str
    axes: tuple[str, ...]


def each_of(book: Book, entry: Entry) -> Each | None:
    """None where the formula speaks of arrays as a whole."""
    equation, proof = entry.equation, book.evidence.proofs.get(entry.equation.id)
    if not isinstance(equation, Equation) or not equation.per:
        return None
    taken = (*book.index.config.batch_axes, *equation.per)
    shapes = [tuple(axis for axis in row.shape if axis != "1") for row in (proof.symbols if proof else ())]
    # What most axes are left of says what is meant: x where x_i is one entry of a row, and not the mean of the row.
    shape = max(shapes, key=lambda axes: (len(apart(axes, taken)[1]), len(axes)), default=())
    named, left = apart(shape, taken)
    return Each(_part(named, left), shape if "entry" in equation.per else equation.per)


def _part(named: list[int], left: list[int]) -> str:
    if len(left) == 1 and named and left[0] < named[-1]:
        return "column"
    return ("entry", "row", "matrix")[len(left)] if len(left) < 3 else "array"
