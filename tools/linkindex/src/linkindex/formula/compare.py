"""One formula against the values of one run: do all members of all chains agree, and with what the code computed?"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from linkindex.formula.coverage import covers
from linkindex.formula.errors import EvaluationError
from linkindex.formula.evaluate import Evaluator, Range
from linkindex.formula.functions import RELATIONS
from linkindex.formula.lengths import length
from linkindex.formula.magnitude import magnitude
from linkindex.formula.parse import Formula
from linkindex.formula.ranges import with_ranges
from linkindex.formula.syntax import (
    Cases,
    Chain,
    Index,
    Label,
    Node,
    Number,
    SetOf,
    Statement,
    symbols_in,
    walk,
)
from linkindex.formula.trials import Bound, Reading, Trial
from linkindex.formula.values import Value, aligned, arranged, batch_name, bind, entrywise, shown

TOLERANCE = 1e-10  # of |y| + FLOOR max |y|, for each entry
FLOOR = 1e-2
ROUND_OFF = 1e-4  # of the largest terms added up, beside that: 1e-14 of them is what another order of adding may change


@dataclass(frozen=True)
class Comparison:
    """``error`` in units of |y| + FLOOR max |y|; ``why`` says what disagrees, if anything.

    ``truths``: span of a condition -> whether it is true somewhere, false somewhere. ``covered``: the left sides name
    every entry of the target.
    """

    error: float = 0.0
    why: str | None = None
    truths: Mapping[tuple[int, int], tuple[bool, bool]] = field(default_factory=dict)
    covered: bool = True

    @property
    def agrees(self) -> bool:
        return self.why is None and self.error <= TOLERANCE


def compare(formula: Formula, trial: Trial, reading: Reading) -> Comparison:
    """Raises EvaluationError where the formula has no value on this run."""
    parts = [_Case(formula, trial, reading, members).compare() for members in _memberships(formula)]
    truths: dict[tuple[int, int], tuple[bool, bool]] = {}
    for part in parts:
        for span, (true, false) in part.truths.items():
            before = truths.get(span, (False, False))
            truths[span] = before[0] or true, before[1] or false
    why = next((part.why for part in parts if part.why), None)
    return Comparison(max(part.error for part in parts), why, truths, all(part.covered for part in parts))


def is_membership(statement: Statement) -> bool:
    r"""``p \in \{q, k, v\}``, which says for which members of a family the other statements hold."""
    chain = statement.chain
    return (
        chain.relations == ("in",) and isinstance(chain.members[0][0], Index) and isinstance(chain.members[1][0], SetOf)
    )


def _memberships(formula: Formula) -> Iterator[Mapping[str, str]]:
    """Every choice of members: {"p": "q"}, {"p": "k"}, ...; one empty choice where the formula has no family."""
    letters, choices = [], []
    for statement in formula.statements:
        if is_membership(statement) and all(isinstance(e, Label) for e in statement.chain.members[1][0].elements):
            letters.append(statement.chain.members[0][0].name)
            choices.append([element.text for element in statement.chain.members[1][0].elements])
    for labels in itertools.product(*choices):
        yield dict(zip(letters, labels))


class _Case:
    """One choice of family members on one run."""

    def __init__(self, formula: Formula, trial: Trial, reading: Reading, members: Mapping[str, str]):
        self.formula, self.trial, self.reading, self.members = formula, trial, reading, members
        self.targets = [
            self.value(bound, formula.target[k] if formula.target else "the linked value")
            for k, bound in enumerate(trial.target)
        ]
        symbols = {
            latex: self.value(bound, latex) for latex, bound in trial.symbols.items() if latex in formula.symbols
        }
        symbols |= dict(zip(formula.target, self.targets))
        at = Evaluator(symbols, {}, reading.operators, tuple(batch_name(axis) for axis in reading.batch_axes))
        given = {index: Range(np.arange(length(text, trial.sizes))) for index, text in reading.indices.items()}
        self.statements = [s for s in formula.statements if not is_membership(s) or not self.is_family(s)]
        self.at = with_ranges(at, self.statements, given | self.listed())

    def is_family(self, statement: Statement) -> bool:
        return statement.chain.members[0][0].name in self.members

    def listed(self) -> dict[str, Range]:
        """Ranges that a membership of numbers lists."""
        found = {}
        for statement in self.formula.statements:
            if is_membership(statement) and not self.is_family(statement):
                elements = statement.chain.members[1][0].elements
                if all(isinstance(element, Number) for element in elements):
                    found[statement.chain.members[0][0].name] = Range(np.array([float(e.text) for e in elements]))
        return found

    def value(self, bound: Bound, latex: str) -> Value:
        value = bound.value
        if isinstance(value, Mapping):
            labels = [label for label in self.members.values() if label in value]
            if len(labels) != 1:
                raise EvaluationError(
                    f"{latex} has the members {', '.join(value)}: say for which of them the formula holds, as in"
                    f" p \\in \\{{{', '.join(value)}\\}}"
                )
            value = value[labels[0]]
        try:
            return bind(value, bound.shape, [*self.reading.batch_axes, *self.reading.per])
        except EvaluationError as error:
            raise EvaluationError(f"{latex}: {error.message}") from None

    # --- statements

    def compare(self) -> Comparison:
        error, why = 0.0, None
        truths: dict[tuple[int, int], tuple[bool, bool]] = {}
        for position, statement in enumerate(self.statements):
            mask = self.mask(statement, truths)
            constant = [premise for premise in statement.premises if self.is_constant(premise)]
            found = [self.chain(premise, None, first=False) for premise in constant]
            found.append(self.chain(statement.chain, mask, first=position == 0))
            for e, reason in itertools.chain(*found):
                error, why = max(error, e), why or reason
        return Comparison(error, why, truths, self.reading.property or not self.formula.target or self.is_covered())

    def mask(self, statement: Statement, truths: dict) -> Value | None:
        for chain in self.conditions(statement):
            if not self.is_constant(chain):
                truth = self.at.truth(chain).data
                truths[chain.span] = bool(truth.any()), not truth.all()
        stated = [*statement.premises, *statement.conditions]
        return self.at.all_true(stated) if stated else None

    @staticmethod
    def conditions(statement: Statement) -> Iterator[Chain]:
        yield from statement.premises
        yield from statement.conditions
        for node in walk(statement.chain):
            if isinstance(node, Cases):
                for case in node.cases:
                    yield from case.conditions

    @staticmethod
    def is_constant(chain: Chain) -> bool:
        """Nothing in it can vary: then it is not a condition, but a claim."""
        return not any(isinstance(node, Index) for node in walk(chain)) and not symbols_in(chain)

    def chain(self, chain: Chain, mask: Value | None, first: bool) -> Iterator[tuple[float, str | None]]:
        members = [[self.at(expression) for expression in member] for member in chain.members]
        if first and not self.formula.target and not self.reading.property:
            yield from self.linked(chain, members[0], mask)
        for k, relation in enumerate(chain.relations):
            for column, (a, b) in enumerate(zip(members[k], members[k + 1])):
                nodes = chain.members[k][column], chain.members[k + 1][column]
                if relation == "=":
                    scale = self.zero_scale(chain, column, mask)
                    yield self.difference(a, b, nodes, mask, scale)
                else:
                    truth = RELATIONS.get(relation)
                    holds = entrywise(truth, a, b) if truth else self.at.truth(chain)
                    yield (0.0, None) if _where(holds, mask) else (np.inf, f"{self.text(chain)} does not hold")

    def linked(self, chain: Chain, values: Sequence[Value], mask: Value | None) -> Iterator[tuple[float, str | None]]:
        """A formula without a target symbol: its first member must equal the linked value itself."""
        if len(values) != len(self.targets):
            raise EvaluationError(
                f"the linked code gives {len(self.targets)} values, the left side has {len(values)}", chain.span
            )
        for node, value, target in zip(chain.members[0], values, self.targets):
            free = dict.fromkeys(
                inner.name for inner in walk(node) if isinstance(inner, Index) and inner.name in value.names
            )
            yield self.difference(target, arranged(value, list(free)), (None, node), mask, None)

    def zero_scale(self, chain: Chain, column: int, mask: Value | None) -> float | None:
        """Where a chain holds a 0, errors are measured against what cancels; nothing added up: exactly 0."""
        nodes = [member[column] for member in chain.members]
        if Number("0") not in nodes:
            return None
        return max((magnitude(node, self.at, mask) for node in nodes if node != Number("0")), default=0.0)

    def difference(self, a: Value, b: Value, nodes: tuple[Node | None, Node], mask: Value | None, scale: float | None):
        """The largest error of ``b`` against ``a``, and in words what is wrong with it."""
        self.require_one_form(a, b, nodes)
        rank = max(a.rank, b.rank)
        if mask is None:
            _, (left, right) = aligned((a, b), rank)
            left, right = np.broadcast_arrays(left, right)
        else:
            _, (left, right, chosen) = aligned((a, b, mask), rank)
            left, right, chosen = np.broadcast_arrays(left, right, chosen)
            left, right = left[chosen], right[chosen]
        what = "the linked value" if nodes[0] is None else self.text(nodes[0])
        for array, name in ((left, what), (right, self.text(nodes[1]))):
            if np.isnan(array).any():
                raise EvaluationError(
                    f"{name} is not a number somewhere: an index leaves its axis, or 0 / 0", nodes[1].span
                )
        error = _error(left, right, scale)
        if error > TOLERANCE and scale is None:  # a sum may cancel, so that only round-off is left of it
            terms = max(magnitude(node, self.at, mask) for node in nodes if node is not None)
            error = _error(left, right, scale, ROUND_OFF * terms)
        if error <= TOLERANCE:
            return error, None
        return error, f"{what} and {self.text(nodes[1])} differ by {error:.1e}"

    def require_one_form(self, a: Value, b: Value, nodes: tuple[Node | None, Node]) -> None:
        """Both sides are numbers, vectors or matrices alike and have the same free indices; constants fit all."""
        if any(node is not None and not symbols_in(node) for node in nodes):
            return
        fits = (m == n or p or q for m, n, p, q in zip(a.core, b.core, a.is_loose, b.is_loose))
        if a.rank != b.rank or not all(fits):
            raise EvaluationError(
                f"{self.text(nodes[1])} has the core shape {b.core}, expected {a.core}", nodes[1].span
            )
        lone = {name for name in {*a.names} ^ {*b.names} if not name.startswith("[")}
        if lone:
            raise EvaluationError(f"{shown(min(lone))} is on one side only of {self.text(nodes[1])}", nodes[1].span)

    def text(self, node: Node) -> str:
        return self.formula.source[node.span[0] : node.span[1]] or "the member"

    def is_covered(self) -> bool:
        return all(
            covers(self.statements, latex, target, self.at) for latex, target in zip(self.formula.target, self.targets)
        )


def _where(holds: Value, mask: Value | None) -> bool:
    if mask is None:
        return bool(holds.data.all())
    _, (truth, chosen) = aligned((holds, mask), holds.rank)
    return bool((truth | ~chosen).all())


def _error(y: np.ndarray, other: np.ndarray, scale: float | None, slack: float = 0.0) -> float:
    """The largest |y - other| / (|y| + FLOOR max |y| + slack); infinities must be equal. ``scale`` stands for max |y|."""
    same = y == other
    if same.all():
        return 0.0
    if not (np.isfinite(y) & np.isfinite(other) | same).all():
        return np.inf
    y, other = y[~same], other[~same]
    floor = FLOOR * (np.abs(y).max() if scale is None else scale) + slack
    allowed = floor if scale is not None else np.abs(y) + floor
    with np.errstate(divide="ignore"):
        return float(np.max(np.abs(y - other) / allowed))
