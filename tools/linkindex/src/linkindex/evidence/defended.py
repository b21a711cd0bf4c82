"""The step ``defended``: every mutant of the linked code that is not equivalent makes the linked test fail.

Of a property, only the mutants that break it are here: see ``linkindex.mutants.properties``.
"""

from collections.abc import Iterator, Sequence

from linkindex.evidence.subject import Outcome, Subject, outcome
from linkindex.model import NOT_RUN, Equation, Verdict
from linkindex.refs import canonical

DECLARATION = ("LI455", "LI456")  # faults of the record's `equivalent`; the others are faults of the test


def check(subject: Subject) -> Outcome:
    if subject.verdicts is None:
        return NOT_RUN, []
    findings = [
        subject.finding("equivalent" if code in DECLARATION else "test", code, message)
        for code, message in _faults(subject.equation, subject.verdicts)
    ]
    return outcome(findings, subject.equation, trials=len(subject.verdicts))


def is_equivalent(equation: Equation, verdict: Verdict) -> bool:
    """Whether the record declares this survivor to compute the same."""
    return verdict.outcome == "survived" and verdict.mutant.code in _declared(equation)


def _declared(equation: Equation) -> set[str]:
    """The codes under `equivalent`, in the layout of mutants."""
    return {canonical(code) or code for code in equation.equivalent}


def _faults(equation: Equation, verdicts: Sequence[Verdict]) -> Iterator[tuple[str, str]]:
    if not verdicts and equation.is_property:
        yield "LI451", (
            "no mutant of its code breaks this property on the example, so no test can show that the code is needed "
            "for it: not checked; link the code that makes it hold, or claim more"
        )
        return
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
    skipped = [verdict.mutant.code for verdict in verdicts if verdict.outcome == "skipped"]
    if skipped:
        yield "LI453", (
            f"its test {equation.test} is skipped, and does not fail, when the linked code is changed to "
            f"{skipped[0]!r}{f' (and to {len(skipped) - 1} others)' if skipped[1:] else ''}: "
            "a skipped test notices nothing; let it fail"
        )
    for verdict in verdicts:
        if verdict.outcome == "survived" and not is_equivalent(equation, verdict):
            yield "LI453", (
                f"its test {equation.test} passes although the linked code is changed to {verdict.mutant.code!r} "
                f"({verdict.mutant.kind}): assert what this changes, or declare it under `equivalent` with the reason"
            )
    if not skipped and not any(verdict.outcome == "assertion" for verdict in verdicts):
        yield "LI454", (
            f"no mutant fails an assertion of its test {equation.test}, at most it raises: compare the values"
        )
    outcomes = {verdict.mutant.code: verdict.outcome for verdict in verdicts}
    for code in sorted(_declared(equation)):
        if code not in outcomes:
            which = "no mutant that breaks this property" if equation.is_property else "no mutant"
            yield "LI455", (
                f"`equivalent` declares {code!r}, and {which} is this code: remove it, or copy the mutant's code"
            )
        elif outcomes[code] != "survived":
            yield "LI456", f"`equivalent` declares {code!r}, which its test notices: remove the declaration"
