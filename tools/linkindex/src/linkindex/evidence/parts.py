"""Linked code of other functions gave the very value for which it is linked, in every run of the example.

The line under `computes` gave what the call gives; of a property, which says something of the call's value only, it may
be one on the way there, of the same shape. The line under `also` gave what a variable holds that the linked code reads,
and that the formula does not take as given.
"""

from collections.abc import Iterator

from linkindex.evidence.subject import Subject
from linkindex.model import GIVES, SHARES, Finding, Link
from linkindex.run.parts import AS_LARGE, EQUAL

CODE = {GIVES: "LI414", SHARES: "LI415"}
KEY = {GIVES: "computes", SHARES: "also"}


def wrong_parts(subject: Subject) -> Iterator[Finding]:
    for link in subject.links:
        if link.part and (kind := _differing_run(subject, link)):
            yield subject.finding(KEY[link.part], CODE[link.part], _message(subject, link, kind))


def _differing_run(subject: Subject, link: Link) -> str | None:
    """The first run in which the line did not give the value, or was not executed at all, where the probe was."""
    enough = (EQUAL, AS_LARGE) if link.part == GIVES and subject.equation.is_property else (EQUAL,)
    for run in subject.examples:
        if run.kind == "inputs" and link.key not in run.executed:
            return None  # found by the step itself
        visits = run.visits.get(subject.equation.id, ())
        if any(visit.parts.get(link.key) not in enough for visit in visits):
            return run.kind
    return None


def _message(subject: Subject, link: Link, kind: str) -> str:
    code, where = " ".join(link.span.code.split()), f"{link.span.file}:{link.span.line}"
    probe = subject.probes[0]
    linked = " ".join(probe.span.code.split())
    if link.part == GIVES:
        return (
            f"{code!r} ({where}) does not give the value of {linked!r} in the run {kind!r}: write `computes: {{in: "
            f"{link.function}, code: VARIABLE}}` with the line whose value the call returns; if this one is on the way "
            f"to it, with `via: [{link.target or code}]` inside the braces"
        )
    return (
        f"{code!r} ({where}) gives no value that {linked!r} ({probe.span.file}:{probe.span.line}) reads beside those "
        f"that the formula takes as given ({', '.join(link.read) or 'it reads nothing else'}), in the run {kind!r}: "
        "link under `also` the line whose value it reads"
    )
