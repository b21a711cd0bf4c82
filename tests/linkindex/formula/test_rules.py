"""What counts as proof: each rule refuses a formula that agrees with the code and still proves nothing."""

import numpy as np
import pytest

from linkindex.formula import Bound, Notation, Reading, Trial, parse, prove
from linkindex.model import Symbol
from tests.linkindex.formula.judging import judge


def product(rng, n, k):
    A, B = rng.normal(size=(n, k)), rng.normal(size=(k, n))
    return {"C": (A @ B, "n n"), "A": (A, "n k"), "B": (B, "k n")}


def test_a_true_formula_is_proved_with_its_error_and_tolerance():
    result = judge("C = A B", product)
    assert (result.ok, result.why, result.trials, result.tolerance) == (True, None, 2, 1e-10)
    assert result.max_error == 0.0


def test_a_false_formula_is_refused_with_the_size_of_the_difference():
    result = judge("C = 2 A B", product)
    assert not result.ok
    assert "differ" in result.why
    assert result.max_error > 0.1


def test_shapes_that_do_not_fit_are_a_finding_and_no_crash():
    result = judge(r"C = A B^\top", product)
    assert not result.ok
    assert "the inner sizes 3 and 4 differ" in result.why


def test_the_target_may_not_stand_on_the_right():
    assert "C is on both sides" in judge("C = A B + C - C", product).why


def test_something_else_must_say_what_the_target_is():
    result = judge("C = 1", lambda rng, n, k: {"C": (1.0, "")})
    assert "no member uses another symbol" in result.why


def test_another_name_for_the_target_is_no_proof():
    result = judge("C = D", lambda rng, n, k: {"C": (a := rng.normal(size=n), "n"), "D": (a.copy(), "n")})
    assert "another name" in result.why


def test_every_symbol_plays_a_part():
    result = judge("C = A B + D - D", lambda rng, n, k: product(rng, n, k) | {"D": (rng.normal(size=(n, n)), "n n")})
    assert "moving D changes nothing" in result.why


def test_a_free_symbol_need_not_play_a_part_and_gets_random_values():
    def make(rng, n, k):
        return product(rng, n, k) | {"D": (np.zeros((n, n)), "n n")}

    assert judge("C = A B + D - D", make, Reading(free=("D",))).ok


def test_an_epsilon_too_small_to_matter_is_noticed():
    def make(rng, n, k):
        v = rng.uniform(1, 2, n)
        return {"s": (np.sqrt(v), "n"), "v": (v, "n"), r"\epsilon": (1e-13, "")}

    assert r"moving \epsilon changes nothing" in judge(r"s_i = \sqrt{v_i + \epsilon}", make).why


@pytest.mark.parametrize("value", [0.0, 1.0, 2.5])
def test_an_input_of_one_repeated_number_is_refused(value):
    def make(rng, n, k):
        A, b = rng.normal(size=(n, k)), np.full(k, value)
        return {"C": (A + b, "n k"), "A": (A, "n k"), "b": (b, "k")}

    assert f"b is {value:g} everywhere" in judge(r"C = A + \mathbf{1} b^\top", make).why


def scores(rng, n, k):
    return rng.normal(size=(n, n))


def test_a_premise_must_be_true_somewhere_and_false_somewhere():
    def make(rng, n, k):
        return {"D": (scores(rng, n, k), "n n"), "S": (scores(rng, n, k), "n n")}

    never = judge(r"S_{ij} = 0 \Rightarrow D_{ij} = 0", make, Reading(property=True))
    always = judge(r"i < 100 \Rightarrow D_{ij} - S_{ij} = D_{ij} - S_{ij}", make, Reading(property=True))
    assert "S_{ij} = 0 is never met" in never.why
    assert "i < 100 is always met" in always.why


