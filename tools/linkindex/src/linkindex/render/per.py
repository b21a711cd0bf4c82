"""What ``per`` decides, in words: whether a formula speaks of entries, of rows, or of matrices of its arrays."""

from dataclasses import dataclass

from linkindex.model import Equation
from linkindex.render.book import Book, Entry

_PARTS = ("entry", "row", "matrix")                      # by how many axes are left


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
    apart = {*equation.per, *book.index.config.batch_axes, "1"}
    shapes = [tuple(axis for axis in row.shape if axis != "1") for row in (proof.symbols if proof else ())]
    left = [[axis for axis in shape if axis not in apart] for shape in shapes]
    most = max(map(len, left), default=0)
    is_column = most == 1 and all(shape[-1] in equation.per for shape, rest in zip(shapes, left) if rest != [*shape])
    part = "column" if is_column else _PARTS[most] if most < len(_PARTS) else "array"
    return Each(part, equation.per)
