"""Initial parameters."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.page_numbers import DATA
from transformer import init
from transformer.init import (init_attention, init_layer_norm, init_linear, init_rms_norm, xavier_normal,
                              xavier_uniform)

DECK = json.loads((DATA / "deck_numbers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("fan_in", "fan_out"), [(200, 300), (300, 100)])
def test_weights_fill_the_interval_evenly(fan_in, fan_out):
    """The statistics of an even distribution on [-a, a], each within five standard errors."""
    W = xavier_uniform(fan_in, fan_out, np.random.default_rng(0))
    a, n = math.sqrt(6 / (fan_in + fan_out)), fan_in * fan_out
    assert W.shape == (fan_in, fan_out)
    assert np.abs(W).max() <= a
    assert W.min() < -0.999 * a and W.max() > 0.999 * a
    assert abs(W.mean()) < 5 * a / math.sqrt(3 * n)
    assert abs((W ** 2).mean() - a ** 2 / 3) < 5 * a ** 2 * math.sqrt(4 / 45 / n)


def test_weights_are_drawn_evenly_between_minus_a_and_a():
    """Number for number: the draws of the same generator on [0, 1), stretched to [-a, a)."""
    for fan_in, fan_out in ((5, 3), (2, 7), (4, 4)):
        W = xavier_uniform(fan_in, fan_out, np.random.default_rng(3))
        a = (6 / (fan_in + fan_out)) ** 0.5
        drawn = np.random.default_rng(3)
        expected = [[-a + 2 * a * drawn.random() for _ in range(fan_out)] for _ in range(fan_in)]
        assert_allclose(W, expected, rtol=1e-12, atol=1e-15)


def test_an_attention_layer_has_four_weights_and_four_biases():
    params = init_attention(12, np.random.default_rng(0))
    assert set(params) == {"wq", "bq", "wk", "bk", "wv", "bv", "wo", "bo"}
    for name, value in params.items():
        assert value.shape == ((12, 12) if name[0] == "w" else (12,)), name
        assert value.any() == (name[0] == "w"), f"{name}: weights are drawn, biases start at 0"


def test_the_four_weights_are_drawn_apart_and_a_seed_gives_the_same_again():
    first, again = (init_attention(12, np.random.default_rng(5)) for _ in range(2))
    other = init_attention(12, np.random.default_rng(6))
    weights = [first["w" + name] for name in "qkvo"]
    for index, W in enumerate(weights):
        assert not any((W == earlier).any() for earlier in weights[:index])
    for name in first:
        assert (first[name] == again[name]).all()
    assert not (first["wq"] == other["wq"]).any()


# --- the other layers ------------------------------------------------------------------------------------------------


def test_xavier_normal_has_its_deviation():
    W = xavier_normal(200, 300, np.random.default_rng(0))
    assert W.shape == (200, 300)
    assert abs(W.std() / math.sqrt(2 / 500) - 1) < 5 / math.sqrt(2 * W.size)


def test_a_linear_layer_starts_evenly_within_the_inverse_root_of_its_inputs():
    layer = init_linear(400, 300, np.random.default_rng(0))
    a = 1 / 20
    assert layer["W"].shape == (400, 300) and layer["b"].shape == (300,)
    for values in layer.values():
        assert 0.95 * a < np.abs(values).max() <= a
        assert abs((values ** 2).mean() - a ** 2 / 3) < 5 * a ** 2 * math.sqrt(4 / 45 / values.size)


@pytest.mark.parametrize(("name", "arguments", "shapes"), [
    ("init_embedding", (7, 5), {"E": (7, 5)}),
    ("init_learned_positions", (7, 5), {"P": (7, 5)}),
    ("init_ffn", (5, 8), {"w1": (5, 8), "b1": (8,), "w2": (8, 5), "b2": (5,)}),
    ("init_ffn_swiglu", (5, 8), {"w_gate": (5, 8), "w_up": (5, 8), "w_down": (8, 5)}),
    ("init_attention", (6,), {n + k: (6, 6) if n == "w" else (6,) for k in "qkvo" for n in "wb"}),
])
def test_parameters_have_names_shapes_and_the_dtype_asked_for(name, arguments, shapes):
    """Matrices are drawn, each apart from the others; biases start at 0."""
    params = getattr(init, name)(*arguments, np.random.default_rng(0), dtype=np.float32)
    assert {key: value.shape for key, value in params.items()} == shapes
    assert {value.dtype for value in params.values()} == {np.dtype(np.float32)}
    firsts = [value.flat[0] for value in params.values() if value.ndim == 2]
    assert len(set(firsts)) == len(firsts)
    assert all(value.any() == (value.ndim == 2) for value in params.values())


def test_norms_start_without_a_scale_or_shift():
    norm, rms = init_layer_norm(4, np.float32), init_rms_norm(4, np.float32)
    assert_array_equal(norm["gamma"], np.ones(4, np.float32), strict=True)
    assert_array_equal(norm["beta"], np.zeros(4, np.float32), strict=True)
    assert_array_equal(rms["gamma"], np.ones(4, np.float32), strict=True)
    assert set(norm) == {"gamma", "beta"} and set(rms) == {"gamma"}


def test_row_E37_published_weights_are_compared_with_stored_numbers():
    """A seed alone is no provenance. The deck's 36 draws, its first three numbers of two generators, and a sum."""
    stored = DECK["initial"]
    rng = np.random.default_rng(stored["seed"])
    d, d_k, d_v, H = (stored[name] for name in ("d_model", "d_k", "d_v", "heads"))
    for name, width in (("Wq", d_k), ("Wk", d_k), ("Wv", d_v)):
        for h in range(H):
            assert_allclose(xavier_normal(d, width, rng), stored[name][h], rtol=1e-13)
    assert_allclose(xavier_normal(H * d_v, d, rng), stored["Wo"], rtol=1e-13)
    assert [f"{x:.4f}" for x in np.random.default_rng(0).normal(size=3)] == ["0.1257", "-0.1321", "0.6404"]
    assert [f"{x:.4f}" for x in np.random.RandomState(0).normal(size=3)] == ["1.7641", "0.4002", "0.9787"]


