"""The contract with other programs: ``site/link-index.json``, which keeps the schema of ``linkindex.schema``.

A pure function of what the stages found. Addresses are relative to the site root; lines and columns are 1-based and
count characters; an end line is inclusive, an end column is one past the last character.
"""

import json
from collections.abc import Mapping
from typing import Any

from linkindex import __version__
from linkindex.model import (
    NOT_RUN, STEPS, Evidence, Index, Link, Proof, Resolution, Runs, Span, Statement, Step, TestPlace,
)  # fmt: skip
from linkindex.render import urls
from linkindex.render.book import Book, Entry
from linkindex.render.mutants import tally
from linkindex.render.places import def_line, name_of_test

MUTANTS = ("total", "killed", "survived", "equivalent", "invalid")
STATED = Step(ok=False, why="statement")


def link_index(index: Index, resolution: Resolution, runs: Runs, evidence: Evidence) -> dict[str, Any]:
    """The content of link-index.json: every equation and statement that a page shows, in the order of pages."""
    book = Book(index, resolution, runs, evidence)
    return {
        "schema": 2,
        "commit": evidence.commit,
        "generated_by": f"linkindex {__version__}",
        "equations": [_equation(book, entry) for entry in book.shown.values()],
    }


def to_json(document: Mapping[str, Any]) -> str:
    """The document as text: the same bytes for the same content."""
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _equation(book: Book, entry: Entry) -> dict[str, Any]:
    equation = entry.equation
    proof, stated = book.evidence.proofs.get(equation.id), isinstance(equation, Statement)
    steps = proof.steps if proof else {}
    test = book.resolution.tests.get(equation.id)
    links, example = book.resolution.links.get(equation.id, ()), entry.example_anchor
    formula = book.resolution.formulas.get(equation.id)
    return {
        "id": equation.id,
        "kind": equation.kind,
        "title": equation.title,
        "page": urls.page_url(entry.page.stem),
        "anchor": equation.anchor,
        "latex": " ".join((formula.latex if formula else equation.latex).split()),
        "concept": entry.concept.anchor,
        "symbols": _symbols(proof),
        "links": [_link(book, link.role, link.function, link.span) for link in links]
        + ([_link(book, "tests", name_of_test(test), test.assertion)] if test else []),
        "tests": [_test(book, test, links)] if test else [],
        "example": {"id": entry.page.stem, "anchor": example} if example and not stated else None,
        "evidence": {name: _step(name, steps.get(name, STATED if stated else NOT_RUN)) for name in STEPS},
    }


def _symbols(proof: Proof | None) -> list[dict[str, Any]]:
    return [
        {
            "latex": row.latex,
            "code": row.code,
            "shape": list(row.shape),
            "runtime_shape": None if row.runtime_shape is None else list(row.runtime_shape),
            "dtype": row.dtype,
        }
        for row in (proof.symbols if proof else ())
    ]


def _link(book: Book, role: str, function: str, span: Span) -> dict[str, Any]:
    return {
        "role": role,
        "file": span.file,
        "function": function,
        "line": span.line,
        "end_line": span.end_line,
        "col": span.col,
        "end_col": span.end_col,
        "code": span.code,
        "url": urls.source_url(span.file, span.line),
        "permalink": book.permalinks.of(span.file, span.line, span.end_line),
    }


def _test(book: Book, test: TestPlace, links: tuple[Link, ...]) -> dict[str, Any]:
    equation = book.entries[test.equation].equation
    run = book.runs.tests.get(equation.test)
    counts = tally(book, equation)
    return {
        "nodeid": test.nodeid,
        "file": test.function.file,
        "line": def_line(test.function),
        "outcome": run.outcome if run else "not run",
        # A test executes the equation if it ran each expression that computes it.
        "executes": run is not None and all(run.executed.get(link.key, 0) > 0 for link in _computing(links)),
        # All 0 where they were not run, which the step "defended" says.
        "mutants": {name: getattr(counts, name, 0) for name in MUTANTS},
    }


def _computing(links: tuple[Link, ...]) -> tuple[Link, ...]:
    return tuple(link for link in links if link.role == "computes") or links


def _step(name: str, step: Step) -> dict[str, Any]:
    entry: dict[str, Any] = {"ok": step.ok, "why": step.why, "exception": step.exception}
    if name == "formula":
        entry |= {"max_error": step.max_error, "tolerance": step.tolerance, "trials": step.trials}
    return entry
