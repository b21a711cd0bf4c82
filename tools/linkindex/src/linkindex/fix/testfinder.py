"""Find a linked test that was renamed or moved: the one test whose body is the one that was locked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from linkindex.fix.memory import Memories
from linkindex.fix.remember import body_hash
from linkindex.model import Config, Finding, Index, Resolution
from linkindex.resolve import Finder
from linkindex.resolve.definitions import Named, definitions
from linkindex.sources import Source

CLOSE, APART = 0.6, 0.15  # likeness of a name that is close; how much closer than the next one it must be


@dataclass(frozen=True)
class Candidate:
    nodeid: str
    line: int
    body: str

    @property
    def place(self) -> str:
        return f"{self.nodeid} (line {self.line})"


def find_tests(
    index: Index, resolution: Resolution, finder: Finder, memories: Memories
) -> tuple[dict[str, str], list[Finding]]:
    """The node ids of lost tests as they are now, and a finding for each that is not found again."""
    lost = [equation for equation in index.equations if equation.id not in resolution.tests]
    taken = {equation.test for equation in index.equations if equation.id in resolution.tests}
    free = [one for one in _all_tests(index, finder) if one.nodeid not in taken] if lost else []
    tests, refusals = {}, []
    for equation in lost:
        memory = memories.get(equation.id)
        same = [one for one in free if memory and memory.body == one.body]
        best = same if len(same) < 2 else _closest(equation.test, same)
        if len(best) == 1:
            tests[equation.id] = best[0].nodeid
            continue
        near = same or sorted(free, key=lambda one: -_likeness(equation.test, one.nodeid))[:3]
        what = "several tests have the body that was locked" if same else "no other test has the body that was locked"
        hint = f"{'they are' if same else 'nearest by name'}: {', '.join(one.place for one in near) or 'none'}"
        message = (
            f"{equation.id}: the test {equation.test} is not found, and {what}; {hint}: name the right one under `test`"
        )
        refusals.append(Finding(equation.keys.get("test", equation.place), "LI804", message))
    return tests, refusals


def _closest(nodeid: str, candidates: list[Candidate]) -> list[Candidate]:
    """The candidate whose name is close, if no other is nearly as close."""
    ranked = sorted(candidates, key=lambda one: -_likeness(nodeid, one.nodeid))
    first, second = (_likeness(nodeid, one.nodeid) for one in ranked[:2])
    return ranked[:1] if first >= CLOSE and first - second >= APART else []


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.rpartition("::")[2], other.rpartition("::")[2]).ratio()


def test_files(config: Config, read: Callable[[str], Source | None]) -> Iterator[Source]:
    """The project's files of tests that parse."""
    for path in sorted((config.root / config.tests).rglob("*.py")):
        if path.name.startswith("test_") or path.name.endswith("_test.py"):
            if source := read(path.relative_to(config.root).as_posix()):
                yield source


def is_test(named: Named) -> bool:
    return named.node.name.startswith("test") and hasattr(named.node, "args") and "<locals>" not in named.name


def _all_tests(index: Index, finder: Finder) -> Iterator[Candidate]:
    for source in test_files(index.config, finder.read):
        for named in filter(is_test, definitions(source)):
            nodeid = f"{source.path}::{named.name.replace('.', '::')}"
            yield Candidate(nodeid, named.node.lineno, body_hash(named))