def test_the_legacy_generator_draws_the_same_kind_of_weights():
    """Its streams are frozen, so that numbers published with it can be made again."""
    a = math.sqrt(6 / 16)
    W = xavier_uniform(8, 8, np.random.RandomState(42))
    assert_array_equal(W, np.random.RandomState(42).uniform(-a, a, (8, 8)))


def deviations(params):
    """The standard deviation of each matrix, with five times its own standard error for normal numbers."""
    return {name: (value.std(), 5 / math.sqrt(2 * value.size)) for name, value in params.items() if value.ndim == 2}


@pytest.mark.parametrize(("name", "arguments", "deviation"), [
    ("init_embedding", (600, 100), 1 / math.sqrt(100)),
    ("init_learned_positions", (600, 100), 0.02),
    ("init_ffn", (150, 400), math.sqrt(2 / 550)),
    ("init_ffn_swiglu", (150, 400), math.sqrt(2 / 550)),
    ("init_attention", (250,), math.sqrt(2 / 500)),
    ("init_linear", (400, 150), 1 / math.sqrt(3 * 400)),
])
def test_every_initialiser_has_its_scale(name, arguments, deviation):
    """GPT-2's 0.02, the inverse root of the width, Xavier's root of 2 / (fan_in + fan_out), and a / sqrt(3)."""
    found = deviations(getattr(init, name)(*arguments, np.random.default_rng(0)))
    assert found
    for matrix, (measured, error) in found.items():
        assert abs(measured / deviation - 1) < error, f"{name}, {matrix}: {measured:.5f}, not {deviation:.5f}"
