"""Which mutants of a concept are worth showing: few, of different kinds, on different lines, caught, and visible."""

from collections.abc import Iterator
from dataclasses import dataclass

from linkindex.model import Effect, Link, Verdict
from linkindex.render.book import Book, Entry
from linkindex.render.effects import Outcome, outcome
from linkindex.render.mutants import KILLED

# From mistakes that people make to those that only a machine would.
_RANKS = (
    "transpose dropped", "sign", "branches swapped", "infinity", "variable", "key", "comparison", "constant",
    "operator", "function", "operands swapped", "arguments swapped", "call dropped", "operand dropped",
)  # fmt: skip
_MECHANICAL = len(_RANKS)                                # changes of the value as a whole


@dataclass(frozen=True)
class Candidate:
    entry: Entry
    link: Link
    verdict: Verdict
    effect: Effect
    outcome: Outcome

    @property
    def rank(self) -> int:
        kind = self.verdict.mutant.kind
        return _RANKS.index(kind) if kind in _RANKS else _MECHANICAL


def telling(book: Book, entries: tuple[Entry, ...], most: int) -> tuple[Candidate, ...]:
    """A few mutants, in the order of the equations; mechanical ones only where there are no others."""
    waiting = list(candidates(book, entries))
    chosen: list[Candidate] = []
    while waiting and len(chosen) < most:
        best = min(waiting, key=lambda candidate: _cost(candidate, chosen))
        if chosen and best.rank == _MECHANICAL:
            break
        chosen.append(best)
        waiting = [other for other in waiting if other.verdict.mutant != best.verdict.mutant]
    return tuple(sorted(chosen, key=lambda candidate: (candidate.entry.number, candidate.link.span)))


def _cost(candidate: Candidate, chosen: list[Candidate]) -> tuple:
    """Smallest for the most telling: not seen yet, likely, and with numbers to look at. Ties fall to the first."""
    kinds = [other.verdict.mutant.kind for other in chosen]
    lines = [other.link.span.line for other in chosen]
    repeated = kinds.count(candidate.verdict.mutant.kind) + lines.count(candidate.link.span.line)
    return (
        candidate.rank == _MECHANICAL,
        repeated + (candidate.outcome.raised and any(other.outcome.raised for other in chosen)),
        candidate.rank,
        candidate.outcome.row is None,
        candidate.verdict.outcome != "assertion",
    )


def candidates(book: Book, entries: tuple[Entry, ...]) -> Iterator[Candidate]:
    """The mutants that a test caught and that the example shows."""
    for entry in entries:
        links = {link.key: link for link in book.resolution.links.get(entry.equation.id, ())}
        effects = effects_of(book, entry)
        for verdict in book.runs.verdicts.get(entry.equation.id, ()):
            effect = effects.get((verdict.key, verdict.mutant.code))
            if effect is None or verdict.outcome not in KILLED or verdict.key not in links:
                continue
            seen = outcome(effect)
            if seen.differs:
                yield Candidate(entry, links[verdict.key], verdict, effect, seen)


def effects_of(book: Book, entry: Entry) -> dict[tuple[str, str], Effect]:
    """What was computed for the mutants of an equation, by linked expression and code."""
    return {(effect.key, effect.mutant.code): effect for effect in book.runs.effects.get(entry.equation.id, ())}
