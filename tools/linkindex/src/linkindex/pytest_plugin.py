"""The pytest plugin: with ``--linkindex`` every step of every equation's evidence is an item of its own.

Without the option nothing is imported and nothing is added. Items are named ``linkindex::attention.scores::formula``;
findings that belong to no step are those of ``linkindex::findings``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from linkindex.model import Finding, Step


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("linkindex")
    group.addoption("--linkindex", action="store_true", help="add an item for each step of each equation's evidence, with its mutants")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session):
    """Add the items to those that pytest collects, before others choose among them."""
    if session.config.getoption("linkindex"):
        session.config.pluginmanager.register(_Adding(), "linkindex-items")
    return (yield)


class _Adding:
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        items.extend(Evidence.from_parent(session, name="linkindex", nodeid="linkindex").collect())


class Evidence(pytest.Collector):
    """The evidence of the project whose pyproject.toml is pytest's root."""

    def collect(self) -> Iterator[pytest.Item]:
        from linkindex.load.config import ConfigError, read_config
        from linkindex.pipeline import evidence_for

        try:
            index, _, _, evidence, findings = evidence_for(read_config(self.config.rootpath), mutants=True)
        except ConfigError as error:
            raise pytest.UsageError(str(error)) from error
        left = set(findings)
        for equation in index.equations:
            proof = evidence.proofs.get(equation.id)
            own = [finding for finding in findings if finding.message.startswith(f"{equation.id}: ")]
            for name, step in proof.steps.items() if proof else ():
                mine = [finding for finding in own if step.why and finding.message == f"{equation.id}: {step.why}"]
                left.difference_update(mine)
                yield StepItem.from_parent(self, name=f"{equation.id}::{name}", step=step, findings=mine, place=equation.place)
        yield FindingsItem.from_parent(self, name="findings", findings=sorted(left))


class NotProved(Exception):
    """Carries the text of a failing item."""


class _Item(pytest.Item):
    def __init__(self, *, findings: list[Finding], **named):
        super().__init__(**named)
        self.findings = findings

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, NotProved):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


class StepItem(_Item):
    """One step of one equation."""

    def __init__(self, *, step: Step, place, **named):
        super().__init__(**named)
        self.step, self.place = step, place

    def runtest(self) -> None:
        if self.step.exception is not None and not self.step.ok:
            pytest.xfail(f"exception: {self.step.exception}")
        if self.step.why == "not run":
            pytest.skip("not run")
        if not self.step.ok:
            raise NotProved(_text(self.findings) or f"{self.place.path}:{self.place.line}:{self.place.col}: {self.step.why}")

    def reportinfo(self) -> tuple[Path, int, str]:
        place = self.findings[0].place if self.findings else self.place
        return self.config.rootpath / place.path, place.line - 1, f"linkindex::{self.name}"


class FindingsItem(_Item):
    """Whatever was found beside the steps: in pages, symbols, examples, the lock."""

    def runtest(self) -> None:
        if self.findings:
            raise NotProved(_text(self.findings))

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.config.rootpath, None, "linkindex::findings"


def _text(findings: list[Finding]) -> str:
    from linkindex.report import report

    return report(findings, "text")
