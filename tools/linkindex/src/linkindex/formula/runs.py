r"""``first & \cdots & last`` as one entry with a running index."""

from dataclasses import fields

from linkindex.formula.syntax import Index, Node, Run


def run_between(first: Node, last: Node, index: str) -> Run | None:
    """The run from ``first`` to ``last``, which differ in one pair of index values. None: in none, or in several."""
    pairs: list[tuple[Node, Node]] = []
    body = _merge(first, last, index, pairs)
    if body is None or not pairs or any(pair != pairs[0] for pair in pairs):
        return None
    return Run(body, index, *pairs[0], span=(first.span[0], last.span[1]))


def _merge(first, last, index: str, pairs: list) -> object | None:
    """The common shape of both, with ``index`` where they differ; fills ``pairs``."""
    if first == last:
        return first
    if isinstance(first, tuple) and isinstance(last, tuple):
        if len(first) != len(last):
            return None
        parts = tuple(_merge(a, b, index, pairs) for a, b in zip(first, last))
        return None if None in parts else parts
    if not isinstance(first, Node) or not isinstance(last, Node):
        return None
    if type(first) is not type(last):
        pairs.append((first, last))
        return Index(index, span=first.span)
    parts = {}
    known = len(pairs)
    for part in fields(first):
        if part.name == "span":
            continue
        merged = _merge(getattr(first, part.name), getattr(last, part.name), index, pairs)
        if merged is None and getattr(first, part.name) is not None:
            del pairs[known:]
            pairs.append((first, last))
            return Index(index, span=first.span)
        parts[part.name] = merged
    return type(first)(**parts, span=first.span)
