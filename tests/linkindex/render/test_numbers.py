import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkindex.render import numbers

finite = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("x, decimals, text", [
    (0.125, 2, "0.12"), (0.375, 2, "0.38"), (2.5, 0, "2"), (3.5, 0, "4"), (-0.125, 2, "-0.12"),
])
def test_a_tie_goes_to_the_even_digit(x, decimals, text):
    assert numbers.fixed(x, decimals) == text


def test_the_exact_value_of_the_float_is_rounded_and_not_its_short_text():
    # 2.675 and 1.005 look like ties; the floats behind them lie below.
    assert (numbers.fixed(2.675, 2), numbers.fixed(1.005, 2)) == ("2.67", "1.00")


@pytest.mark.parametrize("x", [-0.0, -0.00001, -1e-300])
def test_there_is_no_negative_zero(x):
    assert (numbers.fixed(x, 3), numbers.strip(x, 3)) == ("0.000", "0")


def test_strip_drops_trailing_zeros_only_behind_the_point():
    shown = [numbers.strip(x, 4) for x in (0.5, 2.0, 100.0, -1.25, 0.12344, 0)]
    assert shown == ["0.5", "2", "100", "-1.25", "0.1234", "0"]


def test_minus_infinity_is_shown_as_such_and_read_back_by_a_machine():
    assert numbers.fixed(-math.inf, 2) == "−∞"
    assert float(numbers.exact(-math.inf)) == -math.inf


@pytest.mark.parametrize("x, text", [
    (3.1e-12, "4e-12"), (0.1, "0.2"), (0.25, "0.3"), (0.0, "0"), (9.5e-7, "1e-6"), (0.5, "0.5"), (12.0, "20"),
    (-0.031, "0.04"),
])
def test_a_bound_has_one_digit(x, text):
    # The float 0.1 lies above the decimal 0.1.
    assert numbers.bound(x) == text


@given(finite)
def test_a_bound_is_never_below_the_number(x):
    assert Decimal(numbers.bound(x)) >= abs(Decimal(x))


@given(finite, st.integers(0, 12))
def test_a_rounded_number_is_within_half_a_unit(x, decimals):
    assert abs(Decimal(numbers.fixed(x, decimals)) - Decimal(x)) <= Decimal("0.5").scaleb(-decimals)


@given(finite, st.integers(0, 12))
def test_strip_and_fixed_show_the_same_number(x, decimals):
    assert Decimal(numbers.strip(x, decimals)) == Decimal(numbers.fixed(x, decimals))


# --- what would be shown as 0 and is not


def shown(*together, decimals=4, form=numbers.strip):
    show = numbers.together(together, decimals, form)
    return [show(x) for x in together]


@pytest.mark.parametrize("x, text", [
    (1e-5, "1e-5"), (-1e-5, "-1e-5"), (1.2345e-5, "1.23e-5"), (1e-300, "1e-300"), (5e-324, "4.94e-324"), (0.0, "0"),
    (-0.0, "0"), (4.9e-7, "4.9e-7"), (9.9996e-7, "1e-6"), (0.0001, "0.0001"), (0.00006, "0.0001"), (0.5, "0.5"),
    (0, "0"), (3, "3"), (float(np.float32(1e-5)), "1e-5"), (math.inf, "∞"), (-math.inf, "−∞"),
    (math.nan, "not a number"),
])  # fmt: skip
def test_a_small_number_alone_has_significant_digits(x, text):
    assert shown(x) == [text]


@pytest.mark.parametrize("x, decimals, text", [
    (0.004, 2, "0.004"), (0.3, 0, "0.3"), (0.00012345, 3, "0.000123"), (0.00004, 4, "4e-5"), (0.0049999, 2, "0.005"),
])  # fmt: skip
def test_powers_of_ten_are_written_only_where_decimals_would_be_long(x, decimals, text):
    assert shown(x, decimals=decimals) == [text]


@pytest.mark.parametrize("together, texts", [
    ([4.9e-7, 1.0], ["0", "1"]),
    ([1e-4, 2e-4], ["0.0001", "0.0002"]),
    ([1e-5, -2.5e-5, 0.0], ["1e-5", "-2.5e-5", "0"]),
    ([1e-5, 3e-20], ["1e-5", "0"]),
    ([1e-5, -3e-20], ["1e-5", "0"]),
    ([9.9999e-6, 1e-7], ["1e-5", "0.01e-5"]),
    ([1e-5, -math.inf], ["1e-5", "−∞"]),
    ([1e-5, math.nan], ["1e-5", "not a number"]),
    ([0, 0], ["0", "0"]),
    ([0.0, -0.0], ["0", "0"]),
    ([1e-17, 1], ["0", "1"]),
    ([math.inf, -math.inf], ["∞", "−∞"]),
    ([], []),
])  # fmt: skip
def test_numbers_side_by_side_have_one_power_of_ten(together, texts):
    assert shown(*together) == texts


def test_with_fixed_decimals_small_numbers_line_up():
    assert shown(1e-5, 2.5e-5, 0.0, form=numbers.fixed) == ["1.00e-5", "2.50e-5", "0.00"]
    assert shown(1e-4, 2.5e-4, decimals=2, form=numbers.fixed) == ["0.000100", "0.000250"]


@given(st.lists(finite, min_size=1), st.integers(0, 12))
def test_no_group_is_shown_as_zeros_only_unless_it_is_zero(xs, decimals):
    assert any(map(float, shown(*xs, decimals=decimals))) == any(xs)


@given(st.lists(finite, min_size=1), st.integers(0, 12))
def test_what_is_shown_is_close_to_the_largest_and_no_zero_is_negative(xs, decimals):
    largest = max(map(abs, xs))
    for x, text in zip(xs, shown(*xs, decimals=decimals)):
        slack = max(Decimal("0.5").scaleb(-decimals), Decimal(largest) / 100)
        assert abs(Decimal(text) - Decimal(x)) <= slack
        assert not (text.startswith("-") and Decimal(text) == 0)