@pytest.mark.parametrize(
    ("condition", "says"), [("1 = 2", "never"), ("2 > 4", "never"), ("1 < 2", "always"), (r"1 \in \{1, 2\}", "always")]
)
@pytest.mark.parametrize(
    "latex",
    [
        r"A_{{ij}} = 7 \text{{ for }} {}",
        r"A_{{ij}} = \begin{{cases}} 7 & {} \\ B_{{ij}} & \text{{otherwise}} \end{{cases}}",
    ],
)
def test_a_condition_of_numbers_alone_is_refused(latex, condition, says):
    def make(rng, n, k):
        A = np.full((n, n), 7.0) if says == "always" else scores(rng, n, k)
        return {"A": (A, "n n"), "B": (A if says == "never" else scores(rng, n, k), "n n")}

    why = judge(latex.format(condition), make, Reading(property=True)).why
    assert why == f"the condition {condition} is {says} met in the trials"


def test_premises_and_conditions_must_be_met_together_somewhere():
    def make(rng, n, k):
        A = np.tril(scores(rng, n, k))
        return {"A": (A, "n n")}

    why = judge(r"A_{ij} = 3 \text{ for } A_{ij} = 0, j < i", make, Reading(property=True)).why
    assert why == r"the condition A_{ij} = 3 \text{ for } A_{ij} = 0, j < i is never met in the trials"


@pytest.mark.parametrize(
    "latex", ["D = D", r"D_{ij} = 0 \Rightarrow D_{ij} = 0", "D = E", "E_{ij} - D_{ij} = 0", r"D_{ij} < \infty"]
)
def test_a_property_that_holds_whatever_the_code_computes_is_refused(latex):
    """E is another notation of the same value."""

    def make(rng, n, k):
        D = np.tril(scores(rng, n, k))
        return {"D": (D, "n n"), "E": (D, "n n")}

    why = judge(latex, make, Reading(property=True)).why
    assert why == "the property holds whatever the linked code computes: claim something of its value"


@pytest.mark.parametrize(
    "latex", [r"p_i \ge 0", r"p_i > 0", r"p_i \le 1", r"\sum_i p_i = 1", r"y_i \ge 0", r"y_i \in \{0, 1, 2\}"]
)
def test_a_property_that_other_values_of_the_code_would_break_is_proved(latex):
    """All positive, or whole: then small changes alone would not break it."""

    def make(rng, n, k):
        p, y = rng.uniform(1, 2, n), np.arange(n) % 3
        return {"y": (y, "n")} if "y" in latex else {"p": (p / p.sum(), "n")}

    assert judge(latex, make, Reading(property=True)).why is None


def test_a_membership_of_numbers_says_for_which_values_of_an_index_the_formula_holds():
    def make(rng, n, k):
        x = rng.normal(size=n)
        return {"y": (np.where(np.arange(n) < 2, -x, x), "n"), "x": (x, "n")}

    reading = Reading(property=True)
    assert judge(r"y_i = -x_i, \qquad i \in \{0, 1\}", make, reading).why is None
    assert "differ" in judge(r"y_i = -x_i, \qquad i \in \{0, 2\}", make, reading).why


def rows_of_a_softmax(rng, n, k):
    A = np.exp(rng.normal(size=(n, k)))
    A /= A.sum(axis=1, keepdims=True)
    A[0] = 0.1 + 0.2  # 0.30000000000000004
    return {"A": (A, "n k"), "k": (k, "")}


@pytest.mark.parametrize(
    ("latex", "ok"),
    [
        (r"A_{0,0} \le 0.3", True),
        (r"-A_{0,0} \ge -0.3", True),
        (r"A_{0,0} - 0.3 \le 0", True),
        (r"0 \ge A_{0,0} - 0.3", True),
        (r"A_{0,0} \le 0.3 - 10^{-9}", False),
        (r"A_{0,0} \ge 0.3 + 10^{-9}", False),
        (r"A_{0,0} > 0.3", True),
        (r"A_{0,0} < 0.3", False),
        (r"A_{0,0} < \infty", False),
        (r"A_{0,0} \ge \infty", False),
    ],
)
def test_less_or_equal_allows_for_round_off_and_less_does_not(latex, ok):
    result = judge(latex, rows_of_a_softmax, Reading(property=True))
    assert result.ok == ok
    assert ok or "does not hold" in result.why or "whatever" in result.why


