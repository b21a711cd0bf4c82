"""The pytest plugin: with ``--linkindex`` every step of every equation's evidence is an item of its own.

Without the option nothing is imported and nothing is added. Items are named ``linkindex::attention.scores::formula``;
findings that belong to no step are those of ``linkindex::findings``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from linkindex.model import Finding, Step


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("linkindex")
    told = "add an item for each step of each equation's evidence, with its mutants"
    group.addoption("--linkindex", action="store_true", help=told)


@pytest.hookimpl(tryfirst=True)  # before items are chosen, so that -k and -m choose among these as well
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("linkindex"):
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
            for name, step in proof.steps.items() if proof else ():
                own = _of_step(step, equation.id, findings)
                left.difference_update(own)
                yield StepItem.from_parent(
                    self, name=f"{equation.id}::{name}", step=step, findings=own, place=equation.place
                )
        yield FindingsItem.from_parent(self, name="findings", findings=sorted(left))


def _of_step(step: Step, equation: str, findings: Iterable[Finding]) -> list[Finding]:
    """The finding that is the reason why the step does not hold, and further ones of its kind."""
    own = [finding for finding in findings if finding.message.startswith(f"{equation}: ")]
    codes = {finding.code for finding in own if finding.message == f"{equation}: {step.why}"}
    return [finding for finding in own if finding.code in codes]


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
            place = f"{self.place.path}:{self.place.line}:{self.place.col}"
            raise NotProved(_text(self.findings) or f"{place}: {self.step.why}")

    def reportinfo(self) -> tuple[Path, int, str]:
        place = self.findings[0].place if self.findings else self.place
        # Not as the node is named: pytest would write "::" for the point in the equation's id.
        return self.config.rootpath / place.path, place.line - 1, self.name.replace("::", ", ")


class FindingsItem(_Item):
    """Whatever was found beside the steps: in pages, symbols, examples, the lock."""

    def runtest(self) -> None:
        if self.findings:
            raise NotProved(_text(self.findings))

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.config.rootpath, None, "findings of linkindex"


def _text(findings: list[Finding]) -> str:
    from linkindex.report import report

    return report(findings, "text")
