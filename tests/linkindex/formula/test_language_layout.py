r"""Formulas of several lines, scripts that may be read in two ways, and operators: true ones and wrong ones."""

import math

import numpy as np
import pytest

from linkindex.formula import Bound, FormulaError, Notation, Reading, Trial, operator, parse, prove
from linkindex.model import Symbol
from tests.linkindex.formula.judging import judge, judged

PROPERTY = Reading(property=True)


def norm(rng, n, k):
    x = rng.normal(size=(n, k + 3))
    m, v = x.mean(-1), x.var(-1)
    return {
        "y": ((x - m[:, None]) / np.sqrt(v)[:, None], "n k"),
        "x": (x, "n k"),
        "m": (m, "n"),
        "v": (v, "n"),
        "k": (k + 3, ""),
    }


LINES = r"""\begin{aligned}
  y_{ti} &= \frac{x_{ti} - m_t}{\sqrt{v_t}} \\
         &= \frac{x_{ti}}{\sqrt{v_t}} - \frac{m_t}{\sqrt{v_t}}, \\
  m_t &= \frac{1}{k} \sum_i x_{ti}, \\
  v_t &= \frac{1}{k} \sum_i x_{ti}^2 \\
      &\quad - m_t^2
\end{aligned}"""


def test_every_one_of_several_lines_must_agree():
    wrong = [
        LINES.replace(r"- \frac{m_t}", r"+ \frac{m_t}"),
        LINES.replace("- m_t}", "+ m_t}"),
        LINES.replace("x_{ti}, ", "x_{it}, "),
        LINES.replace("x_{ti}^2", "x_{ti}"),
        LINES.replace("- m_t^2", "+ m_t^2"),
        LINES.replace(r"&\quad - m_t^2", r"&\quad - m_t"),
    ]
    judged(norm, [LINES], wrong)


def test_a_line_with_cases_keeps_their_lines():
    def make(rng, n, k):
        x = rng.normal(size=n)
        return {"y": (np.maximum(x, 0), "n"), "x": (x, "n")}

    cases = r"\begin{cases} x_i & x_i > 0 \\ 0 & x_i \le 0 \end{cases}"
    form = rf"\begin{{aligned}} y_i &= {cases} \\ &= \max(0, x_i) \end{{aligned}}"
    judged(
        make,
        [form],
        [form.replace(r"\max", r"\min"), form.replace("x_i > 0", "x_i < 0"), form.replace("{cases} x", "{cases} 2 x")],
    )


def test_nothing_stands_behind_the_last_of_several_lines():
    with pytest.raises(FormulaError, match="nothing may stand behind"):
        parse(r"\begin{aligned} y &= x \end{aligned} + x", Notation.of([Symbol("y", "", "y"), Symbol("x", "", "x")]))


def attention(rng, n, k):
    q, key = rng.normal(size=(n, k)), rng.normal(size=(n, k))
    S = q @ key.T
    return {
        "S": (S / np.sqrt(k), "n n"),
        "q": (q, "n k"),
        "k": (key, "n k"),
        "d": (k, ""),
        "R": (S, "n n"),
        "G": (q.T @ key, "k k"),
    }


def only(make, *names):
    return lambda rng, n, k: {name: value for name, value in make(rng, n, k).items() if name in names}


def test_what_stands_at_a_brace_is_words_or_one_more_claim():
    true = [
        r"S = \frac{\underbrace{q k^\top}_{\text{scores}}}{\sqrt{d}}",
        r"S = \frac{\overbrace{q k^\top}^{\text{n by n}}}{\sqrt{d}}",
    ]
    judged(only(attention, "S", "q", "k", "d"), true, [form.replace(r"\sqrt{d}", "d") for form in true])
    claim = r"S = \frac{\underbrace{q k^\top}_{R}}{\sqrt{d}}"
    judged(
        only(attention, "S", "q", "k", "d", "R"),
        [claim],
        [claim.replace("{R}", r"{2 R}"), claim.replace("{R}", r"{R^\top}")],
    )
    with pytest.raises(FormulaError, match="a symbol at a brace inside a sum: explain it with words"):
        judge(r"S_{ij} = \sum_m \underbrace{q_{im} k_{jm}}_{R}", only(attention, "S", "q", "k", "R"))


def test_where_says_what_a_symbol_is():
    form = r"S = \frac{R}{\sqrt{d}}, \quad \text{where } R = q k^\top"
    true = [form, form.replace("where ", "with "), form.replace(r", \quad ", " "), form.replace("quad", "qquad")]
    wrong = [
        form.replace(r"q k^\top", r"k q^\top"),
        form.replace(r"q k^\top", r"2 q k^\top"),
        form.replace(r"\sqrt{d}", "d"),
    ]
    judged(only(attention, "S", "R", "q", "k", "d"), true, wrong)
    with pytest.raises(FormulaError, match=r"after where stands what a symbol is.*for a condition write \\text\{for\}"):
        judge(r"S_{ij} = R_{ij} \text{ where } i > 2", only(attention, "S", "R"))


