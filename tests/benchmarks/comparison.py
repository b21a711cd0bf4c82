"""Times the package against PyTorch: each in a process of its own, in turn, in random order, with idle gaps.

In one process OpenBLAS's waiting threads would slow PyTorch down. What is compared are medians: of all timed runs of
one against all of the other.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.cases import tiny

ROOT = Path(__file__).parents[2]
SIDES = {"NumPy": ("numpy",), "NumPy, memory kept": ("numpy", "--keep-memory"), "PyTorch": ("torch",)}


class Row(NamedTuple):
    """The medians of one case, in seconds, by the names of SIDES, and what each ran on."""

    case: str
    threads: int
    medians: dict
    kernels: dict
    load: float

    def ratio(self, side):
        return self.medians[side] / self.medians["PyTorch"]


def environment(threads):
    """That of a child: so many threads, and the kernel that OpenBLAS chooses for this processor by itself."""
    return {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"} | {
        "OPENBLAS_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}


def check_agreement(job, case):
    """End here where the two do not compute the same."""
    command = [sys.executable, "-m", "tests.benchmarks.agreement", job, json.dumps(case._asdict())]
    if subprocess.run(command, cwd=ROOT, env=environment(1)).returncode:
        sys.exit("nothing was timed: what is timed has to be the same")


def start(side, options, job, case, threads):
    arguments = [side, job, json.dumps(case._asdict()), str(threads), *options]
    return subprocess.Popen([sys.executable, "-m", "tests.benchmarks.worker", *arguments], cwd=ROOT,
                            env=environment(threads), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def answer(worker):
    line = worker.stdout.readline()
    if not line:
        sys.exit(f"{' '.join(worker.args[2:5])} ended before it answered: what it said stands above")
    return line


def ask(worker, untimed, timed):
    """The seconds of each timed run."""
    worker.stdin.write(f"{untimed} {timed}\n")
    worker.stdin.flush()
    return json.loads(answer(worker))


def compare(name, case, job, threads, rounds, runs, gap):
    """Start all sides, let them work in turn, and end them. Returns a Row."""
    workers = {side: start(command, options, job, case, threads) for side, (command, *options) in SIDES.items()}
    try:
        kernels = {side: answer(worker).strip() for side, worker in workers.items()}
        for worker in workers.values():
            ask(worker, runs, 0)
        seconds = {side: [] for side in workers}
        load = os.getloadavg()[0]
        for _ in range(rounds):
            for side in random.sample(list(workers), len(workers)):
                time.sleep(gap)
                seconds[side] += ask(workers[side], max(1, runs // 5), runs)
    finally:
        for worker in workers.values():
            worker.communicate()
    return Row(name, threads, {side: statistics.median(found) for side, found in seconds.items()}, kernels, load)


def table(rows, targets):
    """The rows in Markdown; targets: the largest ratio wanted, by case and number of threads."""
    lines = ["| | threads | " + " | ".join(SIDES) + " | ratio | memory kept | wanted |", "|---" * 8 + "|"]
    for row in rows:
        times = " | ".join(f"{1000 * row.medians[side]:.2f} ms" for side in SIDES)
        wanted = targets.get((row.case, row.threads))
        lines.append(f"| {row.case} | {row.threads} | {times} | {row.ratio('NumPy'):.2f} | "
                     f"{row.ratio('NumPy, memory kept'):.2f} | {f'{wanted:.2f}' if wanted else ''} |")
    return "\n".join(lines)


def main(description, job, cases, targets, runs, argv=None):
    """Measure the cases and print the table. runs: timed runs of a case in one turn, by default for all."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--cases", nargs="+", default=list(cases), choices=list(cases))
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--gap", type=float, default=0.3, help="idle seconds before each turn")
    parser.add_argument("--tiny", action="store_true", help="sizes for a test; the figures mean nothing")
    args = parser.parse_args(argv)
    rows = []
    for name in args.cases:
        case = tiny(cases[name]) if args.tiny else cases[name]
        check_agreement(job, case)
        for threads in args.threads:
            rows.append(compare(name, case, job, threads, args.rounds, 2 if args.tiny else runs[name], args.gap))
            print(f"{name}, {threads} thread(s): {rows[-1].ratio('NumPy'):.2f}, load {rows[-1].load:.1f} before",
                  file=sys.stderr, flush=True)
    for kernel in dict.fromkeys(kernel for row in rows for kernel in row.kernels.values()):
        print(kernel)
    loads = [row.load for row in rows]
    print(f"Load from {min(loads):.1f} to {max(loads):.1f}, {os.cpu_count()} processors")
    print()
    print(table(rows, targets))
    return rows
