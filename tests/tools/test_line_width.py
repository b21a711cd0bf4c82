"""No line of Python is wider than a page."""

from pathlib import Path

WIDTH = 120
ROOT = Path(__file__).parents[2]
WRITTEN = sorted(path for folder in ("transformer", "docs", "tools", "tests") for path in (ROOT / folder).rglob("*.py")
                 if "node_modules" not in path.parts)


def wide_lines(source):
    """The numbers of the lines that are longer than WIDTH characters."""
    return [number for number, line in enumerate(source.splitlines(), start=1) if len(line) > WIDTH]


def test_no_line_is_wider_than_a_page():
    assert len(WRITTEN) > 250
    wide = [f"{path.relative_to(ROOT).as_posix()}:{number}" for path in WRITTEN
            for number in wide_lines(path.read_text(encoding="utf-8"))]
    assert not wide, f"lines of more than {WIDTH} characters: {', '.join(wide)}"


def test_a_line_of_one_character_too_many_is_noticed():
    assert wide_lines("\n".join(["a" * WIDTH, "b" * (WIDTH + 1), "", "é" * WIDTH])) == [2]
