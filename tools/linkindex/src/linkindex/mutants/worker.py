"""The child process that runs mutants against the linked test only, each under a clock.

A copy of the process runs the mutants of one equation one after the other. It is believed only where nothing that one
of them did can have changed what came after it: none took too long or ended the process, and at the end the unchanged
test passes and sees the very values that it sees where no mutant ever ran. Otherwise each of these mutants, and in any
case each that the test does not notice, runs in a process of its own.
"""

import gc
import json
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from linkindex.mutants.active import Active, RandomState
from linkindex.run.forked import Died, Work, in_copies
from linkindex.run.instrument import install_switches
from linkindex.run.reach import Reach, both
from linkindex.run.sessions import PLAIN, cases_of, run_case, run_session, sessions_of
from linkindex.run.spans import from_plain
from linkindex.run.worker import import_from

SLOWEST = 20.0  # seconds for unchanged tests; a mutant gets ten times what its test took, and at least ONE_SECOND
ONE_SECOND = 1.0
TOGETHER = 48  # mutants in one copy, at most
NOTHING = {"functions": [], "files": []}
UNCLEAN = {"outcome": "unclean", "reached": None}
NOT_BELIEVED = {"outcomes": [], "reached": None}

Task = dict  # {"equation", "test", "key", "place", "number"}: one mutant of one expression, and its test
Judged = dict  # {"outcome", "reached"} of a mutant
Together = dict  # {"outcomes", "reached"} of a batch; no outcomes where one mutant may have changed those of others
# {"seconds", "clock", "seen"} of a test that passes: what it takes of the processor, and on the clock, which counts in
# finer steps, and a digest of the values that it sees.
Unchanged = dict


class Mutants:
    """A pytest plugin that judges the mutants of one file of a session."""

    def __init__(self, tasks: Iterable[Task], active: Active, reach: Reach):
        self.tasks, self.active, self.reach = list(tasks), active, reach
        self.cases: dict[str, list[pytest.Item]] = {}
        self.unchanged: dict[str, Unchanged] = {}
        self.reports: list[pytest.TestReport] = []
        self.raised: BaseException | None = None

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

    def run(self, session: pytest.Session, file: str) -> dict[str, dict]:
        """By equation its verdicts, and what its mutants reached."""
        self.tasks = [task for task in self.tasks if task["test"].partition("::")[0] == file]
        tests = list(dict.fromkeys(task["test"] for task in self.tasks))
        self.cases = {nodeid: cases_of(session, nodeid) for nodeid in tests}
        gc.disable()  # a copy does not live long enough to need it
        self.unchanged = self._without_mutants([tests])
        self.unchanged |= self._without_mutants([nodeid] for nodeid in tests if nodeid not in self.unchanged)
        return _results(self.tasks, dict(self._judge()))

    def _without_mutants(self, groups: Iterable[list[str]]) -> dict[str, Unchanged]:
        """Of the tests that pass, each group in a copy of its own.

        Many in one are quick, and one that does not pass there may still pass alone.
        """
        passing: dict[str, Unchanged] = {}  # filled in each copy
        works = (Work(partial(self._in_turn, nodeids, passing), SLOWEST, lambda: passing) for nodeids in groups)
        found = in_copies(works)
        return {nodeid: one for part in found if not isinstance(part, Died) for nodeid, one in part.items()}

    def _in_turn(self, nodeids: list[str], passing: dict[str, Unchanged]) -> dict[str, Unchanged]:
        random = RandomState()
        for nodeid in nodeids:
            random.restore()
            self.active.watch()
            start, clock = time.process_time(), time.perf_counter()
            if self.cases[nodeid] and self._run(nodeid) == "survived":
                took = {"seconds": time.process_time() - start, "clock": time.perf_counter() - clock}
                passing[nodeid] = {**took, "seen": self.active.seen()}
        return passing

    def _judge(self) -> Iterator[tuple[int, Judged]]:
        """What became of the tasks, by number: first many in one copy, then alone what is not certain."""
        clean = (number for number, task in enumerate(self.tasks) if task["test"] in self.unchanged)
        batches = sorted(_batches(clean, self.tasks), key=self._length, reverse=True)  # a long one must not begin last
        works = [Work(partial(self._believed, batch), self._patience(batch), lambda: NOT_BELIEVED) for batch in batches]
        alone: list[int] = []
        for batch, found in zip(batches, in_copies(works), strict=True):
            noticed = {} if isinstance(found, Died) else dict(_noticed(batch, found))
            yield from noticed.items()
            alone += [number for number in batch if number not in noticed]
        late = partial(self._outcome, "timeout")
        works = [Work(partial(self._alone, number), self._patience([number]), late) for number in alone]
        yield from zip(alone, map(_judged, in_copies(works)), strict=True)

    def _seconds(self, numbers: list[int]) -> float:
        """What mutants of one test should take of the processor, if they are no slower than the unchanged code."""
        return len(numbers) * self.unchanged[self.tasks[numbers[0]]["test"]]["seconds"]

    def _length(self, numbers: list[int]) -> float:
        return len(numbers) * self.unchanged[self.tasks[numbers[0]]["test"]]["clock"]

    def _patience(self, numbers: list[int]) -> float:
        return max(ONE_SECOND, 10 * self._seconds(numbers))

    def _alone(self, number: int) -> Judged:
        task = self.tasks[number]
        self.active.switch_on(task["key"], task["number"])
        return self._outcome(self._run(task["test"]))

    def _believed(self, numbers: list[int]) -> Together:
        # Assertions of NumPy put arrays into messages that nobody reads. Here numbers are not printed: a test that
        # compares what is may miss a mutant, which then runs again alone, or fail without one, and then all do.
        with np.printoptions(threshold=4, edgeitems=1, formatter={"all": lambda _: ""}):
            return self._together(numbers)

    def _together(self, numbers: list[int]) -> Together:
        """The outcomes of some mutants of one test."""
        random, outcomes = RandomState(), []
        for task in (self.tasks[number] for number in numbers):
            random.restore()
            self.active.switch_on(task["key"], task["number"])
            start = time.process_time()
            outcomes.append(self._run(task["test"]))
            if time.process_time() - start > self._patience(numbers[:1]):
                return NOT_BELIEVED
        random.restore()
        self.active.watch()
        test = self.tasks[numbers[0]]["test"]
        is_as_before = self._run(test) == "survived" and self.active.seen() == self.unchanged[test]["seen"]
        return {"outcomes": outcomes, "reached": self.reach.noted()} if is_as_before else NOT_BELIEVED

    def _run(self, nodeid: str) -> str:
        """Run the cases of a test up to the first that fails. One that is skipped does not pass."""
        self.raised, outcome = None, "survived"
        for item in self.cases[nodeid]:
            reports = run_case(item, self.reports)
            if any(report.failed for report in reports):
                return "assertion" if isinstance(self.raised, (AssertionError, pytest.fail.Exception)) else "exception"
            if any(report.skipped for report in reports):
                outcome = "skipped"
        return outcome

    def _outcome(self, outcome: str) -> Judged:
        return {"outcome": outcome, "reached": self.reach.noted()}


