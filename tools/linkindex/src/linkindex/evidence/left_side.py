"""The left side is a claim: where its symbol has a variable, that holds the linked value behind the statement."""

from collections.abc import Iterator

import numpy as np

from linkindex.evidence.subject import Subject
from linkindex.formula.difference import COARSE
from linkindex.model import Link, Value
from linkindex.refs import canonical

OF_DOUBLES = 1e-12  # what is stored with fewer digits than it was computed with may differ by more


def wrong_variables(subject: Subject) -> Iterator[str]:
    """What is wrong with each variable of the left side that holds something else."""
    for link, latex, code in _pairs(subject):
        for run in subject.examples:
            visits = [visit for visit in run.visits.get(subject.equation.id, ()) if visit.key == link.key]
            held = [(subject.value(latex, code, [visit]), visit.value) for visit in visits]
            if any(a is not None and b is not None and not _equal(a, b) for a, b in held):
                piece = " ".join(link.span.code.split())
                yield (
                    f"behind the linked statement, {code} is not what {piece!r} gives: {_remedy(subject, link, code)}, "
                    f"or give the value of {piece!r} a symbol of its own on the left side"
                )
                break


def _pairs(subject: Subject) -> Iterator[tuple[Link, str, str]]:
    """Each probe with the symbol of the left side whose value it gives, and the variable of that."""
    left = [(latex, code) for latex in subject.formula.target for code in subject.symbols[latex].codes]
    if len(left) == len(subject.probes):
        yield from ((link, latex, code) for link, (latex, code) in zip(subject.probes, left, strict=True))


def _remedy(subject: Subject, link: Link, code: str) -> str:
    lines = subject.resolution.assigned.get(link.function, {}).get(canonical(code), ())
    if lines:
        places = ", ".join(str(first) for first, _ in lines)
        return f"{code} is assigned in line {places} of {link.span.file}; link what is assigned to it there"
    return f"link what is assigned to {code}"


def not_assigned_here(subject: Subject, latex: str) -> str | None:
    """Why a variable of the left side has no value: the function assigns it, but not by the linked statement."""
    for link, other, code in _pairs(subject):
        if other == latex and subject.resolution.assigned.get(link.function, {}).get(canonical(code)):
            piece = " ".join(link.span.code.split())
            return f"{latex} ({code}) has no value behind {piece!r}: {_remedy(subject, link, code)}"
    return None


def _equal(a: Value, b: Value) -> bool:
    one, other = a.array(), b.array()
    if one.shape != other.shape:
        return False
    if one.dtype.kind != "f" or other.dtype.kind != "f":
        return bool(np.array_equal(one, other))
    rounding = max(COARSE.get(dtype, (OF_DOUBLES,))[0] for dtype in (a.dtype, b.dtype))
    finite = other[np.isfinite(other)]
    largest = np.max(np.abs(finite), initial=0.0)
    return bool(np.allclose(one, other, rtol=rounding, atol=rounding * largest, equal_nan=True))
