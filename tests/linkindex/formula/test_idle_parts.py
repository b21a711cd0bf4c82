"""A number, term, factor or function that changes nothing makes a formula say what the code does not."""

import numpy as np
import pytest

from linkindex.formula import Reading
from tests.linkindex.formula.judging import judge


def scaled(rng, n, k):
    x = rng.uniform(-2, 2, size=(n, k))
    return {"S": (x / np.sqrt(k), "n k"), "x": (x, "n k"), "k": (k, "")}


TRUE = r"S_{ij} = \frac{x_{ij}}{\sqrt{k}}"


def test_the_formula_without_idle_parts_is_proved():
    assert judge(TRUE, scaled).why is None


@pytest.mark.parametrize(
    ("right", "says"),
    [
        (r"\min\Big(50, \frac{x_{ij}}{\sqrt{k}}\Big)", "changing the number 50 changes nothing"),
        (r"\min\Big(1.9, \frac{x_{ij}}{\sqrt{k}}\Big)", "leaving out 1.9 in"),
        (r"\min\Big(\infty, \frac{x_{ij}}{\sqrt{k}}\Big)", r"leaving out \infty in"),
        (r"\frac{x_{ij}}{\sqrt{\max(2, k)}}", "leaving out 2 in"),
        (r"\frac{x_{ij}}{\sqrt{k}} + \max(0, x_{ij} - 1000)", "changing the number 1000 changes nothing"),
        (r"\frac{x_{ij}}{\sqrt{k}} + \lfloor k / 1000 \rfloor", "changing the number 1000 changes nothing"),
        (r"\frac{x_{ij}}{\sqrt{k}} + \lfloor k / 4 \rfloor", r"leaving out \lfloor k / 4 \rfloor in"),
        (r"\frac{x_{ij}}{\sqrt{k}} \lceil k / 4 \rceil", r"leaving out \lceil k / 4 \rceil in"),
        (r"\frac{x_{ij}}{\sqrt{k}} + 10^{-12}", "leaving out 10^{-12} in"),
        (r"\frac{x_{ij}}{\sqrt{\lfloor k \rfloor}}", r"leaving out rounding down in \lfloor k \rfloor"),
        (r"\frac{x_{ij}}{\sqrt{\lvert k \rvert}}", r"leaving out the magnitude in \lvert k \rvert"),
        (r"\frac{x_{ij}^1}{\sqrt{k}}", "leaving out 1 in x_{ij}^1"),
        (r"\frac{x_{ij}}{\sqrt{k}} + 0 \cdot x_{00}", None),
        (r"\frac{x_{ij}}{\sqrt{k \bmod 100}}", "changing the number 100 changes nothing"),
    ],
)
def test_a_part_that_changes_nothing_is_refused_with_its_place(right, says):
    if says is None:
        right, says = right.replace("00", "0, 0"), r"leaving out 0 \cdot x_{0, 0} in"
    why = judge(r"S_{ij} = " + right, scaled).why
    assert says in why
    assert why.endswith("leave it out, or draw a sample in which it matters")


@pytest.mark.parametrize(
    ("right", "code"),
    [
        (r"\max(0, x_{ij})", lambda x, k: np.maximum(0, x)),
        (r"\min(1, x_{ij})", lambda x, k: np.minimum(1, x)),
        (r"\lfloor 3 x_{ij} \rfloor", lambda x, k: np.floor(3 * x)),
        (r"\lvert x_{ij} \rvert", lambda x, k: np.abs(x)),
        (r"x_{ij} + 10^{-3} k", lambda x, k: x + k / 1000),
        (r"x_{ij} (j \bmod 2)", lambda x, k: x * (np.arange(x.shape[1]) % 2)),
        (r"\begin{cases} x_{ij} & j > 0 \\ 0 & \text{otherwise} \end{cases}", lambda x, k: x * (np.arange(k) > 0)),
        (r"\sum_{m=0}^{j} x_{im}", lambda x, k: np.cumsum(x, 1)),
    ],
)
def test_a_part_that_matters_stays(right, code):
    def make(rng, n, k):
        x = rng.uniform(-2, 2, size=(n, k))
        made = {"S": (code(x, k), "n k"), "x": (x, "n k")}
        return made | ({"k": (k, "")} if "k" in right else {})

    assert judge(r"S_{ij} = " + right, make).why is None


@pytest.mark.parametrize(
    ("latex", "ok"),
    [(r"p_i \le 1", True), (r"p_i - 1 \le 0", True), (r"p_i \ge \max(0, -30)", False)]
    + [(r"p_i - \lfloor \frac{p_i}{9} \rfloor \le 1", False), (r"\min(p_i, 40) \le 1", False)],
)
def test_in_an_inequality_a_part_matters_if_it_changes_a_side(latex, ok):
    def make(rng, n, k):
        p = rng.uniform(0.4, 1, n)
        return {"p": (p, "n")}

    result = judge(latex, make, Reading(property=True))
    assert result.ok == ok
    assert ok or "changes nothing" in result.why
