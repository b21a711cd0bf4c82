"""Run the linked tests inside the worker, with pytest as a library, and note which probes each one passes."""

import contextlib
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial

import pytest

from linkindex.run.forked import Died, Work, in_copies
from linkindex.run.reach import Reach
from linkindex.run.recorder import Recorder
from linkindex.run.sessions import PLAIN, cases_of, run_case, run_session

# In what pytest says of a file that it cannot import: the lines on the way there, and what was raised.
PLACES = re.compile(r"^((?!\.\./)[\w./-]+\.py):(\d+): in ", re.MULTILINE)
ERRORS = re.compile(r"^E +(\w+(?:Error|Exception|Exit)\b.*)", re.MULTILINE)
WORST = ("error", "failed", "missing", "skipped", "xfailed", "xpassed", "passed")


def run_linked(session: Mapping[str, list[str]], recorder: Recorder, reach: Reach, in_words: bool) -> dict[str, dict]:
    """Results of the linked tests, by file, of one session.

    ``in_words``: a failing assertion says what it compared, for which pytest rewrites the file, in more time than most
    tests take.
    """
    plugin = LinkedTests(session, recorder, reach)
    reach.start()
    with contextlib.redirect_stderr(io.StringIO()) as said:  # by pytest where a conftest file stops it
        results = run_session(session, () if in_words else (PLAIN,), plugin, plugin.run)
    if not results:
        why = _why_unread(said.getvalue(), "pytest did not run")
        return {nodeid: died(nodeid, why) for nodeids in session.values() for nodeid in nodeids}
    return results_of(session, results)


def results_of(session: Mapping[str, list[str]], results: Mapping[str, object]) -> dict[str, dict]:
    """The results by node id, from those of the files, which may have died."""
    tests: dict[str, dict] = {}
    for file, nodeids in session.items():
        match results.get(file, {}):
            case Died() as end:
                tests |= {nodeid: died(nodeid, f"{file} was not run to its end: {end}") for nodeid in nodeids}
            case found:
                tests |= {nodeid: found.get(nodeid) or died(nodeid, "pytest did not run") for nodeid in nodeids}
    return tests


class LinkedTests:
    """A pytest plugin that runs the linked tests only, each in a forked copy of the collection of its file."""

    def __init__(self, files: Mapping[str, list[str]], recorder: Recorder, reach: Reach):
        self.files, self.recorder, self.reach = files, recorder, reach
        self.executed: Counter = Counter()
        self.collected: Counter = Counter()
        self.broken: str | None = None
        self.absent = ("missing", "pytest collects no such test")  # what became of a test that has no cases
        self.reports: list[pytest.TestReport] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        self.collected.update(self.recorder.executed)  # since then, conftest files were imported
        self.recorder.start(recording=False)
        report = yield
        self.collected.update(self.recorder.executed)
        self.recorder.start(recording=False)
        if report.failed:
            otherwise = f"the test file cannot be collected: {_first_line(report)}"
            self.broken = _why_unread(str(report.longrepr), otherwise)
        elif report.skipped:  # the file skips itself
            self.absent = ("skipped", _first_line(report))
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        self.recorder.start(recording=False)
        try:
            return (yield)
        finally:
            self.executed.update(self.recorder.executed)

    def pytest_runtest_logreport(self, report):
        self.reports.append(report)

    def run(self, session: pytest.Session, file: str) -> dict[str, dict]:
        """The results of a file's tests by node id."""
        self.reach.sort_out()
        works = [Work(partial(self._run, nodeid, cases_of(session, nodeid))) for nodeid in self.files[file]]
        results = zip(self.files[file], in_copies(works), strict=True)
        return {nodeid: died(nodeid, str(one)) if isinstance(one, Died) else one for nodeid, one in results}

    def _run(self, nodeid: str, cases: list[pytest.Item]) -> dict:
        outcomes = [_case(run_case(item, self.reports)) for item in cases]
        if self.broken:
            outcomes.append(("error", self.broken))
        outcome, why = min(outcomes, key=lambda pair: WORST.index(pair[0]), default=self.absent)
        found = {
            **died(nodeid, why), "cases": [item.nodeid for item in cases], "outcome": outcome,
            "executed": self.executed, "collected": self.collected,
        }  # fmt: skip
        return found | ({"reached": self.reach.noted()} if outcome == "passed" else {})  # others run again each time


def died(nodeid: str, why: str | None) -> dict:
    """The result of a test that came to no end."""
    return {"nodeid": nodeid, "cases": [], "outcome": "error", "why": why, "executed": {}, "collected": {}}


def _case(reports: Iterable[pytest.TestReport]) -> tuple[str, str | None]:
    """The worst of the phases of one case, with its reason."""
    outcome, why = "missing", None
    for report in reports:
        of_phase = _outcome(report)
        if of_phase and (outcome == "missing" or of_phase != "passed"):
            outcome, why = of_phase, None if of_phase == "passed" else _first_line(report)
    return outcome, why


def _outcome(report) -> str | None:
    """passed, failed, error, skipped, xfailed or xpassed; None for a phase that says nothing."""
    xfail = getattr(report, "wasxfail", None) is not None
    if report.skipped:
        return "xfailed" if xfail else "skipped"
    if report.failed:
        return "failed" if report.when == "call" else "error"
    if report.when == "call":
        return "xpassed" if xfail else "passed"
    return None


def _why_unread(text: str, otherwise: str) -> str:
    """Where pytest's report says that a file cannot be imported, and what it imports in vain or what else is wrong:
    ``tests/test_x.py:3: imports y, which is not installed``."""
    places = PLACES.findall(text)
    errors = ERRORS.findall(text)
    error = errors[-1] if errors else otherwise
    missing = re.match(r"ModuleNotFoundError: No module named '([^']+)'", error)
    what = f"imports {missing[1]}, which is not installed" if missing else f"cannot be imported: {error}"
    return f"{':'.join(places[-1])}: {what}" if places else otherwise


def _first_line(report) -> str:
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr or getattr(report, "wasxfail", ""))
    return text.strip().splitlines()[0][:300] if text.strip() else "no reason given"
