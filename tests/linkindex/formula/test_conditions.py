"""Conditions on what is not a number: neither true nor false, unless another condition decides.

In all of them i runs over the n entries of y, so that x_{i+1} leaves its axis once.
"""

import operator

import numpy as np
import pytest

from linkindex.formula import Reading
from linkindex.formula.truth import both, either, every
from tests.linkindex.formula.judging import judge

PROPERTY = Reading(property=True)
RELATIONS = {
    "= 5": lambda x: x == 5,
    r"\ne 5": lambda x: x != 5,
    "< 5": lambda x: x < 5,
    "> 5": lambda x: x > 5,
    r"\le 5": lambda x: x <= 5,
    r"\ge 5": lambda x: x >= 5,
    r"\in \{4, 6\}": lambda x: x in (4, 6),
}
KINDS = {  # each with a place for a condition, and an entry to put in it
    "premise": ("{} \\Rightarrow y_i = -x_i", "x_{i+1}"),
    "for": (r"y_i = -x_i \text{{ for }} {}", "x_{i+1}"),
    "indicator": (r"y_i = -\mathbb{{1}}[{}] x_i", "x_{i+1}"),
    "cases": (r"y_i = \begin{{cases}} -x_i & {} \\ 0 & \text{{otherwise}} \end{{cases}}", "x_{i+1}"),
    "sum": (r"y_i = -\sum_{{j \ge 0, {}}} x_j \mathbb{{1}}[j = i]", "x_{j+1}"),
    "product": (r"y_i = \prod_{{j \le i, {}}} x_j", "x_{j+1}"),
    "maximum": (r"y_i = \max_{{j \le i, {}}} x_j", "x_{j+1}"),
    "place of the maximum": (r"y_i = \arg\max_{{j \le i, {}}} x_j", "x_{j+1}"),
}


def values(chosen=lambda x, i: True):
    """y is -x where ``chosen``, else 0; x holds the numbers around 5; w is a place in it."""

    def make(rng, n, k):
        x = rng.permutation(np.arange(4.0, 4 + n))[::-1]
        y = np.array([-x[i] if chosen(x, i) else 0.0 for i in range(n)])
        return {"y": (y, "n"), "x": (x, "n"), "w": (rng.permutation(n), "n"), "n": (n, "")}

    return make


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_condition_beyond_the_axis_is_refused_with_its_place_reason_and_remedy(kind, relation):
    form, entry = KINDS[kind]
    result = judge(form.format(f"{entry} {relation}"), values(), PROPERTY)
    assert result.why == (
        f"the condition {entry} {relation} is neither true nor false somewhere: an index leaves its axis; leave such"
        f" entries out by a condition, as i + 1 < n does for i + 1 (in {entry})"
    )


@pytest.mark.parametrize("relation", [relation for relation in RELATIONS if not relation.startswith("=")])
def test_a_claim_beyond_the_axis_is_refused(relation):
    result = judge(rf"y_i = -x_i, \qquad x_{{i+1}} {relation}", values(), PROPERTY)
    assert f"the condition x_{{i+1}} {relation} is neither true nor false somewhere" in result.why


@pytest.mark.parametrize("order", ["{protection}, {condition}", "{condition}, {protection}"])
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("kind", ["for", "indicator", "cases", "sum"])
def test_another_condition_beside_it_protects_it_in_any_order(kind, relation, order):
    form, entry = KINDS[kind]
    protection = "j + 1 < n" if "j" in entry else "i + 1 < n"
    latex = form.format(order.format(protection=protection, condition=f"{entry} {relation}"))
    holds = RELATIONS[relation]
    assert judge(latex, values(lambda x, i: i + 1 < len(x) and holds(x[i + 1])), PROPERTY).why is None
    assert "differ" in judge(latex, values(lambda x, i: i + 1 < len(x) and not holds(x[i + 1])), PROPERTY).why


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("kind", ["premise", "indicator", "cases"])
def test_the_condition_of_the_statement_protects_what_is_inside(kind, relation):
    form, entry = KINDS[kind]
    holds = RELATIONS[relation]
    latex = form.format(f"{entry} {relation}") + r" \text{ for } i + 1 < n"
    assert judge(latex, values(lambda x, i: i + 1 < len(x) and holds(x[i + 1])), PROPERTY).why is None
    assert "differ" in judge(latex, values(lambda x, i: i + 1 < len(x) and not holds(x[i + 1])), PROPERTY).why


