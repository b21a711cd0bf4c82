"""A variable that is assigned again stands for two values, and each of them has one notation on a page.

The statement decides which is meant: the left side of a formula names what the linked statement assigns, the right side
what stood before it. Of other statements their place says which value they read.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from linkindex.formula import Formula
from linkindex.model import Equation, Finding, Link, Page, Span, Symbol
from linkindex.refs import canonical
from linkindex.resolve.assignments import Assignment, assignments_of
from linkindex.resolve.functions import Found, Library
from linkindex.resolve.trees import lists_of

JUMPS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
BEFORE, BEHIND = "before", "behind"


def is_new(
    latex: str, code: str, formula: Formula, symbols: Mapping[str, Symbol], probes: Collection[Link], is_property: bool
) -> bool:
    """Whether a symbol names what stands behind the linked statement, and not what the statement reads.

    What is assigned without having been read, as the other name of ``q, r = qr(a)``, is the new value everywhere; so it
    is in a property, which speaks of the linked value, unless its left side has another notation for that.
    """
    if latex in formula.target:
        return True
    name = canonical(code)
    if not any(name in link.assigns for link in probes):
        return False
    if not any(name in link.rereads for link in probes):
        return True
    return is_property and name not in {canonical(one) for left in formula.target for one in symbols[left].codes}


@dataclass(frozen=True)
class _Use:
    """A symbol where it stands for a variable; ``places``: for each assignment, whether it is meant before or behind
    it; None where the two do not follow each other."""

    equation: Equation
    latex: str
    places: tuple[str | None, ...]


def check_versions(
    page: Page, formulas: Mapping[str, Formula], links: Mapping[str, Sequence[Link]], library: Library
) -> Iterator[Finding]:
    """A finding for each notation of two values of a variable, and for each value with two notations."""
    uses: dict[tuple[str, str], list[_Use]] = {}
    for equation in page.equations:
        probes = [link for link in links.get(equation.id, ()) if link.probe]
        formula = formulas.get(equation.id)
        symbols = {symbol.latex: symbol.at(equation.probe.function) for symbol in page.notation}
        for latex in formula.symbols if formula and probes else ():
            for code in symbols[latex].codes:
                name = canonical(code)
                link = next((one for one in probes if name in one.assigns), probes[0])
                found = library.find(link.function)
                again = [one for one in assignments_of(found) if one.target == name]
                new = is_new(latex, code, formula, symbols, probes, equation.is_property)
                places = tuple(_place(found, link, one, new) for one in again)
                uses.setdefault((link.function, name), []).append(_Use(equation, latex, places))
    for (function, name), of in uses.items():
        again = [one for one in assignments_of(library.find(function)) if one.target == name]
        yield from _one_value_each(of, name, again, [one.latex for one in page.notation if name in one.codes])


def _one_value_each(
    uses: Sequence[_Use], name: str, again: Sequence[Assignment], notations: Sequence[str]
) -> Iterator[Finding]:
    for number, one in enumerate(again):
        line = one.statement.lineno
        sides = {side: [use for use in uses if use.places[number] == side] for side in (BEFORE, BEHIND)}
        for latex in dict.fromkeys(use.latex for use in sides[BEFORE]):
            behind = next((use for use in sides[BEHIND] if use.latex == latex), None)
            if behind:
                before = next(use for use in sides[BEFORE] if use.latex == latex)
                others = " or ".join(other for other in notations if other != latex)
                remedy = f"write {others} for one of the two" if others else "give one of the two another notation"
                yield _finding(
                    behind,
                    f"{latex} stands here for what {name} is behind line {line}, which assigns it, and in "
                    f"{before.equation.id} for what it was before: {remedy} (code: {name})",
                )
                return
        if len(again) > 1 or (sides[BEFORE] and sides[BEHIND]):
            yield from _one_notation_each(uses, name, line)
            return


def _one_notation_each(uses: Iterable[_Use], name: str, line: int) -> Iterator[Finding]:
    first: dict[tuple[str | None, ...], _Use] = {}
    for use in uses:
        other = first.setdefault(use.places, use)
        if other.latex != use.latex:
            yield _finding(
                use,
                f"{use.latex} stands here for the value of {name} that is {other.latex} in {other.equation.id}; line "
                f"{line} assigns {name} again: write {other.latex}, or link the statement of which this is the value",
            )
            return


def _finding(use: _Use, message: str) -> Finding:
    return Finding(use.equation.latex_place(0), "LI125", f"{use.equation.id}: {message}")


def _place(found: Found, link: Link, again: Assignment, new: bool) -> str | None:
    statement, own = found.source.span(again.statement), link.statement
    if _start(own) <= _start(statement) and _end(statement) <= _end(own):
        return BEHIND if new else BEFORE
    if _start(statement) >= _end(own):
        return BEFORE if _may_follow(found, again.statement, own) else None
    return BEHIND if _may_follow(found, again.statement, own) else None


def _start(span: Span) -> tuple[int, int]:
    return span.line, span.col


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_col


def _may_follow(found: Found, one: ast.stmt, other: Span) -> bool:
    """Whether both run in one pass: they do not stand in two branches, nor one behind a jump out of its block."""
    lists = [body for body in lists_of(found.node) if body]
    around = [body for body in lists if _holds(found, body, found.source.span(one))]
    apart = [body for body in around if not _holds(found, body, other)]
    if any(isinstance(body[-1], JUMPS) for body in apart):
        return False
    branches = [node for node in ast.walk(found.node) if isinstance(node, (ast.If, ast.Match))]
    for node in branches:
        bodies = [node.body, node.orelse] if isinstance(node, ast.If) else [case.body for case in node.cases]
        mine = [body for body in bodies if body and _holds(found, body, found.source.span(one))]
        theirs = [body for body in bodies if body and _holds(found, body, other)]
        if mine and theirs and mine[0] is not theirs[0]:
            return False
    return True


def _holds(found: Found, body: Sequence[ast.stmt], span: Span) -> bool:
    first, last = found.source.span(body[0]), found.source.span(body[-1])
    return _start(first) <= _start(span) and _end(span) <= _end(last)
