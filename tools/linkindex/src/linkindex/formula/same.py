"""Inputs that are alike in every trial: then one symbol could stand in the place of the other unnoticed."""

import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from linkindex.formula.expressions import base_symbol
from linkindex.formula.parse import Formula
from linkindex.formula.trials import Bound, Reading, Trial


def same_inputs(formula: Formula, trials: Sequence[Trial], reading: Reading) -> Iterable[str]:
    """Two symbols of equal value in all trials, unless the formula itself says that they are equal."""
    known = [latex for latex in formula.symbols if all(latex in trial.symbols for trial in trials)]
    for a, b in itertools.combinations(known, 2):
        if {a, b} & {*formula.target, *reading.free} or _said_to_be_equal(formula, a, b):
            continue
        if all(_equal(trial.symbols[a], trial.symbols[b]) for trial in trials):
            yield (
                f"{a} and {b} are equal in every trial, so one could stand for the other: let the example or the"
                " sample give them different values"
            )


def _equal(a: Bound, b: Bound) -> bool:
    ours, theirs = a.arrays(), b.arrays()
    return len(ours) == len(theirs) and all(np.array_equal(x, y) for x, y in zip(ours, theirs))


def _said_to_be_equal(formula: Formula, a: str, b: str) -> bool:
    """A statement relates both by = as they stand, or as entries: ``A = B``, ``A_i = B_i``."""
    for statement in formula.statements:
        for column in zip(*statement.chain.members):
            symbols = [base_symbol(node) for node in column]
            pairs = zip(symbols, symbols[1:], statement.chain.relations)
            if any(p and q and r == "=" and {p.latex, q.latex} == {a, b} for p, q, r in pairs):
                return True
    return False
