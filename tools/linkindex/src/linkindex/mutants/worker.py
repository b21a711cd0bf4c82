"""The child process that runs mutants: each in a forked copy of itself, under a clock, against the linked test only.

A copy may hang, crash or change global state: it is ended, and the next mutant starts from the same clean parent.
"""

import contextlib
import gc
import io
import json
import sys
import time
from pathlib import Path

import pytest

from linkindex.run.forked import Died, in_copy
from linkindex.run.instrument import install_switches
from linkindex.run.linked_tests import OPTIONS, by_file, cases_of, no_summary, not_inside_itself, run_case
from linkindex.run.reach import EVERYTHING, Reach, both
from linkindex.run.worker import import_from

SLOWEST = 20.0  # seconds for the unchanged test; a mutant gets ten times what that took, and at least ONE_SECOND
ONE_SECOND = 1.0
UNKNOWN = {"functions": [], "files": [EVERYTHING]}  # what a copy reached that ended without a word


class Active:
    """Which mutant is on: none in the parent."""

    key, number = "", -1

    def __call__(self, key: str, number: int) -> bool:
        return number == self.number and key == self.key


class Mutants:
    """A pytest plugin that takes the place of the run: every task is one mutant of one expression and one test."""

    def __init__(self, tasks: list[dict], active: Active, reach: Reach):
        self.tasks, self.active, self.reach = tasks, active, reach
        self.results: dict[str, dict] = {}  # equation -> its verdicts, and what the test reached, changed or not
        self.reports: list[pytest.TestReport] = []
        self.raised: BaseException | None = None

    def pytest_configure(self, config):
        not_inside_itself(config)

    def pytest_runtest_logreport(self, report):
        self.reports.append(report)

    def pytest_exception_interact(self, call):
        self.raised = call.excinfo.value

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        gc.collect()
        gc.freeze()  # or each copy would write to the memory that it shares with its parent
        for nodeid in dict.fromkeys(task["test"] for task in self.tasks):
            cases = cases_of(session.items, nodeid)
            unchanged = self._judge(cases, "", -1, SLOWEST)
            for task in (task for task in self.tasks if task["test"] == nodeid):
                self._note(task, unchanged, self._mutant(cases, task, unchanged))
        no_summary(session)
        return True

    def _mutant(self, cases: list[pytest.Item], task: dict, unchanged: dict) -> dict:
        if not cases or unchanged["outcome"] != "survived":
            return {"outcome": "unclean", "reached": UNKNOWN}
        return self._judge(cases, task["key"], task["number"], max(ONE_SECOND, 10 * unchanged["seconds"]))

    def _note(self, task: dict, unchanged: dict, judged: dict) -> None:
        result = self.results.setdefault(task["equation"], {"verdicts": [], "reached": unchanged["reached"]})
        result["verdicts"].append([task["place"], task["number"], judged["outcome"]])
        result["reached"] = both(result["reached"], judged["reached"])

    def _judge(self, items: list[pytest.Item], key: str, number: int, seconds: float) -> dict:
        """Run the cases in a copy: survived, or what noticed the mutant, and what was reached on the way."""
        try:
            return in_copy(lambda: self._run(items, key, number), seconds, lambda: self._outcome("timeout"))
        except Died as error:
            return {"outcome": "timeout" if error.late else "crash", "reached": UNKNOWN}

    def _run(self, items: list[pytest.Item], key: str, number: int) -> dict:
        if key:
            self.active.key, self.active.number = key, number
            self.reach.note_no_calls()
        start = time.process_time()
        for item in items:
            if any(report.failed for report in run_case(item, self.reports)):
                noticed = isinstance(self.raised, (AssertionError, pytest.fail.Exception))
                return self._outcome("assertion" if noticed else "exception")
        return self._outcome("survived") | {"seconds": time.process_time() - start}

    def _outcome(self, outcome: str) -> dict:
        return {"outcome": outcome, "reached": self.reach.noted()}


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    root = Path(job["root"])
    import_from(root)
    active, reach = Active(), Reach(root)
    spans = {path: {tuple(span): key for span, key in probes} for path, probes in job["probes"].items()}
    install_switches(root, spans, job["mutants"], active)
    tasks = {nodeid: [task for task in job["tasks"] if task["test"] == nodeid] for nodeid in {task["test"] for task in job["tasks"]}}
    results = {}
    for file, nodeids in sorted(by_file(tasks).items()):
        results |= in_copy(lambda: _run_file(file, [task for nodeid in sorted(nodeids) for task in tasks[nodeid]], active, reach))
    Path(result_path).write_text(json.dumps({"results": results}), encoding="utf-8")


def _run_file(file: str, tasks: list[dict], active: Active, reach: Reach) -> dict[str, dict]:
    plugin = Mutants(tasks, active, reach)
    reach.start()
    with contextlib.redirect_stdout(io.StringIO()):
        # Nobody reads why a mutant failed, and to put it in words takes longer than most tests.
        pytest.main([*OPTIONS, "--tb=no", "--assert=plain", file], plugins=[plugin])
    return plugin.results


if __name__ == "__main__":
    main(*sys.argv[1:])
