"""Links and proof, the folded tail of a section: where its formulas are in the code, what was checked, who uses it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from linkindex.model import STEPS
from linkindex.render.book import Context, Entry
from linkindex.render.faults import each
from linkindex.render.highlight import statement
from linkindex.render.html import fill
from linkindex.render.mutants import kind_in_words, noticed_in_words, total
from linkindex.render.places import cited, code_line, code_lines, ladder, line_range, source_href, tested
from linkindex.render.telling import Candidate, telling
from linkindex.render.urls import evidence_url

CLOSED = "</details>"
_MOST_MUTANTS = 4


@dataclass(frozen=True)
class Caller:
    """A function that calls a linked one, and the lines on which it does."""

    name: str
    lines: tuple[tuple[int, str | None], ...]            # number, address


@dataclass(frozen=True)
class SourceRange:
    name: str
    file: str
    lines: str
    href: str | None


@dataclass(frozen=True)
class CitedWork:
    """A work with the sections that equations cite, and these equations; "" for a work as a whole."""

    work: str
    href: str
    sections: tuple[tuple[str, tuple[Entry, ...]], ...]


def links_and_proof(context: Context) -> str:
    """The block, still open: what follows in the section belongs to it, up to CLOSED."""
    records = each(lambda entry: _record(context, entry), context.entries)
    counted = [entry for entry in context.entries if entry.equation.id in context.book.runs.verdicts]
    mutants = total(context.book, counted).total if counted else 0
    chosen = telling(context.book, context.entries, _MOST_MUTANTS)
    return fill(
        "dossier",
        context=context, records=records, ranges=_ranges(context), callers=_callers(context), works=_works(records),
        mutants=[_mutant(context, one) for one in chosen], shown=_in_words(len(chosen)), total=mutants,
        steps=_in_words(len(STEPS)).capitalize(), href=context.href(evidence_url(context.page.stem)),
        summary=_summary(records, mutants),
    )


def _summary(records: Sequence[Mapping[str, object]], mutants: int) -> str:
    """How much is folded: "3 equations, 8 links, 3 tests, 38 mutants, checks, source, papers, callers"."""
    tests = {record["test"].nodeid for record in records if record["test"]}
    counts = (
        ("equation", len(records)), ("link", sum(len(record["lines"]) for record in records)), ("test", len(tests)),
        ("mutant", mutants),
    )
    counted = [f"{count} {name}{'s' * (count != 1)}" for name, count in counts if count]
    return ", ".join([*counted, "checks", "source", "papers", "callers"])


def _record(context: Context, entry: Entry) -> dict[str, object]:
    book, here, sources = context.book, context.url, context.book.resolution.sources
    lines = code_lines(book, entry, here)
    test = tested(book, entry, here)
    links = book.resolution.links.get(entry.equation.id, ())
    pieces = [(line, link.statement, link.span) for line, link in zip(lines, links)]
    pieces += [(test.assertion, test.assertion.span, test.assertion.span)] if test else []
    rows = [
        (line, statement(sources.get(whole.file), whole, (span, entry.equation.id))) for line, whole, span in pieces
    ]
    return {
        "entry": entry, "lines": lines, "rows": rows, "test": test, "paper": cited(book, entry.equation, here),
        "rungs": ladder(book, entry.equation),
    }


def _mutant(context: Context, one: Candidate) -> dict[str, object]:
    mutant, link = one.verdict.mutant, one.link
    return {
        "entry": one.entry, "line": code_line(context.book, link.role, link.span, link.function, context.url),
        "code": mutant.code, "kind": kind_in_words(mutant.kind), "words": one.outcome.words,
        "raised": one.outcome.raised, "noticed": noticed_in_words(one.verdict.outcome),
    }


def _in_words(count: int) -> str:
    words = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
    return words[count] if count < len(words) else str(count)


def _ranges(context: Context) -> tuple[SourceRange, ...]:
    """The functions that the concept's equations link to."""
    book = context.book
    names = dict.fromkeys(link.function for name in context.equations for link in book.resolution.links.get(name, ()))
    functions = [book.resolution.functions[name] for name in names if name in book.resolution.functions]
    return tuple(
        SourceRange(
            function.name, function.span.file, line_range(function.line, function.span.end_line),
            source_href(book, context.url, function.span.file, function.line),
        )
        for function in functions
    )


def _works(records: Iterable[Mapping[str, object]]) -> tuple[CitedWork, ...]:
    """The papers of the equations: one line a work, the sections in the order in which they are first cited."""
    cited: dict[tuple[str, str], dict[str, list[Entry]]] = {}
    for record in records:
        if paper := record["paper"]:
            cited.setdefault((paper.work, paper.href), {}).setdefault(paper.where, []).append(record["entry"])
    return tuple(
        CitedWork(work, href, tuple((where, tuple(entries)) for where, entries in sections.items()))
        for (work, href), sections in cited.items()
    )


def _callers(context: Context) -> dict[str, tuple[Caller, ...]]:
    """Each of the concept's functions with those that call it."""
    book = context.book

    def of(callee: str) -> tuple[Caller, ...]:
        lines: dict[str, dict[int, str | None]] = {}
        for call in sorted(book.resolution.calls, key=lambda call: (call.caller, call.span)):
            if call.callee == callee:
                href = source_href(book, context.url, call.span.file, call.span.line)
                lines.setdefault(call.caller, {})[call.span.line] = href
        return tuple(Caller(caller, tuple(found.items())) for caller, found in lines.items())

    return {source.name: of(source.name) for source in _ranges(context)}
