"""One equation with all that was found and recorded of it: what every step looks at."""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from linkindex.formula import Formula
from linkindex.model import (
    Equation, ExampleRun, Finding, Index, Link, Page, Place, Resolution, Runs, Step, Symbol, TestRun, Value, Verdict,
    Visit,
)  # fmt: skip
from linkindex.refs import canonical
from linkindex.resolve.versions import is_new

Outcome = tuple[Step, list[Finding]]


@dataclass(frozen=True)
class Subject:
    index: Index
    resolution: Resolution
    runs: Runs
    page: Page
    equation: Equation

    @cached_property
    def formula(self) -> Formula:
        return self.resolution.formulas[self.equation.id]

    @cached_property
    def links(self) -> tuple[Link, ...]:
        return self.resolution.links.get(self.equation.id, ())

    @cached_property
    def probes(self) -> tuple[Link, ...]:
        return tuple(link for link in self.links if link.probe)

    @cached_property
    def symbols(self) -> Mapping[str, Symbol]:
        return {symbol.latex: symbol.at(self.equation.probe.function) for symbol in self.page.notation}

    @property
    def examples(self) -> tuple[ExampleRun, ...]:
        """The runs on ordinary inputs, which are fit to compare all by."""
        return tuple(run for run in self.all_runs if not run.is_extreme and not run.is_further)

    @property
    def all_runs(self) -> tuple[ExampleRun, ...]:
        return self.runs.examples.get(self.page.stem, ())

    @property
    def test_run(self) -> TestRun | None:
        return self.runs.tests.get(self.equation.test)

    @property
    def verdicts(self) -> tuple[Verdict, ...] | None:
        return self.runs.verdicts.get(self.equation.id)

    def place(self, key: str) -> Place:
        return self.equation.keys.get(key, self.equation.place)

    def finding(self, key: str, code: str, message: str) -> Finding:
        return Finding(self.place(key), code, f"{self.equation.id}: {message}")

    def shape(self, latex: str) -> tuple[str, ...] | None:
        """The claimed shape: the notation's, or that in the comment beside the variable in the linked function."""
        symbol = self.symbols[latex]
        if symbol.shape is not None:
            return symbol.shape
        if self.is_length(latex):
            return ()
        for link in self.probes:
            for code in symbol.codes:
                name = unicodedata.normalize("NFKC", code)  # as Python does with every identifier
                if name in self.resolution.shapes.get(link.function, {}):
                    return self.resolution.shapes[link.function][name]
        return self.probes[0].comment_shape if self.is_linked(latex) else None

    def value(self, latex: str, code: str, visits: Iterable[Visit]) -> Value | None:
        """What a symbol stood for in a round of visits, one of each probe."""
        new = (visit.after[code] for visit in visits if code in visit.after)
        old = (visit.names[code] for visit in visits if code in visit.names)
        is_new_here = is_new(latex, code, self.formula, self.symbols, self.probes, self.equation.is_property)
        return next(itertools.chain(new, old) if is_new_here else itertools.chain(old, new), None)

    def is_linked(self, latex: str) -> bool:
        """Whether a symbol without a variable in the function stands on the left side: it names what the record links
        under `code` or `at`."""
        is_left = latex in self.formula.target and bool(self.equation.probe.code or self.equation.at)
        return is_left and not any(map(self._is_known, self.symbols[latex].codes))

    def _is_known(self, code: str) -> bool:
        """Whether the function assigns it, or it had a value when the linked code ran."""
        visits = (visit for run in self.examples for visit in run.visits.get(self.equation.id, ()))
        if any(code in visit.names or code in visit.after for visit in visits):
            return True
        return any(canonical(code) in self.resolution.assigned.get(link.function, ()) for link in self.probes)

    @cached_property
    def sizes(self) -> frozenset[str]:
        """What the formula may use lengths by: the axes of its symbols, and its letters."""
        axes = {axis for latex in self.formula.symbols for axis in self.shape(latex) or ()}
        ranges = {name for text in self.equation.indices.values() for name in re.findall(r"\w+", text)}
        return frozenset({*axes, *self.formula.symbols, *ranges})

    def is_length(self, latex: str) -> bool:
        """Whether a symbol is the length of an axis that no variable holds."""
        return self.symbols[latex].size is not None and not self.symbols[latex].codes

    def recorded(self, latex: str, run: ExampleRun) -> list[Value]:
        """All values of a symbol in a run; empty if one visit or one member of a family lacks it."""
        if self.is_linked(latex):
            return [visit.value for visit in run.visits.get(self.equation.id, ()) if visit.value is not None]
        values = []
        for code in self.symbols[latex].codes:
            each = (self.value(latex, code, [visit]) for visit in run.visits.get(self.equation.id, ()))
            found = [value for value in each if value is not None]
            if not found:
                return []
            values.extend(found)
        return values


def outcome(findings: Sequence[Finding], equation: Equation, **details) -> Outcome:
    """The step holds if nothing was found; otherwise the first finding says why not."""
    why = findings[0].message.removeprefix(f"{equation.id}: ") if findings else None
    return Step(not findings, why, **details), list(findings)