def test_the_members_of_a_claimed_set_are_all_there_is():
    def make(rng, n, k):
        return {"y": (rng.permutation(n) % 3, "n")}

    assert judge(r"y_i \in \{0, 1, 2\}", make, Reading(property=True)).why is None
    assert "does not hold" in judge(r"y_i \in \{0, 1\}", make, Reading(property=True)).why


def test_a_condition_may_be_inside_of_a_sum_with_limits():
    def make(rng, n, k):
        x = rng.normal(size=n)
        return {"y": (np.array([x[: min(i + 1, 2)].sum() for i in range(n)]), "n"), "x": (x, "n")}

    latex = r"y_i = \sum_{j=0}^{i} \begin{cases} x_j & j < 2 \\ 0 & \text{otherwise} \end{cases}"
    assert judge(latex, make).why is None


def test_an_implication_is_judged_only_where_its_premise_holds():
    def make(rng, n, k):
        A = np.tril(scores(rng, n, k))
        return {"D": (A * rng.normal(size=(n, n)), "n n"), "A": (A, "n n")}

    assert judge(r"A_{ij} = 0 \quad\Rightarrow\quad D_{ij} = 0", make, Reading(property=True)).ok
    assert not judge(r"A_{ij} \ne 0 \quad\Rightarrow\quad D_{ij} = 0", make, Reading(property=True)).ok


def test_zero_is_measured_against_what_cancels():
    def make(rng, n, k):
        x = rng.normal(size=n) * 1e6
        x -= x.mean()
        return {"s": (x.sum(), ""), "x": (x, "n")}

    assert judge(r"s = \sum_i x_i = 0", make, Reading(property=True)).ok


def test_zero_is_exact_where_nothing_cancels():
    def make(rng, n, k):
        return {"D": (np.where(np.tri(n), scores(rng, n, k), 1e-30), "n n")}

    assert not judge(r"D_{ij} = 0 \text{ for } j > i", make, Reading(property=True)).ok


@pytest.mark.parametrize("big", ["10^{11}", "10^{11} k", r"\prod_{i=0}^{9} (7 + k)"])
@pytest.mark.parametrize("zero", [False, True])
def test_terms_that_are_written_to_cancel_buy_no_tolerance(big, zero):
    def make(rng, n, k):
        A = rng.normal(size=(n, k))
        A -= A.mean(axis=0)
        return {"s": (A.sum(axis=0), "k"), "A": (A, "n k"), "k": (k, "")}

    latex = r"s_j = \sum_i A_{ij}" + f" + {big} - {big} + 0.0009" + (" = 0" if zero else "")
    result = judge(latex, make, Reading(property=zero))
    assert "differ" in result.why
    assert judge(r"s_j = \sum_i A_{ij} = 0", make, Reading(property=True)).ok


@pytest.mark.parametrize(("error", "ok"), [(0.0, True), (1e-15, True), (1e-12, False), (1e-6, False)])
def test_a_sum_that_cancels_may_be_added_up_in_another_order(error, ok):
    """Only round-off is left of it, in which one order of adding has no digit in common with another."""

    def make(rng, n, k):
        A = rng.normal(size=(n, k))
        A -= A.mean(axis=0)
        return {"s": (A[::-1].cumsum(axis=0)[-1] + error, "k"), "A": (A, "n k")}

    assert judge(r"s = \mathbf{1}^\top A", make).ok == ok


