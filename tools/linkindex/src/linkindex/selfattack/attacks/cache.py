"""Faults in what is kept of earlier checks: it must be computed again, and never be believed."""

from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path

from linkindex.selfattack.attacks import tests
from linkindex.selfattack.model import CACHE, FAST, FULL, Attack, NotApplicable, Plan, Pristine


def _files(project: Pristine) -> list[Path]:
    paths = sorted((project.root / CACHE).rglob("*.json"))
    if not paths:
        raise NotApplicable(f"nothing is kept in {CACHE}")
    return paths


def _plan(project: Pristine, contents: Mapping[Path, bytes]) -> Plan:
    return Plan({path.relative_to(project.root).as_posix(): data for path, data in contents.items()}, None)


def damaged(damage: Callable[[bytes], bytes]) -> Callable[[Pristine], Plan]:
    """Everything that is kept, damaged."""
    return lambda project: _plan(project, {path: damage(path.read_bytes()) for path in _files(project)})


def exchanged(project: Pristine) -> Plan:
    """Every file with the content of another one of its folder, so that each is whole and under the wrong name."""
    contents = {}
    for _, group in groupby(_files(project), key=lambda path: path.parent):
        paths = list(group)
        contents |= {path: other.read_bytes() for path, other in zip(paths, [*paths[1:], paths[0]]) if path != other}
    if not contents:
        raise NotApplicable(f"no folder of {CACHE} keeps two files")
    return _plan(project, contents)


def stale(code: str, change: tests.Change) -> Callable[[Pristine], Plan]:
    """A test that proves nothing any more, and a kept result that says it does."""

    def attack(project: Pristine) -> Plan:
        plan = tests.changed(code, change)(project)
        return Plan(plan.edits, plan.expected, stale=True)

    return attack


def halved(data: bytes) -> bytes:
    return data[: len(data) // 2]


def other_number(data: bytes) -> bytes:
    """A digit in the last quarter changed: still JSON, with another number in it."""
    for position in range(3 * len(data) // 4, len(data)):
        if 48 <= data[position] < 57:
            return data[:position] + bytes([data[position] + 1]) + data[position + 1 :]
    return halved(data)


ATTACKS = (
    Attack("cache: places cut short", FAST, damaged(halved)),
    Attack("cache: places with another number", FAST, damaged(other_number)),
    Attack("cache: results cut short", FULL, damaged(halved)),
    Attack("cache: results with another number", FULL, damaged(other_number)),
    Attack("cache: results that are no text", FULL, damaged(lambda data: b"\xff\xfe" + data)),
    Attack("cache: results emptied", FULL, damaged(lambda data: b"")),
    Attack("cache: results under the name of others", FULL, exchanged),
    Attack("cache: a kept result that a failing test passed", FULL, stale("LI402", tests.FAILING)),
    Attack("cache: kept verdicts of a test that was weakened", FULL, stale("LI453", tests.IS_A_NUMBER)),
)
