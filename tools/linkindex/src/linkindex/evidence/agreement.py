"""The step ``formula``: the displayed formula was evaluated, and equals what the linked code computed.

What counts as proof is decided in ``linkindex.formula``.
"""

import hashlib
import pickle
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from linkindex import store
from linkindex.evidence.left_side import wrong_variables
from linkindex.evidence.subject import Outcome, Subject, outcome
from linkindex.evidence.symbols import never_meant
from linkindex.evidence.trials import trials_of
from linkindex.evidence.varied import unvaried
from linkindex.formula import Formula
from linkindex.formula.operators import Operator
from linkindex.formula.prove import Result, prove
from linkindex.formula.trials import Reading, Trial
from linkindex.model import Step

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
    runs = {
        "trials": subject.examples,
        "extreme": [run for run in subject.all_runs if run.is_extreme],
        "further": [run for run in subject.all_runs if run.is_further],
    }
    trials = {kind: tuple(trials_of(subject, some)) for kind, some in runs.items()}
    result = _proved(subject.index.config.root, subject.formula, reading_of(subject, operators), trials)
    differs = result.max_error is not None and result.max_error > result.tolerance
    why = result.why if differs else next(unvaried(subject), result.why)
    findings = [subject.finding("latex", "LI420", f"the formula is not proved: {why}")] if why else []
    details = {name: getattr(result, name) for name in ("max_error", "tolerance", "trials", "dtype")}
    return outcome(findings, equation, **details, notes=tuple(result.notes))


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


def _proved(root: Path, formula: Formula, reading: Reading, trials: Mapping[str, tuple[Trial, ...]]) -> Result:
    """A proof is not made again for the same formula, read in the same way, and the same values, bit by bit."""
    asked = hashlib.sha256(pickle.dumps((formula, trials, reading))).hexdigest()
    path = store.place(root, PROOFS, store.distributions(), asked)
    made = lambda: asdict(prove(formula, trials["trials"], reading, trials["extreme"], trials["further"]))  # noqa: E731
    return Result(**store.kept(path, made, lambda result: result["ok"]))
