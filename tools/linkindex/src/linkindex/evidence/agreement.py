"""The step ``formula``: the displayed formula was evaluated, and equals what the linked code computed.

Here recorded runs become trials: values with symbolic axes. What counts as proof is decided in ``linkindex.formula``.
"""

import hashlib
import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from linkindex import store
from linkindex.evidence.left_side import wrong_variables
from linkindex.evidence.subject import Outcome, Subject, outcome
from linkindex.evidence.symbols import never_meant
from linkindex.formula import Formula
from linkindex.formula.operators import Operator
from linkindex.formula.prove import Result, prove
from linkindex.formula.trials import Bound, Reading, Trial
from linkindex.model import ExampleRun, Step, Value, Visit

PROOFS = "proofs"
KEPT = 3000  # proofs; those unused for longest are removed beyond that


def check(subject: Subject, operators: Mapping[str, Operator]) -> Outcome:
    if not subject.examples:
        return Step(False, "the example was not run"), []
    if why := never_meant(subject):
        return Step(False, why), []  # a finding of the step `symbols`
    coded = [latex for latex in subject.formula.symbols if subject.symbols[latex].codes]
    uncoded = [
        latex
        for latex in subject.formula.symbols
        if latex not in coded and not subject.is_linked(latex) and not subject.is_length(latex)
    ]
    if uncoded:
        return Step(False, f"the symbol {uncoded[0]} has no code"), []  # a finding of that step, too
    unknown = [latex for latex in coded if subject.shape(latex) is None]
    if unknown:
        return Step(False, f"the shape of {unknown[0]} is unknown: add a shape comment beside it"), []  # so is this
    missing = [name for name in subject.formula.operators if name not in operators]
    if missing:
        message = (
            f"the operator {missing[0]} has no definition: give the equation that says what it is "
            f"`defines: {missing[0]}(...)`"
        )
        return outcome([subject.finding("latex", "LI421", message)], subject.equation)
    equation = subject.equation
    unused = [latex for latex in equation.free if latex not in subject.formula.symbols]
    if unused:
        message = (
            f"`free` lists {unused[0]}, which is no symbol of the formula ({', '.join(subject.formula.symbols)}): "
            "correct it, or remove it"
        )
        return outcome([subject.finding("free", "LI424", message)], equation)
    if wrong := next(iter(wrong_variables(subject)), None):
        return outcome([subject.finding("latex", "LI420", f"the formula is not proved: {wrong}")], equation)
    trials, reading = tuple(trials_of(subject)), reading_of(subject, operators)
    result = _proved(subject.index.config.root, subject.formula, trials, reading)
    findings = [] if result.ok else [subject.finding("latex", "LI420", f"the formula is not proved: {result.why}")]
    return outcome(findings, equation, max_error=result.max_error, tolerance=result.tolerance, trials=result.trials)


def reading_of(subject: Subject, operators: Mapping[str, Operator]) -> Reading:
    equation = subject.equation
    return Reading(
        operators=operators,
        batch_axes=subject.index.config.batch_axes,
        per=equation.per or (),
        indices=equation.indices,
        free=equation.free,
        property=equation.is_property,
    )


def _proved(root: Path, formula: Formula, trials: tuple[Trial, ...], reading: Reading) -> Result:
    """A proof is not made again for the same formula, read in the same way, and the same values, bit by bit."""
    asked = hashlib.sha256(pickle.dumps((formula, trials, reading))).hexdigest()
    path = store.place(root, PROOFS, store.distributions(), asked)
    return Result(**store.kept(path, lambda: asdict(prove(formula, trials, reading)), lambda result: result["ok"]))


def trials_of(subject: Subject) -> Iterator[Trial]:
    """A trial for each round of visits: one visit of each of the equation's probes."""
    shapes = _target_shapes(subject)
    for run in subject.examples:
        by_probe = [
            [visit for visit in run.visits.get(subject.equation.id, ()) if visit.key == link.key]
            for link in subject.probes
        ]
        for visits in zip(*by_probe):
            symbols, targets = _symbols(subject, visits), _targets(subject, visits, shapes)
            sizes = run.sizes or _sizes((*symbols.values(), *targets))
            lengths = (latex for latex in subject.formula.symbols if subject.is_length(latex) and latex in sizes)
            yield Trial(symbols | {latex: Bound(sizes[latex], ()) for latex in lengths}, targets, sizes)


def _symbols(subject: Subject, visits: tuple[Visit, ...]) -> dict[str, Bound]:
    symbols = {}
    for latex in subject.formula.symbols:
        symbol, shape = subject.symbols[latex], subject.shape(latex)
        values = [subject.value(latex, code, visits) for code in symbol.codes]
        if shape is None or not values or None in values:
            continue
        arrays = [value.array() for value in values]
        symbols[latex] = Bound(dict(zip(symbol.family, arrays)) if symbol.family else arrays[0], shape)
    return symbols


def _targets(subject: Subject, visits: tuple[Visit, ...], shapes: tuple[tuple[str, ...], ...]) -> tuple[Bound, ...]:
    values = [visit.value.array() for visit in visits if visit.value is not None]
    members = [link.member for link in subject.probes]
    if any(members):
        return (Bound(dict(zip(members, values)), shapes[0]),)
    return tuple(Bound(value, shape) for value, shape in zip(values, shapes))


def _target_shapes(subject: Subject) -> tuple[tuple[str, ...], ...]:
    """Symbolic shapes of the linked values: the symbol's, or read off a run in which all sizes differ."""
    if subject.formula.target and not (subject.equation.probe.code or subject.equation.at):
        return tuple(
            subject.shape(latex) or () for latex in subject.formula.target for _ in range(_places(subject, latex))
        )
    run = next((run for run in subject.examples if run.sizes), None)
    visits = run.visits.get(subject.equation.id, ()) if run else ()
    return tuple(_named(visit.value, run) for visit in visits if visit.value is not None)


def _places(subject: Subject, latex: str) -> int:
    return max(1, len(subject.symbols[latex].family))


def _named(value: Value, run: ExampleRun) -> tuple[str, ...]:
    """A shape in size symbols; an axis of no known size keeps its number."""
    names = {size: name for name, size in reversed(run.sizes.items())}
    return tuple("1" if size == 1 else names.get(size, str(size)) for size in value.shape)


def _sizes(bounds: Iterable[Bound]) -> dict[str, int]:
    """Axis lengths, read off shapes."""
    return {
        axis: size
        for bound in bounds
        for array in bound.arrays()
        for axis, size in zip(bound.shape, array.shape)
        if not axis.isdigit()
    }
