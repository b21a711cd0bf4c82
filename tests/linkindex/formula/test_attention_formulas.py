import numpy as np
import pytest

from linkindex.formula import Bound, Trial, check_visible, prove, render
from linkindex.formula.mutate import fate, tally
from tests.linkindex.formula.attention_values import EQUATIONS, OPERATORS, RECORDED_WITH_EQUAL_SIZES, case

# Every mutant that agrees with the code, with the reason. Each is itself a true statement of attention.
TRUE_AS_WELL = {
    ("attention.head-width", "d: H instead"),  # H mod H = 0
    ("attention.head-width", "H: d_h instead"),  # d mod d_h = 0
    ("attention.head-width", "H: d instead"),  # d mod d = 0
    ("attention.masked-weight", "j > i: right side moved by one"),  # fewer cells, all of them masked
    ("attention.weighted-row", r"\sum_{j \le i} A_{ij} (V_h)_{j: condition dropped"),  # the masked weights are 0
    ("attention.weighted-row", r"j \le i: right side moved by one"),
    ("attention.masked-gradient", "A_{ij} = 0: right side moved by one"),  # a weight of 1 has no gradient either
    ("attention.masked-gradient", "A_{ij}: index 1: one more"),  # masked for the next row, so masked for this one
    ("attention.masked-gradient", "0: one more"),
}


def test_the_page_has_thirty_one_formulas():
    assert len(EQUATIONS) == 31
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

    def last_entry_moved(array):
        array = np.array(array, dtype=float)
        array.flat[0] += 1e-6
        return array

    wrong = [
        Trial(trial.symbols, tuple(bound.changed(last_entry_moved) for bound in trial.target), trial.sizes)
        for trial in trials
    ]
    assert not prove(formula, wrong, reading).ok


def test_every_mutant_that_is_missed_is_true_as_well():
    missed = {(name, mutant.what) for name in EQUATIONS for mutant in tally(*case(name)).missed}
    assert missed == TRUE_AS_WELL


def test_97_of_100_wrong_formulas_differ_from_the_code_by_more_than_the_tolerance():
    r"""Where the shapes of a wrong formula do not fit, it is compared on runs in which some sizes are equal. Not counted:
    those that have no value even there, and those that say nothing of the code (\bar S = \bar S), which a rule refuses."""
    noticed, missed, refused, without_value = 0, 0, 0, 0
    for name in EQUATIONS:
        tallied = tally(*case(name))
        formula, equal, reading = case(name, RECORDED_WITH_EQUAL_SIZES)
        rescued = [m for m in tallied.undefined if any(fate(m, [trial], reading) == "noticed" for trial in equal)]
        noticed += len(tallied.noticed) + len(rescued)
        missed += len(tallied.missed)
        refused += len(tallied.empty)
        without_value += len(tallied.undefined) - len(rescued)
    print(f"noticed {noticed}, missed {missed}, refused by a rule {refused}, without a value {without_value}")
    assert noticed >= 459
    assert noticed / (noticed + missed) >= 0.97
    assert refused <= 6


def test_a_family_is_proved_for_each_of_its_members():
    formula, trials, reading = case("attention.projection-bias-gradients")
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