def test_the_formula_must_speak_of_every_entry_of_its_target():
    def make(rng, n, k):
        S = scores(rng, n, k)
        return {"M": (np.where(np.tri(n, dtype=bool), S, -np.inf), "n n"), "S": (S, "n n")}

    half = judge(r"M_{ij} = S_{ij} \text{ for } j \le i", make)
    assert "does not say what every entry" in half.why
    assert judge(r"M_{ij} = \begin{cases} S_{ij} & j \le i \\ -\infty & \text{otherwise} \end{cases}", make).ok


def test_infinities_must_be_equal():
    def make(rng, n, k):
        S = scores(rng, n, k)
        return {"M": (np.where(np.tri(n, dtype=bool), S, -1e300), "n n"), "S": (S, "n n")}

    assert not judge(r"M_{ij} = \begin{cases} S_{ij} & j \le i \\ -\infty & j > i \end{cases}", make).ok


def test_cases_may_not_overlap():
    def make(rng, n, k):
        return {"M": (scores(rng, n, k), "n n"), "S": (scores(rng, n, k), "n n")}

    result = judge(r"M_{ij} = \begin{cases} S_{ij} & j \le i \\ -\infty & j \ge i \end{cases}", make)
    assert "exactly once" in result.why


def test_free_indices_keep_the_order_of_the_left_side():
    def make(rng, n, k):
        A = rng.normal(size=(n, n))
        return {"C": (A @ A, "n n"), "A": (A, "n n")}

    assert judge(r"(A A)_{ij} = \sum_m A_{mj} A_{im}", make).ok
    assert not judge(r"(A A)_{ji} = \sum_m A_{im} A_{mj}", make).ok


def test_an_index_on_one_side_only_is_refused():
    result = judge("C_{ij} = A_i", lambda rng, n, k: {"C": (scores(rng, n, k), "n n"), "A": (rng.normal(size=n), "n")})
    assert "the index j is on one side only" in result.why


def test_an_index_with_two_lengths_is_refused():
    result = judge(
        "C_{ij} = A_{ji}",
        lambda rng, n, k: {"C": (rng.normal(size=(n, k)), "n k"), "A": (rng.normal(size=(n, k)), "n k")},
    )
    assert "runs over an axis of" in result.why


def test_division_by_a_matrix_is_refused():
    assert "division by a vector or matrix" in judge(r"C = \frac{A B}{A}", product).why


def test_a_family_needs_its_members_named():
    def make(rng, n, k):
        x = {"q": rng.normal(size=n), "k": rng.normal(size=n)}
        return {"y_p": ({key: 2 * value for key, value in x.items()}, "n"), "x_p": (x, "n")}

    assert judge(r"y_p = 2 x_p, \qquad p \in \{q, k\}", make, code=False).ok
    assert r"p \in \{q, k\}" in judge(r"y_p = 2 x_p", make, code=False).why


def test_a_fault_of_the_checker_is_not_a_verdict():
    def broken(arguments, caller):
        raise ZeroDivisionError("a fault")

    result = judge(r"C = \operatorname{f}(A, B)", product, Reading({"f": broken}))
    assert result.why == "not checked: ZeroDivisionError: a fault"
    assert not result.ok


def test_without_a_trial_nothing_is_checked():
    formula = parse("C = A", Notation.of([Symbol("C", "", "C"), Symbol("A", "", "A")]))
    result = prove(formula, [], Reading())
    assert (result.ok, result.trials) == (False, 0)
    assert result.why.startswith("not checked")


def test_a_symbol_without_a_recorded_value_is_named():
    bound = Bound(np.arange(3.0), ("n",))
    formula = parse("C_i = 2 A_i", Notation.of([Symbol("C", "", "C"), Symbol("A", "", "A")]))
    result = prove(formula, [Trial({"C": bound}, (bound,), {})], Reading())
    assert result.why == "not checked: no value was recorded for A"


def test_an_operator_without_a_formula_is_named():
    assert "f is defined by no formula" in judge(r"C = \operatorname{f}(A, B)", product).why
