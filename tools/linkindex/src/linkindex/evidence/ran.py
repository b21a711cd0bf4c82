"""The step ``ran``: the example, with the inputs that the page shows, executed every linked expression; what stands
in another function gave the value for which it is linked."""

from linkindex.evidence.parts import wrong_parts
from linkindex.evidence.subject import Outcome, Subject, outcome
from linkindex.model import Step


def check(subject: Subject) -> Outcome:
    page = subject.page
    run = next((run for run in subject.examples if run.kind == "inputs"), None)
    if run is None and page.example:
        return Step(False, "the example did not run"), []  # why it did not is a finding of the run
    if run is None:
        return outcome(
            [subject.finding("in", "LI301", f"the page has no example: write {page.stem}.py beside it")],
            subject.equation,
        )
    findings = [
        subject.finding(
            "in",
            "LI401",
            f"the example {page.example} never executes {' '.join(link.span.code.split())!r} "
            f"({link.span.file}:{link.span.line}): call {link.function} in run()",
        )
        for link in subject.links
        if link.key not in run.executed
    ]
    return outcome([*findings, *wrong_parts(subject)], subject.equation)
