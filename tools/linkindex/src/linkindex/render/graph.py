"""Which equation of a page uses which: its symbols, and its operators, where another equation says what they are."""

from collections.abc import Mapping

from linkindex.formula import Formula
from linkindex.model import Page, Symbol
from linkindex.render.book import Book, Entry
from linkindex.render.html import fill
from linkindex.render.urls import evidence_anchor


def uses_table(book: Book, page: Page) -> str:
    """A row for each equation of the page: what it uses, and what uses it."""
    used = uses(book, page)
    rows = [
        {
            "entry": book.entries[name],
            "href": "#" + evidence_anchor(name),
            "uses": [book.entries[other] for other in of],
            "used_by": [book.entries[other] for other, theirs in used.items() if name in theirs],
        }
        for name, of in used.items()
    ]
    return fill("uses", page=page, rows=rows)


def uses(book: Book, page: Page) -> dict[str, tuple[str, ...]]:
    """Equation -> the equations that it uses, both in the order of the page."""
    entries = [entry for entry in book.entries.values() if entry.page is page]
    formulas = {entry.equation.id: book.resolution.formulas.get(entry.equation.id) for entry in entries}
    symbols = {symbol.latex: symbol for symbol in page.notation}
    return {
        name: tuple(
            other.equation.id for other in entries
            if formula and other.equation.id != name and _is_used(other, formulas[other.equation.id], formula, symbols)
        )
        for name, formula in formulas.items()
    }


def _is_used(other: Entry, theirs: Formula | None, ours: Formula, symbols: Mapping[str, Symbol]) -> bool:
    defined = (other.equation.defines or "").partition("(")[0].strip()
    if defined and defined in ours.operators:
        return True
    targets = {name for latex in (theirs.target if theirs else ()) for name in _names(latex, symbols)}
    return any(not targets.isdisjoint(_names(latex, symbols)) for latex in ours.symbols if latex not in ours.target)


def _names(latex: str, symbols: Mapping[str, Symbol]) -> set[str]:
    """What makes two symbols the same: the notation; for a family, the notations of its members' variables as well."""
    symbol = symbols.get(latex)
    codes = set(symbol.family.values()) if symbol else set()
    return {latex, *(other.latex for other in symbols.values() if other.code in codes)}
