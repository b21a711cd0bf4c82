"""Write what became of the faults: a line for each, and a finding for each that was not found where it had to be."""

import sys
from collections import Counter
from collections.abc import Sequence

from linkindex.model import Finding, Place
from linkindex.selfattack.fault import BROKEN, ELSEWHERE, FOUND, MISSED, SKIPPED, Outcome

ENOUGH = 40  # faults that must have been planted, or too little was tried to say anything
CODES = {MISSED: "LI901", ELSEWHERE: "LI902", BROKEN: "LI903"}


def bar(done: int, total: int) -> None:
    """Show how far it is, on a terminal only."""
    if sys.stderr.isatty():
        full = 30 * done // total
        end = "\r" if done < total else "\r\033[K"
        print(f"[{'#' * full}{'.' * (30 - full)}] {done} of {total} faults", end=end, file=sys.stderr, flush=True)


def lines(outcomes: Sequence[Outcome]) -> list[str]:
    """One line for each fault, such as ``found  LI207 docs/page.yml:12  code: a renamed variable (fast)``."""
    widths = max(len(outcome.verdict) for outcome in outcomes), max(len(_expected(outcome)) for outcome in outcomes)
    return [
        f"{outcome.verdict:<{widths[0]}}  {_expected(outcome):<{widths[1]}}  "
        f"{outcome.fault.name} ({outcome.fault.depth})" + (f": {outcome.note}" if outcome.note else "")
        for outcome in outcomes
    ]


def misses(outcomes: Sequence[Outcome]) -> tuple[Finding, ...]:
    """A finding for each fault that was not found where it had to be, and one if too few could be planted."""
    findings = [
        Finding(outcome.expected[1] if outcome.expected else Place("build"), CODES[outcome.verdict], _message(outcome))
        for outcome in outcomes
        if outcome.verdict in CODES
    ]
    planted = sum(outcome.verdict != SKIPPED for outcome in outcomes)
    if planted < ENOUGH:
        message = f"only {planted} faults could be planted, expected at least {ENOUGH}: the project is too small"
        findings.append(Finding(Place("pyproject.toml"), "LI904", message))
    return tuple(sorted(findings))


def summary(outcomes: Sequence[Outcome]) -> str:
    counts = Counter(outcome.verdict for outcome in outcomes)
    rest = [f"{counts[verdict]} {verdict}" for verdict in (ELSEWHERE, MISSED, BROKEN, SKIPPED) if counts[verdict]]
    planted = len(outcomes) - counts[SKIPPED]
    return ", ".join([f"{counts[FOUND]} of {planted} planted faults found where they were planted", *rest])


def _expected(outcome: Outcome) -> str:
    if outcome.expected is None:
        return "" if outcome.verdict == SKIPPED else "computed again"
    code, place = outcome.expected
    return f"{code} {place.path}:{place.line}"


def _message(outcome: Outcome) -> str:
    if outcome.verdict == BROKEN:
        wanted = f"expected a verdict on what the {outcome.fault.depth} check finds"
        return f"{outcome.fault.name}: {wanted}, but {outcome.note}: mend what raised it"
    wanted = f"expected {outcome.expected[0]} here" if outcome.expected else "expected that it is computed again"
    return f"{outcome.fault.name}: {wanted} from the {outcome.fault.depth} check, but {outcome.note}"
