"""Sinusoidal and learned positions."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.checks import check_by_differences
from transformer.positions import learned_positions_backward, learned_positions_forward, sinusoidal_positions


def test_every_entry_is_the_definition():
    T, d = 7, 10
    expected = np.zeros((T, d))
    for pos in range(T):
        for i in range(d // 2):
            angle = pos / 10000 ** (2 * i / d)
            expected[pos, 2 * i], expected[pos, 2 * i + 1] = math.sin(angle), math.cos(angle)
    assert_allclose(sinusoidal_positions(T, d), expected, rtol=1e-14, atol=1e-15, strict=True)


def test_row_C17_the_columns_of_a_pair_share_one_frequency():
    """d = 4, position 1: (0.8415, 0.5403, 0.0100, 0.99995). A doubled exponent would give (.., 0.99995, 0.0001, 1)."""
    assert_allclose(sinusoidal_positions(2, 4)[1], [0.8415, 0.5403, 0.0100, 0.99995], atol=5.1e-5)
    PE = sinusoidal_positions(50, 64)
    assert_allclose(PE[:, 0::2] ** 2 + PE[:, 1::2] ** 2, np.ones((50, 32)), rtol=1e-14)


def test_row_C17_a_rotation_by_k_maps_a_position_to_the_one_k_later():
    T, d, k = 50, 12, 7
    PE = sinusoidal_positions(T + k, d)
    for i in range(d // 2):
        angle = k / 10000 ** (2 * i / d)
        turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        for pos in range(T):
            assert_allclose(turn @ PE[pos, 2 * i:2 * i + 2], PE[pos + k, 2 * i:2 * i + 2], atol=1e-12)


def test_row_C19_interleaved_and_the_longest_wavelength_is_not_reached():
    """i runs from 0 to d/2 - 1: for d = 512 the longest is 60,611.5, not 10000 times 2 pi = 62,831.9."""
    sine, cosine = sinusoidal_positions(2, 512)[1, -2:]
    assert f"{2 * math.pi / math.atan2(sine, cosine):.1f}" == "60611.5"
    PE = sinusoidal_positions(3, 8)
    halves = np.concatenate([PE[:, 0::2], PE[:, 1::2]], axis=1)  # the other layout: sines first, then cosines
    assert np.abs(halves - PE).max() > 0.5
    assert_array_equal(PE[0], [0, 1] * 4)


@pytest.mark.parametrize("d", [1, 5])
def test_row_C18_an_odd_width_is_refused_with_a_sentence(d):
    with pytest.raises(ValueError, match=f"the width must be even, got d = {d}"):
        sinusoidal_positions(3, d)


def test_row_C20_positions_count_from_zero_or_from_where_the_text_stopped():
    """Row t is position t; after six tokens come the positions 6, 7, 8, in pieces or at once."""
    whole = sinusoidal_positions(9, 6)
    assert_array_equal(np.concatenate([sinusoidal_positions(6, 6), sinusoidal_positions(3, 6, start=6)]), whole)
    x, P = np.zeros((2, 3, 6)), np.random.default_rng(0).normal(size=(11, 6))
    for start in (0, 6):
        y, _ = learned_positions_forward(x, P, start)
        for n, t in np.ndindex(2, 3):
            assert_array_equal(y[n, t], P[start + t])


def test_tables_have_the_dtype_asked_for_and_are_computed_in_double():
    """A large position in float32 arithmetic would lose the angle itself."""
    single = sinusoidal_positions(2, 6, start=100_000, dtype=np.float32)
    assert single.dtype == np.float32
    assert_allclose(single, sinusoidal_positions(2, 6, start=100_000), atol=6e-8)


def test_gradients_of_learned_positions_add_up_over_sequences():
    rng = np.random.default_rng(0)
    x, P, dy = rng.normal(size=(2, 3, 4)), rng.normal(size=(7, 4)), rng.normal(size=(2, 3, 4))
    _, cache = learned_positions_forward(x, P, 2)
    dx, grads = learned_positions_backward(dy, cache)
    check_by_differences("x", dx, lambda moved: np.sum(learned_positions_forward(moved, P, 2)[0] * dy), x)
    check_by_differences("P", grads["P"], lambda moved: np.sum(learned_positions_forward(x, moved, 2)[0] * dy), P)
    assert not grads["P"][[0, 1, 5, 6]].any()


@pytest.mark.parametrize(("start", "said"), [(5, "5 to 7"), (-1, "-1 to 1")])
def test_a_text_longer_than_the_table_is_refused(start, said):
    with pytest.raises(ValueError, match=f"positions {said} are asked for, the table has 0 to 6"):
        learned_positions_forward(np.zeros((3, 4)), np.zeros((7, 4)), start)


@pytest.mark.parametrize("shape", [(2, 0, 6), (0, 3, 6), (2, 3, 0)])
def test_no_positions_no_sequences_and_no_columns_have_gradients_of_zero(shape):
    x = np.zeros(shape)
    y, cache = learned_positions_forward(x, np.ones((11, shape[-1])), start=5)
    dx, grads = learned_positions_backward(y, cache)
    assert dx is y and y.shape == shape
    assert_array_equal(grads["P"], np.zeros((11, shape[-1])))
