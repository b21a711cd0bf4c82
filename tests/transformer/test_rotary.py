"""Rotary positions."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.checks import check_by_differences
from transformer.rotary import rotary_backward, rotary_forward, rotary_table


def turned(row, position, base=10000.0):
    """One row at one position, from the package."""
    x = np.asarray(row, dtype=float)[None]
    return rotary_forward(x, *rotary_table(1, len(row), start=position, base=base))[0][0]


def test_every_entry_is_the_definition():
    """Column 2 i and 2 i + 1 of row t, turned by the angle t 10000^(-2 i / d_h)."""
    x = np.random.default_rng(0).normal(size=(2, 3, 4, 6))
    expected = np.zeros(x.shape)
    for n, h, t, i in np.ndindex(2, 3, 4, 3):
        angle = (t + 5) * 10000 ** (-2 * i / 6)
        a, b = x[n, h, t, 2 * i], x[n, h, t, 2 * i + 1]
        expected[n, h, t, 2 * i] = a * math.cos(angle) - b * math.sin(angle)
        expected[n, h, t, 2 * i + 1] = a * math.sin(angle) + b * math.cos(angle)
    y, _ = rotary_forward(x, *rotary_table(4, 6, start=5))
    assert_allclose(y, expected, rtol=1e-13, atol=1e-14, strict=True)


def test_row_C21_the_pairing_is_interleaved():
    """(1, 2, 3, 4) at position 1: (-1.143, 1.922, 2.960, 4.030); half-split pairs would give (-1.984, 1.960, ...)."""
    assert_allclose(turned([1, 2, 3, 4], 1), [-1.143, 1.922, 2.960, 4.030], atol=5e-4)


def test_row_C21_a_product_depends_on_the_offset_alone():
    """Positions (5, 2) and (9, 6) agree, and so does every pair that far apart; another offset differs."""
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=8), rng.normal(size=8)
    for offset in (-4, 0, 3):
        products = [turned(q, m + offset) @ turned(k, m) for m in (4, 6, 100)]
        assert_allclose(products, [products[0]] * 3, rtol=1e-10)
    assert abs(turned(q, 5) @ turned(k, 2) - turned(q, 5) @ turned(k, 3)) > 0.1


def test_row_C21_frequencies_of_the_other_layout_break_the_property():
    """Interleaved pairs with one frequency for each column instead of each pair: no rotation at all."""
    q = k = np.array([1.0, 2.0, 3.0, 4.0])

    def mixed(row, position):
        angles = position * np.array([1.0, 0.01, 1.0, 0.01])
        other = np.stack([-row[1::2], row[0::2]], axis=-1).reshape(4)
        return row * np.cos(angles) + other * np.sin(angles)

    assert abs(mixed(q, 5) @ mixed(k, 2) - mixed(q, 9) @ mixed(k, 6)) > 1
    assert_allclose(turned(q, 5) @ turned(k, 2), turned(q, 9) @ turned(k, 6), rtol=1e-12)


def test_turning_keeps_lengths_and_position_zero_changes_nothing():
    x = np.random.default_rng(0).normal(size=(4, 6))
    y, _ = rotary_forward(x, *rotary_table(4, 6))
    assert_array_equal(y[0], x[0])
    assert_allclose((y ** 2).sum(axis=-1), (x ** 2).sum(axis=-1), rtol=1e-14)


def test_the_gradient_is_turned_back():
    rng = np.random.default_rng(0)
    x, dy, table = rng.normal(size=(2, 3, 4, 6)), rng.normal(size=(2, 3, 4, 6)), rotary_table(4, 6, start=5)
    _, cache = rotary_forward(x, *table)
    dx = rotary_backward(dy, cache)
    check_by_differences("x", dx, lambda moved: np.sum(rotary_forward(moved, *table)[0] * dy), x)
    assert_allclose(rotary_backward(rotary_forward(x, *table)[0], cache), x, rtol=1e-13, atol=1e-14)


def test_a_table_continues_where_the_text_stopped():
    whole, parts = rotary_table(9, 6), [rotary_table(6, 6), rotary_table(3, 6, start=6)]
    for index in (0, 1):
        assert_array_equal(np.concatenate([part[index] for part in parts]), whole[index])


def test_an_odd_head_width_is_refused_and_the_dtype_is_kept():
    with pytest.raises(ValueError, match="the head width must be even, got d_h = 5"):
        rotary_table(3, 5)
    assert {table.dtype for table in rotary_table(3, 4, dtype=np.float32)} == {np.dtype(np.float32)}
