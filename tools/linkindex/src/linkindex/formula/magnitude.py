"""How large the terms are that cancel: the scale for an equation whose right side is 0."""

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np

from linkindex.formula.evaluate import Evaluator
from linkindex.formula.syntax import Binary, Chain, Negative, Node, Product, Reduce, Sum, Transpose
from linkindex.formula.values import Value, selected


class _Magnitudes(Evaluator):
    """Evaluates sums and products with the magnitude of each term; all else as it is, without its sign."""

    def __call__(self, node: Node) -> Value:
        if isinstance(node, Negative):
            return self(node.operand)
        if _adds_up(node):
            return super().__call__(node)
        value = self.plain()(node)
        return replace(value, data=np.abs(value.data))

    def all_true(self, chains: Sequence[Chain]) -> Value:
        return self.plain().all_true(chains)

    def plain(self) -> Evaluator:
        return Evaluator(**_fields(self))


def magnitude(node: Node, at: Evaluator, mask: Value | None) -> float:
    """The largest entry of ``node`` where ``mask`` holds, when nothing in it cancels."""
    value = _Magnitudes(**_fields(at))(node)
    (data,) = selected(mask, value)
    return float(np.max(data[np.isfinite(data)], initial=0.0))


def _fields(at: Evaluator) -> dict[str, object]:
    return {part.name: getattr(at, part.name) for part in fields(at)}


def _adds_up(node: Node) -> bool:
    if isinstance(node, Reduce):
        return node.operator in ("sum", "mean") and all(bound.lower is None for bound in node.bounds)
    return isinstance(node, Sum | Product | Transpose) or isinstance(node, Binary) and node.operator != "bmod"
