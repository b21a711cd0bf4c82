"""A formula against values made up for it, on two runs of different sizes."""

import numpy as np

from linkindex.formula import Bound, Notation, Reading, Trial, check_visible, parse, prove, render
from linkindex.model import Symbol

SIZES = ((4, 3), (5, 2))


def judge(latex, make, reading=Reading(), code=True):
    """``make(rng, n, k)`` gives symbol -> (value, shape); the first one is the target."""
    made = [make(np.random.default_rng(seed), *sizes) for seed, sizes in enumerate(SIZES)]
    notation = Notation.of(Symbol(key, "", key if code else None) for key in made[0])
    formula = parse(latex, notation)
    check_visible(formula, render(formula.marked))
    trials = []
    for values in made:
        bound = {key: Bound(value, tuple(shape.split())) for key, (value, shape) in values.items()}
        target = tuple(bound[key] for key in formula.target) or (next(iter(bound.values())),)
        trials.append(Trial(bound, target, {}))
    return prove(formula, trials, reading)


def judged(make, true, wrong, reading=Reading()):
    """Every one of ``true`` is proved, and every one of ``wrong`` is noticed; whatever is shown has been read."""
    for latex in true:
        assert judge(latex, make, reading).why is None, latex
    for latex in wrong:
        assert not judge(latex, make, reading).ok, latex
