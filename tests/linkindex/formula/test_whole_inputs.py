"""Whole numbers of a trial are drawn anew, from those that are there: counts feel them, and ids stay ids."""

import numpy as np
import pytest

from linkindex.formula.trials import Bound, moved
from tests.linkindex.formula.judging import judge


@pytest.mark.parametrize("ids", [[0, 1, 2, 3], [-1, 4, 4, 2, -1], [-100, 7], [[3, 3], [3, 9]], [5, 5, 6]])
def test_other_numbers_are_drawn_from_those_that_are_there_and_not_as_often_each(ids):
    ids = np.array(ids)
    for seed in range(20):
        drawn = moved(Bound(ids, ("n",)), np.random.default_rng(seed), 1.0).value
        assert drawn.shape == ids.shape
        assert {*drawn.ravel()} <= {*ids.ravel()}
        assert sorted(drawn.ravel()) != sorted(ids.ravel())


def test_one_number_alone_or_none_is_no_draw():
    for step, there in ((0.1, 5), (1.0, 3)):
        assert moved(Bound(np.array([4, 4]), ("n",)), np.random.default_rng(0), step).value.tolist() == [there, there]
    assert moved(Bound(7, ()), np.random.default_rng(0), 0.1).value == 8
    assert moved(Bound(np.array([], dtype=int), ("n",)), np.random.default_rng(0), 1.0).value.size == 0


def targets(rng, n, k):
    y = rng.integers(-1, k, n + 4)
    y[:2], y[2] = -1, 1
    return y


@pytest.mark.parametrize("symbol", [False, True])
@pytest.mark.parametrize(
    ("latex", "ok"),
    [
        (r"N = \sum_t \mathbb{1}[y_t \ne -1]", True), (r"N = T - \sum_t \mathbb{1}[y_t = -1]", True),
        (r"N = \sum_{t=1}^{T} \mathbb{1}[y_t \ge 0]", True), (r"N = \sum_t \mathbb{1}[y_t = -1]", False),
        (r"N = \sum_t \mathbb{1}[y_t \ne 1]", False), (r"N = \sum_t \mathbb{1}[y_t > 0]", False),
        (r"N = \sum_{t=1}^{T-1} \mathbb{1}[y_t \ne -1]", False), (r"N = T - \sum_t \mathbb{1}[y_t \ne -1]", False),
    ],
)  # fmt: skip
def test_the_number_of_targets_that_count(latex, ok, symbol):
    def make(rng, n, k):
        y = targets(rng, n, k)
        made = {"N": (int((y != -1).sum()), ""), "y": (y, "n"), "T": (len(y), "")}
        return made | ({r"\iota": (-1, "")} if symbol else {})

    latex = latex.replace("= -1", r"= \iota").replace("ne -1", r"ne \iota") if symbol else latex
    assert judge(latex, make).ok == ok


@pytest.mark.parametrize(
    ("latex", "ok"),
    [
        (r"c_v = \sum_i \mathbb{1}[y_i = v]", True), (r"c_v = \sum_i \mathbb{1}[y_i \ge v]", False),
        (r"c_v = \sum_i \mathbb{1}[y_i = v + 1]", False), (r"c_v = \sum_i \mathbb{1}[y_i \ne v]", False),
        (r"c_v = \sum_{i=0}^{n-2} \mathbb{1}[y_i = v]", False), (r"c_v = 2 \sum_i \mathbb{1}[y_i = v]", False),
    ],
)  # fmt: skip
def test_how_often_each_token_occurs(latex, ok):
    def make(rng, n, k):
        y = rng.integers(0, k, n + 4)
        y[-1] = 0
        return {"c": (np.bincount(y, minlength=k), "k"), "y": (y, "n"), "n": (n + 4, "")}

    assert judge(latex, make).ok == ok


@pytest.mark.parametrize(
    ("latex", "ok"),
    [
        (r"C_{ab} = \sum_{p} m_p \sum_{j=0}^{L-2} \mathbb{1}[w_{pj} = a,\, w_{p,j+1} = b]", True),
        (r"C_{ab} = \sum_{p} m_p \sum_{j=1}^{L-1} \mathbb{1}[w_{pj} = a] \mathbb{1}[w_{p,j+1} = b]", True),
        (r"C_{ab} = \sum_{p} m_p \sum_{j=0}^{L-2} \mathbb{1}[w_{pj} = b,\, w_{p,j+1} = a]", False),
        (r"C_{ab} = \sum_{p} \sum_{j=0}^{L-2} \mathbb{1}[w_{pj} = a,\, w_{p,j+1} = b]", False),
        (r"C_{ab} = \sum_{p} m_p \sum_{j=0}^{L-3} \mathbb{1}[w_{pj} = a,\, w_{p,j+1} = b]", False),
        (r"C_{ab} = \sum_{p} m_p \sum_{j=0}^{L-2} \mathbb{1}[w_{pj} = a,\, w_{pj} = b]", False),
        (r"C_{ab} = \sum_{p} m_p \sum_{j=0}^{L-2} \mathbb{1}[w_{pj} = a]", False),
    ],
)
def test_how_often_each_pair_occurs_in_pieces_that_repeat(latex, ok):
    """The pair counts of byte-pair encoding: ``w`` holds the tokens of each piece, ``m`` how often the piece occurs."""

    def make(rng, n, k):
        L = k + 2
        w, m = rng.integers(0, 3, (n, L)), rng.permutation(np.arange(1, n + 1))
        C = np.zeros((3, 3), dtype=int)
        for tokens, times in zip(w, m):
            for pair in zip(tokens, tokens[1:]):
                C[pair] += times
        return {"C": (C, "V V"), "w": (w, "n L"), "m": (m, "n"), "L": (L, "")}

    assert judge(latex, make).ok == ok


@pytest.mark.parametrize(
    ("latex", "ok"),
    [
        (r"G_v = \sum_t \mathbb{1}[y_t = v] D_t", True), (r"G_v = \sum_t \mathbb{1}[y_t = v] D_v", False),
        (r"G_{vj} = \sum_t \mathbb{1}[y_t = v] D_{tj}", True), (r"G_v = -\sum_t \mathbb{1}[y_t = v] D_t", False),
    ],
)  # fmt: skip
def test_the_gradient_of_a_lookup_adds_up_over_repeated_tokens(latex, ok):
    def make(rng, n, k):
        y, D = rng.integers(0, k, n + 2), rng.normal(size=(n + 2, 2))
        G = np.zeros((k, 2))
        np.add.at(G, y, D)
        return {"G": (G, "k d"), "y": (y, "n"), "D": (D, "n d")}

    assert judge(latex, make).ok == ok