def test_an_index_that_is_beyond_an_axis_itself_is_protected_too():
    def make(rng, n, k):
        made = values()(rng, n, k)
        x, w = made["x"][0], made["w"][0]
        return {**made, "y": (np.array([*x[w[1:]], 0]), "n")}

    assert judge(r"y_i = x_{w_{i+1}} \text{ for } i + 1 < n", make, PROPERTY).why is None
    assert "an index leaves its axis" in judge(r"y_i = x_{w_{i+1}}", make, PROPERTY).why


def test_a_limit_beyond_an_axis_is_protected_too():
    def make(rng, n, k):
        made = values()(rng, n, k)
        x, w = made["x"][0], made["w"][0]
        return {**made, "y": (np.array([*(x[: last + 1].sum() for last in w[1:]), 0]), "n")}

    assert judge(r"y_i = \sum_{j=0}^{w_{i+1}} x_j \text{ for } i + 1 < n", make, PROPERTY).why is None
    assert "an index leaves its axis" in judge(r"y_i = \sum_{j=0}^{w_{i+1}} x_j", make, PROPERTY).why


@pytest.mark.parametrize("upper", [r"\infty", r"\frac{n}{0}", r"\frac{0}{0}"])
def test_a_limit_that_is_no_finite_number_is_refused(upper):
    result = judge(rf"y_i = -x_i, \qquad \sum_{{j=0}}^{{{upper}}} x_i = n", values(), PROPERTY)
    assert "the limits of the index j are not finite numbers" in result.why


def test_an_impossible_claim_on_no_number_is_not_proved():
    """A number to the power of 0 is 1, and so NumPy says of what is no number, too."""
    assert "an index leaves its axis" in judge("y_i = -x_i x_{i+1}^0", values(), PROPERTY).why
    assert "an index leaves its axis" in judge("y_i = -1^{x_{i+1}} x_i", values(), PROPERTY).why


def test_the_place_of_the_maximum_is_not_where_there_is_no_number():
    def last(rng, n, k):
        return {**values()(rng, n, k), "y": (np.full(n, n - 1), "n")}

    assert "an index leaves its axis" in judge(r"y_i = \arg\max_j x_{j+1} x_j + x_i - x_i", last, PROPERTY).why


def test_of_no_entry_there_is_no_place_of_the_maximum():
    def first(rng, n, k):
        x = np.sort(rng.normal(size=n))
        return {"y": (np.maximum(np.arange(n) - 1, 0), "n"), "x": (x, "n")}

    assert judge(r"y_i = \arg\max_{j < i} x_j \text{ for } i > 0", first, PROPERTY).why is None
    assert "not a number somewhere" in judge(r"y_i = \arg\max_{j < i} x_j", first, PROPERTY).why


@pytest.mark.parametrize(
    ("latex", "says"),
    [
        (r"\frac{x_i - x_i}{x_i - x_i} = 1 \Rightarrow y_i = -x_i", "0 / 0"),
        (r"\sqrt{-x_i} > 1 \Rightarrow y_i = -x_i", "a root or logarithm that does not exist"),
    ],
)
def test_a_condition_without_a_value_on_its_axis_is_refused(latex, says):
    why = judge(latex, values(), PROPERTY).why
    assert "is neither true nor false somewhere" in why
    assert says in why


def test_a_condition_on_what_the_code_computed_as_no_number_is_refused():
    def make(rng, n, k):
        made = values()(rng, n, k)
        made["x"][0][0] = np.nan
        return made

    assert "the code computed none" in judge(r"x_i < 5 \Rightarrow y_i = -x_i", make, PROPERTY).why


# --- the tables

TRUTHS = (1.0, 0.0, np.nan)
POSSIBLE = {1.0: {True}, 0.0: {False}}


@pytest.mark.parametrize(("function", "of_booleans"), [(both, operator.and_), (either, operator.or_)])
@pytest.mark.parametrize("a", TRUTHS)
@pytest.mark.parametrize("b", TRUTHS)
def test_conditions_joined_are_decided_if_every_value_of_the_unknown_ones_gives_the_same(function, of_booleans, a, b):
    outcomes = {of_booleans(p, q) for p in POSSIBLE.get(a, {True, False}) for q in POSSIBLE.get(b, {True, False})}
    expected = float(outcomes.pop()) if len(outcomes) == 1 else np.nan
    np.testing.assert_equal(float(function(np.array(a), np.array(b))), expected)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [([1, 1], 1), ([1, 0], 0), ([np.nan, 0], 0), ([np.nan, 1], np.nan), ([np.nan, np.nan], np.nan), ([], 1)],
)
def test_a_vector_is_in_a_relation_if_all_of_its_entries_are(entries, expected):
    np.testing.assert_equal(float(every(np.array(entries, dtype=float), (0,))), expected)
