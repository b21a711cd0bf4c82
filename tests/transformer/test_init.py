"""Initial parameters."""

import math

import numpy as np
import pytest

from transformer.init import init_attention, xavier_uniform


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
