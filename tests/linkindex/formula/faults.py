"""Single faults of a formula: another sign, factor, transpose, index, bound, root, relation, function or symbol."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from linkindex.formula.parse import Formula
from linkindex.formula.syntax import (
    Apply,
    Binary,
    Chain,
    Constant,
    Fraction,
    Index,
    Negative,
    Node,
    Number,
    Operator,
    Pick,
    Power,
    Product,
    Reduce,
    Root,
    Statement,
    Subscript,
    Sum,
    Symbol,
    Transpose,
    letter,
    places,
    walk,
)
from linkindex.formula.trials import Reading

_PAIRED = {
    "exp": ["log"],
    "log": ["exp"],
    "ln": ["exp"],
    "sin": ["cos"],
    "cos": ["sin"],
    "tanh": ["sin"],
    "max": ["min"],
    "min": ["max"],
    "floor": ["ceil"],
    "ceil": ["floor"],
    "sum": ["prod", "max"],
    "prod": ["sum"],
    "argmax": ["argmin"],
    "argmin": ["argmax"],
}
_RELATIONS = {"<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "=": ["!="], "!=": ["="]}
_TWO = Number("2")
_STEPS = ((Number("1"), "plus 1"), (Negative(Number("1")), "minus 1"))

Shapes = Mapping[str, Sequence[str]]  # symbol -> symbolic shape
Fault = tuple[str, Node, str]  # kind, what stands there instead, in words


class Faults:
    """All single faults of one statement. Only symbols of one symbolic shape replace each other."""

    def __init__(self, formula: Formula, shapes: Shapes, reading: Reading):
        self.symbols = formula.symbols
        self.shapes = shapes
        self.batch_axes = {*reading.batch_axes, *reading.per, "1"}
        self.letters = sorted({node.name for s in formula.statements for node in walk(s) if isinstance(node, Index)})

    def of(self, statement: Statement) -> Iterator[tuple[str, tuple[int, int], str, Node]]:
        """Each fault of ``statement``, with its place."""
        for kind, chain, what in self.members(statement.chain):
            yield kind, statement.chain.span, what, replace(statement, chain=chain)
        for node, put in places(statement):
            is_equation = node is statement.chain and {*node.relations} <= {"=", "in"}  # no condition
            for kind, other, what in () if is_equation else self.at(node):
                yield kind, node.span, what, put(other)

    def at(self, node: Node) -> Iterator[Fault]:
        match node:
            case Symbol(latex=latex):
                for other in self.symbols:
                    if other != latex and self.shapes[other] == self.shapes[latex]:
                        yield "symbol", Symbol(other, span=node.span), f"{other} instead"
            case Number(text=text):
                yield "factor", Number(str(float(text) + 1), span=node.span), "one more"
            case Constant(name="infinity"):
                yield "sign", Negative(node, span=node.span), "sign"
            case Sum(terms=terms):
                yield from self.sum(node, terms)
            case Negative(operand=operand):
                yield "sign", operand, "sign dropped"
            case Product(factors=factors):
                yield from self.product(node, factors)
            case Operator(arguments=arguments):
                yield from self.operator(node, arguments)
            case Fraction(numerator=numerator, denominator=denominator):
                yield "factor", numerator, "denominator dropped"
                yield "factor", Fraction(numerator, Product((_TWO, denominator)), span=node.span), "denominator doubled"
            case Root(radicand=radicand):
                yield "root", radicand, "root dropped"
            case Power(base=base, exponent=exponent):
                yield "root", base, "power dropped"
                yield "sign", Power(base, Negative(exponent), span=node.span), "exponent negated"
            case Transpose(base=base):
                yield "transpose", base, "transpose dropped"
            case Binary(operator="odot", left=left, right=right):
                yield "function", Sum((left, right), span=node.span), "sum instead of product"
            case Subscript(indices=indices):
                yield from self.indices(node, indices)
            case Reduce():
                yield from self.reduction(node)
            case Apply(function=function):
                for other in _PAIRED.get(function, ()):
                    yield "function", replace(node, function=other), f"{other} instead"
            case Chain():
                yield from self.condition(node)

    def sum(self, node: Sum, terms: tuple[Node, ...]) -> Iterator[Fault]:
        for k, term in enumerate(terms):
            opposite = term.operand if isinstance(term, Negative) else Negative(term)
            twice = Product((_TWO, term))
            yield "sign", replace(node, terms=(*terms[:k], opposite, *terms[k + 1 :])), f"sign of term {k + 1}"
            yield "factor", replace(node, terms=(*terms[:k], twice, *terms[k + 1 :])), f"term {k + 1} doubled"
            rest = (*terms[:k], *terms[k + 1 :])
            yield "factor", rest[0] if len(rest) == 1 else replace(node, terms=rest), f"term {k + 1} dropped"

    def product(self, node: Product, factors: tuple[Node, ...]) -> Iterator[Fault]:
        for k in range(len(factors)):
            rest = (*factors[:k], *factors[k + 1 :])
            yield "factor", rest[0] if len(rest) == 1 else replace(node, factors=rest), f"factor {k + 1} dropped"
        for k, swapped in _swapped(factors, self.order_matters):
            yield "transpose", replace(node, factors=swapped), f"factors {k} and {k + 1} swapped"

    def operator(self, node: Operator, arguments: tuple[Node, ...]) -> Iterator[Fault]:
        for k, swapped in _swapped(arguments, self.same_shape):
            yield "transpose", replace(node, arguments=swapped), f"arguments {k} and {k + 1} swapped"

    def same_shape(self, *arguments: Node) -> bool:
        """Arguments in each other's place must make a formula: both are symbols of one symbolic shape."""
        symbols = [argument for argument in arguments if isinstance(argument, Symbol)]
        return len(symbols) == 2 and self.shapes[symbols[0].latex] == self.shapes[symbols[1].latex]

    def order_matters(self, *factors: Node) -> bool:
        """Both are vectors or matrices as they stand. Numbers commute."""
        bases = [factor.base if isinstance(factor, Transpose | Pick) else factor for factor in factors]
        return all(isinstance(base, Symbol) and not {*self.shapes[base.latex]} <= self.batch_axes for base in bases)

    def indices(self, node: Subscript, indices: tuple[Node, ...]) -> Iterator[Fault]:
        if len(indices) == 2 and indices[0] != indices[1]:
            yield "index", replace(node, indices=indices[::-1]), "indices swapped"
        for k, index in enumerate(indices):
            others = [Index(name) for name in self.letters if isinstance(index, Index) and name != index.name]
            for other in [*others, Sum((index, Number("1")))]:
                text = letter(other.name) if isinstance(other, Index) else "one more"
                yield "index", replace(node, indices=(*indices[:k], other, *indices[k + 1 :])), f"index {k + 1}: {text}"

    def reduction(self, node: Reduce) -> Iterator[Fault]:
        for other in _PAIRED[node.operator]:
            yield "function", replace(node, operator=other), f"{other} instead"
        if node.conditions:
            yield "bound", replace(node, conditions=()), "condition dropped"
        for k, bound in enumerate(node.bounds):
            for name, limit in (("lower", bound.lower), ("upper", bound.upper)):
                for step, text in _STEPS if limit else ():
                    moved = replace(bound, **{name: Sum((limit, step))})
                    bounds = (*node.bounds[:k], moved, *node.bounds[k + 1 :])
                    yield "bound", replace(node, bounds=bounds), f"{name} limit {text}"

    def condition(self, chain: Chain) -> Iterator[Fault]:
        for k, relation in enumerate(chain.relations):
            for other in _RELATIONS.get(relation, ()):
                relations = (*chain.relations[:k], other, *chain.relations[k + 1 :])
                yield "relation", replace(chain, relations=relations), f"{other} instead"
        for step, text in _STEPS:
            last = (Sum((chain.members[-1][0], step)),)
            yield "bound", replace(chain, members=(*chain.members[:-1], last)), f"right side {text}"

    def members(self, chain: Chain) -> Iterator[Fault]:
        """Sign and factor of each side. Against 0 neither says anything else, so they are left out there."""
        for c in range(len(chain.members[0])):
            if Number("0") in [member[c] for member in chain.members if len(member) > c] or "in" in chain.relations:
                continue
            for k, member in enumerate(chain.members):
                for kind, other in (("sign", Negative(member[c])), ("factor", Product((_TWO, member[c])))):
                    changed = (*member[:c], other, *member[c + 1 :])
                    members = (*chain.members[:k], changed, *chain.members[k + 1 :])
                    yield kind, replace(chain, members=members), f"member {k + 1}"


def _swapped(nodes: tuple[Node, ...], may: Callable[..., bool]) -> Iterator[tuple[int, tuple[Node, ...]]]:
    """Neighbours in each other's place, where they ``may`` be; with the number of the first, counted from 1."""
    for k in range(1, len(nodes)):
        if may(nodes[k - 1], nodes[k]):
            yield k, (*nodes[: k - 1], nodes[k], nodes[k - 1], *nodes[k + 1 :])
