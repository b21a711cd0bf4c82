"""Claims that one side is smaller: a few samples seldom come near a bound, so that they are looked at on many more.

Also which of < and \\le, or of > and \\ge, a formula means where both agree with all trials.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from linkindex.formula.compare import Comparison, compare
from linkindex.formula.errors import EvaluationError
from linkindex.formula.parse import Formula
from linkindex.formula.simpler import everywhere
from linkindex.formula.syntax import Chain
from linkindex.formula.trials import Reading, Trial

OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
SIGNS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥"}
REMEDY = "; or let extremes(rng, sizes) in the example return a list of inputs at which both sides are equal"


def bounds(formula: Formula) -> Formula | None:
    """The claims of the formula that one side is smaller."""
    claims = tuple(one for one in formula.statements if OTHER.keys() & {*one.chain.relations})
    return replace(formula, statements=claims, target=()) if claims else None


def broken(formula: Formula, further: Iterable[Trial], reading: Reading) -> Iterator[str]:
    """Why a bound does not hold on some of many samples. Those on which it has no value say nothing."""
    claims = bounds(formula)
    for trial in further if claims else ():
        try:
            found = compare(claims, trial, replace(reading, property=True))
        except EvaluationError:
            continue
        if not found.agrees:
            sizes = ", ".join(f"{name} = {size}" for name, size in trial.sizes.items())
            yield f"{found.why}, in one of many further samples" + (f", with {sizes}" if sizes else "")


def not_told_apart(
    formula: Formula, runs: Sequence[tuple[Trial, Comparison]], reading: Reading
) -> Iterator[str]:
    """Relations that could stand for another, since no trial has a tie, or none in which it matters."""
    for node, other in everywhere(formula, Chain):
        for number, relation in enumerate(node.relations):
            if relation in OTHER:
                relations = (*node.relations[:number], OTHER[relation], *node.relations[number + 1 :])
                if _is_alike(other(replace(node, relations=relations)), runs, reading):
                    yield f"no trial tells {SIGNS[relation]} from {SIGNS[OTHER[relation]]}"


def _is_alike(other: Formula, runs: Sequence[tuple[Trial, Comparison]], reading: Reading) -> bool:
    try:
        found = [(compare(other, trial, reading), before) for trial, before in runs]
    except EvaluationError:
        return False
    return all(after.agrees and after.covered == before.covered for after, before in found)
