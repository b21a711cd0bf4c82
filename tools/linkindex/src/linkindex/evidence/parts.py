"""The line under `computes` gave what the call gives, in every run of the example. For a property, which says something of
the call's value only, it may be a line on the way there, of the same shape."""

from collections.abc import Iterator

from linkindex.evidence.subject import Subject
from linkindex.model import Finding, Link
from linkindex.run.parts import AS_LARGE, EQUAL


def wrong_parts(subject: Subject) -> Iterator[Finding]:
    for link in subject.links:
        if link.gives and (kind := _differing_run(subject, link)):
            code, linked = (" ".join(one.span.code.split()) for one in (link, subject.probes[0]))
            yield subject.finding(
                "computes",
                "LI414",
                f"{code!r} ({link.span.file}:{link.span.line}) does not give the value of {linked!r} in the run "
                f"{kind!r}: link under `computes` the line whose value the call returns, and list others on the way to "
                "it under `via`",
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
