"""The step ``ran``: the example, with the inputs that the page shows, executed every linked expression; what stands
in another function gave the value for which it is linked."""

from collections.abc import Iterator

from linkindex.evidence.subject import Outcome, Subject, outcome
from linkindex.model import Finding, Link, Step
from linkindex.run.recorder import AS_LARGE, EQUAL


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
    return outcome([*findings, *_wrong_parts(subject)], subject.equation)


def _wrong_parts(subject: Subject) -> Iterator[Finding]:
    """The line under `computes` gave what the call gives, in every run of the example. For a property, which says
    something of the call's value only, it may be a line on the way there, of the same shape."""
    for link in subject.links:
        if link.gives and (kind := _differing_run(subject, link)):
            code, linked = (" ".join(one.span.code.split()) for one in (link, subject.probes[0]))
            yield subject.finding(
                "computes",
                "LI414",
                f"{code!r} ({link.span.file}:{link.span.line}) does not give the value of {linked!r} in the run "
                f"{kind!r}: write `computes: {{in: {link.function}, code: VARIABLE}}` with the line whose value the "
                f"call returns; if this one is on the way to it, with `via: [{link.target or code}]` inside the braces",
            )


def _differing_run(subject: Subject, link: Link) -> str | None:
    """The first run in which the line did not give the value, or was not executed at all, where the probe was."""
    enough = (EQUAL, AS_LARGE) if subject.equation.is_property else (EQUAL,)
    for run in subject.examples:
        if run.kind == "inputs" and link.key not in run.executed:
            return None  # found by the step itself
        visits = run.visits.get(subject.equation.id, ())
        if any(visit.parts.get(link.key) not in enough for visit in visits):
            return run.kind
    return None
