"""Pre-norm and post-norm layers against their formulas, and dropout inside them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer import definitions
from tests.transformer.checks import check_by_differences
from tests.transformer.definitions import TIGHT, project
from tests.transformer.model_samples import as_after_training
from transformer import decoder_only, encoder_decoder
from transformer.activations import gelu_tanh_forward
from transformer.blocks import (decoder_layer_backward, decoder_layer_forward, encoder_layer_backward,
                                encoder_layer_forward, pre_norm_block_backward, pre_norm_block_forward)
from transformer.cross_attention import cross_attention_forward
from transformer.dropout import EVALUATION, training
from transformer.masks import causal_mask
from transformer.parameters import scope

B, T, N_K, H, D, D_FF = 2, 4, 5, 3, 15, 7


def normalised(x, params, name):
    """LayerNorm by its definition, one row after the other."""
    y = np.zeros(x.shape)
    for n, t in np.ndindex(x.shape[:2]):
        row = list(x[n, t])
        mean = sum(row) / len(row)
        variance = sum((number - mean) ** 2 for number in row) / len(row)
        for c, number in enumerate(row):
            x_hat = (number - mean) / (variance + 1e-5) ** 0.5
            y[n, t, c] = params[f"{name}.gamma"][c] * x_hat + params[f"{name}.beta"][c]
    return y


def fed_forward(x, params, activation):
    return project(activation(project(x, params["ffn.w1"], params["ffn.b1"])), params["ffn.w2"], params["ffn.b2"])


def causal_attention(x, params):
    return definitions.attention(x, params, H).out


def relu(x):
    return np.array([max(0.0, number) for number in x.flat]).reshape(x.shape)


def sample():
    """x, memory, and the parameters of a pre-norm block, an encoder layer and a decoder layer."""
    rng = np.random.default_rng(0)
    x, memory = rng.normal(size=(B, T, D)), rng.normal(size=(B, N_K, D))
    pre = decoder_only.init_block(decoder_only.Config(9, 9, D, H, D_FF, 1), rng)
    config = encoder_decoder.Config(9, 9, D, H, D_FF, 1)
    encoder, decoder = encoder_decoder.init_encoder_layer(config, rng), encoder_decoder.init_decoder_layer(config, rng)
    return x, memory, *(as_after_training(part, rng) for part in (pre, encoder, decoder))


def test_row_A2_pre_norm_normalises_what_the_sublayer_reads():
    """x + sublayer(LayerNorm(x)), twice. The residual path is not normalised."""
    x, _, params, _, _ = sample()
    r = x + causal_attention(normalised(x, params, "norm1"), scope(params, "attention"))
    expected = r + fed_forward(normalised(r, params, "norm2"), params, lambda z: gelu_tanh_forward(z)[0])
    y, _ = pre_norm_block_forward(x, params, H, causal_mask(T), EVALUATION)
    assert_allclose(y, expected, **TIGHT)


def test_row_A2_post_norm_normalises_the_sum():
    """LayerNorm(x + sublayer(x)), twice."""
    x, _, _, params, _ = sample()
    z = normalised(x + causal_attention(x, scope(params, "attention")), params, "norm1")
    expected = normalised(z + fed_forward(z, params, relu), params, "norm2")
    y, _ = encoder_layer_forward(x, params, H, causal_mask(T), EVALUATION)
    assert_allclose(y, expected, **TIGHT)


def test_row_A2_the_two_are_different_functions():
    """Pre-norm rows grow, post-norm rows have the mean and variance that the last gamma and beta give them."""
    x, _, pre, post, _ = sample()
    post = {name: post[name] for name in pre} | {"norm2.gamma": np.ones(D), "norm2.beta": np.zeros(D)}
    y_pre, _ = pre_norm_block_forward(x, post, H, causal_mask(T), EVALUATION)
    y_post, _ = encoder_layer_forward(x, post, H, causal_mask(T), EVALUATION)
    assert np.abs(y_post.mean(axis=-1)).max() < 1e-12 and np.abs(y_post.var(axis=-1) - 1).max() < 1e-4
    assert np.abs(y_pre.var(axis=-1) - 1).min() > 0.1


def test_a_decoder_layer_reads_itself_then_the_memory_then_feeds_forward():
    x, memory, _, _, params = sample()
    everything = np.ones((T, N_K), dtype=bool)
    z = normalised(x + causal_attention(x, scope(params, "self")), params, "norm1")
    c, _ = cross_attention_forward(z, memory, scope(params, "cross"), H, everything)
    u = normalised(z + c, params, "norm2")
    expected = normalised(u + fed_forward(u, params, relu), params, "norm3")
    y, _ = decoder_layer_forward(x, memory, params, H, causal_mask(T), everything, EVALUATION)
    assert_allclose(y, expected, **TIGHT)


LAYERS = {
    "pre-norm block": lambda parts, drop: (pre_norm_block_forward(parts["x"], parts["pre"], H, causal_mask(T), drop),
                                           pre_norm_block_backward),
    "encoder layer": lambda parts, drop: (encoder_layer_forward(parts["x"], parts["encoder"], H, causal_mask(T), drop),
                                          encoder_layer_backward),
    "decoder layer": lambda parts, drop: (decoder_layer_forward(parts["x"], parts["memory"], parts["decoder"], H,
                                                                causal_mask(T), np.ones((T, N_K), bool), drop),
                                          decoder_layer_backward),
}


@pytest.mark.parametrize("name", LAYERS)
def test_the_gradient_passes_through_the_dropout_of_the_forward(name):
    """Central differences with the same generator each time, so that the same entries are dropped."""
    parts = dict(zip(("x", "memory", "pre", "encoder", "decoder"), sample(), strict=True))
    dy = np.random.default_rng(5).normal(size=(B, T, D))

    def f(moved):
        (y, _), _ = LAYERS[name]({**parts, "x": moved}, training(0.3, np.random.default_rng(2)))
        return float(np.sum(y * dy))

    (y, cache), backward = LAYERS[name](parts, training(0.3, np.random.default_rng(2)))
    check_by_differences(f"{name}: x", backward(dy, cache)[0], f, parts["x"])
    evaluated = LAYERS[name](parts, EVALUATION)[0][0]
    assert not np.allclose(evaluated, y)


@pytest.mark.parametrize("name", LAYERS)
def test_row_E33_evaluation_equals_training_without_dropout(name):
    parts = dict(zip(("x", "memory", "pre", "encoder", "decoder"), sample(), strict=True))
    (y, _), _ = LAYERS[name](parts, EVALUATION)
    (none_dropped, _), _ = LAYERS[name](parts, training(0.0, np.random.default_rng(0)))
    assert_array_equal(none_dropped, y)
