"""Formulas with one planted fault, to measure how many of them the comparison with the code notices, and by how much.

How a mutant is judged: on each run it is compared with the code as the right formula is. Where it has no value on that
run, because sizes do not fit or an index leaves its axis, it is compared by zero extension instead (``extended``). It
is noticed if one entry on one run differs by a finite number, by more than the tolerance. What else can become of it
is told apart, and all mutants are counted: none is left out because it has no value or says something true.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkindex.formula.compare import Comparison, compare
from linkindex.formula.difference import TOLERANCE
from linkindex.formula.errors import EvaluationError
from linkindex.formula.parse import Formula
from linkindex.formula.prove import prove
from linkindex.formula.syntax import Statement, symbols_in
from linkindex.formula.trials import Reading, Trial
from tests.linkindex.formula.constants import folded
from tests.linkindex.formula.extended import compare_extended
from tests.linkindex.formula.faults import Faults

FINITE = "finite"  # differs from the code by a finite number
INFINITE = "infinite"  # differs, and only where one side is infinite
TRUE = "true"  # agrees, and would be proved: it is true as well
REFUSED = "refused"  # agrees, and is refused by a rule, as it proves nothing
FILLED = "filled"  # agrees once zeros fill it up; refused, because its sizes, indices or cases do not fit
UNDEFINED = "undefined"  # has no value by zero extension either: 0 / 0, the logarithm of a negative number


@dataclass(frozen=True)
class Mutant:
    """``kind``: sign, factor, transpose, index, bound, root, relation, function or symbol."""

    kind: str
    what: str  # where, and what was put there
    formula: Formula


@dataclass(frozen=True)
class Verdict:
    """``extended``: on one run at least, the mutant has no value but by zero extension."""

    fate: str
    extended: bool = False


def mutants(formula: Formula, shapes: Mapping[str, Sequence[str]], reading: Reading) -> Iterator[Mutant]:
    """Every formula with one fault. Those that differ only in how a number is written, as 0 + 1 and 1, come once."""
    seen = {_key(formula)}
    faults = Faults(formula, shapes, reading)
    for position, statement in enumerate(formula.statements):
        for kind, span, what, changed in faults.of(statement):
            mutated = _with_statement(formula, position, changed)
            if _key(mutated) not in seen:
                seen.add(_key(mutated))
                yield Mutant(kind, f"{formula.source[slice(*span)]}: {what}", mutated)


def _with_statement(formula: Formula, position: int, statement: Statement) -> Formula:
    """The target stays what the code computed, also where the left side names another symbol now."""
    statements = (*formula.statements[:position], statement, *formula.statements[position + 1 :])
    used = symbols_in(*statements)
    return replace(
        formula, statements=statements, symbols=tuple(latex for latex in formula.symbols if latex in used)
    )


def _key(formula: Formula) -> tuple:
    return tuple(folded(statement) for statement in formula.statements)


def judged(formula: Formula, trials: Sequence[Trial], reading: Reading) -> Iterator[tuple[Mutant, Verdict]]:
    """All mutants of ``formula``."""
    shapes = {latex: bound.shape for latex, bound in trials[0].symbols.items()}
    for mutant in mutants(formula, shapes, reading):
        yield mutant, verdict(mutant.formula, formula, trials, reading)


def verdict(wrong: Formula, right: Formula, trials: Sequence[Trial], reading: Reading) -> Verdict:
    """What becomes of ``wrong``, which is ``right`` with a fault."""
    with np.errstate(all="ignore"):
        found = [_compared(wrong, right, trial, reading) for trial in trials]
    extended = any(by_extension for _, by_extension in found)
    comparisons = [comparison for comparison, _ in found if comparison]
    if any(comparison.finite_error > TOLERANCE for comparison in comparisons):
        return Verdict(FINITE, extended)
    if not all(comparison.agrees for comparison in comparisons):
        return Verdict(INFINITE, extended)
    if len(comparisons) < len(found):
        return Verdict(UNDEFINED, extended)
    if extended:
        return Verdict(FILLED, extended)
    return Verdict(TRUE if prove(wrong, trials, reading).ok else REFUSED)


def _compared(wrong: Formula, right: Formula, trial: Trial, reading: Reading) -> tuple[Comparison | None, bool]:
    """The comparison on one run, None where there is no value; and whether it took zero extension."""
    try:
        return compare(wrong, trial, reading), False
    except EvaluationError:
        pass
    try:
        return compare_extended(wrong, right, trial, reading), True
    except EvaluationError:
        return None, True
