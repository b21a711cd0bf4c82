"""The step ``tested``: the linked test was collected, passed, and executed the linked expressions.

Whether it would notice a fault in them is what the step ``defended`` finds out.
"""

import re
from collections.abc import Iterator

from linkindex.evidence.subject import Outcome, Subject, outcome
from linkindex.model import Finding, Place, Step, TestRun

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
    if run.outcome != "passed":
        yield "LI402", f"its test {run.nodeid} is {run.outcome} ({run.why}): {REMEDY[run.outcome]}"
        return
    for link in subject.links:
        code = " ".join(link.span.code.split())
        where = f"{link.span.file}:{link.span.line}"
        if link.key in run.collected:
            file = run.nodeid.partition("::")[0]
            yield "LI404", (
                f"{code!r} ({where}) runs while {file} is collected: compute expected values inside the test"
            )
        if link.key not in run.executed:
            yield "LI403", (
                f"its test {run.nodeid} passes without executing {code!r} ({where}): "
                "call the linked function in the test"
            )
