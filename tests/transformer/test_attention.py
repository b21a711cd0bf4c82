"""The formulas of the forward pass: each linked test computes its formula with loops and compares every entry."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer import definitions
from tests.transformer.definitions import TIGHT
from tests.transformer.samples import attention_sample
from transformer.attention import attention_backward, attention_forward, scaled_dot_product_forward
from transformer.heads import head_width
from transformer.masks import causal_mask
from transformer.softmax import softmax_forward


def log_weights_above_first(A):
    """log A_ij - log A_i0 for each j <= i, which is S_ij - S_i0: softmax hides only a constant for each row.

    A: (B, H, T, T). Returns a list of numbers, row by row.
    """
    B, H, T, _ = A.shape
    return [math.log(A[n, h, i, j]) - math.log(A[n, h, i, 0])
            for n in range(B) for h in range(H) for i in range(T) for j in range(1, i + 1)]


def scores_above_first(S):
    """S_ij - S_i0 for each j <= i, in the order of ``log_weights_above_first``."""
    B, H, T, _ = S.shape
    return [S[n, h, i, j] - S[n, h, i, 0]
            for n in range(B) for h in range(H) for i in range(T) for j in range(1, i + 1)]


# --- linked tests ----------------------------------------------------------------------------------------------------


def projection_by_head(Xn, W, b, H):
    """Entry (n, h, t, i) of Xn W + b: row t, column h d_h + i of sequence n."""
    B, T, d = Xn.shape
    width = d // H
    Mh = np.zeros((B, H, T, width))
    for n, h, t, i in np.ndindex(Mh.shape):
        column = h * width + i
        Mh[n, h, t, i] = sum(Xn[n, t, k] * W[k, column] for k in range(d)) + b[column]
    return Mh


def test_query_projection():
    Xn, params, H, mask, _ = attention_sample()
    expected = projection_by_head(Xn, params["wq"], params["bq"], H)
    _, (_, (Qh, _, _, _), *_) = attention_forward(Xn, params, H, mask)
    assert_allclose(Qh, expected, **TIGHT)


def test_key_projection():
    """Softmax hides the key bias from every output, so this looks at the keys themselves."""
    Xn, params, H, mask, _ = attention_sample()
    expected = projection_by_head(Xn, params["wk"], params["bk"], H)
    _, (_, (_, Kh, _, _), *_) = attention_forward(Xn, params, H, mask)
    assert_allclose(Kh, expected, **TIGHT)


def test_value_projection():
    Xn, params, H, mask, _ = attention_sample()
    expected = projection_by_head(Xn, params["wv"], params["bv"], H)
    _, (_, (_, _, Vh, _), *_) = attention_forward(Xn, params, H, mask)
    assert_allclose(Vh, expected, **TIGHT)


def test_queries_keys_and_values_are_split_into_heads():
    Xn, params, H, mask, _ = attention_sample()
    B, T, d = Xn.shape
    expected = np.zeros((3, B, H, T, d // H))
    for p, name in enumerate("qkv"):
        M = definitions.project(Xn, params["w" + name], params["b" + name])
        for n, h, t, i in np.ndindex(B, H, T, d // H):
            expected[p, n, h, t, i] = M[n, t, h * (d // H) + i]
    _, (_, (Qh, Kh, Vh, _), *_) = attention_forward(Xn, params, H, mask)
    assert_allclose(np.stack([Qh, Kh, Vh]), expected, **TIGHT)


def test_head_width():
    """The width of which H copies, one after the other, take up all d columns."""
    cases = [(d, H) for d in range(1, 25) for H in range(1, d + 1) if d % H == 0]
    widths = [next(width for width in range(1, d + 1) if sum([width] * H) == d) for d, H in cases]
    assert_array_equal([head_width(d, H) for d, H in cases], widths)


def test_scores():
    Xn, params, H, mask, _ = attention_sample()
    f = definitions.attention(Xn, params, H)
    B, _, T, width = f.Qh.shape
    products = np.zeros((B, H, T, T))
    for n, h, i, j in np.ndindex(products.shape):
        products[n, h, i, j] = sum(f.Qh[n, h, i, m] * f.Kh[n, h, j, m] for m in range(width))
    _, (_, (_, _, _, A), *_) = attention_forward(Xn, params, H, mask)
    measured = [math.sqrt(width) * log for log in log_weights_above_first(A)]
    assert_allclose(measured, scores_above_first(products), rtol=1e-11, atol=1e-12)


def test_scaled_scores():
    Xn, params, H, mask, _ = attention_sample()
    f = definitions.attention(Xn, params, H)
    B, _, T, width = f.Qh.shape
    S = np.zeros((B, H, T, T))
    for n, h, i, j in np.ndindex(S.shape):
        S[n, h, i, j] = sum(f.Qh[n, h, i, m] * f.Kh[n, h, j, m] for m in range(width)) / math.sqrt(width)
    _, (_, (_, _, _, A), *_) = attention_forward(Xn, params, H, mask)
    assert_allclose(log_weights_above_first(A), scores_above_first(S), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("past", [0, 1, 2])
@pytest.mark.parametrize("size", [1, 1e10])
def test_causal_mask(size, past):
    """Seen in the weights; also where every score of a row may lie below any large negative number.

    The first ``past`` keys stand before the first query: query i reads the keys up to past + i.
    """
    Xn, params, H, _, _ = attention_sample()
    params["wq"], params["bq"] = size * params["wq"], size * params["bq"]
    Qh, Kh, Vh = (definitions.split(definitions.project(Xn, params["w" + name], params["b" + name]), H)
                  for name in "qkv")
    S = definitions.attention_scores(Xn, params, H)[:, :, past:]
    T = S.shape[-1]
    expected = np.zeros(S.shape)
    for n, h, i in np.ndindex(S.shape[:3]):
        masked = [S[n, h, i, j] if j <= past + i else -math.inf for j in range(T)]
        powers = [math.exp(score - max(masked)) for score in masked]
        for j in range(T):
            expected[n, h, i, j] = powers[j] / sum(powers)
    _, (_, _, _, A) = scaled_dot_product_forward(Qh[:, :, past:], Kh, Vh, causal_mask(T - past, past))
    later = np.triu(np.ones((T - past, T), dtype=bool), past + 1)
    assert_array_equal(A[..., later], np.zeros(expected[..., later].shape))
    assert_allclose(A, expected, rtol=1e-9, atol=1e-12, strict=True)


def test_weights_are_the_softmax_of_each_row():
    """Also of a row in which everything is masked, which causal attention never has: its weights are 0."""
    Xn, params, H, mask, _ = attention_sample()
    S = definitions.attention(Xn, params, H).S
    expected = np.zeros(S.shape)
    for n, h, i in np.ndindex(S.shape[:3]):
        powers = [math.exp(S[n, h, i, j]) if j <= i else 0.0 for j in range(S.shape[3])]
        for j, power in enumerate(powers):
            expected[n, h, i, j] = power / sum(powers)
    _, (_, (_, _, _, A), *_) = attention_forward(Xn, params, H, mask)
    sums = [math.fsum(row) for row in A.reshape(-1, A.shape[-1])]
    empty, _ = softmax_forward(np.full((2, 3), -np.inf))
    assert_array_equal(empty, np.zeros((2, 3)))
    assert_allclose(sums, np.ones(len(sums)), rtol=1e-15)
    assert_allclose(A, expected, **TIGHT)


@pytest.mark.parametrize("size", [1, 1000])
def test_a_masked_cell_has_weight_zero(size):
    """Exactly 0 above the diagonal, softmax of what is left elsewhere; also for scores whose powers overflow."""
    Xn, params, H, mask, _ = attention_sample()
    params["wq"], params["bq"] = size * params["wq"], size * params["bq"]
    S = definitions.attention_scores(Xn, params, H)
    assert S.max() > 800 or size == 1
    expected = np.zeros(S.shape)
    for n, h, i in np.ndindex(S.shape[:3]):
        top = max(S[n, h, i, :i + 1])
        for j in range(i + 1):
            total = sum(math.exp(S[n, h, i, k] - top) for k in range(i + 1))
            expected[n, h, i, j] = math.exp(S[n, h, i, j] - top) / total
    _, (_, (_, _, _, A), *_) = attention_forward(Xn, params, H, mask)
    later = np.triu(np.ones(A.shape[-2:], dtype=bool), 1)
    assert_array_equal(A[..., later], expected[..., later])
    assert_allclose(A, expected, rtol=1e-9, atol=1e-12, strict=True)


def test_weighted_values():
    Xn, params, H, mask, _ = attention_sample()
    f = definitions.attention(Xn, params, H)
    B, T, d = Xn.shape
    width = d // H
    expected = np.zeros((B, T, d))
    for n, t, column in np.ndindex(B, T, d):
        h, i = divmod(column, width)
        expected[n, t, column] = sum(f.A[n, h, t, j] * f.Vh[n, h, j, i] for j in range(T))
    _, (_, _, O, _, _) = attention_forward(Xn, params, H, mask)
    assert_allclose(O, expected, **TIGHT)


def test_a_row_mixes_only_the_values_up_to_itself():
    """Row i is a sum of i + 1 value rows; the later rows are not even looked at."""
    Xn, params, H, mask, _ = attention_sample()
    f = definitions.attention(Xn, params, H)
    B, T, d = Xn.shape
    width = d // H
    _, (_, _, O, _, _) = attention_forward(Xn, params, H, mask)
    for n, h, i in np.ndindex(B, H, T):
        row = [0.0] * width
        for j in range(i + 1):
            row = [total + f.A[n, h, i, j] * value for total, value in zip(row, f.Vh[n, h, j], strict=True)]
        assert_allclose(O[n, i, h * width:(h + 1) * width], row, rtol=1e-11, atol=1e-12)


def test_heads_side_by_side():
    """Columns h d_h to (h + 1) d_h - 1 of O are the weighted values of head h alone."""
    Xn, params, H, mask, _ = attention_sample()
    f = definitions.attention(Xn, params, H)
    B, T, d = Xn.shape
    width = d // H
    expected = np.zeros((B, T, d))
    for n, h, t, i in np.ndindex(B, H, T, width):
        expected[n, t, h * width + i] = f.Oh[n, h, t, i]
    _, (_, _, O, _, _) = attention_forward(Xn, params, H, mask)
    assert_allclose(O, expected, **TIGHT)
    _, (_, _, first, _, _) = attention_forward(Xn[0], params, H, mask)  # axes are counted from the end
    assert_allclose(first, expected[0], **TIGHT)


def test_output_projection():
    Xn, params, H, mask, _ = attention_sample()
    O = definitions.attention(Xn, params, H).O
    expected = np.zeros(O.shape)
    for n, t, c in np.ndindex(O.shape):
        expected[n, t, c] = sum(O[n, t, k] * params["wo"][k, c] for k in range(O.shape[2])) + params["bo"][c]
    out, _ = attention_forward(Xn, params, H, mask)
    assert_allclose(out, expected, **TIGHT)


# --- the function as a whole -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("H", [2, 4, 0, -3, 16])
def test_a_number_of_heads_that_does_not_divide_the_width_is_refused(H):
    Xn, params, _, mask, _ = attention_sample()
    with pytest.raises(ValueError, match=f"the width d = 15 cannot be cut into H = {H} equal heads: choose H"):
        attention_forward(Xn, params, H, mask)


@pytest.mark.parametrize(("allowed", "masked", "dtype"), [(0, -np.inf, np.float64), (0, -10 ** 9, np.int64),
                                                          (1, 0, np.int64), (1, 0, np.float32)])
def test_a_mask_that_is_not_boolean_is_refused(allowed, masked, dtype):
    """As truth values, 0 and minus infinity would let each query read just what it must not."""
    Xn, params, H, boolean, _ = attention_sample()
    mask = np.where(boolean, allowed, masked).astype(dtype)
    assert_array_equal(mask == 0 if allowed == 0 else mask != 0, boolean)  # what the message says to give
    said = f"must be boolean, True where a query may read a key, got {mask.dtype}: .* give mask == 0, .* mask != 0"
    with pytest.raises(TypeError, match=said):
        attention_forward(Xn, params, H, mask)
    with pytest.raises(TypeError, match=said):
        scaled_dot_product_forward(Xn, Xn, Xn, mask)


@pytest.mark.parametrize("shape", [(5, 1, 1, 3), (3, 2), (2, 3), (4, 3, 3), (1, 1, 1, 3, 3)])
def test_a_mask_that_does_not_fit_the_scores_is_refused(shape):
    """With one axis more, one sequence would become several; the scores are (2, 3, 3) here."""
    heads = np.random.default_rng(0).normal(size=(2, 3, 4))
    with pytest.raises(ValueError, match=r"does not fit scores of the shape \(2, 3, 3\)"):
        scaled_dot_product_forward(heads, heads, heads, np.ones(shape, bool))


@pytest.mark.parametrize("shape", [(), (1,), (3,), (3, 1), (3, 3), (1, 3, 3), (2, 1, 3), (2, 3, 3)])
def test_a_mask_of_any_shape_that_fits_the_scores_is_taken(shape):
    heads = np.random.default_rng(0).normal(size=(2, 3, 4))
    Oh, _ = scaled_dot_product_forward(heads, heads, heads, np.ones(shape, bool))
    assert Oh.shape == heads.shape


@pytest.mark.parametrize("t", [0, 1, 2])
def test_later_rows_never_change_earlier_outputs(t):
    """Bit for bit: the rows after t are replaced by others, far larger."""
    Xn, params, H, mask, _ = attention_sample()
    other = Xn.copy()
    other[:, t + 1:] = 100 * np.random.default_rng(1).normal(size=other[:, t + 1:].shape)
    out, _ = attention_forward(Xn, params, H, mask)
    changed, _ = attention_forward(other, params, H, mask)
    assert_array_equal(changed[:, :t + 1], out[:, :t + 1])
    assert not np.isclose(changed[:, t + 1:], out[:, t + 1:]).any()


def test_a_sequence_alone_and_in_a_batch_gives_the_same():
    """(T, d), (B, T, d) and (C, B, T, d): outputs and input gradients agree, parameter gradients add up."""
    Xn, params, H, mask, dOut = attention_sample(leading=(3, 2))
    out, cache = attention_forward(Xn, params, H, mask)
    dXn, grads = attention_backward(dOut, cache)
    totals = {name: np.zeros_like(value) for name, value in params.items()}
    for index in np.ndindex(3, 2):
        out_alone, cache_alone = attention_forward(Xn[index], params, H, mask)
        dXn_alone, grads_alone = attention_backward(dOut[index], cache_alone)
        assert_allclose(out_alone, out[index], **TIGHT)
        assert_allclose(dXn_alone, dXn[index], **TIGHT)
        for name in totals:
            totals[name] += grads_alone[name]
    for name in totals:
        assert_allclose(grads[name], totals[name], **TIGHT)


def test_inputs_are_not_changed():
    """Read-only arrays: any write in place would raise."""
    Xn, params, H, mask, dOut = attention_sample()
    for array in (Xn, dOut, *params.values()):
        array.flags.writeable = False
    before = [array.copy() for array in (Xn, dOut, *params.values())]
    _, cache = attention_forward(Xn, params, H, mask)
    inner = cache[1]
    for array in (cache[0], *inner, cache[2]):
        array.flags.writeable = False
    attention_backward(dOut, cache)
    for array, copy in zip((Xn, dOut, *params.values()), before, strict=True):
        assert_array_equal(array, copy)
