"""How many formulas with one planted fault differ from the code, and what becomes of all the others."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from linkindex.formula import Bound, Notation, Reading, Trial, parse, prove
from linkindex.model import Symbol
from tests.linkindex.formula import attention_values, harder_values, not_noticed
from tests.linkindex.formula.mutate import (
    FILLED,
    FINITE,
    INFINITE,
    REFUSED,
    TRUE,
    UNDEFINED,
    Verdict,
    judged,
    mutants,
    verdict,
)

pytestmark = pytest.mark.slow  # hundreds of formulas are evaluated
CASES = {
    "page": {name: attention_values.case for name in attention_values.FORMULAS},
    "harder": {name: harder_values.case for name in harder_values.FORMULAS},
}
LISTED = {"page": not_noticed.PAGE, "harder": not_noticed.HARDER}


@cache
def verdicts(collection):
    """(formula, mutant, verdict) for every mutant of every formula."""
    return [
        (name, mutant, verdict) for name, case in CASES[collection].items() for mutant, verdict in judged(*case(name))
    ]


@pytest.mark.parametrize(
    ("collections", "share"),
    [(("page", "harder"), 0.97), (("harder",), 0.98), (("page",), 0.95)],
    ids=["all", "harder", "page"],
)
def test_of_all_mutants_this_share_differs_from_the_code_by_a_finite_number(collections, share):
    found = [verdict for collection in collections for _, _, verdict in verdicts(collection)]
    counted = Counter(verdict.fate for verdict in found)
    extended = sum(verdict.extended and verdict.fate == FINITE for verdict in found)
    print(f"{len(found)} mutants: {dict(counted)}; {extended} of the finite ones by zero extension")
    assert counted[FINITE] / len(found) >= share


@pytest.mark.parametrize("collection", CASES)
def test_every_other_mutant_is_listed_with_the_reason(collection):
    others = [(v.fate, name, mutant.what) for name, mutant, v in verdicts(collection) if v.fate != FINITE]
    listed = [(fate, name, what) for fate, those in LISTED[collection].items() for name, what in those]
    assert sorted(others) == sorted(listed)


@pytest.mark.parametrize("collection", CASES)
def test_no_mutant_is_proved_but_those_that_are_true_as_well(collection):
    proved = []
    for name, case in CASES[collection].items():
        _, trials, reading = case(name)
        those = [mutant for formula, mutant, _ in verdicts(collection) if formula == name]
        proved += [(name, mutant.what) for mutant in those if prove(mutant.formula, trials, reading).ok]
    assert sorted(proved) == sorted(LISTED[collection][TRUE])


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ("y_i = x_i", Verdict(FINITE)),
        ("y_i = 2 x_{i+1}", Verdict(FINITE, extended=True)),
        (r"y_i = \frac{x_i}{0}", Verdict(INFINITE)),
        ("y_i = x_i + x_i", Verdict(TRUE)),
        ("y_i = y_i", Verdict(REFUSED)),
        ("y_i = 2 x_i + x_{i+9}", Verdict(FILLED, extended=True)),
        (r"y_i = \log(-x_i)", Verdict(UNDEFINED, extended=True)),
    ],
)
def test_what_becomes_of_a_wrong_formula(wrong, expected):
    notation = Notation.of(Symbol(latex, "", latex) for latex in "yx")
    trials = []
    for seed, size in enumerate((3, 4)):
        x = np.random.default_rng(seed).uniform(1, 2, size)
        bound = {"y": Bound(2 * x, ("n",)), "x": Bound(x, ("n",))}
        trials.append(Trial(bound, (bound["y"],)))
    assert verdict(parse(wrong, notation), parse("y_i = 2 x_i", notation), trials, Reading()) == expected


SHAPES = {"y": ("n",), "x": ("n",), "z": ("n",), "k": ()}


def planted(latex):
    notation = Notation.of(Symbol(symbol, "", symbol) for symbol in SHAPES)
    return [mutant.what for mutant in mutants(parse(latex, notation), SHAPES, Reading())]


def test_a_number_one_larger_in_two_ways_is_one_mutant():
    assert [what for what in planted("x_i = 0 \\Rightarrow y_i = 2 x_i") if what.startswith(("x_i = 0", "0:"))] == [
        "x_i = 0: != instead",
        "x_i = 0: right side plus 1",
        "x_i = 0: right side minus 1",
    ]


def test_a_claim_that_is_no_equation_is_given_the_faults_of_a_condition():
    assert {r"x_i \ge y_i: > instead", r"x_i \ge y_i: <= instead", r"x_i \ge y_i: right side plus 1"} <= {
        *planted(r"x_i \ge y_i")
    }


def test_a_mutant_has_the_symbols_that_stand_in_it():
    notation = Notation.of(Symbol(symbol, "", symbol) for symbol in SHAPES)
    found = {mutant.what: mutant for mutant in mutants(parse("y_i = x_i z_i", notation), SHAPES, Reading())}
    assert found["x_i z_i: factor 2 dropped"].formula.symbols == ("y", "x")
    assert found["x: z instead"].formula.symbols == ("y", "z")


@pytest.mark.parametrize(("arguments", "swapped"), [("x, z", True), ("x, k", False), ("x, 2 z", False)])
def test_arguments_of_an_operator_are_swapped_where_they_are_symbols_of_one_shape(arguments, swapped):
    whats = planted(f"y = \\operatorname{{f}}({arguments})")
    assert any("arguments 1 and 2 swapped" in what for what in whats) == swapped
