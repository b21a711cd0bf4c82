"""A planted fault, the project it is planted in, and what became of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from linkindex.model import Evidence, Index, Place, Resolution, Runs

FAST, CHECK, FULL, HTML = "fast", "check", "full", "html"  # how deep a check must go to find a fault
DEPTHS = {"1": FAST, "2": FAST, "3": CHECK, "4": CHECK, "45": FULL, "5": FAST, "6": FULL, "7": HTML}  # by first digits
SITE = "site"

Edits = Mapping[str, str | bytes | None]  # path -> new content; None: the file is removed
Way = tuple[Edits, Place]  # to plant a fault, and where it must be found


@dataclass(frozen=True)
class Pristine:
    """The untouched copy of a project, in ``root``, and all that is known of it. Its site stands in ``root/site``."""

    root: Path
    index: Index
    resolution: Resolution
    runs: Runs
    evidence: Evidence

    def lines(self, path: str) -> list[str]:
        return (self.root / path).read_bytes().decode(errors="surrogateescape").split("\n")


@dataclass(frozen=True)
class Fault:
    """``code``: what must be found; None where nothing may be, because what is damaged is computed again.

    ``ways`` to plant it in a project: the first one is taken; None once it is. ``accepted``: the lock is written anew,
    as when a maintainer accepts the change. ``says``: what the message must hold.
    """

    name: str
    code: str | None
    ways: Callable[[Pristine], Iterator[Way]] | None
    accepted: bool = False
    says: str = ""

    @property
    def depth(self) -> str:
        return DEPTHS.get(self.code[2:4]) or DEPTHS[self.code[2]] if self.code else FULL


FOUND, ELSEWHERE, MISSED, BROKEN, SKIPPED = "found", "found elsewhere", "missed", "not judged", "not applicable"


@dataclass(frozen=True)
class Outcome:
    """``expected``: code and place. ``note``: where else it was found, what else was, or why nothing was planted."""

    fault: Fault
    verdict: str
    expected: tuple[str, Place] | None = None
    note: str = ""
