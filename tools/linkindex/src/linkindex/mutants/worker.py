"""The child process that runs mutants: each in a forked copy of itself, under a clock, against the linked test only.

A copy may hang, crash or change global state: it is killed, and the next mutant starts from the same clean parent.
"""

import contextlib
import io
import json
import os
import select
import signal
import sys
import time
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from linkindex.run.instrument import install_switches

SLOWEST = 20.0  # seconds for the unchanged test; a mutant gets ten times what that took, and at least ONE_SECOND
ONE_SECOND = 1.0


class Active:
    """Which mutant is on: none in the parent."""

    key, number = "", -1

    def __call__(self, key: str, number: int) -> bool:
        return number == self.number and key == self.key


class Mutants:
    """A pytest plugin that takes the place of the run: every task is one mutant of one expression and one test."""

    def __init__(self, tasks: list[dict], active: Active):
        self.tasks, self.active = tasks, active
        self.results: list[dict] = []
        self.raised: BaseException | None = None

    def pytest_exception_interact(self, call):
        self.raised = call.excinfo.value

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        items = {task["test"]: self._items(session, task["test"]) for task in self.tasks}
        limits = {test: self._limit(cases) for test, cases in items.items()}
        for task in self.tasks:
            cases, limit = items[task["test"]], limits[task["test"]]
            outcome = "unclean" if limit is None else self._judge(cases, task["key"], task["number"], limit)
            self.results.append({**task, "outcome": outcome})
        return True

    @staticmethod
    def _items(session, test: str) -> list:
        return [item for item in session.items if item.nodeid == test or item.nodeid.startswith(test + "[")]

    def _limit(self, items: list) -> float | None:
        """Seconds that a mutant may take; None if the unchanged test does not pass here."""
        start = time.perf_counter()
        if not items or self._judge(items, "", -1, SLOWEST) != "survived":
            return None
        return max(ONE_SECOND, 10 * (time.perf_counter() - start))

    def _judge(self, items: list, key: str, number: int, seconds: float) -> str:
        """Run the cases in a forked copy: survived, or what noticed the mutant."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            self._run_in_child(items, key, number, writer)
        os.close(writer)
        try:
            ready, _, _ = select.select([reader], [], [], seconds)
            if not ready:
                os.kill(child, signal.SIGKILL)
                return "timeout"
            return os.read(reader, 100).decode() or "crash"
        finally:
            os.close(reader)
            os.waitpid(child, 0)

    def _run_in_child(self, items: list, key: str, number: int, writer: int) -> None:
        self.active.key, self.active.number = key, number
        outcome = "survived"
        for item in items:
            reports = runtestprotocol(item, log=False, nextitem=None)
            if any(report.failed for report in reports):
                outcome = "assertion" if isinstance(self.raised, (AssertionError, pytest.fail.Exception)) else "exception"
                break
        os.write(writer, outcome.encode())
        os._exit(0)


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    root = Path(job["root"])
    sys.path[:0] = [str(root), *([str(root / "src")] if (root / "src").is_dir() else [])]
    active = Active()
    spans = {path: {tuple(span): key for span, key in probes} for path, probes in job["probes"].items()}
    install_switches(root, spans, job["mutants"], active)
    plugin = Mutants(job["tasks"], active)
    files = sorted({task["test"].partition("::")[0] for task in job["tasks"]})
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", "-q"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        pytest.main([*options, *files], plugins=[plugin])
    Path(result_path).write_text(json.dumps({"results": plugin.results, "printed": printed.getvalue()}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