def test_a_row_transposed_times_a_row_is_what_the_left_side_needs():
    r"""Papers write q_i^\top k_j for the inner product of two columns, code keeps both as rows of a matrix."""
    true = [
        r"S_{ij} = \frac{q_i^\top k_j}{\sqrt{d}}",
        r"S_{ij} = \frac{q_i k_j^\top}{\sqrt{d}}",
        r"S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d}}",
    ]
    wrong = [
        true[0].replace("q_i", "q_j").replace("k_j", "k_i"),
        true[0].replace(r"\sqrt{d}", "d"),
        true[0].replace("k_j", "q_j"),
        r"S_{ij} = \frac{-q_i^\top k_j}{\sqrt{d}}",
    ]
    judged(only(attention, "S", "q", "k", "d"), true, wrong)
    outer = [r"G = \sum_t q_t^\top k_t", r"G = \sum_t q_t k_t^\top"]  # of rows, of columns
    judged(only(attention, "G", "q", "k"), outer, [r"G = \sum_t k_t^\top q_t", r"G = \sum_t k_t q_t^\top"])


@pytest.mark.parametrize(
    "transpose", [r"^\top", "^T", r"^{\top}", "^{T}", r"^\mathsf T", r"^{\mathsf{T}}", r"^{\mathrm T}"]
)
def test_a_transpose_has_several_spellings(transpose):
    judged(only(attention, "R", "q", "k"), [f"R = q k{transpose}"], [f"R = k q{transpose}", f"R = -q k{transpose}"])
    judged(only(attention, "G", "q", "k"), [f"G = q{transpose} k"], [f"G = k{transpose} q"])


def test_a_T_that_is_a_symbol_is_no_transpose():
    with pytest.raises(FormulaError, match=r"found T as a superscript: write \^\\top"):
        judge("S = q k^T", lambda rng, n, k: attention(rng, n, k) | {"T": (n, "")})


def test_the_inverse_of_a_matrix():
    def make(rng, n, k):
        P, H = rng.normal(size=(n, n)), rng.normal(size=(n, k))
        S = P @ P.T + np.eye(n)
        return {"K": (np.linalg.solve(S, H), "n k"), "S": (S, "n n"), "H": (H, "n k")}

    judged(make, ["K = S^{-1} H"], ["K = S H", "K = -S^{-1} H", "K = 2 S^{-1} H", "K = (S + S)^{-1} H"])
    assert "only square ones do" in judge("K = S^{-1} H^{-1}", make).why
    assert "of a singular matrix" in judge("K = (S - S)^{-1} H", make).why
    assert "can be read in two ways" in judge("K = S^2 H", make).why


def trial(seed, values):
    bound = {
        key: Bound(value, tuple(shape.split())) for key, (value, shape) in values(np.random.default_rng(seed)).items()
    }
    return Trial(bound, (next(iter(bound.values())),))


def gelu(rng):
    x = rng.normal(size=(5, 3))
    return {"y": (0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))), "T d"), "x": (x, "T d")}


def test_an_operator_may_be_a_greek_letter_and_is_taken_of_each_entry():
    notation = Notation.of(Symbol(key, "", key) for key in "yx")
    shapes = {key: ("T", "d") for key in "yx"}
    definition = parse(r"\Phi(x) = \frac12 \Big(1 + \operatorname{erf}\Big(\frac{x}{\sqrt{2}}\Big)\Big)", notation)
    phi = operator(r"\Phi(x)", definition, notation, shapes, per=("entry",))
    trials = [trial(seed, gelu) for seed in range(2)]
    for per in (("entry",), ("T",), ()):
        for latex, ok in (
            (r"\operatorname{GELU}(x) = x \odot \Phi(x)", True),
            (r"y = x \odot \Phi(-x)", False),
            (r"y = -x \odot \Phi(x)", False),
        ):
            latex = latex.replace(r"\odot ", r"\cdot ") if per == ("entry",) else latex
            assert prove(parse(latex, notation), trials, Reading({r"\Phi": phi}, per=per)).ok == ok


def test_the_name_on_the_left_is_the_function_that_another_formula_defines():
    notation = Notation.of(Symbol(key, "", key) for key in "yx")
    shapes = {key: ("T", "d") for key in "yx"}
    square = operator("f(x)", parse("y = x^2", notation), notation, shapes, per=("entry",))

    def squared(rng):
        x = rng.normal(size=(4, 3))
        return {"y": (x**2, "T d"), "x": (x, "T d")}

    def cubed(rng):
        x = rng.normal(size=(4, 3))
        return {"y": (x**3, "T d"), "x": (x, "T d")}

    reading = Reading({"f": square}, per=("entry",))
    latex = r"\operatorname{f}(x) = x x"
    assert prove(parse(latex, notation), [trial(0, squared)], reading).ok
    assert not prove(parse(latex + " x", notation), [trial(0, cubed)], reading).ok
    assert prove(parse(latex + " x", notation), [trial(0, cubed)], Reading(per=("entry",))).ok


def test_an_operator_on_matrices_is_taken_of_a_row():
    keys = {"Z": "T d", "X": "T d", "W": "d d", "z": "d", "x": "d"}
    notation = Notation.of(Symbol(key, "", key) for key in keys)
    shapes = {key: tuple(shape.split()) for key, shape in keys.items()}
    product = operator("f(X, W)", parse("Z = X W", notation), notation, shapes)

    def rows(rng):
        X, W = rng.normal(size=(4, 3)), rng.normal(size=(3, 3))
        return {"Z": (X + X @ W, "T d"), "X": (X, "T d"), "W": (W, "d d")}

    reading = Reading({"f": product})
    for latex, ok in (
        (r"Z_t = X_t + \operatorname{f}(X_t, W)", True),
        (r"Z_t = X_t - \operatorname{f}(X_t, W)", False),
        (r"Z_t = X_t + \operatorname{f}(X_t, W^\top)", False),
        (r"Z = X + \operatorname{f}(X, W)", True),
    ):
        assert prove(parse(latex, notation), [trial(0, rows), trial(1, rows)], reading).ok == ok
