"""One attention head that comes out in exact fractions: three words, keys of one number, values of two."""

import json
import math
from fractions import Fraction

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from tests.page_numbers import DATA
from tests.transformer.recording import recorded
from transformer.attention import scaled_dot_product_forward
from transformer.heads import merge_heads
from transformer.init import xavier_normal
from transformer.linear import linear_forward
from transformer.masks import causal_mask
from transformer.softmax import softmax_forward

DECK = json.loads((DATA / "deck_numbers.json").read_text(encoding="utf-8"))


def fractions(rows):
    return np.array([[float(Fraction(number)) for number in row] for row in rows])


def projected(name):
    W = np.array(DECK[name])
    return linear_forward(np.array(DECK["X"]), W, np.zeros(W.shape[1]))[0]


def head():
    """Scores, weights and output of the head, by the package's own functions."""
    Q, K, V = (projected(name) for name in ("Wq", "Wk", "Wv"))
    v = recorded(scaled_dot_product_forward, Q, K, V, causal_mask(3))
    return v.S, v.A, v.Oh


def test_the_only_score_that_is_not_zero_is_the_logarithm_of_two():
    S, _, _ = head()
    values = {"0": 0.0, "ln2": math.log(2)}
    assert_array_equal(S, [[values[number] for number in row] for row in DECK["scores"]])
    assert f"{S[2, 1]:.3f}" == DECK["ln2"]


def test_the_weights_are_quarters_and_halves():
    S, A, _ = head()
    assert_array_equal(causal_mask(3), np.array(DECK["allowed"]) == 1)
    assert_allclose(np.exp(S), DECK["exp_scores"], rtol=1e-15)
    assert_allclose(np.where(causal_mask(3), np.exp(S), 0).sum(axis=1), DECK["row_totals"], rtol=1e-15)
    assert_allclose(A, fractions(DECK["A"]), rtol=1e-15)
    assert (A[fractions(DECK["A"]) == 0] == 0).all()


def test_the_output_of_the_last_word_is_one_half_and_five_quarters():
    _, A, O = head()
    V = projected("Wv")
    assert_allclose(O, fractions(DECK["O"]), rtol=1e-15)
    assert_allclose(A[2][:, None] * V, fractions(DECK["contributions"]), rtol=1e-15)
    assert_array_equal(V[A[2].argmax()], DECK["largest_value"])


def second_head():
    """Weights and output of the last word in another head, whose scores the deck leaves out: any with these weights."""
    scores = np.log(fractions([DECK["head2_weights"]]))
    A, _ = softmax_forward(scores)
    return A, A @ projected("Wv")


def test_the_second_head_gives_three_quarters_twice():
    A, O = second_head()
    assert_allclose(A, fractions([DECK["head2_weights"]]), rtol=1e-15)
    assert_allclose(A.T * projected("Wv"), fractions(DECK["head2_contributions"]), rtol=1e-15)
    assert_allclose(O, fractions([DECK["head2_output"]]), rtol=1e-15)


def test_both_heads_side_by_side_go_through_the_output_matrix_and_are_added_to_the_word():
    _, _, O = head()
    concat = merge_heads(np.stack([O[2:], second_head()[1]]))
    assert_allclose(concat, fractions([DECK["concat"]]), rtol=1e-15)
    assert_array_equal(DECK["X"][2], DECK["residual"])
    Wo = np.array(DECK["initial"]["Wo"])
    assert (concat @ Wo + DECK["X"][2]).shape == (1, 3)


def test_shapes():
    S, _, O = head()
    found = {name: projected(f"W{name.lower()}") for name in "QKV"} | {"S": S, "O": O, "WO": DECK["initial"]["Wo"]}
    assert {name: list(np.shape(value)) for name, value in found.items()} == DECK["shapes"]
    quiz = DECK["quiz"]
    sizes = [(quiz["n"], quiz[width]) for width in ("d_k", "d_k", "d_v")]
    v = recorded(scaled_dot_product_forward, *map(np.zeros, sizes), causal_mask(quiz["n"]))
    assert [list(v.S.shape), list(v.Oh.shape)] == [quiz["scores_shape"], quiz["output_shape"]]
    assert (np.flatnonzero(causal_mask(3)[1]) + 1).tolist() == quiz["second_query_reads"]


def test_twice_the_tokens_make_four_times_the_scores():
    counts = {n: causal_mask(int(n)).size for n in DECK["scores_of_n_tokens"]}
    assert counts == DECK["scores_of_n_tokens"]
    assert causal_mask(8).size / causal_mask(4).size == DECK["twice_the_tokens"]


def test_the_initial_weights_have_the_deviations_of_the_deck():
    """sqrt(2 / (fan_in + fan_out)), read off 100,000 draws of each shape; the 36 draws are compared in test_init.py."""
    stored, rng = DECK["initial"], np.random.default_rng(0)
    shapes = {name: np.shape(stored[name])[-2:] for name in stored["deviations"]}
    for name, (fan_in, fan_out) in shapes.items():
        many = np.array([xavier_normal(fan_in, fan_out, rng) for _ in range(100_000 // (fan_in * fan_out))])
        assert abs(many.std() / stored["deviations"][name] - 1) < 5 / math.sqrt(2 * many.size)  # five standard errors
    assert sum(np.size(stored[name]) for name in shapes) == stored["draws"]


def test_scaling_lets_the_second_score_contribute():
    scaling = DECK["scaling"]
    raw, _ = softmax_forward(np.array(scaling["raw"], dtype=float))
    scaled, _ = softmax_forward(np.array(scaling["raw"]) / math.sqrt(scaling["d_k"]))
    assert [f"{number:.3f}" for number in raw] == scaling["raw_softmax"]
    assert [f"{number:.3f}" for number in scaled] == scaling["scaled_softmax"]
