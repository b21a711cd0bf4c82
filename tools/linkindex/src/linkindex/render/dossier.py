"""The computed tail of a concept: where its formulas are in the code, who uses and tests them, and what was proved."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from linkindex.render.book import Context, Entry
from linkindex.render.faults import each
from linkindex.render.highlight import statement
from linkindex.render.html import fill, heading
from linkindex.render.places import cited, code_lines, counted, ladder, line_range, source_href, tested
from linkindex.render.urls import evidence_url


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


def sections(context: Context) -> str:
    """Four sections, all of them computed."""
    records = each(lambda entry: _record(context, entry), context.entries)
    parts = (
        ("Code and math connection", "connection", {"records": records}),
        ("Where is it used?", "used", {
            "records": records, "ranges": _ranges(context), "callers": _callers(context), "works": _works(records),
        }),
        ("Implemented in", "implemented", {"records": records}),
        ("Evidence", "evidence", {"records": records, "href": context.href(evidence_url(context.page.stem))}),
    )
    return "\n\n".join(
        heading(3, title, f"{context.anchor}-{name}") + "\n\n" + fill(f"dossier_{name}", context=context, **values)
        for title, name, values in parts
    )


def _record(context: Context, entry: Entry) -> dict[str, object]:
    book, here, sources = context.book, context.url, context.book.resolution.sources
    lines = code_lines(book, entry, here)
    test = tested(book, entry, here)
    rungs = ladder(book, entry.equation)
    links = book.resolution.links.get(entry.equation.id, ())
    pieces = [(line, link.statement, link.span) for line, link in zip(lines, links)]
    pieces += [(test.assertion, test.assertion.span, test.assertion.span)] if test else []
    rows = [
        (line, statement(sources.get(whole.file), whole, (span, entry.equation.id))) for line, whole, span in pieces
    ]
    return {
        "entry": entry, "lines": lines, "rows": rows, "test": test, "paper": cited(book, entry.equation, here),
        "rungs": rungs, "summary": counted(rungs),
    }


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
