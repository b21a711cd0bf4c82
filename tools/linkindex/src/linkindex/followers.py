"""Findings that only follow from others are left out: one fault is one finding. Those about the lock come last."""

from collections.abc import Iterable

from linkindex.load import REGISTRY
from linkindex.model import Finding, Index

Findings = tuple[Finding, ...]

IN_REGISTRY = ("LI101", "LI124")  # the registry cannot be read, or is not there: nothing is known of any symbol
IN_EXAMPLE = ("LI301", "LI302", "LI303", "LI305")  # the example gave no values
NOT_RUN = ("LI122", "LI123")  # no example was run
NO_VALUE = ("LI603", "LI609", "LI614")  # a value, a call or a link that pages show is not there
DAMAGED_LOCK, NOT_LOCKED = "LI120", "LI223"
LOCK = (DAMAGED_LOCK, "LI221", "LI222", NOT_LOCKED, "LI224", "LI225", "LI226", "LI227")


def about_lock(finding: Finding) -> bool:
    """Whether it only says that the lock is out of date: writing the lock ends it."""
    return finding.code in LOCK


def without_followers(findings: Iterable[Finding], index: Index) -> Findings:
    every = tuple(sorted(set(findings), key=lambda finding: (about_lock(finding), finding)))
    registry = f"{index.config.docs}/{REGISTRY}"
    if any(finding.code in IN_REGISTRY and finding.place.path == registry for finding in every):
        return tuple(finding for finding in every if finding.code in IN_REGISTRY)  # other files may be unreadable, too
    if any(finding.code == DAMAGED_LOCK for finding in every):
        every = tuple(finding for finding in every if finding.code != NOT_LOCKED)
    failed = _pages_without_values(every, index)
    return tuple(one for one in every if one.code not in NO_VALUE or one.place.path not in failed)


def _pages_without_values(findings: Findings, index: Index) -> set[str]:
    """Paths of the pages whose example gave no values, for a reason that is among the findings."""
    if any(finding.code in NOT_RUN for finding in findings):
        return {page.path for page in index.pages}
    broken = {finding.place.path for finding in findings if finding.code in IN_EXAMPLE}
    return {page.path for page in index.pages if page.example in broken or index.config.docs in broken}
