"""What an equation leads to, as seen from a page: code lines, its test, its paper, and what was checked."""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from textwrap import dedent

from linkindex.model import NOT_RUN, STEPS, Equation, Span, Step, TestPlace
from linkindex.render import urls
from linkindex.render.book import Book, Entry
from linkindex.render.mutants import tally
from linkindex.render.numbers import bound

ROLES = {"computes": "Computes it", "calls": "Calls it", "tests": "Tests it"}
_DONE_IN = {"Computes it": "Computed in", "Calls it": "Called in"}
STEP_NAMES = {
    "resolved": "Code found",
    "ran": "Run by the example",
    "tested": "Run by its test",
    "symbols": "Symbols checked",
    "formula": "Formula evaluated",
    "defended": "Mutants caught",
}
_STATES = {"done": "✓", "exception": "!", "failed": "✗", "not run": "–"}


@dataclass(frozen=True)
class CodeLine:
    """A linked place: ``href`` is None where its file has no source page; ``span`` is the linked code."""

    role: str
    file: str
    function: str
    lines: str                                           # "36" or "36–38"
    href: str | None
    permalink: str | None
    span: Span
    member: str | None = None

    @property
    def label(self) -> str:
        return f"{self.file}:{self.lines}"

    @property
    def short(self) -> str:
        return self.label.rpartition("/")[2]


@dataclass(frozen=True)
class Tested:
    nodeid: str
    name: str                                            # the test function
    href: str | None
    outcome: str
    assertion: CodeLine


@dataclass(frozen=True)
class Rung:
    """One step of the ladder: its state is "done", "exception", "failed" or "not run"."""

    name: str
    state: str
    sign: str
    why: str | None
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Cited:
    key: str
    href: str
    work: str                                            # authors and title
    where: str                                           # "section 3.2.1, eq. 1"

    @property
    def short(self) -> str:
        """The year, if the key has one, and the place: "2017, section 3.2.1, eq. 1"."""
        year = re.search(r"\d{4}", self.key)
        return ", ".join(filter(None, (year[0] if year else self.key, self.where)))


def code_lines(book: Book, entry: Entry, here: str) -> tuple[CodeLine, ...]:
    """The places that compute or call the equation, the probe first; ``here`` is the address of the page."""
    links = book.resolution.links.get(entry.equation.id, ())
    return tuple(code_line(book, link.role, link.span, link.function, here, link.member) for link in links)


def done_in(book: Book, lines: Iterable[CodeLine], here: str) -> Mapping[str, tuple[CodeLine, ...]]:
    """By what is done there, "Computed in": the places sorted in each file, with neighbouring lines as one place."""
    apart: dict[str, dict[str, list[CodeLine]]] = {}
    for line in lines:
        apart.setdefault(_DONE_IN.get(line.role, line.role), {}).setdefault(line.file, []).append(line)
    return {
        role: tuple(line for of_file in files.values() for line in _joined(book, of_file, here))
        for role, files in apart.items()
    }


def _joined(book: Book, lines: Iterable[CodeLine], here: str) -> list[CodeLine]:
    made: list[CodeLine] = []
    for line in sorted(lines, key=lambda line: line.span.line):
        last = made[-1] if made else None
        if last and line.span.line <= last.span.end_line + 1:
            span = replace(last.span, end_line=max(last.span.end_line, line.span.end_line))
            members = dict.fromkeys(member for member in (last.member, line.member) if member)
            made[-1] = code_line(book, line.role, span, last.function, here, ", ".join(members) or None)
        else:
            made.append(line)
    return made


def code_line(book: Book, role: str, span: Span, function: str, here: str, member: str | None = None) -> CodeLine:
    return CodeLine(
        role=ROLES.get(role, role),
        file=span.file,
        function=function,
        lines=line_range(span.line, span.end_line),
        href=source_href(book, here, span.file, span.line),
        permalink=book.permalinks.of(span.file, span.line, span.end_line),
        span=span,
        member=member,
    )


def line_range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def source_href(book: Book, here: str, file: str, line: int) -> str | None:
    return urls.relative(here, urls.source_url(file, line)) if file in book.resolution.sources else None


def tested(book: Book, entry: Entry, here: str) -> Tested | None:
    """The equation's test with its outcome; None where the test was not found."""
    place = book.resolution.tests.get(entry.equation.id)
    if place is None:
        return None
    run = book.runs.tests.get(entry.equation.test)
    return Tested(
        nodeid=place.nodeid,
        name=name_of_test(place),
        href=source_href(book, here, place.function.file, def_line(place.function)),
        outcome=run.outcome if run else "not run",
        assertion=code_line(book, "tests", place.assertion, name_of_test(place), here),
    )


def name_of_test(place: TestPlace) -> str:
    """Name of the test function, with its class if it has one: the node id without its file."""
    return place.nodeid.removeprefix(place.function.file).removeprefix("::").replace("::", ".") or place.nodeid


@cache
def def_line(function: Span) -> int:
    """Line of ``def`` in the span of a function, which begins with its decorators."""
    try:
        node = ast.parse(dedent(" " * (function.col - 1) + function.code)).body[0]
    except (SyntaxError, IndexError):
        return function.line
    return function.line + node.lineno - 1


def ladder(book: Book, equation: Equation) -> tuple[Rung, ...]:
    proof = book.evidence.proofs.get(equation.id)
    steps = proof.steps if proof else {}
    return tuple(_rung(book, equation, name, steps.get(name, NOT_RUN)) for name in STEPS)


def counted(rungs: tuple[Rung, ...]) -> str:
    """The ladder in words: "4 of 6 steps done"; exceptions and failures are named apart.

    Where mutants were not run, it says "not defended": that the test passed is no more than that.
    """
    words = [f"{sum(rung.state == 'done' for rung in rungs)} of {len(rungs)} steps done"]
    for state, many in (("failed", "failed"), ("exception", "by exception"), ("not run", "not run")):
        count = sum(rung.state == state for rung in rungs)
        words += [f"{count} {many}"] if count else []
    undefended = any(rung.name == STEP_NAMES["defended"] and rung.state == "not run" for rung in rungs)
    return ", ".join([*words, *(["not defended"] if undefended else [])])


def cited(book: Book, equation: Equation, here: str) -> Cited | None:
    """The equation's paper; None for a formula without one. An unknown key (LI121) is shown as it is."""
    if equation.paper is None:
        return None
    key, _, where = (part.strip() for part in equation.paper.partition(","))
    work = book.index.references.get(key, {})
    named = ", ".join(work[part] for part in ("authors", "title") if work.get(part))
    return Cited(key, urls.relative(here, f"equations/#ref-{key.lower()}"), named or key, where)


def state_of(step: Step) -> str:
    return "exception" if step.exception else "done" if step.ok else "not run" if step.why == NOT_RUN.why else "failed"


def _rung(book: Book, equation: Equation, name: str, step: Step) -> Rung:
    state = state_of(step)
    counts = tally(book, equation) if name == "defended" else None
    figures = counts.words if counts else _figures(step) if name == "formula" else ()
    return Rung(STEP_NAMES[name], state, _STATES[state], step.exception or step.why, figures)


def _figures(step: Step) -> tuple[str, ...]:
    """How close the formula came. The error is round-off, so that only its size is told."""
    error = step.max_error
    figures = [] if error is None else [f"largest error {'≤ ' if error else ''}{bound(error)}"]
    figures += [] if step.tolerance is None else [f"tolerance {step.tolerance:.0e}"]
    figures += [f"computed in {step.dtype}"] if step.dtype else []
    figures += [f"{step.trials} trials"] if step.trials else []
    return (*figures, *step.notes)
