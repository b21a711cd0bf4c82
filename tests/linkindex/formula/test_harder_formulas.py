import numpy as np
import pytest

from linkindex.formula import Bound, Notation, Reading, Trial, check_visible, parse, prove, render
from linkindex.formula.mutate import tally
from linkindex.model import Symbol
from tests.linkindex.formula.harder_formulas import formulas

RUNS = [dict(formulas(np.random.default_rng(seed), *sizes)) for seed, sizes in enumerate([(5, 6, 8), (7, 3, 4)])]


def case(name):
    latex, values, options = RUNS[0][name]
    formula = parse(latex, Notation.of(Symbol(key, "", key) for key in values))
    trials = []
    for _, values, found in (run[name] for run in RUNS):
        bound = {key: Bound(value, tuple(shape.split())) for key, (value, shape) in values.items()}
        target = tuple(bound[key] for key in formula.target) or (next(iter(bound.values())),)
        trials.append(Trial(bound, target, found.get("sizes", {})))
    reading = {key: value for key, value in options.items() if key != "sizes"}
    return formula, trials, Reading(**reading)


@pytest.mark.parametrize("name", RUNS[0])
def test_a_formula_equals_plain_numpy(name):
    formula, trials, reading = case(name)
    check_visible(formula, render(formula.marked))
    result = prove(formula, trials, reading)
    assert result.ok, result.why
    assert result.max_error < 1e-12


@pytest.mark.parametrize("name", [name for name in RUNS[0] if not case(name)[2].property])
def test_another_value_of_the_code_is_noticed(name):
    formula, trials, reading = case(name)

    def wrong(trial):
        target = tuple(bound.changed(lambda array: array + 0.001) for bound in trial.target)
        return Trial(trial.symbols, target, trial.sizes)

    result = prove(formula, [wrong(trial) for trial in trials], reading)
    assert not result.ok
    assert result.max_error > result.tolerance


def test_two_mutants_are_missed_of_which_one_is_true_and_one_needs_a_tie():
    counted = {name: tally(*case(name)) for name in RUNS[0]}
    missed = [(name, mutant.what) for name, tallied in counted.items() for mutant in tallied.missed]
    assert missed == [
        ("positions turn", "p + k < T: right side moved by one"),  # says less, and is true as well
        ("top-p set", r"\sum_{j < i} p_j < \rho: <= instead"),
    ]
    assert sum(len(tallied.noticed) for tallied in counted.values()) > 800
