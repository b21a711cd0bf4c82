"""Formulas with one planted fault, to measure how many of them the comparison with the code notices."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from linkindex.formula.compare import compare
from linkindex.formula.errors import EvaluationError
from linkindex.formula.parse import Formula
from linkindex.formula.prove import prove
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
    walk,
)
from linkindex.formula.trials import Reading, Trial

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

Shapes = Mapping[str, Sequence[str]]  # symbol -> symbolic shape


@dataclass(frozen=True)
class Mutant:
    """``kind``: sign, factor, transpose, index, bound, root, relation, function or symbol."""

    kind: str
    what: str  # where, and what was put there
    formula: Formula


@dataclass(frozen=True)
class Tally:
    """What becomes of the mutants of a formula."""

    noticed: tuple[Mutant, ...]  # the values differ by more than the tolerance
    empty: tuple[Mutant, ...]  # agrees, but is refused because it proves nothing
    undefined: tuple[Mutant, ...]  # has no value: shapes that do not fit, 0 / 0, ...
    missed: tuple[Mutant, ...]


def mutants(formula: Formula, shapes: Shapes, reading: Reading) -> Iterator[Mutant]:
    """Every formula with one fault. Only symbols of one symbolic shape replace each other."""
    seen = {formula.statements}
    for position, statement in enumerate(formula.statements):
        for kind, span, what, changed in _Faults(formula, shapes, reading).of(statement):
            statements = (*formula.statements[:position], changed, *formula.statements[position + 1 :])
            if statements not in seen:
                seen.add(statements)
                yield Mutant(kind, f"{formula.source[slice(*span)]}: {what}", replace(formula, statements=statements))


def tally(formula: Formula, trials: Sequence[Trial], reading: Reading) -> Tally:
    """Each mutant against all trials."""
    found: dict[str, list[Mutant]] = {"noticed": [], "empty": [], "undefined": [], "missed": []}
    shapes = {latex: bound.shape for latex, bound in trials[0].symbols.items()}
    for mutant in mutants(formula, shapes, reading):
        found[fate(mutant, trials, reading)].append(mutant)
    return Tally(**{fate: tuple(those) for fate, those in found.items()})


def fate(mutant: Mutant, trials: Sequence[Trial], reading: Reading) -> str:
    """The field of a tally that the mutant belongs to."""
    try:
        with np.errstate(all="ignore"):
            comparisons = [compare(mutant.formula, trial, reading) for trial in trials]
    except EvaluationError:
        return "undefined"
    if not all(comparison.agrees for comparison in comparisons):
        return "noticed"
    return "missed" if prove(mutant.formula, trials, reading).ok else "empty"


Fault = tuple[str, Node, str]  # kind, what stands there instead, in words


class _Faults:
    """All single faults of one statement."""

    def __init__(self, formula: Formula, shapes: Shapes, reading: Reading):
        self.symbols = formula.symbols
        self.shapes = shapes
        self.batch_axes = {*reading.batch_axes, *reading.per, "1"}
        self.letters = sorted({node.name for s in formula.statements for node in walk(s) if isinstance(node, Index)})

    def of(self, statement: Statement) -> Iterator[tuple[str, tuple[int, int], str, Node]]:
        """Each fault of ``statement``, with its place."""
        for kind, chain, what in self.members(statement.chain):
            yield kind, statement.chain.span, what, replace(statement, chain=chain)
        for node, put in _places(statement):
            faults = () if node == statement.chain else self.at(node)
            for kind, other, what in faults:
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
            case Product(factors=factors) | Operator(arguments=factors) if len(factors) > 1:
                yield from self.list(node, factors)
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
            yield "sign", replace(node, terms=(*terms[:k], opposite, *terms[k + 1 :])), f"sign of term {k + 1}"
            yield (
                "factor",
                replace(node, terms=(*terms[:k], Product((_TWO, term)), *terms[k + 1 :])),
                f"term {k + 1} doubled",
            )
            rest = (*terms[:k], *terms[k + 1 :])
            yield "factor", rest[0] if len(rest) == 1 else replace(node, terms=rest), f"term {k + 1} dropped"

    def list(self, node: Product | Operator, factors: tuple[Node, ...]) -> Iterator[Fault]:
        name = "factors" if isinstance(node, Product) else "arguments"
        for k, factor in enumerate(factors):
            if isinstance(node, Product):
                rest = (*factors[:k], *factors[k + 1 :])
                yield "factor", rest[0] if len(rest) == 1 else Product(rest, span=node.span), f"factor {k + 1} dropped"
            if k and (isinstance(node, Operator) or self.is_array(factor) and self.is_array(factors[k - 1])):
                swapped = (*factors[: k - 1], factor, factors[k - 1], *factors[k + 1 :])
                yield "transpose", replace(node, **{name: swapped}), f"{name} {k} and {k + 1} swapped"

    def is_array(self, node: Node) -> bool:
        """Whether the order of this factor matters: it is a vector or matrix as it stands. Numbers commute."""
        base = node.base if isinstance(node, Transpose | Pick) else node
        return isinstance(base, Symbol) and not {*self.shapes[base.latex]} <= self.batch_axes

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
                for step in (Number("1"), Negative(Number("1"))) if limit else ():
                    moved = replace(bound, **{name: Sum((limit, step))})
                    yield (
                        "bound",
                        replace(node, bounds=(*node.bounds[:k], moved, *node.bounds[k + 1 :])),
                        f"{name} limit moved",
                    )

    def condition(self, chain: Chain) -> Iterator[Fault]:
        for k, relation in enumerate(chain.relations):
            for other in _RELATIONS.get(relation, ()):
                relations = (*chain.relations[:k], other, *chain.relations[k + 1 :])
                yield "relation", replace(chain, relations=relations), f"{other} instead"
        for step in (Number("1"), Negative(Number("1"))):
            last = (Sum((chain.members[-1][0], step)),)
            yield "bound", replace(chain, members=(*chain.members[:-1], last)), "right side moved by one"

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


def _places(node: Node) -> Iterator[tuple[Node, Callable[[Node], Node]]]:
    """Every node inside, with the function that puts another one in its place."""
    yield node, lambda other: other
    for part in fields(node):
        if part.name != "span":
            for inner, put in _places_in(getattr(node, part.name)):
                yield inner, lambda other, part=part, put=put: replace(node, **{part.name: put(other)})


def _places_in(value: object) -> Iterator[tuple[Node, Callable[[Node], object]]]:
    if isinstance(value, Node):
        yield from _places(value)
    elif isinstance(value, tuple):
        for k, item in enumerate(value):
            for inner, put in _places_in(item):
                yield inner, lambda other, k=k, put=put: (*value[:k], put(other), *value[k + 1 :])
