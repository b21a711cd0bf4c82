"""How long `linkindex check --fast` takes on a large project: 2,000 equations, 300 source files of 240 lines.

    python tests/benchmarks/fast_check.py [--runs 5]

Generates the project in a temporary folder, then measures whole processes: the first check (no cache), a check with
nothing changed, and a check after an edit of one line. Prints medians; figures measured so far are in figures.md.
"""

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EQUATIONS, FILES, LINES, PAGES = 2000, 300, 240, 40


def generate(root: Path) -> None:
    """A project of the given size; every function has its equations, every equation its own test."""
    (root / "big").mkdir(parents=True)
    (root / "docs").mkdir()
    (root / "tests").mkdir()
    (root / "pyproject.toml").write_text('[tool.linkindex]\npackages = ["big"]\nbatch-axes = []\n')
    (root / "big" / "__init__.py").write_text("")
    symbols = [f"{name}: {{code: {name}, meaning: a matrix, shape: '(n, n)'}}" for name in "ABCDEFGHKLMPQRSTUVWXYZ"]
    (root / "docs" / "symbols.yml").write_text(
        "\n".join(["n: {code: n, meaning: size, shape: (), size: free}", *symbols])
    )
    for number in range(FILES):
        (root / "big" / f"m{number}.py").write_text(module())
    per_page = EQUATIONS // PAGES
    for page in range(PAGES):
        records, tests = ["notation: [A, B, C, D]"], ["from big import m0\n\n"]
        shown = [f"# Page {page}\n\n## Part {{#part}}\n"]
        for number in range(per_page):
            count = page * per_page + number
            file, function = count % FILES, count // FILES
            name = f"page{page}.e{number}"
            records.append(
                f"{name}:\n  title: Equation {number}\n  in: big.m{file}.f{function}\n"
                f"  latex: C = A B + \\sqrt{{2}} D\n  test: tests/test_page{page}.py::test_{number}"
            )
            shown.append(f"::: equation {name}\n")
            tests.append(f"def test_{number}():\n    assert m0.f0(1, 2, 3) is not None\n\n")
        (root / "docs" / f"page{page}.yml").write_text("\n\n".join(records) + "\n")
        (root / "docs" / f"page{page}.md").write_text("\n".join(shown))
        (root / "tests" / f"test_page{page}.py").write_text("\n".join(tests))


def module() -> str:
    """240 lines: functions of about 20 lines each."""
    lines = ["import numpy as np", "", ""]
    function = 0
    while len(lines) < LINES - 20:
        lines += [f"def f{function}(A, B, D):", '    """One step."""', "    C = A @ B + np.sqrt(2) * D  # (n, n)"]
        lines += [
            f"    t{step} = np.where(C > {step}, C * {step}, C - {step})[:, ::-1]  # (n, n)"
            for step in range(14)
        ]
        lines += ["    return C + t0", "", ""]
        function += 1
    return "\n".join(lines + ["# the end"] * (LINES - len(lines))) + "\n"


def check(root: Path) -> float:
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "linkindex", "check", "--fast", "--root", str(root)], capture_output=True, text=True
    )
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"the generated project is not clean:\n{done.stdout[:2000]}{done.stderr[-2000:]}")
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        generate(root)
        subprocess.run(
            [sys.executable, "-m", "linkindex", "fix", "--write", "--root", str(root)], check=True, capture_output=True
        )
        cold, warm, edited = [], [], []
        for run in range(runs):
            for entry in sorted((root / "build").rglob("*"), reverse=True) if (root / "build").exists() else ():
                entry.unlink() if entry.is_file() else entry.rmdir()
            cold.append(check(root))
            warm.append(check(root))
            path = root / "big" / f"m{random.Random(run).randrange(FILES)}.py"
            path.write_text("\n" + path.read_text())
            edited.append(check(root))
    for name, seconds in (("cold", cold), ("nothing changed", warm), ("one line edited", edited)):
        median, least, most = statistics.median(seconds), min(seconds), max(seconds)
        print(f"{name:<16} median {median:.2f} s  (from {least:.2f} to {most:.2f}, {runs} runs)")


if __name__ == "__main__":
    main()
