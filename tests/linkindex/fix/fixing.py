"""Run `linkindex fix` in a copy of a project, and compare its files before and after."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from linkindex.cli import main
from tests.linkindex.project import Project

CLEAN, FINDINGS = 0, 1


@dataclass(frozen=True)
class Outcome:
    exit_code: int
    stdout: str
    stderr: str

    @property
    def codes(self) -> list[str]:
        """Codes of the findings, which stand behind the diff."""
        return re.findall(r"^\S+:\d+:\d+: (LI\d+) ", self.stdout, re.MULTILINE)


@dataclass(frozen=True)
class Fixing:
    project: Project
    capsys: pytest.CaptureFixture

    @property
    def root(self) -> Path:
        return self.project.root

    def run(self, *options: str) -> Outcome:
        self.capsys.readouterr()
        code = main(["fix", "--root", str(self.root), *options])
        captured = self.capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted((self.root / "docs").rglob("*")) if path.is_file()}

    def rename(self, path: str, old: str, new: str) -> None:
        """Rename a word throughout a file."""
        self.project.write(path, re.sub(rf"\b{old}\b", new, self.project.read(path)))

    def rename_in(self, path: str, function: str, old: str, new: str) -> None:
        """Rename a word in one function of a file."""
        text = self.project.read(path)
        start = text.index(f"def {function}(")
        end = text.find("\n\n\n", start) if "\n\n\n" in text[start:] else len(text)
        self.project.write(path, text[:start] + re.sub(rf"\b{old}\b", new, text[start:end]) + text[end:])

    def cut(self, path: str, function: str) -> str:
        """Take a function out of a file."""
        text = self.project.read(path)
        start = text.index(f"def {function}(")
        end = text.find("\n\n\n", start) + 3 if "\n\n\n" in text[start:] else len(text)
        self.project.write(path, text[:start] + text[end:])
        return text[start:end].rstrip() + "\n"

    def repaired(self) -> Outcome:
        """Show, then write: all is repaired, the fast check is clean, and there is nothing left to do."""
        before = self.files()
        shown = self.run()
        assert shown.exit_code == FINDINGS, shown
        assert self.files() == before, "something was written without --write"
        written = self.run("--write")
        assert (written.exit_code, written.stdout) == (CLEAN, shown.stdout), written
        assert self.project.fast() == ()
        after = self.files()
        again = self.run("--write")
        assert (again.exit_code, again.stdout, self.files()) == (CLEAN, "", after)
        return written

    def refused(self, *codes: str) -> Outcome:
        """Writing is refused with these codes, and no file changes."""
        before = self.files()
        outcome = self.run("--write")
        assert (outcome.exit_code, self.files()) == (FINDINGS, before)
        assert sorted(set(outcome.codes)) == sorted(codes), outcome.stdout
        return outcome


def changed_lines(before: bytes, after: bytes) -> list[tuple[bytes, bytes]]:
    """Lines that differ, of two files with equally many lines."""
    old, new = before.split(b"\n"), after.split(b"\n")
    assert len(old) == len(new)
    return [pair for pair in zip(old, new) if pair[0] != pair[1]]
