import math
from decimal import Decimal

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
