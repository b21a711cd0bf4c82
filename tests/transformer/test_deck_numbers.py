"""One attention head that comes out in exact fractions: three words, keys of one number, values of two."""

import json
import math
from fractions import Fraction

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from tests.page_numbers import DATA
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
    S = Q @ K.T / math.sqrt(Q.shape[1])
    A, _ = softmax_forward(np.where(causal_mask(3), S, -np.inf))
    return S, A, A @ V


def test_the_weights_are_quarters_and_halves():
    S, A, _ = head()
    assert_array_equal(causal_mask(3), np.array(DECK["allowed"]) == 1)
    assert_allclose(np.exp(S), DECK["exp_scores"], rtol=1e-15)
    assert_allclose(A, fractions(DECK["A"]), rtol=1e-15)
    assert (A[fractions(DECK["A"]) == 0] == 0).all()


def test_the_output_of_the_last_word_is_one_half_and_five_quarters():
    _, _, O = head()
    assert_allclose(O, fractions(DECK["O"]), rtol=1e-15)


def test_the_second_head_gives_three_quarters_twice():
    weights = fractions([DECK["head2_weights"]])
    scores = np.log(weights)  # softmax of the logarithms gives the weights back
    A, _ = softmax_forward(scores)
    assert_allclose(A, weights, rtol=1e-15)
    assert_allclose(A @ projected("Wv"), fractions([DECK["head2_output"]]), rtol=1e-15)


def test_scaling_lets_the_second_score_contribute():
    scaling = DECK["scaling"]
    raw, _ = softmax_forward(np.array(scaling["raw"], dtype=float))
    scaled, _ = softmax_forward(np.array(scaling["raw"]) / math.sqrt(scaling["d_k"]))
    assert [f"{number:.3f}" for number in raw] == scaling["raw_softmax"]
    assert [f"{number:.3f}" for number in scaled] == scaling["scaled_softmax"]
