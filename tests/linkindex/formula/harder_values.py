"""The harder formulas on two runs of different sizes."""

import numpy as np

from linkindex.formula import Bound, Notation, Reading, Trial, parse
from linkindex.model import Symbol
from tests.linkindex.formula.harder_formulas import formulas

RUNS = [dict(formulas(np.random.default_rng(seed), *sizes)) for seed, sizes in enumerate([(5, 6, 8), (7, 3, 4)])]
FORMULAS = tuple(RUNS[0])


def case(name):
    """The formula, its trials and its reading."""
    latex, values, options = RUNS[0][name]
    formula = parse(latex, Notation.of(Symbol(key, "", key) for key in values))
    trials = []
    for _, values, found in (run[name] for run in RUNS):
        bound = {key: Bound(value, tuple(shape.split())) for key, (value, shape) in values.items()}
        target = tuple(bound[key] for key in formula.target) or (next(iter(bound.values())),)
        trials.append(Trial(bound, target, found.get("sizes", {})))
    reading = {key: value for key, value in options.items() if key != "sizes"}
    return formula, trials, Reading(**reading)
