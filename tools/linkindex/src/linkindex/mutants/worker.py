"""The child process that runs mutants against the linked test only, each under a clock.

A copy of the process runs the mutants of one expression one after the other. It is believed only where nothing that one
of them did can have changed what came after it: none took too long or ended the process, and at the end the unchanged
test passes and sees the very values that it saw in a process of its own. Otherwise each of these mutants, and in any case
each that the test does not notice, runs in a process of its own.
"""

import contextlib
import gc
import io
import json
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from linkindex.mutants.active import Active, RandomState
from linkindex.run.forked import Died, Work, in_copies
from linkindex.run.instrument import install_switches
from linkindex.run.linked_tests import OPTIONS, PLAIN, by_file, cases_of, no_summary, not_inside_itself, run_case
from linkindex.run.reach import EVERYTHING, Reach, both
from linkindex.run.worker import import_from

SLOWEST = 20.0  # seconds for the unchanged test; a mutant gets ten times what that took, and at least ONE_SECOND
ONE_SECOND = 1.0
TOGETHER = 24  # mutants in one copy, at most
UNKNOWN = {"functions": [], "files": [EVERYTHING]}  # what a copy reached that ended without a word
UNCLEAN = {"outcome": "unclean", "reached": UNKNOWN}

Task = dict  # {"equation", "test", "key", "place", "number"}: one mutant of one expression, and its test
Judged = dict  # {"outcome", "reached"}, and of the unchanged test "seconds" and "seen"


class Mutants:
    """A pytest plugin that takes the place of the run."""

    def __init__(self, tasks: list[Task], active: Active, reach: Reach):
        self.tasks, self.active, self.reach = tasks, active, reach
        self.cases: dict[str, list[pytest.Item]] = {}
        self.unchanged: dict[str, Judged] = {}
        self.results: dict[str, dict] = {}  # equation -> its verdicts, and what the test reached, changed or not
        self.reports: list[pytest.TestReport] = []
        self.raised: BaseException | None = None

    def pytest_configure(self, config):
        not_inside_itself(config)

    def pytest_runtest_logreport(self, report):
        self.reports.append(report)

    def pytest_exception_interact(self, call):
        self.raised = call.excinfo.value

    @pytest.hookimpl
    def pytest_runtest_makereport(self, item, call):
        """A failure without its text: nobody reads it, and to put it in words takes longer than many tests."""
        if call.excinfo is None or isinstance(call.excinfo.value, pytest.skip.Exception):
            return None
        return pytest.TestReport(item.nodeid, item.location, {}, "failed", "", call.when, duration=call.duration)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        no_summary(session)
        gc.collect()
        gc.freeze()  # or each copy would write to the memory that it shares with its parent
        gc.disable()  # a copy does not live long enough to need it
        tests = list(dict.fromkeys(task["test"] for task in self.tasks))
        self.cases = {nodeid: cases_of(session.items, nodeid) for nodeid in tests}
        found = in_copies(Work(partial(self._unchanged, test), SLOWEST, partial(self._outcome, "timeout")) for test in tests)
        self.unchanged = dict(zip(tests, map(_judged, found), strict=True))
        judged = dict(self._judge())
        for number, task in enumerate(self.tasks):
            self._note(task, judged.get(number, UNCLEAN))
        return True

    def _judge(self) -> Iterator[tuple[int, Judged]]:
        """What became of the tasks, by number: first many in one copy, then alone what is not certain."""
        clean = [number for number, task in enumerate(self.tasks) if self._is_clean(task["test"])]
        batches = list(_batches(clean, self.tasks))
        works = [Work(partial(self._believed, batch), self._seconds(batch), lambda: None) for batch in batches]
        alone: list[int] = []
        for batch, found in zip(batches, in_copies(works), strict=True):
            certain = {} if found is None or isinstance(found, Died) else dict(zip(batch, found["outcomes"], strict=True))
            noticed = {number: outcome for number, outcome in certain.items() if outcome != "survived"}
            yield from ((number, {"outcome": outcome, "reached": found["reached"]}) for number, outcome in noticed.items())
            alone += [number for number in batch if number not in noticed]
        late = partial(self._outcome, "timeout")
        works = [Work(partial(self._alone, number), self._seconds([number]), late) for number in alone]
        yield from zip(alone, map(_judged, in_copies(works)), strict=True)

    def _is_clean(self, nodeid: str) -> bool:
        return bool(self.cases[nodeid]) and self.unchanged[nodeid]["outcome"] == "survived"

    def _seconds(self, numbers: list[int]) -> float:
        """Of processor time, for some mutants of one test."""
        return max(ONE_SECOND, 10 * len(numbers) * self.unchanged[self.tasks[numbers[0]]["test"]]["seconds"])

    def _unchanged(self, nodeid: str) -> Judged:
        self.active.watch()
        start = time.process_time()
        outcome = self._run(nodeid)
        return {**self._outcome(outcome), "seconds": time.process_time() - start, "seen": self.active.seen()}

    def _alone(self, number: int) -> Judged:
        task = self.tasks[number]
        self.active.switch_on(task["key"], task["number"])
        return self._outcome(self._run(task["test"]))

    def _believed(self, numbers: list[int]) -> dict | None:
        # Assertions of NumPy put whole arrays into messages that nobody reads. A test that compares what is printed may
        # miss a mutant then; it would run again alone.
        with np.printoptions(threshold=4, edgeitems=1):
            return self._together(numbers)

    def _together(self, numbers: list[int]) -> dict | None:
        """The outcomes of some mutants of one test; None if one of them may have changed those of others."""
        random, outcomes = RandomState(), []
        for task in (self.tasks[number] for number in numbers):
            random.restore()
            self.active.switch_on(task["key"], task["number"])
            start = time.process_time()
            outcomes.append(self._run(task["test"]))
            if time.process_time() - start > self._seconds(numbers[:1]):
                return None
        random.restore()
        self.active.watch()
        test = self.tasks[numbers[0]]["test"]
        is_as_before = self._run(test) == "survived" and self.active.seen() == self.unchanged[test]["seen"]
        return {"outcomes": outcomes, "reached": self.reach.noted()} if is_as_before else None

    def _run(self, nodeid: str) -> str:
        """Run the cases of a test up to the first that fails."""
        self.raised = None
        for item in self.cases[nodeid]:
            if any(report.failed for report in run_case(item, self.reports)):
                return "assertion" if isinstance(self.raised, (AssertionError, pytest.fail.Exception)) else "exception"
        return "survived"

    def _outcome(self, outcome: str) -> Judged:
        return {"outcome": outcome, "reached": self.reach.noted()}

    def _note(self, task: Task, judged: Judged) -> None:
        reached = self.unchanged[task["test"]]["reached"]
        result = self.results.setdefault(task["equation"], {"verdicts": [], "reached": reached})
        result["verdicts"].append([task["place"], task["number"], judged["outcome"]])
        result["reached"] = both(result["reached"], judged["reached"])


