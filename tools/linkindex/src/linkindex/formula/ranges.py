"""How far each index runs: from every place where it is used alone, which must all agree."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

import numpy as np

from linkindex.formula.errors import EvaluationError
from linkindex.formula.evaluate import Evaluator, UnknownRange
from linkindex.formula.over_indices import limited
from linkindex.formula.syntax import Bound, Index, Node, Pick, Reduce, Run, Subscript, letter, walk
from linkindex.formula.values import Value

Use = tuple[str, Node, int | None]  # index, what it picks from, axis (None: the leading one)


def with_ranges(at: Evaluator, nodes: Iterable[Node], given: Mapping[str, np.ndarray]) -> Evaluator:
    """``at`` with the ranges of all indices of ``nodes`` that a use fixes.

    ``given`` ones are taken as they are; a bound index that nothing fixes runs like the given one of its letter.
    """
    nodes = [inner for node in nodes for inner in walk(node)]
    found = dict(given)
    pending = [use for use in _uses(nodes) if use[0] not in given]
    progress = True
    while pending and progress:
        progress, waiting = False, []
        for name, base, axis in pending:
            try:
                size = _size(at.within(found)(base), axis, at.site_axes)
            except UnknownRange:
                waiting.append((name, base, axis))
                continue
            progress = True
            known = found.setdefault(name, np.arange(size) + at.counting.start(name))
            if len(known) != size:
                raise EvaluationError(
                    f"the index {letter(name)} runs over an axis of {len(known)} and over one of"
                    f" {size} entries: write two indices, or correct the shapes",
                    base.span,
                )
        pending = waiting
    found |= _limited(at.within(found), nodes)
    bound = [node.name for node in nodes if isinstance(node, Bound)]
    return at.within({name: given[letter(name)] for name in bound if letter(name) in given} | found)


def refuse_part_of_an_axis(at: Evaluator, statements: Iterable[Node], lengths: Container[str]) -> None:
    """An index of a given length runs over the whole axis where it stands alone.

    Within an expression, as in 2i + 1, one value more must leave an axis. Otherwise less is claimed than can be seen.
    """
    given = [(statement, name) for statement in statements for name in _given(at, statement, lengths)]
    for statement, name in given:
        uses = [use for use in _places(statement) if any(_is(node, name) for node in walk(use[2]))]
        for base, axis, index in uses:
            size = _size(at(base), axis, at.site_axes)
            if _is(index, name) and size != len(at.ranges[name]):
                raise EvaluationError(
                    f"{_run(at, name)} entries of an axis of {size}: give that of the whole axis, or leave it out",
                    base.span,
                )
        if uses and not any(_leaves(at, use, name) for use in uses):
            raise EvaluationError(
                f"{_run(at, name)} values, and the next one would still be on every axis: give the length of the whole"
                " axis",
                uses[0][0].span,
            )


def _run(at: Evaluator, name: str) -> str:
    return f"`indices` lets {letter(name)} run over {len(at.ranges[name])}"


def _given(at: Evaluator, statement: Node, lengths: Container[str]) -> list[str]:
    """Its indices that run as far as was given; bound ones too, unless limits or an axis say how far."""
    names = dict.fromkeys(node.name for node in walk(statement) if isinstance(node, Index))
    given = {name: at.ranges.get(letter(name)) for name in names if letter(name) in lengths}
    return [name for name, range_ in given.items() if range_ is not None and at.ranges.get(name) is range_]


def _leaves(at: Evaluator, use: tuple[Node, int | None, Node], name: str) -> bool:
    """Whether one value more of the index would be beyond the axis."""
    base, axis, index = use
    longer = at.within({name: np.arange(len(at.ranges[name]) + 1) + at.counting.start(name)})
    return bool((longer.place(index).data >= _size(at(base), axis, at.site_axes)).any())


def _is(node: Node, name: str) -> bool:
    return isinstance(node, Index) and node.name == name


def _places(statement: Node) -> Iterator[tuple[Node, int | None, Node]]:
    """What is indexed, on which axis (None: the leading one), and by what."""
    for node in walk(statement):
        if isinstance(node, Subscript):
            yield from ((node.base, axis, index) for axis, index in enumerate(node.indices))
        elif isinstance(node, Pick):
            yield node.base, None, node.index


def _limited(at: Evaluator, nodes: Sequence[Node]) -> dict[str, np.ndarray]:
    """Ranges of the indices that have limits, outermost first: those of an inner one may depend on an outer one."""
    found: dict[str, np.ndarray] = {}
    for bound in (node for node in nodes if isinstance(node, Bound) and node.lower is not None):
        try:
            found[bound.name] = limited(at.within(found), bound)
        except EvaluationError:  # which is said where the sum is evaluated
            continue
    return found


def _uses(nodes: Sequence[Node]) -> list[Use]:
    uses, bounded = [], set()
    for node in nodes:
        if isinstance(node, Subscript):
            uses += [
                (index.name, node.base, axis) for axis, index in enumerate(node.indices) if isinstance(index, Index)
            ]
        elif isinstance(node, Pick) and isinstance(node.index, Index):
            uses.append((node.index.name, node.base, None))
        elif isinstance(node, Reduce):
            bounded |= {bound.name for bound in node.bounds if bound.lower is not None}
        elif isinstance(node, Run):
            bounded.add(node.index)
    return [use for use in uses if use[0] not in bounded]


def _size(base: Value, axis: int | None, site_axes: tuple[str, ...]) -> int:
    if axis is None:
        leading = [name for name in base.names if name in site_axes]
        if leading:
            return base.size_of(leading[-1])
        axis = 0
    if axis >= base.rank:
        raise EvaluationError("more indices than axes: leave some out, or correct the shape or `per`")
    return base.core[axis]
