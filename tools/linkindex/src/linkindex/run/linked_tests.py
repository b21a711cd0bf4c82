"""Run the linked tests inside the worker, with pytest as a library, and note which probes each one passes."""

import contextlib
import gc
import io
from collections import Counter
from collections.abc import Iterable
from functools import partial

import pytest

from linkindex.run.forked import Died, Work, in_copies
from linkindex.run.reach import Reach
from linkindex.run.recorder import Recorder

WORST = ("error", "failed", "missing", "skipped", "xfailed", "xpassed", "passed")
# Without plugins that would keep results of their own, change the order or the process.
OPTIONS = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", "--capture=sys", "-q")
PLAIN = "--assert=plain"


def by_file(nodeids: Iterable[str]) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for nodeid in nodeids:
        files.setdefault(nodeid.partition("::")[0], []).append(nodeid)
    return files


def cases_of(items: Iterable[pytest.Item], nodeid: str) -> list[pytest.Item]:
    """The collected cases of a test, which has one for each set of its parameters."""
    return [item for item in items if item.nodeid == nodeid or item.nodeid.startswith(nodeid + "[")]


def run_case(item: pytest.Item, reports: list[pytest.TestReport]) -> list[pytest.TestReport]:
    """Run one case as pytest does; ``reports`` is where the plugin that asks notes reports. All fixtures are torn down."""
    reports.clear()
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    return list(reports)


def not_inside_itself(config: pytest.Config) -> None:
    """Projects may ask for the plugin of this program in their settings; here it would start this very run again."""
    config.option.linkindex = False


def no_summary(session: pytest.Session) -> None:
    """Nobody reads it, and for it plugins import all that they have: that takes longer than the tests."""
    session.config.pluginmanager.unregister(name="terminalreporter")


class LinkedTests:
    """A pytest plugin that takes the place of the run: only the linked tests, each in a forked copy of the collection."""

    def __init__(self, nodeids: list[str], recorder: Recorder, reach: Reach):
        self.nodeids, self.recorder, self.reach = nodeids, recorder, reach
        self.executed: Counter = Counter()
        self.collected: Counter = Counter()
        self.broken: str | None = None
        self.absent = ("missing", "pytest collects no such test")  # what became of a test that has no cases
        self.reports: list[pytest.TestReport] = []
        self.results: dict[str, dict] = {}

    def pytest_configure(self, config):
        not_inside_itself(config)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        self.recorder.start(recording=False)
        report = yield
        self.collected.update(self.recorder.executed)
        if report.failed:
            self.broken = _first_line(report)
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

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        self.reach.sort_out()
        gc.freeze()  # see the fork server
        works = [Work(partial(self._run, nodeid, cases_of(session.items, nodeid))) for nodeid in self.nodeids]
        for nodeid, result in zip(self.nodeids, in_copies(works), strict=True):
            self.results[nodeid] = died(nodeid, str(result)) if isinstance(result, Died) else result
        no_summary(session)
        return True

    def _run(self, nodeid: str, cases: list[pytest.Item]) -> dict:
        outcomes = [_case(run_case(item, self.reports)) for item in cases]
        if self.broken:
            outcomes.append(("error", f"the test file cannot be collected: {self.broken}"))
        outcome, why = min(outcomes, key=lambda pair: WORST.index(pair[0]), default=self.absent)
        return {
            **died(nodeid, why), "cases": [item.nodeid for item in cases], "outcome": outcome,
            "executed": self.executed, "collected": self.collected, "reached": self.reach.noted(),
        }  # fmt: skip


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


def _first_line(report) -> str:
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr or getattr(report, "wasxfail", ""))
    return text.strip().splitlines()[0][:300] if text.strip() else "no reason given"


def run_file(file: str, nodeids: list[str], recorder: Recorder, reach: Reach, in_words: bool) -> dict[str, dict]:
    """Results of the linked tests of one file. ``in_words``: a failing assertion says what it compared, for which pytest
    rewrites the file, in more time than most tests take."""
    plugin = LinkedTests(nodeids, recorder, reach)
    reach.start()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*OPTIONS, *([] if in_words else [PLAIN]), "--continue-on-collection-errors", file], plugins=[plugin])
    return {nodeid: plugin.results.get(nodeid) or died(nodeid, "pytest did not run") for nodeid in nodeids}
