"""Numbers that are added up, multiplied or divided, as one number: two ways to write a formula become one."""

from collections.abc import Sequence
from fractions import Fraction as Rational
from math import prod

from linkindex.formula.syntax import Fraction, Negative, Node, Number, Product, Sum, rebuilt


def folded(node: Node) -> Node:
    """``node`` with one number in each sum (behind) and each product (in front), and no sign before a sign."""
    node = rebuilt(node, folded)
    match node:
        case Number(text=text):
            return _number(Rational(text))
        case Negative(operand=Negative(operand=inner)):
            return inner
        case Negative(operand=Number(text=text)):
            return _number(-Rational(text))
        case Fraction(numerator=Number(text=above), denominator=Number(text=below)) if Rational(below):
            return _number(Rational(above) / Rational(below))
        case Sum(terms=terms):
            return _sum(terms)
        case Product(factors=factors):
            return _product(factors)
    return node


def _sum(terms: tuple[Node, ...]) -> Node:
    flat = [inner for term in terms for inner in (term.terms if isinstance(term, Sum) else (term,))]
    constant = sum(_values(flat))
    rest = tuple(term for term in flat if not isinstance(term, Number))
    if constant or not rest:
        rest += (_number(constant),)
    return rest[0] if len(rest) == 1 else Sum(rest)


def _product(factors: tuple[Node, ...]) -> Node:
    constant = prod(_values(factors))
    rest = tuple(factor for factor in factors if not isinstance(factor, Number))
    if constant != 1 or not rest:
        rest = (_number(constant), *rest)
    return rest[0] if len(rest) == 1 else Product(rest)


def _values(nodes: Sequence[Node]) -> list[Rational]:
    return [Rational(node.text) for node in nodes if isinstance(node, Number)]


def _number(value: Rational) -> Number:
    return Number(str(value))
