"""Faults in what is kept of earlier checks: it must be computed again, and never be believed."""

from collections.abc import Callable

from linkindex.selfattack.attacks import tests
from linkindex.selfattack.model import CACHE, FAST, FULL, Attack, NotApplicable, Plan, Pristine


def _files(project: Pristine, pattern: str) -> list[str]:
    paths = sorted((project.root / CACHE).glob(pattern))
    if not paths:
        raise NotApplicable(f"nothing is kept in {CACHE}/{pattern}")
    return [path.relative_to(project.root).as_posix() for path in paths]


def damaged(pattern: str, damage: Callable[[bytes], bytes]) -> Callable[[Pristine], Plan]:
    def attack(project: Pristine) -> Plan:
        return Plan({path: damage(project.data(path)) for path in _files(project, pattern)}, None)

    return attack


def exchanged(pattern: str) -> Callable[[Pristine], Plan]:
    """Every file with the content of another, so that each is whole and under the wrong name."""

    def attack(project: Pristine) -> Plan:
        paths = _files(project, pattern)
        if len(paths) < 2:
            raise NotApplicable(f"only one file is kept in {CACHE}/{pattern}")
        return Plan(dict(zip(paths, map(project.data, [*paths[1:], paths[0]]))), None)

    return attack


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
    Attack("cache: runs cut short", FULL, damaged("runs/*.json", halved)),
    Attack("cache: runs with another number", FULL, damaged("runs/*.json", other_number)),
    Attack("cache: runs that are no text", FULL, damaged("runs/*.json", lambda data: b"\xff\xfe" + data)),
    Attack("cache: runs under the name of others", FULL, exchanged("runs/*.json")),
    Attack("cache: verdicts emptied", FULL, damaged("mutants/*.json", lambda data: b"")),
    Attack("cache: verdicts under the name of others", FULL, exchanged("mutants/*.json")),
    Attack("cache: places cut short", FAST, damaged("places.json", halved)),
    Attack("cache: a kept result that a failing test passed", FULL, stale("LI402", tests.begun("assert False, 'planted'"))),
    Attack(
        "cache: kept verdicts of a test that was weakened", FULL,
        stale("LI453", tests.weakened("assert not __import__('numpy').isnan({0}).any()")),
    ),
)  # fmt: skip
