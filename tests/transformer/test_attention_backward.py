"""The formulas of the backward pass: each linked test computes its formula with loops and compares every entry.

Gradients inside the function are followed to the first one that it returns. The sizes of the samples see to it that
nothing is lost on the way (samples.py).
"""

import math

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer import definitions
from tests.transformer.definitions import TIGHT, bias_gradient, merge, project_back, split, weight_gradient
from tests.transformer.samples import attention_sample
from transformer.attention import attention_backward, attention_forward


def test_output_weight_gradient():
    Xn, params, H, mask, dOut = attention_sample()
    O = definitions.attention(Xn, params, H).O
    B, T, d = O.shape
    expected = np.zeros((d, d))
    o, dout = O.tolist(), dOut.tolist()
    for k, c in np.ndindex(d, d):
        expected[k, c] = sum(o[n][t][k] * dout[n][t][c] for n in range(B) for t in range(T))
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    assert_allclose(grads["wo"], expected, **TIGHT)


def test_output_bias_gradient():
    Xn, params, H, mask, dOut = attention_sample()
    B, T, d = dOut.shape
    expected = np.array([sum(dOut[n, t, c] for n in range(B) for t in range(T)) for c in range(d)])
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    assert_allclose(grads["bo"], expected, **TIGHT)


def test_gradient_on_the_weighted_values():
    """Seen in the gradients of the value weights, through dV_h, and of the query weights, through dA."""
    Xn, params, H, mask, dOut = attention_sample()
    f = definitions.attention(Xn, params, H)
    dOh = np.zeros(f.Oh.shape)
    B, _, T, width = dOh.shape
    for n, h, t, i in np.ndindex(dOh.shape):
        row_of_Wo = params["wo"][h * width + i]
        dOh[n, h, t, i] = sum(dOut[n, t, c] * row_of_Wo[c] for c in range(H * width))
    dVh = definitions.mix_columns(f.A, dOh)
    dS = definitions.softmax_gradient(f.A, definitions.row_products(dOh, f.Vh))
    dQh = definitions.mix_rows(dS, f.Kh) / math.sqrt(width)
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    assert_allclose(grads["wv"], weight_gradient(Xn, merge(dVh)), **TIGHT)
    assert_allclose(grads["wq"], weight_gradient(Xn, merge(dQh)), **TIGHT)


def test_value_gradient():
    """Seen in the gradient of the value weights."""
    Xn, params, H, mask, dOut = attention_sample()
    f = definitions.attention(Xn, params, H)
    dOh = split(project_back(dOut, params["wo"]), H)
    dVh = np.zeros(f.Vh.shape)
    for n, h, j, m in np.ndindex(dVh.shape):
        dVh[n, h, j, m] = sum(f.A[n, h, i, j] * dOh[n, h, i, m] for i in range(dVh.shape[2]))
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    assert_allclose(grads["wv"], weight_gradient(Xn, merge(dVh)), **TIGHT)


def test_weight_gradient():
    """Seen in the gradient of the query weights, through the scores."""
    Xn, params, H, mask, dOut = attention_sample()
    f = definitions.attention(Xn, params, H)
    dOh = split(project_back(dOut, params["wo"]), H)
    width = dOh.shape[3]
    dA = np.zeros(f.A.shape)
    for n, h, i, j in np.ndindex(dA.shape):
        dA[n, h, i, j] = sum(dOh[n, h, i, m] * f.Vh[n, h, j, m] for m in range(width))
    dQh = definitions.mix_rows(definitions.softmax_gradient(f.A, dA), f.Kh) / math.sqrt(width)
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    assert_allclose(grads["wq"], weight_gradient(Xn, merge(dQh)), **TIGHT)


