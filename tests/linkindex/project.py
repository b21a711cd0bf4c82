"""A copy of a small project of tests/fixtures that a test may change, with the commands it needs."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from linkindex.fix import fix_lock
from linkindex.load.config import read_config
from linkindex.model import Finding
from linkindex.pipeline import Result, evidence_for, places_for

FIXTURES = Path(__file__).parents[1] / "fixtures"


@dataclass(frozen=True)
class Project:
    root: Path

    @classmethod
    def copy(cls, to: Path, fixture: str = "kalman") -> "Project":
        """The project, unchanged and with its lock written."""
        shutil.copytree(FIXTURES / fixture, to, ignore=shutil.ignore_patterns("build", "site", "__pycache__"))
        project = cls(to)
        project.lock()
        return project

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def write(self, path: str, text: str | bytes) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text that must be in the file, everywhere."""
        text = self.read(path)
        assert old in text, f"{path} does not hold {old!r}"
        self.write(path, text.replace(old, new))

    def lock(self) -> None:
        index, resolution, _ = places_for(read_config(self.root), drafts=False)
        fix_lock(index, resolution, write=True)

    def fast(self) -> tuple[Finding, ...]:
        return places_for(read_config(self.root))[2]

    def check(self) -> tuple[Finding, ...]:
        return self.result()[4]

    def result(self) -> Result:
        return evidence_for(read_config(self.root))

    def line_of(self, path: str, text: str) -> int:
        """The first line of a file that holds the text."""
        return next(number for number, line in enumerate(self.read(path).split("\n"), 1) if text in line)


def messages(findings: Iterable[Finding], code: str) -> list[str]:
    """What the findings with this code say."""
    return [finding.message for finding in findings if finding.code == code]
