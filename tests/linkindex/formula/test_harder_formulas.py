import pytest

from linkindex.formula import Trial, check_visible, prove, render
from tests.linkindex.formula.harder_values import FORMULAS, case


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_equals_plain_numpy(name):
    formula, trials, reading = case(name)
    check_visible(formula, render(formula.marked))
    result = prove(formula, trials, reading)
    assert result.ok, result.why
    assert result.max_error < 1e-12


@pytest.mark.parametrize("name", [name for name in FORMULAS if not case(name)[2].property])
def test_another_value_of_the_code_is_noticed(name):
    formula, trials, reading = case(name)

    def wrong(trial):
        target = tuple(bound.changed(lambda array: array + 0.001) for bound in trial.target)
        return Trial(trial.symbols, target, trial.sizes)

    result = prove(formula, [wrong(trial) for trial in trials], reading)
    assert not result.ok
    assert result.max_error > result.tolerance
