"""What the self-attack is made of: an attack plans a fault in a project, and says which finding must come of it."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from linkindex.model import Evidence, Index, Place, Resolution, Runs

FAST, CHECK, FULL, HTML = "fast", "check", "full", "html"  # how deep a check must go to find a fault
CACHE = "build/cache"
SITE = "site"

Option = TypeVar("Option")


class NotApplicable(Exception):
    """The project holds nothing in which this fault could be planted; the message says what is missing."""


@dataclass(frozen=True)
class Pristine:
    """The untouched copy of a project, in ``root``, and all that is known of it. Its site stands in ``root/site``."""

    root: Path
    index: Index
    resolution: Resolution
    runs: Runs
    evidence: Evidence

    def data(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def text(self, path: str) -> str:
        """The file as it is, line ends included. Raises NotApplicable where it is not UTF-8."""
        try:
            return self.data(path).decode()
        except UnicodeDecodeError:
            raise NotApplicable(f"{path} is not UTF-8") from None

    @property
    def docs(self) -> str:
        return self.index.config.docs


@dataclass(frozen=True)
class Plan:
    """The fault: new contents of files (None: the file is removed), and the finding that must come of it.

    ``expected``: code and place; None where nothing may come of it, because what is damaged is computed again.
    ``relock``: the lock is written anew, as when a maintainer accepts the change. ``stale``: what the check keeps of
    the changed project is exchanged for what was kept of the untouched one, and the check runs again.
    """

    edits: Mapping[str, bytes | None]
    expected: tuple[str, Place] | None
    relock: bool = False
    stale: bool = False


@dataclass(frozen=True)
class Attack:
    name: str
    depth: str
    plant: Callable[[Pristine], Plan]


FOUND, ELSEWHERE, MISSED, BROKEN, SKIPPED = "found", "found elsewhere", "missed", "not judged", "not applicable"


@dataclass(frozen=True)
class Outcome:
    """What became of an attack. ``note``: where else the code was found, what else was, or why nothing was planted."""

    attack: str
    depth: str
    verdict: str
    expected: tuple[str, Place] | None = None
    note: str = ""


def first(options: Iterable[Option], plan: Callable[[Option], Plan | None], missing: str) -> Plan:
    """The plan for the first option that has one: ``plan`` neither gives None nor raises NotApplicable.

    Raises NotApplicable with ``missing`` if none has.
    """
    for option in options:
        with suppress(NotApplicable):
            if (made := plan(option)) is not None:
                return made
    raise NotApplicable(missing)


def expect(code: str, path: str, line: int) -> tuple[str, Place]:
    return code, Place(path, line)
