"""Shared by all tests: the quick ones, which tests share a process, and what happens where a tool is missing."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

# Before NumPy is imported. Its matrices are small here: a second thread gains little on an idle machine, and where two
# processes share two processors, their waiting threads make training twenty times slower.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

TESTS = Path(__file__).parent
# What --fast runs: tests that compute, in folders whose tests start no process and build nothing, but for single ones
# that are marked as slow. A folder that is not listed is slow.
FAST = (
    "transformer", "transformer/checkpoint",
    "linkindex/bugs/definitions", "linkindex/bugs/link_rot", "linkindex/formula", "linkindex/render",
    "linkindex/resolve",
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    told = "only what is quick: mathematics, formulas, finding code, rendering; no browser, no build, no training"
    parser.addoption("--fast", action="store_true", help=told)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("fast") and not config.option.durations:  # so that a slow test among the quick ones is seen
        config.option.durations, config.option.durations_min = 5, 2.0


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.getoption("fast") and collection_path.suffix == ".py":
        return collection_path.parent not in {TESTS / folder for folder in FAST} or None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("fast"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


def in_one_process(nodeid: str) -> str:
    """Tests for which this is equal share what a conftest.py beside them prepares, or what their own file does."""
    file = TESTS.parent / nodeid.partition("::")[0]
    return str(file.parent if (file.parent / "conftest.py").is_file() else file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """With several processes (-n), tests that share something run in one of them, so that it is prepared once."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return in_one_process(nodeid)

    return Together(config, log)


@pytest.fixture(scope="session")
def not_run() -> Callable[[str], NoReturn]:
    """``not_run(reason)`` ends a test that cannot run here; with REQUIRE_ALL=1 that is a failure, not a skip."""

    def end(reason: str) -> NoReturn:
        if os.environ.get("REQUIRE_ALL") == "1":
            pytest.fail(f"not run: {reason} (REQUIRE_ALL=1)", pytrace=False)
        pytest.skip(f"not run: {reason}")

    return end
