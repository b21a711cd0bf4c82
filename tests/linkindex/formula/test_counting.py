"""A limit that begins at 1 makes its whole formula count from 1: then every index expression is a place from 1 on."""

import numpy as np
import pytest

from linkindex.formula import Reading
from tests.linkindex.formula.judging import judge


def tokens(ahead):
    """The mean surprise of tokens ``ahead`` places later; y are ids, T of them."""

    def make(rng, n, k):
        p, y = rng.uniform(0.1, 0.9, (n + 3, k + 4)), rng.integers(0, k + 4, n + 3)
        L = -np.mean(np.log(p[np.arange(n + 3 - ahead), y[ahead:]]))
        return {"L": (L, ""), "p": (p, "T V"), "y": (y, "T"), "T": (n + 3, ""), "V": (k + 4, "")}

    return make


NEXT = r"L = -\frac{1}{T-1} \sum_{t=1}^{T-1} \log p_{t,\,y_{t+1}}"
SECOND = r"L = -\frac{1}{T-2} \sum_{t=1}^{T-2} \log p_{t,\,y_{t+2}}"
TWO_AHEAD_AS_NEXT = r"L = -\frac{1}{T-2} \sum_{t=1}^{T-2} \log p_{t,\,y_{t+1}}"
FROM_TWO = r"L = -\frac{1}{T-1} \sum_{t=2}^{T} \log p_{t-1,\,y_t}"
FROM_ZERO = r"L = -\frac{1}{T-1} \sum_{t=0}^{T-2} \log p_{t,\,y_{t+1}}"


@pytest.mark.parametrize(
    ("latex", "ahead", "ok"),
    [
        (NEXT, 1, True), (FROM_TWO, 1, True), (FROM_ZERO, 1, True), (SECOND, 2, True),
        (TWO_AHEAD_AS_NEXT, 2, False), (NEXT, 2, False), (SECOND, 1, False), (NEXT.replace("t+1", "t"), 1, False),
        (NEXT.replace("{T-1} \\log", "{T} \\log"), 1, False), (NEXT.replace("p_{t,", "p_{t+1,"), 1, False),
        (FROM_TWO.replace("p_{t-1,", "p_{t,"), 1, False), (FROM_TWO.replace("t=2", "t=1"), 1, False),
        (FROM_ZERO.replace("t=0", "t=1"), 1, False),
    ],
)  # fmt: skip
def test_the_loss_of_the_next_token(latex, ahead, ok):
    assert judge(latex, tokens(ahead)).ok == ok


def sums(of=np.cumsum, mean=False):
    def make(rng, n, k):
        x = rng.uniform(0.5, 2, n + 1)
        return {"c": (of(x) / (np.arange(n + 1) + 1 if mean else 1), "n"), "x": (x, "n"), "n": (n + 1, "")}

    return make


def exclusive(x):
    return np.cumsum(x) - x


@pytest.mark.parametrize(
    ("latex", "make", "ok"),
    [
        (r"c_t = \sum_{j=1}^{t} x_j", sums(), True),
        (r"c_t = \sum_{j=0}^{t} x_j", sums(), True),
        (r"c_t = \sum_{1 \le j \le t} x_j", sums(), True),
        (r"c_t = \sum_{j=1}^{t+1} x_j", sums(), False),
        (r"c_t = \sum_{j=1}^{t-1} x_j", sums(), False),
        (r"c_t = \sum_{j=1}^{t} x_t", sums(), False),
        (r"c_t = \sum_{1 \le j < t} x_j", sums(), False),
        (r"c_t = \sum_{j=1}^{t-1} x_j", sums(exclusive), True),
        (r"c_t = \sum_{1 \le j < t} x_j", sums(exclusive), True),
        (r"c_t = \sum_{j=1}^{t} x_j", sums(exclusive), False),
        (r"c_t = \frac{1}{t} \sum_{j=1}^{t} x_j", sums(mean=True), True),
        (r"c_t = \frac{1}{t+1} \sum_{j=0}^{t} x_j", sums(mean=True), True),
        (r"c_t = \frac{1}{t+1} \sum_{j=1}^{t} x_j", sums(mean=True), False),
        (r"c_t = \prod_{j=1}^{t} x_j", sums(np.cumprod), True),
        (r"c_t = \prod_{j=1}^{t+1} x_j", sums(np.cumprod), False),
        (r"c_t = \max_{1 \le j \le t} x_j", sums(np.maximum.accumulate), True),
        (r"c_t = \max_{1 \le j \le t+1} x_j", sums(np.maximum.accumulate), False),
        (r"c_t = \sum_{s=1}^{t} \sum_{j=1}^{s} x_j", sums(lambda x: np.cumsum(np.cumsum(x))), True),
        (r"c_t = \sum_{s=1}^{t} \sum_{j=1}^{t} x_j", sums(lambda x: np.cumsum(np.cumsum(x))), False),
        (r"c_t = \sum_{j=t}^{n} \prod_{s=1}^{j} x_s", sums(lambda x: np.cumsum(np.cumprod(x)[::-1])[::-1]), True),
    ],
)
def test_a_free_index_counts_like_the_limits_beside_it(latex, make, ok):
    result = judge(latex, make)
    assert result.ok == ok, result.why


@pytest.mark.parametrize(
    ("latex", "ok"),
    [
        (r"c = \sum_{j=2}^{n} (x_j - x_{j-1})^2", True),
        (r"c = \sum_{j=1}^{n-1} (x_{j+1} - x_j)^2", True),
        (r"c = \sum_{j=1}^{n} (x_j - x_{j-1})^2", False),
        (r"c = \sum_{j=1}^{n-1} (x_j - x_{j-1})^2", False),
    ],
)
def test_numbers_and_differences_in_a_subscript_are_places_too(latex, ok):
    def make(rng, n, k):
        x = rng.normal(size=n + 1)
        return {"c": (np.sum(np.diff(x) ** 2), ""), "x": (x, "n"), "n": (n + 1, "")}

    assert judge(latex, make).ok == ok


