"""Shared by all tests: what happens where a tool that a test needs is missing."""

import os
from collections.abc import Callable
from typing import NoReturn

import pytest


@pytest.fixture(scope="session")
def not_run() -> Callable[[str], NoReturn]:
    """``not_run(reason)`` ends a test that cannot run here; with REQUIRE_ALL=1 that is a failure, not a skip."""

    def end(reason: str) -> NoReturn:
        if os.environ.get("REQUIRE_ALL") == "1":
            pytest.fail(f"not run: {reason} (REQUIRE_ALL=1)", pytrace=False)
        pytest.skip(f"not run: {reason}")

    return end
