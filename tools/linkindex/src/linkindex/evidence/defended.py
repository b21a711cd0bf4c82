"""The step ``defended``: every mutant of the linked code that is not equivalent makes the linked test fail."""

from collections.abc import Iterator, Mapping, Sequence

from linkindex.evidence.subject import Outcome, Subject, outcome
from linkindex.model import NOT_RUN, Equation, Step, Verdict
from linkindex.mutants.equivalents import declared

DECLARATION = ("LI455", "LI456", "LI457")  # faults of the record's `equivalent`; the others are faults of the test


def check(subject: Subject) -> Outcome:
    if subject.verdicts is None:
        return NOT_RUN, []
    excused = [one.mutant.code for one in subject.verdicts if is_equivalent(subject.equation, one)]
    tried = subject.runs.differing.get(subject.equation.id)
    faults = [*_faults(subject.equation, subject.verdicts), *_differing(excused, tried or {})]
    if excused and tried is None and not faults:
        return Step(False, "the mutants declared equivalent were not tried"), []  # why not, is a finding of the run
    findings = [
        subject.finding("equivalent" if code in DECLARATION else "test", code, message) for code, message in faults
    ]
    return outcome(findings, subject.equation, trials=len(subject.verdicts))


def is_equivalent(equation: Equation, verdict: Verdict) -> bool:
    """Whether the record declares this survivor to compute the same."""
    return verdict.outcome == "survived" and verdict.mutant.code in declared(equation)


def _faults(equation: Equation, verdicts: Sequence[Verdict]) -> Iterator[tuple[str, str]]:
    if not verdicts:
        yield "LI451", (
            "its code has no mutants, so nothing shows that its test would notice a change: if it calls a function of "
            "the project, add `computes: {in: package.module.function, code: VARIABLE}`, the line there that gives the "
            "value"
        )
        return
    if any(verdict.outcome == "unclean" for verdict in verdicts):
        yield "LI452", (
            f"its test {equation.test} does not pass when it runs alone: not checked; "
            "make it independent of other tests"
        )
        return
    for verdict in verdicts:
        if verdict.outcome == "survived" and not is_equivalent(equation, verdict):
            yield "LI453", (
                f"its test {equation.test} passes although the linked code is changed to {verdict.mutant.code!r} "
                f"({verdict.mutant.kind}): assert what this changes, or declare it under `equivalent` with the reason"
            )
    if not any(verdict.outcome == "assertion" for verdict in verdicts):
        yield "LI454", (
            f"no mutant fails an assertion of its test {equation.test}, at most it raises: compare the values"
        )
    outcomes = {verdict.mutant.code: verdict.outcome for verdict in verdicts}
    for code in sorted(declared(equation)):
        if code not in outcomes:
            yield "LI455", (
                f"`equivalent` declares {code!r}, and no mutant is this code: remove it, or copy the mutant's code"
            )
        elif outcomes[code] != "survived":
            yield "LI456", f"`equivalent` declares {code!r}, which its test notices: remove the declaration"


def _differing(excused: Sequence[str], tried: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    """Survivors that are declared equivalent, and are not."""
    for code in excused:
        if how := tried.get(code):
            yield "LI457", (
                f"`equivalent` declares {code!r}, and {how}: it does not compute the same; "
                "remove the declaration, and assert what it changes"
            )