def test_the_first_and_the_last_place():
    def make(rng, n, k):
        x = rng.normal(size=n)
        return {"c": (x.mean() * x[0] - x[-1], ""), "x": (x, "n"), "n": (n, "")}

    assert judge(r"c = \frac{x_1}{n} \sum_{j=1}^n x_j - x_n", make).ok
    assert not judge(r"c = \frac{x_2}{n} \sum_{j=1}^n x_j - x_n", make).ok
    why = judge(r"c = \frac{x_0}{n} \sum_{j=1}^n x_j - x_n", make).why
    assert "an index leaves its axis, as the formula counts from 1 like its limits" in why


@pytest.mark.parametrize(
    ("latex", "ok"),
    [
        (r"c_v = \sum_{i=1}^{n} \mathbb{1}[y_i = v]", True),
        (r"c_v = \sum_{i=1}^{n} \mathbb{1}[v = y_i]", True),
        (r"c_v = \sum_i \mathbb{1}[y_i = v]", True),
        (r"c_v = \sum_{i=1}^{n} \mathbb{1}[y_i = v + 1]", False),
        (r"c_v = \sum_{i=1}^{n-1} \mathbb{1}[y_i = v]", False),
        (r"c_v = \sum_{i=2}^{n} \mathbb{1}[y_i = v]", False),
    ],
)
def test_a_token_is_the_number_that_the_code_holds(latex, ok):
    def make(rng, n, k):
        y = np.concatenate([np.arange(k), rng.integers(0, k, n)])
        return {"c": (np.bincount(y, minlength=k), "k"), "y": (y, "n"), "n": (n + k, "")}

    assert judge(latex, make).ok == ok


def test_limits_from_1_on_an_index_that_is_compared_with_tokens_are_named():
    """It would say that the tokens are counted from 1, which the code does not."""
    latex = r"L = -\frac{1}{T} \sum_{t=1}^{T} \sum_{k=1}^{V} \mathbb{1}[y_t = k] \log p_{tk}"
    why = judge(latex, tokens(0)).why
    assert "k counts from 1 here, and what it is compared with as the code does: leave out the limits of k" in why
    assert judge(latex.replace("{k=1}^{V}", "k"), tokens(0)).ok


@pytest.mark.parametrize(
    ("latex", "ok"),
    [
        (r"a = \frac{1}{n} \sum_{i=1}^{n} \mathbb{1}[y_i = \arg\max_v p_{iv}]", True),
        (r"a = \frac{1}{n} \sum_i \mathbb{1}[y_i = \arg\max_v p_{iv}]", True),
        (r"a = \frac{1}{n} \sum_{i=1}^{n} \mathbb{1}[y_i = \arg\min_v p_{iv}]", False),
        (r"a = \frac{1}{n} \sum_{i=1}^{n} \mathbb{1}[y_i \ne \arg\max_v p_{iv}]", False),
    ],
)
def test_the_place_of_a_maximum_is_compared_with_tokens_as_the_code_counts(latex, ok):
    def make(rng, n, k):
        p, y = rng.normal(size=(n + 4, k)), rng.integers(0, k, n + 4)
        y[:3] = p.argmax(-1)[:3]
        return {"a": (np.mean(p.argmax(-1) == y), ""), "p": (p, "n k"), "y": (y, "n"), "n": (n + 4, "")}

    assert judge(latex, make).ok == ok


def test_a_lookup_by_a_token_is_not_shifted():
    def make(rng, n, k):
        E, y = rng.normal(size=(k, 2)), rng.integers(0, k, n)
        return {"c": (E[y].mean(0), "d"), "E": (E, "k d"), "y": (y, "n"), "n": (n, "")}

    assert judge(r"c_j = \frac{1}{n} \sum_{t=1}^{n} E_{y_t, j}", make).ok
    assert not judge(r"c_j = \frac{1}{n} \sum_{t=1}^{n} E_{y_t - 1, j}", make).ok


def test_an_offset_beside_an_index_is_a_way_and_no_place():
    def make(rng, n, k):
        x, w = rng.normal(size=n + 5), rng.normal(size=n)
        return {"c": (x[k : k + n].sum(), ""), "x": (x, "m"), "s": (k, ""), "n": (n, ""), "w": (w, "n")}

    assert judge(r"c = \sum_{t=1}^{n} x_{s+t}", make).ok
    assert not judge(r"c = \sum_{t=1}^{n} x_{s+t-1}", make).ok
    assert judge(r"c = \sum_{t=0}^{n-1} x_{s+t}", make).ok


def test_blocks_from_1_to_the_last_are_counted_from_1():
    def make(rng, n, k):
        A = rng.normal(size=(k + 1, n, 2))
        return {"O": (np.concatenate([*A], axis=-1), "n d"), "A": (A, "H n m"), "H": (k + 1, "")}

    reading = Reading(batch_axes=("H",))
    for run, ok in (("{1} {H}", True), ("{0} {H-1}", True), ("{1} {H-1}", False), ("{0} {H}", False)):
        first, last = run.strip("{}").split("} {")
        latex = rf"O = \begin{{bmatrix}} A^{{({first})}} & \cdots & A^{{({last})}} \end{{bmatrix}}"
        assert judge(latex, make, reading).ok == ok
