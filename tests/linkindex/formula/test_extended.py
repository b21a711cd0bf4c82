"""Zero extension, against plain loops in which every array is 0 beyond its axes."""

import numpy as np
import pytest

from linkindex.formula import Bound, EvaluationError, Notation, Reading, Trial, parse
from linkindex.formula.compare import compare
from linkindex.formula.evaluate import Evaluator
from linkindex.formula.values import Value, bind
from linkindex.model import Symbol
from tests.linkindex.formula import attention_values, harder_values
from tests.linkindex.formula.extended import ZeroExtension, compare_extended

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(2, 3)), RNG.normal(size=(4, 5))
a, b, h = RNG.normal(size=3), RNG.normal(size=4), RNG.normal(size=(2, 3, 2))
SYMBOLS = {"A": (A, "n k"), "B": (B, "m l"), "a": (a, "k"), "b": (b, "m"), "h": (h, "H n k")}
NOTATION = Notation.of(Symbol(latex, "", latex) for latex in SYMBOLS)


def entry(array, *places):
    """The entry at ``places``, 0 beyond the axes."""
    inside = all(0 <= place < size for place, size in zip(places, array.shape, strict=True))
    return array[places] if inside else 0.0


def value(latex, **sizes):
    """The value of a formula by zero extension; ``sizes``: how far its indices run."""
    symbols = {name: bind(array, shape.split(), ["H"]) for name, (array, shape) in SYMBOLS.items()}
    ranges = {name: np.arange(size) for name, size in sizes.items()}
    at = Evaluator(symbols, ranges, {}, ("[H]",), ZeroExtension())
    return at(parse(latex, NOTATION).statements[0].chain.members[0][0]).data


def loops(function, *sizes):
    return np.array([function(*places) for places in np.ndindex(*sizes)]).reshape(sizes)


def test_a_row_is_a_matrix_of_one_row():
    expected = loops(lambda i, j: entry(A, i, j) + (entry(b, j) if i == 0 else 0), 2, 4)
    np.testing.assert_allclose(value(r"A + b^\top"), expected)


def test_a_column_is_a_matrix_of_one_column():
    expected = loops(lambda i, j: entry(A, i, j) + (entry(b, i) if j == 0 else 0), 4, 3)
    np.testing.assert_allclose(value("A + b"), expected)


def test_a_column_of_ones_is_as_long_as_its_place_asks_for():
    expected = loops(lambda i, j: entry(A, i, j) + (1 if j == 0 else 0), 2, 3)
    np.testing.assert_allclose(value(r"A + \mathbf{1}"), expected)


def test_a_number_goes_with_every_entry():
    np.testing.assert_allclose(value("A + 2"), A + 2)


@pytest.mark.parametrize(("latex", "function"), [(r"A \odot B", np.multiply), ("A - B", np.subtract)])
def test_matrices_of_different_sizes_are_filled_with_zeros(latex, function):
    np.testing.assert_allclose(value(latex), loops(lambda *at: function(entry(A, *at), entry(B, *at)), 4, 5))


def test_inner_sizes_that_differ_are_filled_with_zeros():
    expected = loops(lambda i, j: sum(entry(A, i, m) * entry(B, m, j) for m in range(4)), 2, 5)
    np.testing.assert_allclose(value("A B"), expected)


def test_an_inner_product_goes_over_the_longer_vector():
    np.testing.assert_allclose(value(r"a \cdot b"), sum(entry(a, i) * entry(b, i) for i in range(4)))


def test_two_columns_side_by_side_are_two_matrices_of_one_column():
    expected = loops(lambda i, j: entry(a, i) * entry(b, 0), 3, 1)  # the inner size is 1
    np.testing.assert_allclose(value("a b"), expected)


def test_two_rows_side_by_side_are_two_matrices_of_one_row():
    expected = loops(lambda i, j: entry(a, 0) * entry(b, j), 1, 4)
    np.testing.assert_allclose(value(r"a^\top b^\top"), expected)


def test_a_matrix_before_a_row_is_a_product_with_a_matrix_of_one_row():
    np.testing.assert_allclose(value(r"A b^\top"), loops(lambda i, j: entry(A, i, 0) * entry(b, j), 2, 4))


def test_an_index_beyond_its_axis_reads_zero():
    np.testing.assert_allclose(value("A_{i, j + 1}", i=3, j=4), loops(lambda i, j: entry(A, i, j + 1), 3, 4))
    np.testing.assert_allclose(value("A_{i - 1, j}", i=3, j=4), loops(lambda i, j: entry(A, i - 1, j), 3, 4))


def test_a_head_beyond_the_last_one_is_zero():
    np.testing.assert_allclose(value("h^{(p)}", p=3), loops(lambda p, i, j: entry(h, p, i, j), 3, 3, 2))


def test_cases_are_zero_where_none_holds_and_added_where_two_hold():
    gap = value(r"\begin{cases} a_i & i < 1 \\ 7 & i > 1 \end{cases}", i=3)
    overlap = value(r"\begin{cases} a_i & i \le 1 \\ 7 & i \ge 1 \end{cases}", i=3)
    np.testing.assert_allclose(gap, [a[0], 0, 7])
    np.testing.assert_allclose(overlap, [a[0], a[1] + 7, 7])