def test_score_gradient():
    """Seen in the gradients of the query and the key weights."""
    Xn, params, H, mask, dOut = attention_sample()
    f = definitions.attention(Xn, params, H)
    g = definitions.attention_gradients(dOut, f, params)
    T, width = f.Qh.shape[2:]
    dS = np.zeros(f.A.shape)
    for n, h, i, j in np.ndindex(dS.shape):
        mean = sum(f.A[n, h, i, k] * g.dA[n, h, i, k] for k in range(T))
        dS[n, h, i, j] = f.A[n, h, i, j] * (g.dA[n, h, i, j] - mean)
    dQh = definitions.mix_rows(dS, f.Kh) / math.sqrt(width)
    dKh = definitions.mix_columns(dS, f.Qh) / math.sqrt(width)
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    assert_allclose(grads["wq"], weight_gradient(Xn, merge(dQh)), **TIGHT)
    assert_allclose(grads["wk"], weight_gradient(Xn, merge(dKh)), **TIGHT)


def test_a_masked_cell_gets_no_gradient():
    """A gradient on position i alone reaches the positions up to i as computed here, and no later one at all."""
    Xn, params, H, mask, dOut = attention_sample()
    f = definitions.attention(Xn, params, H)
    B, _, T, width = f.Qh.shape
    _, cache = attention_forward(Xn, params, H, mask)
    for i in range(T):
        dOut_i = np.zeros(dOut.shape)
        dOut_i[:, i] = dOut[:, i]
        dOh = split(project_back(dOut_i, params["wo"]), H)
        dQh, dKh, dVh = np.zeros(f.Qh.shape), np.zeros(f.Kh.shape), np.zeros(f.Vh.shape)
        for n, h in np.ndindex(B, H):
            dA = [sum(dOh[n, h, i, m] * f.Vh[n, h, j, m] for m in range(width)) for j in range(i + 1)]
            mean = sum(f.A[n, h, i, j] * dA[j] for j in range(i + 1))
            for j in range(i + 1):
                dS = f.A[n, h, i, j] * (dA[j] - mean)
                dQh[n, h, i] += dS * f.Kh[n, h, j] / math.sqrt(width)
                dKh[n, h, j] += dS * f.Qh[n, h, i] / math.sqrt(width)
                dVh[n, h, j] += f.A[n, h, i, j] * dOh[n, h, i]
        parts = [project_back(merge(dMh), params[name]) for dMh, name in ((dQh, "wq"), (dKh, "wk"), (dVh, "wv"))]
        dXn, _ = attention_backward(dOut_i, cache)
        assert_array_equal(dXn[:, i + 1:], np.zeros((B, T - i - 1, Xn.shape[2])), strict=True)
        assert_allclose(dXn, sum(parts), **TIGHT)


def test_query_gradient():
    """Seen in the gradient of the query weights."""
    Xn, params, H, mask, dOut = attention_sample()
    f = definitions.attention(Xn, params, H)
    dS = definitions.attention_gradients(dOut, f, params).dS
    T, width = f.Qh.shape[2:]
    dQh = np.zeros(f.Qh.shape)
    for n, h, i, m in np.ndindex(dQh.shape):
        dQh[n, h, i, m] = sum(dS[n, h, i, j] * f.Kh[n, h, j, m] for j in range(T)) / math.sqrt(width)
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    assert_allclose(grads["wq"], weight_gradient(Xn, merge(dQh)), **TIGHT)


def test_key_gradient():
    """Seen in the gradient of the key weights."""
    Xn, params, H, mask, dOut = attention_sample()
    f = definitions.attention(Xn, params, H)
    dS = definitions.attention_gradients(dOut, f, params).dS
    T, width = f.Kh.shape[2:]
    dKh = np.zeros(f.Kh.shape)
    for n, h, j, m in np.ndindex(dKh.shape):
        dKh[n, h, j, m] = sum(dS[n, h, i, j] * f.Qh[n, h, i, m] for i in range(T)) / math.sqrt(width)
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    assert_allclose(grads["wk"], weight_gradient(Xn, merge(dKh)), **TIGHT)


