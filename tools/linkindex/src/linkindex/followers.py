"""Findings that only follow from others are left out: one fault is one finding, where its cause stands. Those about the
lock come last."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from linkindex.load import REGISTRY
from linkindex.model import Finding, Index

Findings = tuple[Finding, ...]

IN_REGISTRY = ("LI101", "LI124")  # the registry cannot be read, or is not there: nothing is known of any symbol
IN_EXAMPLE = ("LI301", "LI302", "LI303", "LI305")  # the example gave no values
NOT_RUN = ("LI122", "LI123")  # no example was run
NO_VALUE = ("LI603", "LI609", "LI614")  # a value, a call or a link that pages show is not there
NO_CODE = re.compile(r"LI20\d|LI213|LI501")  # the code of an equation is not known: none of its values is recorded
UNREADABLE = ("LI204", "LI205")  # of a Python file
# What is not there, in the words of the finding that says so: a function, a variable, a module.
MISSING = {
    "LI202": re.compile(r"has no function '([^']+)'"),
    "LI207": re.compile(r"assigns no variable '([^']+)'"),
    "LI201": re.compile(r"begins ([\w.]+)"),
}
AT_IMPORT = re.compile(r"\b(?:ModuleNotFound|Import|Attribute|Syntax|Indentation|Tab)Error\b")
OF_SYMBOL = ("LI406", "LI407")  # a symbol has no value, or no shape
NOT_LISTED = "LI612"  # a function that a page lists is not among those that were found
AT_TEST, LOCKED_TEST = "LI210", "LI227"  # the test is not there; it is another than in the lock
OF_INDEX_FILE = "LI721"  # link-index.json is not as its schema says, which asks for the code of each symbol
REPEATED, SHOWN_TWICE = "LI613", ("LI105", "LI113")  # an anchor of a page; what has that anchor
UNREGISTERED = "LI108"
OF_FORMULA, OF_SHAPE = "LI420", "LI408"  # the formula has not the value of the code; a symbol has another shape
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
    missing, damaged = frozenset(_missing(every)), {one.place.path for one in every if one.code in UNREADABLE}
    unusable = any(one.code in NOT_RUN or (one.code == "LI107" and one.place.path == registry) for one in every)
    at = {(one.place, one.code) for one in every}
    on_page = {(one.place.path, one.code) for one in every}
    causes = [
        one
        for one in every
        if not (one.code in NO_VALUE and one.place.path in failed)
        if not (one.code in ("LI302", "LI402") and AT_IMPORT.search(one.message) and _names(one, missing))
        if not (one.code in OF_SYMBOL and (_names(one, missing) or (one.place, UNREGISTERED) in at))
        if not (one.code == NOT_LISTED and (damaged or any(f".{name}'" in one.message for name in missing)))
        if not (one.code in (*OF_SYMBOL, OF_FORMULA) and unusable)
        if not (one.code == OF_FORMULA and (one.place, OF_SHAPE) in at)
        if not (one.code == REPEATED and any((one.place.path, code) in on_page for code in SHOWN_TWICE))
        if not (one.code == OF_INDEX_FILE and any(other.code in OF_SYMBOL for other in every))
        if not (one.code == LOCKED_TEST and (one.place, AT_TEST) in at)
        if not (one.code in UNREADABLE and any(path in one.message for path in damaged - {one.place.path}))
    ]
    return tuple(sorted(_told_once(causes, index), key=lambda finding: (about_lock(finding), finding)))


def _pages_without_values(findings: Findings, index: Index) -> set[str]:
    """Paths of the pages whose example gave no values, or whose records name no code that gives them, for a reason that
    is among the findings."""
    if any(finding.code in NOT_RUN for finding in findings):
        return {page.path for page in index.pages}
    broken = {one.place.path for one in findings if one.code in IN_EXAMPLE or NO_CODE.fullmatch(one.code)}
    return {
        page.path
        for page in index.pages
        if page.unread or {page.example, page.records, index.config.docs} & broken
    }


def _missing(findings: Findings) -> Iterator[str]:
    """Names of what is not there, and of Python files that cannot be read."""
    for finding in findings:
        if finding.code in UNREADABLE:
            yield finding.place.path.rpartition("/")[2]
        elif finding.code in MISSING and (found := MISSING[finding.code].search(finding.message)):
            yield from (found[1], found[1].partition(".")[0])


def _names(finding: Finding, names: frozenset[str]) -> bool:
    """Whether a message holds one of the names as a word of its own."""
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", finding.message) for name in names)


def _told_once(findings: Findings, index: Index) -> Iterator[Finding]:
    """What several records and pages say of the same missing code is told at the first record."""
    known = {equation.id for equation in index.equations}
    first: dict[tuple[str, str], int] = {}
    told: list[Finding] = []
    more: dict[int, int] = {}
    for finding in sorted(findings, key=lambda one: one.place.path.endswith(".md")):
        identity, _, message = finding.message.partition(": ")
        key = (finding.code, message if identity in known else finding.message)
        if NO_CODE.fullmatch(finding.code) and key in first:
            more[first[key]] = more.get(first[key], 0) + 1
        else:
            first[key] = len(told)
            told.append(finding)
    for number, finding in enumerate(told):
        many = more.get(number)
        yield replace(finding, message=f"{finding.message} (the same in {many} more places)") if many else finding
