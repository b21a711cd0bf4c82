"""How long `linkindex check --full` of this repository takes, and what that means for 200 equations.

    python tests/benchmarks/full_check.py [--runs 3]

Copies the repository into a temporary folder, then measures whole processes: a check with nothing kept, one with
nothing changed, and one after each of several edits of one line. Prints medians of the time on the clock and of the
processor time of all processes.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPIED = ("transformer", "docs", "tests", "tools", "pyproject.toml", "mkdocs.yml", "README.md", "LICENSE")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "node_modules", "build", "*.egg-info")
PROJECTED = 200  # equations

# Each edit is one line that keeps what the code computes: (file, text, what stands there afterwards).
EDITS = {
    "a comment": ("transformer/attention.py", "def attention_forward", "# Run {run}.\ndef attention_forward"),
    "a title in the YAML file": ("docs/attention.yml", "  title: ", "  title: ({run}) "),
    "prose in a page": ("docs/attention.md", "Multiply the query", "Run {run}. Multiply the query"),
    "a line in merge_heads": (
        "transformer/heads.py", "    H, T, dh = Mh.shape[-3:]", "    H, T, dh = Mh.shape[-3:][{run} - {run}:]",
    ),
    "a line in scaled_dot_product": (
        "transformer/attention.py", "    Qh, Kh, Vh, A = cache\n", "    Qh, Kh, Vh, A = cache[{run} - {run}:]\n",
    ),
    "a line of a linked test": (
        "tests/transformer/test_attention_backward.py",
        '(grads["wo"], expected, ',
        '(grads["wo"], expected[{run} - {run}:], ',
    ),
    "a line of the example": ("docs/attention.py", 'return {{"Xn": Xn, ', 'return {{"Xn": Xn[{run} - {run}:], '),
}


def copy(root: Path) -> None:
    for name in COPIED:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, root / name, ignore=LEFT_OUT)
        elif path.is_file():
            shutil.copy(path, root / name)


def edit(root: Path, name: str, run: int) -> None:
    """Edit the first place; every run makes another text of it, so that nothing kept fits."""
    path, old, new = EDITS[name]
    old = old.format()
    text = (ROOT / path).read_text(encoding="utf-8")
    if old not in text:
        sys.exit(f"{path} does not hold {old!r}: correct EDITS")
    (root / path).write_text(text.replace(old, new.format(run=run), 1), encoding="utf-8")


def restore(root: Path, name: str) -> None:
    path = EDITS[name][0]
    shutil.copy(ROOT / path, root / path)


def check(root: Path) -> tuple[float, float]:
    """Seconds on the clock, and of the processor."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "linkindex", "check", "--full", "--root", str(root)]
    done = subprocess.run(command, capture_output=True, text=True)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"the check did not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    if done.returncode == 1:
        print(f"findings:\n{done.stdout[-1000:]}", file=sys.stderr)
    return seconds, sum(getattr(after, name) - getattr(before, name) for name in ("ru_utime", "ru_stime"))


def counts(root: Path) -> tuple[int, int]:
    """Equations and mutants, from the evidence (which is kept by now)."""
    from linkindex.load.config import read_config
    from linkindex.pipeline import evidence_for

    index, _, runs, _, _ = evidence_for(read_config(root), mutants=True)
    return len(index.equations), sum(map(len, runs.verdicts.values()))


def show(name: str, measured: list[tuple[float, float]]) -> float:
    clock, processor = (statistics.median(column) for column in zip(*measured))
    print(f"{name:<30} {clock:6.1f} s on the clock {processor:7.1f} s of processors  ({len(measured)} runs)")
    return processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        copy(root)
        cold = []
        for _ in range(runs):
            shutil.rmtree(root / "build", ignore_errors=True)
            cold.append(check(root))
        equations, mutants = counts(root)
        print(f"{equations} equations, {mutants} mutants, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
        first = show("nothing kept", cold)
        again = show("nothing changed", [check(root) for _ in range(runs)])
        for name in EDITS:
            measured = []
            for run in range(1, runs + 1):
                edit(root, name, run)
                measured.append(check(root))
            restore(root, name)
            show(f"after {name}", measured)
    each = (first - again) / equations
    print(f"{each:.2f} s of processors for each equation: {each * PROJECTED:.0f} s for {PROJECTED} equations, "
          f"{each * PROJECTED / 2:.0f} s on two idle ones")  # fmt: skip


if __name__ == "__main__":
    main()
