"""Run the linked tests inside the worker, with pytest as a library, and note which probes each one passes."""

import contextlib
import io
from collections import Counter

import pytest

from linkindex.run.reach import Reach
from linkindex.run.recorder import Recorder

WORST = ("error", "failed", "missing", "skipped", "xfailed", "xpassed", "passed")


class LinkedTests:
    """A pytest plugin: keeps only the linked tests, and attributes executions to collection or to a test's call."""

    def __init__(self, nodeids: list[str], recorder: Recorder, reach: Reach):
        self.recorder = recorder
        self.reach = reach
        self.reached: dict[str, dict] = {}
        self.nodeids = nodeids
        self.cases: dict[str, list[str]] = {nodeid: [] for nodeid in nodeids}
        self.outcomes: dict[str, tuple[str, str | None]] = {}
        self.executed: dict[str, Counter] = {}
        self.collected: dict[str, Counter] = {}
        self.broken: dict[str, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        self.recorder.start(recording=False)
        report = yield
        path = collector.nodeid.partition("::")[0]
        self.collected.setdefault(path, Counter()).update(self.recorder.executed)
        if report.failed:
            self.broken[path] = _first_line(report)
        return report

    def pytest_collection_modifyitems(self, config, items):
        kept = []
        for item in items:
            owner = next((n for n in self.nodeids if item.nodeid == n or item.nodeid.startswith(n + "[")), None)
            if owner is not None:
                self.cases[owner].append(item.nodeid)
                kept.append(item)
        items[:] = kept

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        with self.reach.watching():
            result = yield
        self.reached[item.nodeid] = self.reach.take()
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        self.recorder.start(recording=False)
        try:
            return (yield)
        finally:
            self.executed[item.nodeid] = self.recorder.executed

    def pytest_runtest_logreport(self, report):
        outcome = _outcome(report)
        if outcome and (report.nodeid not in self.outcomes or outcome != "passed"):
            self.outcomes[report.nodeid] = (outcome, None if outcome == "passed" else _first_line(report))

    def result(self, nodeid: str) -> dict:
        path = nodeid.partition("::")[0]
        cases = self.cases[nodeid]
        seen = [self.outcomes.get(case, ("missing", None)) for case in cases]
        if path in self.broken:
            seen.append(("error", f"the test file cannot be collected: {self.broken[path]}"))
        outcome, why = min(seen, key=lambda pair: WORST.index(pair[0]), default=("missing", "pytest collects no such test"))
        executed = sum((self.executed.get(case, Counter()) for case in cases), Counter())
        reached = [self.reached.get(case, {}) for case in cases]
        return {
            "nodeid": nodeid, "cases": cases, "outcome": outcome, "why": why,
            "executed": dict(executed), "collected": dict(self.collected.get(path, {})),
            "functions": sorted({name for noted in reached for name in noted.get("functions", ())}),
            "files": sorted({file for noted in reached for file in noted.get("files", ())}),
        }  # fmt: skip


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


def run_tests(nodeids: list[str], recorder: Recorder, reach: Reach) -> tuple[list[dict], str]:
    """Results of the linked tests, in the order given, and what pytest printed."""
    plugin = LinkedTests(nodeids, recorder, reach)
    files = sorted({nodeid.partition("::")[0] for nodeid in nodeids})
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", "--continue-on-collection-errors", "-q"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        pytest.main([*options, *files], plugins=[plugin])
    return [plugin.result(nodeid) for nodeid in nodeids], printed.getvalue()
