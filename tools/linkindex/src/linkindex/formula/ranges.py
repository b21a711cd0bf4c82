"""How far each index runs: from every place where it is used alone, which must all agree."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from linkindex.formula.errors import EvaluationError
from linkindex.formula.evaluate import Evaluator, Range, UnknownRange, limited
from linkindex.formula.syntax import Bound, Index, Node, Pick, Reduce, Run, Subscript, letter, walk
from linkindex.formula.values import Value

Use = tuple[str, Node, int | None]  # index, what it picks from, axis (None: the leading one)


def with_ranges(at: Evaluator, nodes: Iterable[Node], given: Mapping[str, Range]) -> Evaluator:
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
            known = found.setdefault(name, Range(np.arange(size)))
            if len(known.numbers) != size:
                raise EvaluationError(
                    f"the index {letter(name)} runs over an axis of {len(known.numbers)} and over one of"
                    f" {size} entries: give `indices` where that is meant",
                    base.span,
                )
        pending = waiting
    found |= _limited(at.within(found), nodes)
    bound = [node.name for node in nodes if isinstance(node, Bound)]
    return at.within({name: given[letter(name)] for name in bound if letter(name) in given} | found)


def _limited(at: Evaluator, nodes: Sequence[Node]) -> dict[str, Range]:
    """Ranges of the indices that have limits, outermost first: those of an inner one may depend on an outer one."""
    found: dict[str, Range] = {}
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
