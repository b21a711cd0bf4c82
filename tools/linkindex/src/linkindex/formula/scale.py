"""Inequalities that only say how large the sample is: S < 50 holds of any code, as long as its inputs are small."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from linkindex.formula.compare import compare, is_membership
from linkindex.formula.errors import EvaluationError
from linkindex.formula.parse import Formula
from linkindex.formula.syntax import Chain, symbols_in
from linkindex.formula.trials import Bound, Reading, Trial, moved, random_like

FAR = 1000.0  # so much larger may any input be
# Far away, an exponential is 0, or two numbers are one: that is round-off, and no reason to refuse.
RELAXED = {"<": "<=", ">": ">="}
Change = Callable[[Bound], Bound]


def at_its_scale(formula: Formula, trials: Sequence[Trial], reading: Reading, steps: Sequence[float]) -> Iterator[str]:
    """Inequalities that hold with all values near the recorded ones, and fail with larger ones.

    A number that the code takes, such as a rate, may have its limits: these are no claim of what it computes.
    """
    near = [lambda bound, step=step: moved(bound, np.random.default_rng(1), step) for step in steps]
    near.append(lambda bound: random_like(bound, np.random.default_rng(1)))
    near.append(lambda bound: random_like(bound, np.random.default_rng(1)).changed(np.negative))
    far = [lambda bound, factor=factor: bound.changed(lambda array: _larger(array, factor)) for factor in (FAR, -FAR)]
    reading = replace(reading, property=True)
    for alone in _inequalities(formula):
        if not _breaks(alone, trials, reading, near) and _breaks(_relaxed(alone), trials, reading, far):
            text = formula.source[slice(*_claim(alone).span)]
            yield (
                f"{text} fails with values {FAR:g} times as large, and with none near those of the sample: it says how "
                "large the sample is; claim what holds at any size"
            )


def _inequalities(formula: Formula) -> Iterator[Formula]:
    """Each of them, as a formula of its own; conditions and premises stay."""
    families = tuple(statement for statement in formula.statements if is_membership(statement))
    for statement in formula.statements:
        chain = statement.chain
        for k, relation in enumerate(chain.relations):
            if relation in ("<", ">", "<=", ">="):
                members = chain.members[k : k + 2]
                span = members[0][0].span[0], members[1][-1].span[1]
                alone = replace(statement, chain=Chain(members, (relation,), span=span))
                yield replace(formula, statements=(*families, alone), target=())


def _claim(alone: Formula) -> Chain:
    return alone.statements[-1].chain


def _relaxed(alone: Formula) -> Formula:
    chain = _claim(alone)
    relations = tuple(RELAXED.get(relation, relation) for relation in chain.relations)
    last = replace(alone.statements[-1], chain=replace(chain, relations=relations))
    return replace(alone, statements=(*alone.statements[:-1], last))


def _breaks(alone: Formula, trials: Iterable[Trial], reading: Reading, changes: Iterable[Change]) -> bool:
    symbols = symbols_in(_claim(alone))
    for trial in trials:
        for change in changes:
            for latex in (latex for latex in symbols & trial.symbols.keys() if _may_be_large(latex, trial)):
                other = replace(trial, symbols={**trial.symbols, latex: change(trial.symbols[latex])})
                try:
                    if not compare(alone, other, reading).agrees:
                        return True
                except EvaluationError:
                    continue
    return False


def _may_be_large(latex: str, trial: Trial) -> bool:
    arrays = trial.symbols[latex].arrays()
    linked = [array for target in trial.target for array in target.arrays()]
    return any(array.size > 1 or any(np.array_equal(array, value) for value in linked) for array in arrays)


def _larger(array: np.ndarray, factor: float) -> np.ndarray:
    return array * factor if array.dtype.kind == "f" else array
