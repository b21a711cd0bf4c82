"""A formula with a number changed, or with a part left out: where it still holds, the number or part says nothing.

The changes of one place come together: the place has an effect if one of them has.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from linkindex.formula.parse import Formula
from linkindex.formula.syntax import (
    Apply, Binary, Chain, Fraction, Node, Number, Power, Product, Root, Statement, Sum, Transpose, places,
)  # fmt: skip

_UNWRAPPED = ("floor", "ceil", "abs")


@dataclass(frozen=True)
class Change:
    """``part``, in words; the formulas with something else, or nothing, in its place.

    ``finer``: more of them, which may have no effect for being no whole numbers, as limits and places have to be.
    """

    part: str
    others: tuple[Formula, ...]
    finer: tuple[Formula, ...] = ()


def changed_numbers(formula: Formula) -> Iterator[Change]:
    """Each number larger and smaller, by whole numbers and by a half of it."""
    for number, other in everywhere(formula, Number):
        value = float(number.text)
        whole, finer = (value + 1, value - 1, value + 2), (value * 1.5, value / 2)
        changed = [
            tuple(other(Number(f"{near:.17g}", span=number.span)) for near in nearby if near != value)
            for nearby in (whole, finer)
        ]
        yield Change(f"the number {number.text}", *changed)


def without_parts(formula: Formula) -> Iterator[Change]:
    """Each term, factor, denominator, power, root, transpose, rounding, and each argument of a maximum left out."""
    for node, other in everywhere(formula, Node):
        for part, rest in _left_out(node):
            text = formula.source[slice(*part.span)] if part is not node else ""
            whole = formula.source[slice(*node.span)]
            yield Change(f"{text} in {whole}" if text else _in_words(node) + f" in {whole}", (other(rest),))


def same_sides(formula: Formula, other: Formula) -> Iterator[Formula]:
    r"""For relations such as \le, which may still hold when a side has changed: that it has the value it had."""
    for before, after in zip(formula.statements, other.statements, strict=True):
        if before.chain != after.chain and not {*before.chain.relations} <= {"=", "in"}:
            pairs = zip(before.chain.members, after.chain.members, strict=True)
            chains = [Chain(pair, ("=",), span=before.chain.span) for pair in pairs]
            yield replace(formula, statements=tuple(replace(after, chain=chain) for chain in chains), target=())


def everywhere(formula: Formula, kind: type[Node]) -> Iterator[tuple[Node, Callable[[Node], Formula]]]:
    """Each node of one kind, and the formula for another node in its place."""
    for position, statement in enumerate(formula.statements):
        for node, put in places(statement):
            if isinstance(node, kind):
                yield node, lambda other, position=position, put=put: _with(formula, position, put(other))


def _with(formula: Formula, position: int, statement: Statement) -> Formula:
    return replace(
        formula, statements=(*formula.statements[:position], statement, *formula.statements[position + 1 :])
    )


def _left_out(node: Node) -> Iterator[tuple[Node, Node]]:
    """The part that is left out, the node itself for what has no text of its own; and what remains."""
    match node:
        case Sum(terms=parts) | Product(factors=parts):
            yield from _each_left_out(node, parts, "terms" if isinstance(node, Sum) else "factors")
        case Apply(function="max" | "min", arguments=parts) if len(parts) > 1:
            yield from _each_left_out(node, parts, "arguments")
        case Apply(function=function, arguments=(inner,)) if function in _UNWRAPPED:
            yield node, inner
        case Binary(left=left, right=right):
            yield right, left
            if node.operator != "bmod":
                yield left, right
        case Fraction(numerator=numerator, denominator=denominator):
            yield denominator, numerator
        case Power(base=base, exponent=exponent):
            yield exponent, base
        case Root(radicand=inner) | Transpose(base=inner):
            yield node, inner


def _each_left_out(node: Node, parts: tuple[Node, ...], name: str) -> Iterator[tuple[Node, Node]]:
    for k, part in enumerate(parts):
        rest = (*parts[:k], *parts[k + 1 :])
        yield part, rest[0] if len(rest) == 1 else replace(node, **{name: rest})


def _in_words(node: Node) -> str:
    if isinstance(node, Root | Transpose):
        return "the root" if isinstance(node, Root) else "the transpose"
    words = {"floor": "rounding down", "ceil": "rounding up", "abs": "the magnitude"}
    return words.get(node.function, "the 0")  # of [x]_+, where no 0 is written
