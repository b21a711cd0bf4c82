"""pytest as a library: started once for the files of a folder, since to start it takes longer than most files.

Each file is collected and run in a forked copy of the session, so that none sees what another one left behind.
"""

import contextlib
import gc
import io
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import pytest

from linkindex.run import forked
from linkindex.run.forked import Work, in_copies

# Without plugins that would keep results of their own, change the order or the process.
OPTIONS = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", "--capture=sys", "-q")
PLAIN = "--assert=plain"  # without a failing assertion in words, for which pytest rewrites files


def sessions_of(nodeids: Iterable[str]) -> list[dict[str, list[str]]]:
    """The tests of each file, of files that may share a session: those of a folder, which have the same conftest files.
    Where processes cannot be forked, none may."""
    sessions: dict[str, dict[str, list[str]]] = {}
    for nodeid in nodeids:
        file = nodeid.partition("::")[0]
        session = sessions.setdefault(file.rpartition("/")[0] if forked.AVAILABLE else file, {})
        session.setdefault(file, []).append(nodeid)
    return list(sessions.values())


def run_session(
    files: Iterable[str], options: Iterable[str], plugin: object, work: Callable[[pytest.Session, str], object]
) -> Mapping[str, object]:
    """What ``work(session, file)`` gives for each file once it is collected: plain data, or Died.

    There is nothing where pytest could not begin.
    """
    each = _EachFile(list(files), work)
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*OPTIONS, *options, *each.files], plugins=[plugin, each])
    return each.results


class _EachFile:
    """A pytest plugin in the place of collection and run."""

    def __init__(self, files: list[str], work: Callable[[pytest.Session, str], object]):
        self.files, self.work = files, work
        self.results: dict[str, object] = {}

    def pytest_configure(self, config):
        # Projects may ask for the plugin of this program in their settings; here it would start this very run again.
        config.option.linkindex = False

    def pytest_collection(self, session):
        # Nobody reads its summary, and for it plugins import all that they have: that takes longer than the tests.
        session.config.pluginmanager.unregister(name="terminalreporter")
        gc.freeze()  # or the collector of each copy would write to the memory that it shares with this process
        results = in_copies(Work(partial(self._collected, session, file)) for file in self.files)
        self.results = dict(zip(self.files, results, strict=True))
        return True

    def _collected(self, session: pytest.Session, file: str) -> object:
        session.perform_collect([file])
        gc.freeze()  # for the copies that the work makes
        return self.work(session, file)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self):
        return True


def cases_of(session: pytest.Session, nodeid: str) -> list[pytest.Item]:
    """The collected cases of a test, which has one for each set of its parameters."""
    return [item for item in session.items if item.nodeid == nodeid or item.nodeid.startswith(nodeid + "[")]


def run_case(item: pytest.Item, reports: list[pytest.TestReport]) -> list[pytest.TestReport]:
    """Run one case as pytest does, all fixtures torn down; ``reports`` is where the plugin that asks notes reports."""
    reports.clear()
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    return list(reports)
