import numpy as np
import pytest

from linkindex.formula import Bound, Trial, check_visible, prove, render
from tests import pages
from tests.linkindex.formula.attention_values import EQUATIONS, OPERATORS, PAGES, case


def test_the_formulas_are_those_of_both_pages_with_three_operators():
    assert tuple(EQUATIONS) == sum((pages.EQUATIONS[name] for name in PAGES), ())
    assert sorted(OPERATORS) == ["merge", "softmax", "split"]


@pytest.mark.parametrize("name", EQUATIONS)
def test_the_displayed_formula_equals_the_code(name):
    formula, trials, reading = case(name)
    check_visible(formula, render(formula.marked))
    result = prove(formula, trials, reading)
    assert result.ok, result.why
    assert result.trials == 3
    assert result.max_error < 1e-12


@pytest.mark.parametrize("name", [name for name, record in EQUATIONS.items() if not record.get("property")])
def test_another_value_of_the_code_is_noticed(name):
    formula, trials, reading = case(name)

    def first_entry_moved(array):
        array = np.array(array, dtype=float)
        array.flat[0] += 1e-6
        return array

    wrong = [
        Trial(trial.symbols, tuple(bound.changed(first_entry_moved) for bound in trial.target), trial.sizes)
        for trial in trials
    ]
    assert not prove(formula, wrong, reading).ok


def test_a_family_is_proved_for_each_of_its_members():
    formula, trials, reading = case("attention-backward.projection-bias-gradients")
    one_wrong = [
        Trial(
            trial.symbols, (Bound({**trial.target[0].value, "v": trial.target[0].value["v"] + 1}, ("d",)),), trial.sizes
        )
        for trial in trials
    ]
    assert not prove(formula, one_wrong, reading).ok


def test_an_element_of_a_tuple_is_proved_on_its_own():
    formula, trials, reading = case("attention.split")
    swapped = [Trial(trial.symbols, trial.target[::-1], trial.sizes) for trial in trials]
    assert not prove(formula, swapped, reading).ok
