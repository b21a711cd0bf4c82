"""Fourth stage: from what was found and what ran to what is proved of each equation."""

from collections.abc import Mapping
from dataclasses import replace

from linkindex import store
from linkindex.evidence import agreement, defended, properties, ran, symbols, tested
from linkindex.evidence.subject import Outcome, Subject
from linkindex.formula import FormulaError, Notation
from linkindex.formula.operators import Operator, operator
from linkindex.model import NOT_RUN, STEPS, Evidence, Finding, Index, Proof, Resolution, Runs, Step
from linkindex.mutants.properties import Claim


def _resolved(subject: Subject) -> Outcome:
    """Code and test were found, each once. What is missing was noted where it was looked for."""
    if not subject.links:
        return Step(False, "its code was not found"), []
    if subject.equation.id not in subject.resolution.tests:
        return Step(False, "its test was not found"), []
    return Step(True), []


CHECKS = {
    "resolved": _resolved,
    "ran": ran.check,
    "tested": tested.check,
    "symbols": symbols.check,
    "formula": agreement.check,
    "defended": defended.check,
}


def prove(
    index: Index, resolution: Resolution, runs: Runs, commit: str | None = None
) -> tuple[Evidence, tuple[Finding, ...]]:
    """The evidence for every equation whose formula was read, and a finding for each step that does not hold."""
    subjects = _subjects(index, resolution, runs)
    findings: list[Finding] = _too_many_exceptions(index)
    operators = _operators(subjects, findings)
    proofs = {}
    for subject in subjects:
        steps = {}
        for name in STEPS:
            steps[name], wrong = _step(name, subject, operators)
            findings.extend(wrong)
        proofs[subject.equation.id] = Proof(
            subject.equation.id, steps, symbols.symbol_rows(subject), subject.formula.marked
        )
    store.prune(index.config.root / store.FOLDER / agreement.PROOFS, agreement.KEPT)
    return Evidence(proofs, commit), tuple(sorted(set(findings)))


def claims(index: Index, resolution: Resolution, runs: Runs) -> Mapping[str, Claim]:
    """What each property says whose example ran, by equation."""
    subjects = _subjects(index, resolution, runs)
    operators = _operators(subjects, [])
    found = (subject for subject in subjects if subject.equation.is_property and subject.examples)
    return {subject.equation.id: properties.claim(subject, operators) for subject in found}


def _subjects(index: Index, resolution: Resolution, runs: Runs) -> list[Subject]:
    return [
        Subject(index, resolution, runs, page, equation)
        for page in index.pages
        for equation in page.equations
        if equation.id in resolution.formulas
    ]


def _step(name: str, subject: Subject, operators: Mapping[str, Operator]) -> Outcome:
    """One step of one equation; a written exception takes the place of its findings."""
    if name != "resolved" and not subject.links:
        return NOT_RUN, []
    check = CHECKS[name]
    step, findings = check(subject, operators) if name == "formula" else check(subject)
    reason = subject.equation.exceptions.get(name)
    if reason is None:
        return step, findings if name in subject.index.config.policy else []
    excused = replace(step, exception=reason)
    if not step.ok:
        return excused, []
    message = f"the exception for {name!r} is not needed, since the step holds: remove it"
    return excused, [subject.finding("exception", "LI431", message)]


def _too_many_exceptions(index: Index) -> list[Finding]:
    """At most one equation in ten of a page may be excused from a step, and one always may."""
    findings = []
    for page in index.pages:
        excused = [equation for equation in page.equations if equation.exceptions]
        if len(excused) > max(1, len(page.equations) // 10):
            message = (
                f"{len(excused)} of the {len(page.equations)} equations of this page have an exception, "
                "and at most one in ten may (one always): prove more of them"
            )
            findings.append(Finding(excused[0].keys["exception"], "LI432", message))
    return findings


def _operators(subjects: list[Subject], findings: list[Finding]) -> dict[str, Operator]:
    """The operators that equations define, such as softmax, each by its own formula."""
    operators: dict[str, Operator] = {}
    first: dict[str, str] = {}  # name of an operator -> the equation that defines it
    for subject in subjects:
        equation = subject.equation
        if equation.defines is None:
            continue
        try:
            shapes = {latex: subject.shape(latex) or () for latex in subject.formula.symbols}
            notation, axes = Notation.of(subject.page.notation), subject.index.config.batch_axes
            made = operator(
                equation.defines, subject.formula, notation, shapes, axes, equation.per, equation.indices
            )
        except FormulaError as error:
            findings.append(subject.finding("defines", "LI422", f"`defines` cannot be used: {error.message}"))
            continue
        if made.name in operators:
            message = f"the operator {made.name} is defined here and by {first[made.name]}: keep one definition"
            findings.append(subject.finding("defines", "LI423", message))
        operators[made.name] = made
        first.setdefault(made.name, equation.id)
    return operators


def unmet_policy(index: Index, evidence: Evidence, mutants: bool) -> tuple[Finding, ...]:
    """The safety net: a required step that does not hold, although nothing else was noted. Without ``mutants`` the step
    that needs them is left to the full check."""
    return tuple(
        Finding(
            equation.place,
            "LI410",
            f"{equation.id}: the step {step!r} does not hold: {evidence.proofs[equation.id].steps[step].why}",
        )
        for equation in index.equations
        if equation.id in evidence.proofs
        for step in index.config.policy
        if mutants or step != "defended"
        if not evidence.proofs[equation.id].steps[step].ok and step not in equation.exceptions
    )
