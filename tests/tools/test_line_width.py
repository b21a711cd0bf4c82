"""No line of Python is wider than a page."""

from pathlib import Path

import pytest

WIDTH = 120
ROOT = Path(__file__).parents[2]
WRITTEN = sorted(path for folder in ("transformer", "docs", "tools", "tests") for path in (ROOT / folder).rglob("*.py")
                 if "node_modules" not in path.parts)
# Still to be wrapped: folders and files that are left out.
WIDE = (
    "tests/benchmarks/full_check.py",
    "tests/linkindex/site",
    "tests/linkindex/test_cache.py",
    "tests/linkindex/test_effects.py",
    "tests/linkindex/test_forked.py",
    "tests/linkindex/test_mutant_runs.py",
    "tests/linkindex/verify",
    "tools/linkindex/src/linkindex/cli.py",
    "tools/linkindex/src/linkindex/formula",
    "tools/linkindex/src/linkindex/mutants",
    "tools/linkindex/src/linkindex/run",
    "tools/linkindex/src/linkindex/site",
    "tools/linkindex/src/linkindex/verify",
)


def wide_lines(source):
    """The numbers of the lines that are longer than WIDTH characters."""
    return [number for number, line in enumerate(source.splitlines(), start=1) if len(line) > WIDTH]


def is_left_out(path):
    return any(path.is_relative_to(ROOT / name) for name in WIDE)


def test_no_line_is_wider_than_a_page():
    read = [path for path in WRITTEN if not is_left_out(path)]
    assert len(read) > 250
    wide = [f"{path.relative_to(ROOT).as_posix()}:{number}" for path in read
            for number in wide_lines(path.read_text(encoding="utf-8"))]
    assert not wide, f"lines of more than {WIDTH} characters: {', '.join(wide)}"


@pytest.mark.parametrize("name", WIDE)
def test_what_is_left_out_is_still_too_wide(name):
    """What has been wrapped is taken off the list."""
    files = [path for path in WRITTEN if path.is_relative_to(ROOT / name)]
    assert any(wide_lines(path.read_text(encoding="utf-8")) for path in files), f"take {name} off the list"


def test_a_line_of_one_character_too_many_is_noticed():
    assert wide_lines("\n".join(["a" * WIDTH, "b" * (WIDTH + 1), "", "é" * WIDTH])) == [2]
