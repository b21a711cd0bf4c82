"""What became of the mutants of an equation's code, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from linkindex.evidence.defended import is_equivalent
from linkindex.model import Equation, Verdict
from linkindex.render.book import Book

_KILLED = ("assertion", "exception", "timeout", "crash")


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
    def words(self) -> tuple[str, ...]:
        """The counts that are not 0, in words."""
        others = ((self.survived, "survived"), (self.equivalent, "equivalent"), (self.invalid, "not judged"))
        return (
            f"{self.killed} of {self.total} caught",
            f"{self.assertion} by an assertion",
            *(f"{count} {name}" for count, name in others if count),
        )


def tally(book: Book, equation: Equation) -> Tally | None:
    """The counts; None where the mutants were not run."""
    verdicts = book.runs.verdicts.get(equation.id)
    return None if verdicts is None else _count(equation, verdicts)


def _count(equation: Equation, verdicts: Sequence[Verdict]) -> Tally:
    outcomes = ["equivalent" if is_equivalent(equation, verdict) else verdict.outcome for verdict in verdicts]
    killed = sum(outcome in _KILLED for outcome in outcomes)
    survived, equivalent = outcomes.count("survived"), outcomes.count("equivalent")
    return Tally(
        total=len(outcomes), assertion=outcomes.count("assertion"), killed=killed, survived=survived,
        equivalent=equivalent, invalid=len(outcomes) - killed - survived - equivalent,
    )
