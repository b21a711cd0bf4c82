"""Whether a formula counts the entries of an axis from 0 or from 1, and which numbers are places in that count.

Code counts from 0, and so does a formula, unless a limit of its own is a number from 1 on. Then all of it counts from
1: free indices run from 1, and whole index expressions are places counted from 1, such as t + 1 in ``y_{t+1}``. What
the code recorded is no place: the token ``y_t`` is the number that stands in the code, also below another symbol.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from linkindex.formula.syntax import (
    Bound, Chain, Index, Node, Number, Pick, Reduce, Run, SetBuilder, Statement, Subscript, Symbol, children, letter,
    walk,
)  # fmt: skip


@dataclass(frozen=True)
class Counting:
    """``labels``: indices that are compared with recorded numbers, and so count as the code does.

    ``lengths``: symbols that are the length of an axis, and so the last place of it.
    """

    first: int = 0
    labels: frozenset[str] = frozenset()
    lengths: frozenset[str] = frozenset()

    @classmethod
    def of(cls, nodes: Iterable[Node], lengths: Iterable[str]) -> "Counting":
        inside = [inner for node in nodes for inner in walk(node)]
        first = 1 if any(_from_one(node) for node in inside) else 0
        return cls(first, frozenset(_labels(inside, frozenset(lengths))) if first else frozenset(), frozenset(lengths))

    def start(self, index: str) -> int:
        """The value of an index at the first entry of an axis."""
        return 0 if index in self.labels else self.first

    def offset(self, place: Node) -> int:
        """What an index expression is at the first entry of an axis."""
        read = list(_read(place)) if self.first else []
        indices = [node.name for node in read if isinstance(node, Index)]
        if indices:
            return max(self.start(name) for name in indices)
        return 0 if any(_is_recorded(node, self.lengths) for node in read) else self.first


def _from_one(node: Node) -> bool:
    if isinstance(node, Bound | Run):
        return _is_number_from_one(node.lower)
    if isinstance(node, Reduce | Statement):
        return any(_begins_at_one(chain) for chain in node.conditions)
    return False


def _begins_at_one(chain: Chain) -> bool:
    r"""``1 \le j``"""
    left, right = chain.members[0][0], chain.members[1][0]
    return chain.relations[0] == "<=" and _is_number_from_one(left) and isinstance(right, Index)


def _is_number_from_one(node: Node | None) -> bool:
    return isinstance(node, Number) and float(node.text) >= 1


def _limited(nodes: list[Node]) -> set[str]:
    return {node.name for node in nodes if isinstance(node, Bound) and node.lower is not None}


def _labels(nodes: list[Node], lengths: frozenset[str]) -> Iterator[str]:
    limited = _limited(nodes)
    for node in nodes:
        if isinstance(node, Reduce) and node.operator.startswith("arg"):
            yield from (bound.name for bound in node.bounds if bound.name not in limited)
    yield from (name for name in _compared(nodes, lengths) if name not in limited)


def remark(nodes: Iterable[Node], counting: Counting) -> str:
    """Why a formula may disagree that counts from 1: an index with limits is compared with a token of the code."""
    inside = [inner for node in nodes for inner in walk(node)]
    limited = _limited(inside) if counting.first else set()
    for name in (letter(name) for name in _compared(inside, counting.lengths) if name in limited):
        return (
            f"; {name} counts from 1 here, and what it is compared with as the code does: leave out the limits of"
            f" {name}"
        )
    return ""


def _compared(nodes: list[Node], lengths: frozenset[str]) -> Iterator[str]:
    """Indices that are said to be equal to recorded numbers, or not."""
    for left, relation, right in (link for node in nodes for link in _links(node)):
        for index, other in ((left, right), (right, left)):
            if isinstance(index, Index) and relation in ("=", "!=", "in") and _names_recorded(other, lengths):
                yield index.name


def _links(node: Node) -> Iterator[tuple[Node, str, Node]]:
    if isinstance(node, Chain):
        yield from zip([m[0] for m in node.members], node.relations, [m[0] for m in node.members[1:]])


def _names_recorded(node: Node, lengths: frozenset[str]) -> bool:
    if isinstance(node, SetBuilder):
        return _names_recorded(node.element, lengths)
    read = list(_read(node))
    is_label = any(isinstance(part, Reduce) and part.operator.startswith("arg") for part in read)
    return not any(isinstance(part, Index) for part in read) and (
        is_label or any(_is_recorded(part, lengths) for part in read)
    )


def _is_recorded(node: Node, lengths: frozenset[str]) -> bool:
    return isinstance(node, Subscript | Pick | Reduce) or isinstance(node, Symbol) and node.latex not in lengths


def _read(node: Node) -> Iterator[Node]:
    """The parts of an index expression whose values it combines; what stands in a subscript only picks."""
    yield node
    if isinstance(node, Reduce) and node.operator.startswith("arg"):
        yield from (Index(bound.name) for bound in node.bounds if bound.lower is not None)
    elif not isinstance(node, Subscript | Pick | Reduce):
        for child in children(node):
            yield from _read(child)
