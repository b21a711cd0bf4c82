"""How large the terms are that cancel: the scale for an equation whose right side is 0."""

from dataclasses import replace

import numpy as np

from linkindex.formula.evaluate import Evaluator
from linkindex.formula.syntax import Fraction, Negative, Node, Product, Reduce, Sum, Symbol, Transpose
from linkindex.formula.operators import rebuilt


def magnitude(node: Node, at: Evaluator) -> float:
    """The largest entry when every term is taken with its magnitude, so that nothing cancels."""
    sizes = replace(at, symbols={latex: replace(value, data=np.abs(value.data)) for latex, value in at.symbols.items()})
    data = np.abs((sizes if _is_polynomial(node) else at)(_without_signs(node)).data)
    finite = data[np.isfinite(data)]
    return float(finite.max()) if finite.size else 0.0


def _is_polynomial(node: Node) -> bool:
    """Only sums and products, where magnitudes of symbols give magnitudes of terms."""
    if isinstance(node, Sum | Product | Negative | Transpose | Fraction):
        parts = node.terms if isinstance(node, Sum) else node.factors if isinstance(node, Product) else ()
        return all(_is_polynomial(part) for part in parts)
    return isinstance(node, Symbol) or not isinstance(node, Reduce)


def _without_signs(node: Node) -> Node:
    return _without_signs(node.operand) if isinstance(node, Negative) else rebuilt(node, _without_signs)
