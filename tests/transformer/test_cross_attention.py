"""Attention from one sequence to another, and with grouped queries, against loops over single numbers."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.definitions import TIGHT, mix_rows, merge, project, row_products, split
from transformer.attention import attention_forward, scaled_dot_product_backward, scaled_dot_product_forward
from transformer.cross_attention import cross_attention_backward, cross_attention_forward
from transformer.grouped_query import grouped_query_backward, grouped_query_forward
from transformer.masks import causal_mask, padding_mask

B, N_Q, N_K, H, D_H = 2, 4, 7, 3, 5
D = H * D_H


def allowed_softmax(S, allowed):
    """Softmax over the cells that ``allowed(n, i, j)`` names; a row without such a cell is 0."""
    A = np.zeros(S.shape)
    for n, h, i in np.ndindex(S.shape[:3]):
        cells = [j for j in range(S.shape[3]) if allowed(n, i, j)]
        total = sum(math.exp(S[n, h, i, j]) for j in cells)
        for j in cells:
            A[n, h, i, j] = math.exp(S[n, h, i, j]) / total
    return A


def sample(seed=0):
    rng = np.random.default_rng(seed)
    params = {f"w{name}": rng.normal(size=(D, D)) / 4 for name in "qkvo"}
    params |= {f"b{name}": rng.normal(size=D) for name in "qkvo"}
    ids = np.array([[3, 1, 2, 0, 0, 0, 0], [4, 4, 1, 2, 5, 1, 0]])
    return rng.normal(size=(B, N_Q, D)), rng.normal(size=(B, N_K, D)), params, ids, rng.normal(size=(B, N_Q, D))


def test_queries_come_from_one_sequence_keys_and_values_from_the_other():
    x, memory, params, ids, _ = sample()
    Qh = split(project(x, params["wq"], params["bq"]), H)
    Kh, Vh = (split(project(memory, params["w" + name], params["b" + name]), H) for name in "kv")
    A = allowed_softmax(row_products(Qh, Kh) / math.sqrt(D_H), lambda n, i, j: ids[n, j] != 0)
    expected = project(merge(mix_rows(A, Vh)), params["wo"], params["bo"])
    out, _ = cross_attention_forward(x, memory, params, H, padding_mask(ids, 0))
    assert_allclose(out, expected, **TIGHT)


def test_row_B11_the_padding_of_the_memory_is_not_read():
    """Other vectors there, or more of them: outputs and gradients of real rows are the same; the padding gets none."""
    x, memory, params, ids, dOut = sample()
    out, cache = cross_attention_forward(x, memory, params, H, padding_mask(ids, 0))
    dx, dmemory, grads = cross_attention_backward(dOut, cache)
    more = np.concatenate([np.where(ids[..., None] == 0, 1e3, memory), np.full((B, 2, D), -7.0)], axis=1)
    more_ids = np.concatenate([ids, np.zeros((B, 2), dtype=int)], axis=1)
    other, cache = cross_attention_forward(x, more, params, H, padding_mask(more_ids, 0))
    dx_other, dmemory_other, grads_other = cross_attention_backward(dOut, cache)
    assert_allclose(other, out, **TIGHT)
    assert_allclose(dx_other, dx, **TIGHT)
    assert_allclose(dmemory_other[:, :N_K], dmemory, **TIGHT)
    assert not dmemory[ids == 0].any() and not dmemory_other[more_ids == 0].any()
    for name in grads:
        assert_allclose(grads_other[name], grads[name], **TIGHT)


def test_attention_to_itself_is_self_attention():
    x, _, params, _, _ = sample()
    out, _ = cross_attention_forward(x, x, params, H, causal_mask(N_Q))
    assert_array_equal(out, attention_forward(x, params, H, causal_mask(N_Q))[0])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_row_B7_a_query_that_may_read_nothing_gives_zeros(dtype):
    """Output and gradients are exactly 0 for it; the other queries are not touched."""
    rng = np.random.default_rng(0)
    Qh, Kh, Vh = (rng.normal(size=(2, 3, n, 5)).astype(dtype) for n in (4, 6, 6))
    mask = rng.random((4, 6)) < 0.5
    mask[1] = False
    with np.errstate(all="raise", under="ignore"):
        Oh, cache = scaled_dot_product_forward(Qh, Kh, Vh, mask)
        dQh, dKh, dVh = scaled_dot_product_backward(np.ones_like(Oh), cache)
    assert not Oh[:, :, 1].any() and not dQh[:, :, 1].any() and Oh[:, :, 0].all()
    alone, cache = scaled_dot_product_forward(np.delete(Qh, 1, axis=2), Kh, Vh, np.delete(mask, 1, axis=0))
    _, dKh_alone, dVh_alone = scaled_dot_product_backward(np.ones_like(alone), cache)
    tolerance = {"rtol": 8 * np.finfo(dtype).eps, "atol": 8 * np.finfo(dtype).eps}
    assert_allclose(dKh, dKh_alone, **tolerance)
    assert_allclose(dVh, dVh_alone, **tolerance)
    assert Oh.dtype == dQh.dtype == dKh.dtype == dVh.dtype == dtype


def grouped_sample(G, heads=6):
    rng = np.random.default_rng(1)
    d, narrow = heads * D_H, G * D_H
    params = {"wq": rng.normal(size=(d, d)) / 5, "wk": rng.normal(size=(d, narrow)) / 5,
              "wv": rng.normal(size=(d, narrow)) / 5, "wo": rng.normal(size=(d, d)) / 5}
    return rng.normal(size=(B, N_Q, d)), params, heads


def repeated(params, G, heads):
    """The same weights for multi-head attention: head h gets the columns of group h // (H / G)."""
    d = heads * D_H
    wide = {name: np.zeros((d, d)) for name in ("wk", "wv")}
    for name, h, i in ((name, h, i) for name in wide for h in range(heads) for i in range(D_H)):
        wide[name][:, h * D_H + i] = params[name][:, h // (heads // G) * D_H + i]
    return {**params, **wide, **{f"b{name}": np.zeros(d) for name in "qkvo"}}


@pytest.mark.parametrize("G", [1, 2, 3, 6])
def test_grouped_queries_share_the_keys_and_values_of_their_group(G):
    Xn, params, heads = grouped_sample(G)
    wide = repeated(params, G, heads)
    Qh, Kh, Vh = (split(project(Xn, wide["w" + name], wide["b" + name]), heads) for name in "qkv")
    A = allowed_softmax(row_products(Qh, Kh) / math.sqrt(D_H), lambda n, i, j: j <= i)
    expected = project(merge(mix_rows(A, Vh)), params["wo"], wide["bo"])
    out, _ = grouped_query_forward(Xn, params, heads, G, causal_mask(N_Q))
    assert_allclose(out, expected, **TIGHT)


@pytest.mark.parametrize(("heads", "G", "said"), [
    (6, 4, "H = 6 query heads cannot form G = 4 equal groups: choose G so that it divides H"),
    (6, 0, "H = 6 query heads cannot form G = 0 equal groups"), (7, 1, "cannot be cut into H = 7 equal heads")])
def test_groups_that_do_not_fit_are_refused(heads, G, said):
    Xn, params, _ = grouped_sample(1)
    with pytest.raises(ValueError, match=said):
        grouped_query_forward(Xn, params, heads, G, causal_mask(N_Q))


@pytest.mark.parametrize("G", [1, 2, 3, 6])
@pytest.mark.parametrize("leading", [(), (1,), (6,), (B, 1), (1, 6), (B, 6)], ids=str)
def test_grouped_queries_take_every_mask_that_attention_takes(G, leading):
    """A mask of its own for each head and sequence among them: as attention with the weights of a group repeated."""
    Xn, params, heads = grouped_sample(G)
    mask = np.random.default_rng(5).random((*leading, N_Q, N_Q)) < 0.6
    expected, _ = attention_forward(Xn, repeated(params, G, heads), heads, mask)
    out, _ = grouped_query_forward(Xn, params, heads, G, mask)
    assert_allclose(out, expected, **TIGHT)


def test_grouped_queries_need_fewer_keys_and_values():
    """Of G/H the size: the reason for grouping."""
    Xn, params, heads = grouped_sample(2)
    _, cache = grouped_query_forward(Xn, params, heads, 2, causal_mask(N_Q))
    Kg = cache[1][1]
    assert Kg.size * heads == B * N_Q * heads * D_H * 2
    _, grads = grouped_query_backward(Xn, cache)
    assert {name: gradient.shape for name, gradient in grads.items()} == {name: w.shape for name, w in params.items()}
