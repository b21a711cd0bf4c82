"""The step ``tested``: the equation's own test was collected, passed, and executed the linked expressions."""

import re
from collections.abc import Iterator

from linkindex.evidence.subject import Outcome, Subject, outcome
from linkindex.model import Finding, Index, Place, Resolution, Step, TestRun
from linkindex.resolve.expected import ANY

REMEDY = {
    "failed": "mend the code or the test",
    "error": "mend the test",
    "skipped": "a skipped test proves nothing: make it run, or link another one",
    "xfailed": "a test that is expected to fail proves nothing: mend it, or link another one",
    "xpassed": "a test marked as failing proves nothing when it passes: remove the mark",
    "missing": "correct the node id, or write the test",
}


def check(subject: Subject) -> Outcome:
    run = subject.test_run
    if run is None:
        return Step(False, "the linked test was not run"), []
    if run.outcome == "error" and (broken := re.match(r"(\S+\.py):(\d+): (.*)", run.why or "")):
        file, line, what = broken.groups()  # one fault there, however many equations link tests that need it
        return outcome([Finding(Place(file, int(line)), "LI402", f"{file} {what}: mend it")], subject.equation)
    faults = list(_faults(subject, run))
    return outcome([subject.finding("test", code, message) for code, message in faults], subject.equation)


def _faults(subject: Subject, run: TestRun) -> Iterator[tuple[str, str]]:
    yield from _shared(subject)
    if run.outcome != "passed":
        yield "LI402", f"its test {run.nodeid} is {run.outcome} ({run.why}): {REMEDY[run.outcome]}"
        return
    place = subject.resolution.tests[subject.equation.id]
    if place.circular:
        made = "is made with" if place.circular.endswith(ANY) else "comes from"
        told = ", which may give the code under test" if place.circular.endswith(ANY) else " as well"
        yield "LI411", (
            f"in its test {run.nodeid}, the expected value {made} {place.circular}{told}: "
            "compute it from the definition, without the code under test"
        )
    if place.weak:
        yield "LI412", (
            f"its test {run.nodeid} only compares {place.weak!r}, a shape, a type or a total, "
            "which many wrong values share: compare the values"
        )
    if not place.compares:
        yield "LI413", (
            f"its test {run.nodeid} compares nothing that comes from {subject.links[0].function}: "
            "compare its value with the definition"
        )
    if run.evasions:
        yield "LI416", (
            f"while its test {run.nodeid} runs, {'; '.join(run.evasions)}: there, code under test may compute the "
            "expected value unseen: compute it from the definition, in the test itself"
        )
    for link in subject.links:
        code = " ".join(link.span.code.split())
        where = f"{link.span.file}:{link.span.line}"
        if link.key in run.collected:
            file = run.nodeid.partition("::")[0]
            yield "LI404", (
                f"{code!r} ({where}) runs while {file} is collected: compute expected values inside the test, "
                "without the code under test"
            )
        if link.key not in run.executed:
            yield "LI403", (
                f"its test {run.nodeid} passes without executing {code!r} ({where}): "
                "call the linked function in the test"
            )


def _shared(subject: Subject) -> Iterator[tuple[str, str]]:
    """No test may serve two equations that link different expressions."""
    equation, resolution = subject.equation, subject.resolution
    for other in _users(equation.test, subject.index):
        if other != equation.id and _expressions(other, resolution) != _expressions(equation.id, resolution):
            yield "LI405", (
                f"the test {equation.test} serves {other} as well, which links other code: "
                "write a test for this formula alone"
            )


def _users(test: str, index: Index) -> list[str]:
    return [equation.id for equation in index.equations if equation.test == test]


def _expressions(equation: str, resolution: Resolution) -> set[str]:
    return {link.key for link in resolution.links.get(equation, ())}
