"""One formula against the values of one run: do all members of all chains agree, and with what the code computed?"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from linkindex.formula.algebra import LINEAR_ALGEBRA
from linkindex.formula.counting import Counting, remark
from linkindex.formula.coverage import covers
from linkindex.formula.difference import LARGEST_TERM, Difference, difference, largest, rounding
from linkindex.formula.errors import EvaluationError
from linkindex.formula.evaluate import Evaluator
from linkindex.formula.families import is_membership, memberships
from linkindex.formula.lengths import length
from linkindex.formula.magnitude import magnitude
from linkindex.formula.not_a_number import not_a_number, parts
from linkindex.formula.parse import Formula, without_head
from linkindex.formula.ranges import refuse_part_of_an_axis, with_ranges
from linkindex.formula.sets import mask
from linkindex.formula.syntax import (
    Cases, Chain, Index, Node, Number, Operator, SetBuilder, Statement, Subscript, Transpose, symbols_in, walk,
)  # fmt: skip
from linkindex.formula.trials import Bound, Reading, Trial
from linkindex.formula.truth import Truths, merged, true_and_false
from linkindex.formula.values import Value, arranged, batch_name, bind, selected, shown


@dataclass(frozen=True)
class Comparison(Difference):
    """The largest difference of all. ``covered``: the left sides name every entry of the target."""

    truths: Truths = field(default_factory=dict)
    covered: bool = True


class Case:
    """One choice of family members on one run, by the rules of linear algebra."""

    algebra = LINEAR_ALGEBRA
    needs_every_entry = True  # one entry without a value, as 0 / 0, and there is none

    def __init__(self, formula: Formula, trial: Trial, reading: Reading, members: Mapping[str, str]):
        self.formula, self.trial, self.reading, self.members = formula, trial, reading, members
        self.tolerance, self.round_off = rounding(trial.dtype)
        self.targets = [
            self.value(bound, formula.target[k] if formula.target else "the linked value")
            for k, bound in enumerate(trial.target)
        ]
        symbols = {
            latex: self.value(bound, latex) for latex, bound in trial.symbols.items() if latex in formula.symbols
        }
        symbols |= dict(zip(formula.target, self.targets))
        site_axes = tuple(batch_name(axis) for axis in reading.batch_axes)
        self.statements = [s for s in formula.statements if not is_membership(s) or not self.is_family(s)]
        if formula.head and not self.is_called(formula.head):  # then it is only a name of the linked value
            self.statements[0] = without_head(formula.head, self.statements[0])
        counting = Counting.of(self.statements, {axis for bound in trial.symbols.values() for axis in bound.shape})
        at = Evaluator(symbols, {}, reading.operators, site_axes, self.algebra, counting, reading.columns)
        given = {
            index: np.arange(length(text, trial.sizes)) + counting.start(index)
            for index, text in reading.indices.items()
        }
        self.at = self.with_ranges(at, given | self.listed())

    def with_ranges(self, at: Evaluator, given: Mapping[str, np.ndarray]) -> Evaluator:
        at = with_ranges(at, self.statements, given)
        refuse_part_of_an_axis(at, self.statements, self.reading.indices)
        return at

    def is_family(self, statement: Statement) -> bool:
        return statement.chain.members[0][0].name in self.members

    def is_called(self, head: Node) -> bool:
        """Whether another formula defines the function on the left."""
        names = [node.name for node in walk(head) if isinstance(node, Operator) and node.name in self.reading.operators]
        return any(self.reading.operators[name].left != head for name in names)

    def listed(self) -> dict[str, np.ndarray]:
        """Ranges that a membership of numbers lists."""
        found = {}
        for statement in self.formula.statements:
            if is_membership(statement) and not self.is_family(statement):
                elements = statement.chain.members[1][0].elements
                if all(isinstance(element, Number) for element in elements):
                    found[statement.chain.members[0][0].name] = np.array([float(e.text) for e in elements])
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
        found: list[Difference] = []
        truths: dict[tuple[int, int], tuple[bool, bool]] = {}
        for position, statement in enumerate(self.statements):
            mask = self.mask(statement, truths)
            for premise in statement.premises:
                if self.is_constant(premise):
                    found += self.chain(premise, None, first=False)
            found += self.chain(statement.chain, mask, first=position == 0)
        worst = largest([Difference(tolerance=self.tolerance), *found])
        covered = self.reading.property or not self.formula.target or self.is_covered()
        why = worst.why and worst.why + remark(self.statements, self.at.counting)
        return Comparison(worst.error, worst.finite_error, why, truths, covered, tolerance=worst.tolerance)

    def mask(self, statement: Statement, truths: dict) -> Value | None:
        """Booleans: where ``statement`` claims something. None: everywhere."""
        for chain in self.conditions(statement):
            if not (chain in statement.premises and self.is_constant(chain)):
                truths[chain.span] = true_and_false(self.at.truth(chain))
        stated = [*statement.premises, *statement.conditions]
        if not stated:
            return None
        together = self.at.all_true(stated)
        if len(stated) > 1:
            truths[statement.span] = true_and_false(together)
        unknown = Value(np.isnan(together.data), together.names)
        if unknown.data.any():
            raise not_a_number(stated, self.at, unknown, self.formula.source)
        return Value(together.data == 1, together.names)

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
        """Nothing in it can vary: as a premise it is not a condition, but a claim."""
        return not any(isinstance(node, Index) for node in walk(chain)) and not symbols_in(chain)

    def chain(self, chain: Chain, mask: Value | None, first: bool) -> Iterator[Difference]:
        """``first``: it is the formula's first statement, which says what the linked code computes."""
        if first and not self.formula.target and not self.reading.property:
            yield from self.linked(chain, [self.at(expression) for expression in chain.members[0]], mask)
        if "in" in chain.relations:
            yield self.related(chain, mask)
            return
        members = [[self.member(chain, node, column) for column, node in enumerate(member)] for member in chain.members]
        for k, relation in enumerate(chain.relations):
            for column, (a, b) in enumerate(zip(members[k], members[k + 1])):
                nodes = chain.members[k][column], chain.members[k + 1][column]
                if relation == "=":
                    yield self.difference(a, b, nodes, mask, self.zero_scale(chain, column, mask))
                else:
                    link = Chain(((nodes[0],), (nodes[1],)), (relation,), span=chain.span)
                    yield self.ordered(a, b, link, mask)

    def member(self, chain: Chain, node: Node, column: int) -> Value:
        """A set equals what the code holds as booleans: of each number, whether it is in the set."""
        if not isinstance(node, SetBuilder):
            return self.at(node)
        others = [self.at(m[column]) for m in chain.members if not isinstance(m[column], SetBuilder)]
        if not others or not others[0].is_mask or others[0].rank != 1:
            raise EvaluationError(
                "a set is compared with a row of booleans, which says of each number whether it is in it; of another"
                " array write the entries, with a condition such as i \\in \\{...\\}",
                node.span,
            )
        return mask(self.at, node, others[0].core[0])

    def ordered(self, a: Value, b: Value, link: Chain, mask: Value | None) -> Difference:
        r"""Of < and >, and of \le and \ge, which allow for round-off: where they fail, both sides may be equal."""
        found = self.related(link, mask)
        (relation,) = link.relations
        if found.agrees or relation == "!=" or (relation in ("<", ">") and self.trial.strict):
            return found
        bound = self.at.algebra.entrywise(np.minimum if relation.startswith("<") else np.maximum, a, b)
        whole = self.at.algebra.entrywise(lambda one, other: np.broadcast_arrays(one, other)[0], a, b)
        nodes = link.members[0][0], link.members[1][0]
        within = self.difference(whole, bound, nodes, mask, None)
        return within if within.agrees else found

    def related(self, chain: Chain, mask: Value | None) -> Difference:
        """Of relations that are no equations: they hold or not. Between finite sides that is a finite difference."""
        (held,) = selected(mask, self.at.truth(chain))
        fails = bool((held == 0).any())
        if np.isnan(held).any() and (self.needs_every_entry or not fails):
            raise not_a_number([chain], self.at, mask, self.formula.source)
        if not fails:
            return Difference()
        finite = all(np.isfinite(self.at(part).data).all() for part in parts(chain))
        return Difference(np.inf, np.inf if finite else 0.0, f"{self.text(chain)} does not hold")

    def linked(self, chain: Chain, values: Sequence[Value], mask: Value | None) -> Iterator[Difference]:
        """A formula without a target symbol: its first member must equal the linked value itself."""
        if len(values) != len(self.targets):
            raise EvaluationError(
                f"the linked code gives {len(self.targets)} values, the left side has {len(values)}", chain.span
            )
        for node, value, target in zip(chain.members[0], values, self.targets):
            head = self.formula.head or node
            written = dict.fromkeys(inner.name for inner in walk(head) if isinstance(inner, Index))
            free = [name for name in written if name in value.names]
            lone = [name for name in value.names if name not in free and not name.startswith("[")]
            if lone:
                raise EvaluationError(f"{shown(lone[0])} is not on the left side: write it there", head.span)
            yield self.difference(target, arranged(value, free), (None, node), mask, None)

    def zero_scale(self, chain: Chain, column: int, mask: Value | None) -> float | None:
        """Where a chain holds a 0, errors are measured against what cancels; nothing added up: exactly 0."""
        nodes = [member[column] for member in chain.members]
        if Number("0") not in nodes:
            return None
        return self.terms([node for node in nodes if node != Number("0")], mask)

    def terms(self, nodes: Iterable[Node], mask: Value | None) -> float:
        """How large the terms in ``nodes`` are, as far as what was recorded can make them.

        Else a sum such as 10^11 - 10^11 could hide any difference.
        """
        recorded = [value.data[np.isfinite(value.data)] for value in [*self.at.symbols.values(), *self.targets]]
        largest_recorded = max(np.max(np.abs(entries), initial=0.0) for entries in recorded)
        added = [node for node in nodes if not isinstance(node, SetBuilder)]
        largest_term = max((magnitude(node, self.at, mask) for node in added), default=0.0)
        return float(min(largest_term, LARGEST_TERM * largest_recorded))

    def difference(
        self, a: Value, b: Value, nodes: tuple[Node | None, Node], mask: Value | None, scale: float | None
    ) -> Difference:
        """The largest difference of ``b`` from ``a``, and in words what is wrong with it."""
        left, right = selected(mask, *self.of_one_form(a, b, nodes))
        what = "the linked value" if nodes[0] is None else self.text(nodes[0])
        known = ~(np.isnan(left) | np.isnan(right))
        found = difference(left[known], right[known], scale, tolerance=self.tolerance)
        if not found.agrees and scale is None:  # a sum may cancel, so that only round-off is left of it
            terms = self.terms([node for node in nodes if node is not None], mask)
            found = difference(left[known], right[known], scale, self.round_off * terms, self.tolerance)
        if not known.all() and (self.needs_every_entry or found.agrees):
            if nodes[0] is None and np.isnan(left).any():
                why = "the linked value is not a number somewhere: correct the sample, or the code"
                raise EvaluationError(why, nodes[1].span)
            sides = [node for node, side in zip(nodes, (left, right)) if np.isnan(side).any()]
            raise not_a_number(sides, self.at, mask, self.formula.source)
        if found.agrees:
            return found
        return replace(found, why=f"{what} and {self.text(nodes[1])} differ by {found.error:.1e}")

    def of_one_form(self, a: Value, b: Value, nodes: tuple[Node | None, Node]) -> tuple[Value, Value]:
        """Both sides are numbers, vectors or matrices alike and have the same free indices; constants fit all."""
        if any(node is not None and not symbols_in(node) for node in nodes):
            return a, b
        fits = (m == n or p or q for m, n, p, q in zip(a.core, b.core, a.is_loose, b.is_loose))
        if a.rank != b.rank or not all(fits):
            raise EvaluationError(
                f"{self.text(nodes[1])} has the core shape {b.core}, expected {a.core}", nodes[1].span
            )
        lone = {name for name in {*a.names} ^ {*b.names} if not name.startswith("[")}
        if lone:
            raise EvaluationError(f"{shown(min(lone))} is on one side only of {self.text(nodes[1])}", nodes[1].span)
        return a, b

    def text(self, node: Node) -> str:
        return self.formula.source[node.span[0] : node.span[1]] or "the member"

    def is_covered(self) -> bool:
        return all(
            covers(self.statements, latex, target, self.at) for latex, target in zip(self.formula.target, self.targets)
        )


def compare(formula: Formula, trial: Trial, reading: Reading, case: Callable[..., Case] = Case) -> Comparison:
    """Raises EvaluationError where the formula has no value on this run. ``case``: Case, or one with other rules."""
    try:
        choices = [case(formula, trial, reading, members).compare() for members in memberships(formula)]
    except EvaluationError as error:
        if reading.columns or not _transposes_a_row(formula):
            raise
        try:
            return compare(formula, trial, replace(reading, columns=True), case)
        except EvaluationError:
            raise error from None
    found = largest(choices)
    truths = merged(choice.truths for choice in choices)
    covered = all(choice.covered for choice in choices)
    return Comparison(found.error, found.finite_error, found.why, truths, covered, tolerance=found.tolerance)


def _transposes_a_row(formula: Formula) -> bool:
    nodes = [node for statement in formula.statements for node in walk(statement)]
    return any(isinstance(node, Transpose) and isinstance(node.base, Subscript) for node in nodes)
