"""Everything that is counted of the evidence: steps, exceptions, mutants, errors, tests."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from linkindex.model import NOT_RUN, STEPS, Step
from linkindex.render.book import Book, Entry
from linkindex.render.mutants import Tally, outcome_of, total
from linkindex.render.places import state_of

KINDS = ("formula", "property")
OUTCOMES = ("assertion", "exception", "timeout", "crash", "survived", "equivalent")


@dataclass(frozen=True)
class Census:
    """Counts over ``entries``. ``steps``: step -> (kind, state) -> equations; ``outcomes``: (kind, outcome) -> mutants.
    """

    entries: tuple[Entry, ...]
    proved: int                                          # equations for which every step is done, without an exception
    steps: dict[str, Counter[tuple[str, str]]]
    exceptions: tuple[tuple[Entry, str, str], ...]       # entry, step, reason
    mutants: Tally | None                                # None: not run
    outcomes: Counter[tuple[str, str]]


def census(book: Book, entries: Iterable[Entry]) -> Census:
    entries = tuple(entries)
    steps: dict[str, Counter[tuple[str, str]]] = {name: Counter() for name in STEPS}
    outcomes: Counter[tuple[str, str]] = Counter()
    exceptions, proved = [], 0
    for entry in entries:
        equation, kind = entry.equation, kind_of(entry)
        found = {name: step_of(book, entry, name) for name in STEPS}
        proved += all(state_of(step) == "done" for step in found.values())
        for name, step in found.items():
            steps[name][kind, state_of(step)] += 1
        exceptions += [(entry, name, step.exception) for name, step in found.items() if step.exception]
        outcomes.update((kind, outcome_of(equation, verdict)) for verdict in book.runs.verdicts.get(equation.id, ()))
    ran = any(entry.equation.id in book.runs.verdicts for entry in entries)
    return Census(entries, proved, steps, tuple(exceptions), total(book, entries) if ran else None, outcomes)


def kind_of(entry: Entry) -> str:
    return "property" if entry.equation.is_property else "formula"


def step_of(book: Book, entry: Entry, name: str) -> Step:
    proof = book.evidence.proofs.get(entry.equation.id)
    return proof.steps.get(name, NOT_RUN) if proof else NOT_RUN


def largest_error(book: Book, entries: Iterable[Entry]) -> tuple[Entry, float] | None:
    """The equation whose formula came least close to its code; None where no error is known."""
    errors = [
        (step.max_error, entry) for entry in entries if (step := step_of(book, entry, "formula")).max_error is not None
    ]
    worst = max(errors, key=lambda pair: pair[0], default=None)
    return (worst[1], worst[0]) if worst else None


def tolerances(book: Book, entries: Iterable[Entry]) -> tuple[float, ...]:
    steps = (step_of(book, entry, "formula") for entry in entries)
    return tuple(sorted({step.tolerance for step in steps if step.tolerance is not None}))
