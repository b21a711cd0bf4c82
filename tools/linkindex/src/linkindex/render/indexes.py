"""The equation index, with the works that equations refer to, and the symbol index."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from linkindex.load.consistency import EQUATIONS, SYMBOLS
from linkindex.model import Symbol, SymbolRow
from linkindex.render.book import Book, Entry
from linkindex.render.faults import Faults
from linkindex.render.html import fill
from linkindex.render.per import each_of
from linkindex.render.places import cited, code_lines, counted, ladder, tested
from linkindex.render.shapes import written
from linkindex.render.urls import relative

_WIDE = "---\nhide:\n  - toc\n---\n"                   # their tables need the room


@dataclass(frozen=True)
class Use:
    label: str
    href: str
    title: str = ""


@dataclass(frozen=True)
class SymbolEntry:
    """A row of the symbol index; ``anchor`` is unique on the page."""

    latex: str
    anchor: str
    meaning: str
    codes: tuple[str, ...]
    shape: str
    uses: tuple[Use, ...]
    is_size: bool


def equations_page(book: Book) -> str:
    here = f"{EQUATIONS}/"
    pages = {}
    for entry in book.shown.values():
        pages.setdefault(entry.page.title, []).append(_row(book, entry, here))
    citing: dict[str, list[tuple[Use, str]]] = {}
    for entry in book.shown.values():
        if entry.equation.paper and (key := entry.equation.paper.partition(",")[0].strip()) in book.index.references:
            where = entry.equation.paper.partition(",")[2].strip()
            citing.setdefault(key, []).append((Use(entry.label, relative(here, entry.url)), where))
    text = [
        f"{_WIDE}\n# Equations",
        fill("equations", pages=pages, total=len(book.entries), statements=book.statements()),
    ]
    if citing:
        works = {key: work for key, work in book.index.references.items() if key in citing}
        text += ["## Works referred to { #references }", fill("references", works=works, citing=citing)]
    return "\n\n".join(text) + "\n"


def _row(book: Book, entry: Entry, here: str) -> dict[str, object]:
    rungs = ladder(book, entry.equation)
    case = book.shown.get(getattr(entry.equation, "case", None) or "")
    try:
        paper = cited(book, entry.equation, here)
    except Faults:                                       # reported where the equation is shown
        paper = None
    return {
        "entry": entry, "href": relative(here, entry.url), "lines": code_lines(book, entry, here),
        "test": tested(book, entry, here), "rungs": rungs, "summary": counted(rungs), "paper": paper,
        "formula": book.formula(entry), "each": each_of(book, entry),
        "case": case and Use(case.label, relative(here, case.url)),
    }


def symbols_page(book: Book) -> str:
    here = f"{SYMBOLS}/"
    registry: dict[str, Symbol] = {}
    listed = [symbol for page in book.index.pages for symbol in page.notation]
    shown = {symbol.latex for symbol in listed}
    for symbol in (*book.index.symbols, *listed):
        if symbol.latex in shown:                        # others wait for a page that is published
            registry.setdefault(symbol.latex, symbol)
    used = _uses(book)
    anchors = _anchors(tuple(registry))
    rows = [
        _symbol_row(symbol, anchors[latex], tuple(row for _, row in used.get(latex, ())),
                    tuple(Use(entry.name, relative(here, entry.url), entry.equation.title)
                          for entry, _ in used.get(latex, ())))
        for latex, symbol in registry.items()
    ]
    return f"{_WIDE}\n# Symbols\n\n" + fill("symbol_index", rows=rows) + "\n"


def _symbol_row(symbol: Symbol, anchor: str, recorded: tuple[SymbolRow, ...], uses: tuple[Use, ...]) -> SymbolEntry:
    codes = symbol.codes
    shape = symbol.shape if symbol.shape is not None else next((row.shape for row in recorded), None)
    return SymbolEntry(
        latex=symbol.latex, anchor=anchor, meaning=symbol.meaning, codes=codes,
        shape="" if shape is None else written(shape), uses=uses, is_size=symbol.size is not None,
    )


def _uses(book: Book) -> Mapping[str, list[tuple[Entry, SymbolRow]]]:
    used: dict[str, list[tuple[Entry, SymbolRow]]] = {}
    for name, entry in book.entries.items():
        proof = book.evidence.proofs.get(name)
        for row in proof.symbols if proof else ():
            used.setdefault(row.latex, []).append((entry, row))
    return used


def _anchors(names: tuple[str, ...]) -> Mapping[str, str]:
    """An id for each symbol; those that would share one, such as d_h and D_h, are counted."""
    anchors: dict[str, str] = {}
    for latex in names:
        base = "symbol-" + (re.sub(r"[^a-z0-9]+", "-", latex.lower()).strip("-") or "sign")
        anchor, count = base, 1
        while anchor in anchors.values():
            count += 1
            anchor = f"{base}-{count}"
        anchors[latex] = anchor
    return anchors