def test_a_run_without_entries_is_a_matrix_without_columns():
    none = value(r"A + \begin{bmatrix} h^{(2)} & \cdots & h^{(1)} \end{bmatrix}")
    np.testing.assert_allclose(none, A)


@pytest.mark.parametrize(
    ("relation", "holds"),
    [("= 0", True), (r"\ne 0", False), ("< 1", True), ("> 1", False), (r"\le 0", True), (r"\ge 0", True)]
    + [(r"\in \{0, 9\}", True)],
)
def test_a_condition_on_an_entry_beyond_its_axis_is_one_on_zero(relation, holds):
    indicator = value(rf"\mathbb{{1}}[a_{{i+1}} {relation}]", i=3)
    cases = value(rf"\begin{{cases}} 7 & a_{{i+1}} {relation} \\ 5 & \text{{otherwise}} \end{{cases}}", i=3)
    below = value(rf"\sum_{{j \ge 2, a_{{j+1}} {relation}}} 7", **{"j·1": 3})
    assert (indicator[2], cases[2], below) == ((1, 7, 7) if holds else (0, 5, 0))


def test_arrays_of_more_axes_than_a_matrix_are_not_filled():
    cube = Value(np.ones((2, 3, 4)), rank=3)
    with pytest.raises(EvaluationError, match="cannot be combined"):
        ZeroExtension().entrywise(np.add, cube, Value(A, rank=2))


# --- comparison


def compared(wrong, right, **symbols):
    """``symbols``: latex=(array, shape); the first one is the target."""
    notation = Notation.of(Symbol(latex, "", latex) for latex in symbols)
    bound = {latex: Bound(array, tuple(shape.split())) for latex, (array, shape) in symbols.items()}
    trial = Trial(bound, (next(iter(bound.values())),), {})
    with np.errstate(invalid="ignore"):
        return compare_extended(parse(wrong, notation), parse(right, notation), trial, Reading())


@pytest.mark.parametrize(("last", "agrees"), [(0.0, True), (3.0, False)])
def test_the_shorter_side_is_filled_with_zeros(last, agrees):
    x = np.array([1.0, 2.0, last])
    assert compared("y = x", r"y = x", y=(x[:2], "n"), x=(x, "m")).agrees == agrees


@pytest.mark.parametrize(("last", "agrees"), [(2.0, True), (3.0, False)])
def test_an_index_on_one_side_only_stands_for_all_its_values(last, agrees):
    Y, x = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, last]]), np.array([1.0, 2.0])
    assert compared("Y_{ij} = x_i", r"Y_{ij} = x_i + 0 Y_{ij}", Y=(Y, "n k"), x=(x, "n")).agrees == agrees


@pytest.mark.parametrize(("last", "agrees"), [(2.0, True), (3.0, False)])
def test_an_index_runs_as_in_the_right_formula(last, agrees):
    """Nowhere alone in a subscript, it would not be known how far i runs. Beyond the axes both sides are 0."""
    y, x = np.array([7.0, 2.0]), np.array([8.0, last])
    assert compared("y_{i+1} = x_{i+1}", "y_i = x_i", y=(y, "n"), x=(x, "n")).agrees == agrees


def test_an_entry_without_a_value_does_not_hide_the_difference_of_another():
    x = np.array([-1.0, 4.0])
    assert compared(r"y_i = \sqrt{x_i}", "y_i = x_i", y=(x, "n"), x=(x, "n")).finite_error > 0.1
    with pytest.raises(EvaluationError, match="not a number"):  # nothing else differs
        compared(r"y_i = \sqrt{x_i}", "y_i = x_i", y=(np.array([5.0, 2.0]), "n"), x=(x, "n"))


@pytest.mark.parametrize("form", ["{} = 0 \\Rightarrow y_i = x_i", "y_i = x_i \\text{{ for }} {} = 0"])
@pytest.mark.parametrize(("last", "agrees"), [(2.0, True), (3.0, False)])
def test_a_statement_holds_where_its_condition_on_an_entry_beyond_the_axis_reads_zero(form, last, agrees):
    y, x = np.array([1.0, 2.0]), np.array([8.0, last])
    assert compared(form.format("x_{i+1}"), "y_i = x_i", y=(y, "n"), x=(x, "n")).agrees == agrees


@pytest.mark.parametrize("form", ["{} = 0 \\Rightarrow y_i = x_i", "y_i = x_i \\text{{ for }} {} = 0"])
def test_a_condition_that_is_zero_by_zero_leaves_the_formula_without_a_value(form):
    y, x = np.array([1.0, 2.0]), np.array([0.0, 3.0])
    with pytest.raises(EvaluationError, match="neither true nor false"):
        compared(form.format(r"\frac{x_i}{x_i}"), "y_i = x_i", y=(y, "n"), x=(x, "n"))


@pytest.mark.parametrize(
    ("case", "name"),
    [(values.case, name) for values in (attention_values, harder_values) for name in values.FORMULAS],
)
def test_a_right_formula_keeps_its_value(case, name):
    formula, trials, reading = case(name)
    for trial in trials:
        strict, extended = compare(formula, trial, reading), compare_extended(formula, formula, trial, reading)
        assert strict.agrees
        assert (extended.error, extended.truths) == (strict.error, strict.truths)
