r"""``first & \cdots & last`` as one entry with a running index."""

from dataclasses import fields

from linkindex.formula.syntax import Index, Node, Pick, Run, Subscript

_INDEX_FIELDS = {Subscript: ("indices",), Pick: ("index",)}


def run_between(first: Node, last: Node, index: str) -> Run | None:
    """The run from ``first`` to ``last``, which differ in one pair of indices. None: in none, or in more."""
    pairs: list[tuple[Node, Node]] = []
    body = _merge(first, last, index, pairs, is_index=False)
    if body is None or not pairs or any(pair != pairs[0] for pair in pairs):
        return None
    return Run(body, index, *pairs[0], span=(first.span[0], last.span[1]))


def _merge(first: object, last: object, index: str, pairs: list, is_index: bool) -> object | None:
    """Both as one, with ``index`` in place of the indices that differ; fills ``pairs``. None: impossible."""
    if first == last:
        return first
    if is_index and isinstance(first, Node) and isinstance(last, Node):
        pairs.append((first, last))
        return Index(index, span=first.span)
    if isinstance(first, tuple) and isinstance(last, tuple) and len(first) == len(last):
        parts = [_merge(a, b, index, pairs, is_index) for a, b in zip(first, last)]
        return None if None in parts else tuple(parts)
    if isinstance(first, Node) and type(first) is type(last):
        parts = {}
        for name in (part.name for part in fields(first) if part.name != "span"):
            below = is_index or name in _INDEX_FIELDS.get(type(first), ())
            parts[name] = _merge(getattr(first, name), getattr(last, name), index, pairs, below)
            if parts[name] is None and getattr(first, name) is not None:
                return None
        return type(first)(**parts, span=first.span)
    return None
