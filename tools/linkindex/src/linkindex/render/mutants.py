"""What became of the mutants of an equation's code, in numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from linkindex.evidence.defended import is_equivalent
from linkindex.model import Equation, Verdict
from linkindex.refs import canonical
from linkindex.render.book import Book, Entry

KILLED = ("assertion", "exception", "timeout", "crash")
_KINDS = {
    "transpose dropped": "the transpose were dropped", "sign": "the sign were dropped",
    "branches swapped": "the two branches were swapped",
    "infinity": "infinity were 0", "variable": "another variable stood here", "key": "another entry were taken",
    "comparison": "the comparison were another one", "constant": "the constant were another one",
    "operator": "the operator were another one", "function": "the function were another one",
    "operands swapped": "the operands were swapped", "arguments swapped": "the arguments were swapped",
    "call dropped": "the call were dropped", "operand dropped": "an operand were dropped",
    "value negated": "the value were negated", "value times 1.001": "the value were 0.1 % larger",
    "last axis reversed": "the last axis were reversed", "first axis reversed": "the first axis were reversed",
}  # fmt: skip
_NOTICED = {
    "assertion": "fails an assertion", "exception": "stops with an exception", "timeout": "does not finish in time",
    "crash": "crashes", "survived": "passes", "skipped": "is skipped", "equivalent": "passes: declared equivalent",
}  # fmt: skip


@dataclass(frozen=True)
class Tally:
    """``survived`` counts those that are not declared equivalent; ``invalid`` those that could not be judged."""

    total: int
    assertion: int                                       # killed by a failing assertion: the strongest kind
    killed: int
    survived: int
    equivalent: int
    invalid: int

    @property
    def short(self) -> str:
        """"13 of 13 mutants", "9 of 10 mutants, 1 equivalent"."""
        equivalent = f", {self.equivalent} equivalent" if self.equivalent else ""
        return f"{self.killed} of {self.total} mutant{'s' * (self.total != 1)}{equivalent}"

    @property
    def words(self) -> tuple[str, ...]:
        """The counts that are not 0, in words."""
        others = ((self.survived, "survived"), (self.equivalent, "equivalent"), (self.invalid, "not judged"))
        return (
            f"{self.killed} of {self.total} caught",
            f"{self.assertion} by an assertion",
            *(f"{count} {name}" for count, name in others if count),
        )


def kind_in_words(kind: str) -> str:
    """The kind of a mutant as a clause: "the transpose were dropped"; with the element, if it is one of a tuple."""
    name, _, element = kind.partition(", ")
    return _KINDS.get(name, name) + (f" ({element})" if element else "")


def noticed_in_words(outcome: str) -> str:
    """What the linked test does with the mutant in place."""
    return _NOTICED.get(outcome, "was not judged")


def outcome_of(equation: Equation, verdict: Verdict) -> str:
    """The verdict's outcome; "equivalent", where the record declares so."""
    return "equivalent" if is_equivalent(equation, verdict) else verdict.outcome


def reason_of(equation: Equation, verdict: Verdict) -> str | None:
    """Why the record declares this mutant to compute the same; None where it does not."""
    return next((why for code, why in equation.equivalent.items() if canonical(code) == verdict.mutant.code), None)


def total(book: Book, entries: Iterable[Entry]) -> Tally:
    """The counts of several equations together, without those whose mutants were not run."""
    tallies = [counts for entry in entries if (counts := tally(book, entry.equation))]
    return Tally(*(sum(getattr(counts, part.name) for counts in tallies) for part in fields(Tally)))


def tally(book: Book, equation: Equation) -> Tally | None:
    """The counts; None where the mutants were not run."""
    verdicts = book.runs.verdicts.get(equation.id)
    return None if verdicts is None else _count(equation, verdicts)


def _count(equation: Equation, verdicts: Sequence[Verdict]) -> Tally:
    outcomes = [outcome_of(equation, verdict) for verdict in verdicts]
    killed = sum(outcome in KILLED for outcome in outcomes)
    survived, equivalent = outcomes.count("survived"), outcomes.count("equivalent")
    return Tally(
        total=len(outcomes), assertion=outcomes.count("assertion"), killed=killed, survived=survived,
        equivalent=equivalent, invalid=len(outcomes) - killed - survived - equivalent,
    )
