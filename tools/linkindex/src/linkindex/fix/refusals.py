"""What `linkindex fix` does not do, and why: findings that name the candidates."""

from collections.abc import Iterable, Iterator

from linkindex.fix.memory import Memories, memory_path
from linkindex.fix.traces import Traces, record_functions
from linkindex.model import Equation, Finding, Index, Place, Resolution

# Of what the first stage reports, these mean that records are missing from the index, or are not what people meant.
UNREADABLE = ("LI101", "LI102", "LI103", "LI104", "LI105", "LI106", "LI107", "LI108", "LI109", "LI115", "LI125")
MISSING = ("LI201", "LI202", "LI203", "LI209")


def unreadable(index: Index, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Why nothing at all can be done: a lock written now would leave out what could not be read."""
    wrong = [finding for finding in findings if finding.code in UNREADABLE]
    if not wrong and not index.equations:
        message = "there are no equations: an empty lock would accept that all of them were lost"
        return (Finding(Place(index.config.docs), "LI800", message),)
    return tuple(
        Finding(one.place, "LI800", f"nothing is repaired while this stands here ({one.code}): {one.message}")
        for one in wrong
    )


def code_refusals(
    index: Index, resolution: Resolution, findings: Iterable[Finding], traces: Traces, memories: Memories
) -> list[Finding]:
    """A finding for each equation whose code is still not found: what is wrong, and what could be meant."""
    findings = list(findings)
    result = []
    for equation in index.equations:
        mine = [one for one in findings if one.message.startswith(f"{equation.id}: ")]
        if equation.id not in resolution.links:
            found = [one for one in mine if one.code != "LI210"]
            result.extend(_refusal(index, equation, one, traces, memories) for one in found or [_unknown(equation)])
        elif equation.id not in resolution.tests:
            others = [one for one in mine if one.code != "LI210"]
            result.extend(Finding(one.place, "LI804", f"{one.message} ({one.code})") for one in others)
    return result


def _refusal(index: Index, equation: Equation, finding: Finding, traces: Traces, memories: Memories) -> Finding:
    code = "LI801" if finding.code in MISSING else "LI802"
    why = "; ".join(_reasons(index, equation, traces, memories))
    message = f"{finding.message} ({finding.code})" + (f"; not repaired: {why}" if why else "")
    return Finding(finding.place, code, message)


def _reasons(index: Index, equation: Equation, traces: Traces, memories: Memories) -> Iterator[str]:
    if equation.id not in (index.lock or {}):
        yield "the lock does not know this equation"
    elif equation.id not in memories:
        yield f"{memory_path(index.config)} does not say what its code looked like"
    for key, _ in record_functions(equation):
        trace = traces.get((equation.id, key))
        if trace and trace.why:
            yield trace.why


def _unknown(equation: Equation) -> Finding:
    return Finding(equation.place, "LI800", f"{equation.id}: its code is not found")