def _judged(found: object) -> Judged:
    """What came of a copy, which may have died."""
    return {"outcome": "timeout" if found.late else "crash", "reached": UNKNOWN} if isinstance(found, Died) else found


def _batches(numbers: Iterable[int], tasks: list[Task]) -> Iterator[list[int]]:
    """The numbers of the tasks of each expression, in order, few enough for one copy. They depend on nothing else, so
    that it does not matter what runs beside them."""
    expressions: dict[tuple, list[int]] = {}
    for number in numbers:
        task = tasks[number]
        expressions.setdefault((task["test"], task["equation"], task["key"]), []).append(number)
    for of_one in expressions.values():
        yield from (of_one[start : start + TOGETHER] for start in range(0, len(of_one), TOGETHER))


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    root = Path(job["root"])
    import_from(root)
    active, reach = Active(), Reach(root)
    spans = {path: {tuple(span): key for span, key in probes} for path, probes in job["probes"].items()}
    install_switches(root, spans, job["mutants"], active)
    files = by_file(dict.fromkeys(task["test"] for task in job["tasks"]))
    of_file = {file: [task for task in job["tasks"] if task["test"] in nodeids] for file, nodeids in files.items()}
    results = {}
    for result in in_copies(Work(partial(_run_file, file, tasks, active, reach)) for file, tasks in of_file.items()):
        if isinstance(result, Died):
            raise result
        results |= result
    Path(result_path).write_text(json.dumps({"results": results}), encoding="utf-8")


def _run_file(file: str, tasks: list[Task], active: Active, reach: Reach) -> dict[str, dict]:
    plugin = Mutants(tasks, active, reach)
    reach.start(calls=False)
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*OPTIONS, "--tb=no", PLAIN, file], plugins=[plugin])
    return plugin.results


if __name__ == "__main__":
    main(*sys.argv[1:])