def _results(tasks: Iterable[Task], judged: Mapping[int, Judged]) -> dict[str, dict]:
    results: dict[str, dict] = {}
    for number, task in enumerate(tasks):
        one = judged.get(number, UNCLEAN)
        result = results.setdefault(task["equation"], {"verdicts": [], "reached": NOTHING})
        result["verdicts"].append([task["place"], task["number"], one["outcome"]])
        result["reached"] = both(result["reached"], one["reached"])
    return results


def _noticed(batch: Iterable[int], found: dict) -> Iterator[tuple[int, Judged]]:
    """The tasks of a batch that are certain: mutants that the test noticed, where the batch is believed."""
    for number, outcome in zip(batch, found["outcomes"]):
        if outcome != "survived":
            yield number, {"outcome": outcome, "reached": found["reached"]}


def _judged(found: object) -> Judged:
    """What came of a copy. One that died says nothing; what its test reaches without the mutant is known."""
    return {"outcome": "timeout" if found.late else "crash", "reached": NOTHING} if isinstance(found, Died) else found


def _batches(numbers: Iterable[int], tasks: list[Task]) -> Iterator[list[int]]:
    """The numbers of the tasks of each equation, in order, in parts of like size, each small enough for one copy. They
    depend on nothing else, so that it does not matter which other equations run."""
    equations: dict[str, list[int]] = {}
    for number in numbers:
        equations.setdefault(tasks[number]["equation"], []).append(number)
    for of_one in equations.values():
        parts = math.ceil(len(of_one) / TOGETHER)
        yield from (of_one[len(of_one) * part // parts : len(of_one) * (part + 1) // parts] for part in range(parts))


def main(job_path: str, result_path: str) -> None:
    job = json.loads(Path(job_path).read_text(encoding="utf-8"))
    root = Path(job["root"])
    import_from(root)
    active, reach = Active(), Reach(root)
    install_switches(root, from_plain(job["probes"]), job["mutants"], active)
    sessions = sessions_of(dict.fromkeys(task["test"] for task in job["tasks"]))
    works = (Work(partial(_run, session, job["tasks"], active, reach)) for session in sessions)
    found = map(_alive, in_copies(works))
    results = {equation: result for of_session in found for equation, result in of_session.items()}
    Path(result_path).write_text(json.dumps({"results": results}), encoding="utf-8")


def _run(session: Iterable[str], tasks: list[Task], active: Active, reach: Reach) -> dict[str, dict]:
    plugin = Mutants(tasks, active, reach)
    reach.start(calls=False)
    results = run_session(session, ("--tb=no", PLAIN), plugin, plugin.run)
    return {equation: result for of_file in map(_alive, results.values()) for equation, result in of_file.items()}


def _alive(found: object) -> dict[str, dict]:
    """What came of a copy; raises Died where it did."""
    if isinstance(found, Died):
        raise found
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