def test_gradients_of_the_heads_are_merged():
    """Seen in the gradients of the three weight matrices, whose column h d_h + i belongs to column i of head h."""
    Xn, params, H, mask, dOut = attention_sample()
    f = definitions.attention(Xn, params, H)
    g = definitions.attention_gradients(dOut, f, params)
    B, _, T, width = f.Qh.shape
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    for name, dMh in (("wq", g.dQh), ("wk", g.dKh), ("wv", g.dVh)):
        dM = np.zeros(Xn.shape)
        for n, h, t, i in np.ndindex(B, H, T, width):
            dM[n, t, h * width + i] = dMh[n, h, t, i]
        assert_allclose(grads[name], weight_gradient(Xn, dM), **TIGHT)


def test_projection_weight_gradients():
    Xn, params, H, mask, dOut = attention_sample()
    g = definitions.attention_gradients(dOut, definitions.attention(Xn, params, H), params)
    B, T, d = Xn.shape
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    for name, dM in (("wq", merge(g.dQh)), ("wk", merge(g.dKh)), ("wv", merge(g.dVh))):
        expected = np.zeros((d, d))
        x, dm = Xn.tolist(), dM.tolist()
        for k, c in np.ndindex(d, d):
            expected[k, c] = sum(x[n][t][k] * dm[n][t][c] for n in range(B) for t in range(T))
        assert_allclose(grads[name], expected, **TIGHT)


def cache_with_rows_that_do_not_add_up_to_one(Xn, params, H):
    """A cache made by hand, in which each row of weights is scaled at random, and its values as attributes.

    With weights that add up to 1 the gradient of the key bias is 0, whatever the line that computes it does with its
    operands; with these it is not.
    """
    f = definitions.attention(Xn, params, H)
    f.A = f.A * np.random.default_rng(2).uniform(0.5, 1.5, size=(*f.A.shape[:3], 1))
    return f, (Xn, (f.Qh, f.Kh, f.Vh, f.A), f.O, params, H)


def test_projection_bias_gradients():
    Xn, params, H, mask, dOut = attention_sample()
    f, cache = cache_with_rows_that_do_not_add_up_to_one(Xn, params, H)
    g = definitions.attention_gradients(dOut, f, params)
    B, T, d = Xn.shape
    _, grads = attention_backward(dOut, cache)
    for name, dM in (("bq", merge(g.dQh)), ("bk", merge(g.dKh)), ("bv", merge(g.dVh))):
        expected = np.array([sum(dM[n, t, c] for n in range(B) for t in range(T)) for c in range(d)])
        assert_allclose(grads[name], expected, **TIGHT)


def test_input_gradient():
    Xn, params, H, mask, dOut = attention_sample()
    g = definitions.attention_gradients(dOut, definitions.attention(Xn, params, H), params)
    dq, dk, dv = (merge(dMh).tolist() for dMh in (g.dQh, g.dKh, g.dVh))
    wq, wk, wv = (params[name].tolist() for name in ("wq", "wk", "wv"))
    expected = np.zeros(Xn.shape)
    for n, t, k in np.ndindex(Xn.shape):
        expected[n, t, k] = sum(dq[n][t][c] * wq[k][c] + dk[n][t][c] * wk[k][c] + dv[n][t][c] * wv[k][c]
                                for c in range(Xn.shape[2]))
    _, cache = attention_forward(Xn, params, H, mask)
    dXn, _ = attention_backward(dOut, cache)
    assert_allclose(dXn, expected, **TIGHT)


def test_the_key_bias_gets_no_gradient():
    """0 up to round-off where the weights add up to 1, and only there: the sum itself is checked with other weights."""
    Xn, params, H, mask, dOut = attention_sample()
    _, cache = attention_forward(Xn, params, H, mask)
    _, grads = attention_backward(dOut, cache)
    assert np.abs(grads["bk"]).max() < 1e-12, f"largest entry {np.abs(grads['bk']).max()}"

    f, cache = cache_with_rows_that_do_not_add_up_to_one(Xn, params, H)
    dK = merge(definitions.attention_gradients(dOut, f, params).dKh)
    _, grads = attention_backward(dOut, cache)
    assert_allclose(grads["bk"], bias_gradient(dK), **TIGHT)
