"""What pages write, construct by construct: a true formula is proved, its ordinary wrong variants are noticed."""

import math

import numpy as np
import pytest

from linkindex.formula import Reading
from tests.linkindex.formula.judging import judge, judged

ROWS = Reading(per=("T",))


def softmax(z):
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def cross_entropy(rng, n, k):
    z, y = rng.normal(size=(n, k + 2)), rng.integers(0, k + 2, n)
    p, q = softmax(z), np.eye(k + 2)[y]
    d = (p - q) / n
    return {
        r"\frac{\partial L}{\partial z}": (d, "T V"),
        r"\nabla_z L": (d.copy(), "T V"),
        "p": (p, "T V"),
        "y": (y, "T"),
        "T": (n, ""),
        "q": (q, "T V"),
    }


def only(make, *names):
    return lambda rng, n, k: {name: value for name, value in make(rng, n, k).items() if name in names}


def test_a_gradient_is_written_as_a_fraction_with_its_entries_below():
    make = only(cross_entropy, r"\frac{\partial L}{\partial z}", "p", "y", "T")
    form = r"\frac{\partial L}{\partial z_{tk}} = \frac{p_{tk} - \mathbb{1}[k = y_t]}{T}"
    wrong = [
        form.replace("p_{tk} -", "p_{tk} +"),
        form.replace("}{T}", "}{2 T}"),
        form.replace("[k = y_t]", "[t = y_k]"),
        form.replace("p_{tk}", "p_{kt}"),
        form.replace("z_{tk}", "z_{kt}"),
        form.replace(r"\mathbb{1}[k = y_t]", "1"),
    ]
    judged(make, [form, form.replace(r"\frac{\partial", r"\dfrac{\partial", 1)], wrong)


def test_a_gradient_is_written_with_nabla():
    make = only(cross_entropy, r"\nabla_z L", "p", "q", "T")
    true = [r"\nabla_z L = \frac{p - q}{T}", r"(\nabla_z L)_{tk} = \frac{p_{tk} - q_{tk}}{T}"]
    wrong = [r"\nabla_z L = \frac{q - p}{T}", r"\nabla_z L = p - q", r"(\nabla_z L)_{tk} = \frac{p_{tk}}{T}"]
    judged(make, true, wrong)


def test_a_jacobian_has_the_indices_above_first():
    def make(rng, n, k):
        y = softmax(rng.normal(size=k + 1))
        return {r"\frac{\partial y}{\partial x}": (np.diag(y) - np.outer(y, y), "k k"), "y": (y, "k")}

    form = r"\frac{\partial y_i}{\partial x_j} = y_i (\delta_{ij} - y_j)"
    judged(
        make, [form], [form.replace("- y_j", "+ y_j"), form.replace("- y_j", "- y_i"), form.replace("_{ij}", "_{ii}")]
    )

    def crooked(rng, n, k):
        W = rng.normal(size=(n, k))
        return {r"\frac{\partial y}{\partial x}": (W, "n k"), "W": (W.T.copy(), "k n")}

    judged(crooked, [r"\frac{\partial y_i}{\partial x_j} = W_{ji}"], [r"\frac{\partial y_j}{\partial x_i} = W_{ji}"])


def appended(rng, n, k):
    K, r, u, w = rng.normal(size=(n, k)), rng.normal(size=k), rng.normal(size=n), rng.normal(size=k)
    return {
        "A": (np.vstack([K, r]), "m k"),
        "K": (K, "n k"),
        "r": (r, "k"),
        "v": (np.concatenate([u, w]), "l"),
        "u": (u, "n"),
        "w": (w, "k"),
        "D": (np.hstack([K, 2 * K]), "n h"),
        "a": (np.append(u, 1.0), "p"),
    }


def test_a_row_is_put_below_a_matrix():
    true = [r"A = \begin{bmatrix} K \\ r^\top \end{bmatrix}", r"A = [K ; r^\top]"]
    wrong = [
        r"A = \begin{bmatrix} r^\top \\ K \end{bmatrix}",
        r"A = \begin{bmatrix} K \\ -r^\top \end{bmatrix}",
        r"A = [r^\top ; K]",
        r"A = \begin{bmatrix} K \\ r \end{bmatrix}",
        r"A = \operatorname{Concat}(K, r^\top)",
    ]
    judged(only(appended, "A", "K", "r"), true, wrong)
    why = judge(r"A = \begin{bmatrix} K \\ r \end{bmatrix}", only(appended, "A", "K", "r")).why
    assert r"their sizes differ; transpose a vector with ^\top?" in why


def test_one_vector_is_put_behind_the_other():
    true = [r"v = [u ; w]", r"v = \operatorname{Concat}(u, w)", r"v = \begin{bmatrix} u \\ w \end{bmatrix}"]
    judged(only(appended, "v", "u", "w"), true, ["v = [w ; u]", "v = [u ; -w]", r"v = \operatorname{Concat}(w, u)"])
    judged(only(appended, "a", "u"), ["a = [u ; 1]"], ["a = [1 ; u]", "a = [u ; 2]"])


def test_matrices_are_put_side_by_side():
    true = [r"D = \operatorname{Concat}(K, 2 K)", r"D = \begin{bmatrix} K & 2 K \end{bmatrix}"]
    judged(only(appended, "D", "K"), true, [r"D = \operatorname{Concat}(2 K, K)", "D = [K ; 2 K]"])

    def heads(rng, n, k):
        O = rng.normal(size=(k + 1, n, 2))
        return {"O": (np.concatenate([*O], -1), "n d"), "O_h": (O, "H n m"), "H": (k + 1, "")}

    form = r"O = \operatorname{Concat}(O_h^{(1)}, \dots, O_h^{(H)})"
    wrong = [form.replace("(1)", "(2)"), form.replace("(H)", "(H-1)"), form.replace("(1)", "(0)")]
    judged(
        heads, [form, r"O = \operatorname{Concat}(O_h^{(0)}, \dots, O_h^{(H-1)})"], wrong, Reading(batch_axes=("H",))
    )


def test_the_right_side_may_hold_indices_alone():
    def make(rng, n, k):
        return {"M": (np.tri(n, dtype=bool), "n n")}

    true = [
        r"M_{ij} = \mathbb{1}[j \le i]",
        r"M_{ij} = \begin{cases} 1 & j \le i \\ 0 & j > i \end{cases}",
        r"M_{ij} = \begin{cases} 1, & \text{if } j \le i, \\ 0, & \text{otherwise} \end{cases}".replace(",", ""),
        r"M_{ij} = 1 - \mathbb{1}[j > i]",
    ]
    wrong = [
        r"M_{ij} = \mathbb{1}[j < i]",
        r"M_{ij} = \mathbb{1}[i \le j]",
        r"M_{ij} = \mathbb{1}[j \le i + 1]",
        r"M_{ij} = 1",
        r"M_{ij} = \begin{cases} 1 & j \le i \\ 2 & j > i \end{cases}",
    ]
    judged(make, true, wrong)
    judged(
        lambda rng, n, k: {"I": (np.eye(n), "n n")},
        [r"I_{ij} = \delta_{ij}"],
        [r"I_{ij} = 2 \delta_{ij}", "I_{ij} = 1"],
    )


def test_bare_cases_say_what_a_row_is():
    def make(rng, n, k):
        y, eps = rng.integers(0, k + 2, n), 0.1 + 0.1 * rng.random()
        q = np.full((n, k + 2), eps / (k + 1))
        q[np.arange(n), y] = 1 - eps
        return {"q": (q, "T V"), "y": (y, "T"), r"\epsilon": (eps, ""), "V": (k + 2, "")}

    form = (
        r"q_k = \begin{cases} 1 - \epsilon & \text{if } k = y, \\ \frac{\epsilon}{V - 1} & \text{otherwise} \end{cases}"
    )
    wrong = [form.replace("V - 1", "V"), form.replace("k = y", r"k \ne y"), form.replace("1 - \\ep", "1 + \\ep")]
    judged(make, [form], wrong, ROWS)


def losses(rng, n, k):
    y = np.concatenate([[-1, 2], rng.integers(-1, k, n)])
    loss = rng.uniform(1, 2, n + 2)
    total, iota = loss[y != -1].sum(), -1
    return {
        "L": (total, ""),
        r"\ell": (loss, "T"),
        "y": (y, "T"),
        r"\iota": (iota, ""),
        "m": (loss[y != -1].mean(), ""),
        "s": (loss[y != -1].var(), ""),
    }


def test_a_sum_has_its_conditions_behind_a_colon():
    true = [
        r"L = \sum_{t:\, y_t \ne \iota} \ell_t",
        r"L = \sum_{t \mid y_t \ne \iota} \ell_t",
        r"L = \sum_t \mathbb{1}[y_t \ne \iota] \ell_t",
    ]
    wrong = [
        r"L = \sum_{t:\, y_t = \iota} \ell_t",
        r"L = \sum_{t:\, y_t > 0, y_t \ne \iota} \ell_t",
        r"L = -\sum_{t:\, y_t \ne \iota} \ell_t",
        r"L = \sum_{t:\, y_t \ne \iota} \ell_t^2",
    ]
    judged(only(losses, "L", r"\ell", "y", r"\iota"), true, wrong)


def test_a_mean_and_a_variance_name_the_index_that_they_go_over():
    true = [r"m = \mathbb{E}_{t:\, y_t \ne \iota}[\ell_t]", r"m = \operatorname{mean}_{t:\, y_t \ne \iota}(\ell_t)"]
    wrong = [
        r"m = \mathbb{E}_t[\ell_t]",
        r"m = \mathbb{E}_{t:\, y_t = \iota}[\ell_t]",
        r"m = \operatorname{Var}_{t:\, y_t \ne \iota}[\ell_t]",
        r"m = \sum_{t:\, y_t \ne \iota} \ell_t",
    ]
    judged(only(losses, "m", r"\ell", "y", r"\iota"), true, wrong)
    form = r"s = \operatorname{Var}_{t:\, y_t \ne \iota}[\ell_t]"
    judged(
        only(losses, "s", r"\ell", "y", r"\iota"), [form], [form.replace(r"\ne", "="), form.replace(r"_t]", "_t^2]")]
    )

    def moments(rng, n, k):
        x = rng.normal(size=(n, k + 3))
        return {"v": (x.var(-1), "n"), "x": (x, "n k"), "k": (k + 3, "")}

    true = [
        r"v_t = \operatorname{Var}_i[x_{ti}]",
        r"v_t = \mathbb{E}_i[(x_{ti} - \mathbb{E}_j[x_{tj}])^2]",
        r"v_t = \mathbb{E}_i[x_{ti}^2] - (\mathbb{E}_i[x_{ti}])^2",
        r"v_t = \mathbb E_i[x_{ti}^2] - \mathbb E_i[x_{ti}]^2",
        r"v_t = \mathrm{Var}_i[x_{ti}]",
    ]
    wrong = [
        r"v_t = \operatorname{Var}_i[x_{ti}] \frac{k}{k - 1}",
        r"v_t = \mathbb{E}_i[x_{ti}^2]",
        r"v_t = \operatorname{Var}_s[x_{st}]",
        r"v_t = \mathbb{E}_i[x_{ti}]",
        r"v_t = 2 \operatorname{Var}_i[x_{ti}]",
    ]
    judged(moments, true, wrong)


def test_a_function_stands_on_the_left():
    def feed_forward(rng, n, k):
        x, W, b, U, c = (rng.normal(size=s) for s in [(n, k), (k, n + 2), n + 2, (n + 2, k), k])
        return {
            "y": (np.maximum(0, x @ W + b) @ U + c, "T d"),
            "x": (x, "T d"),
            "W_1": (W, "d f"),
            "b_1": (b, "f"),
            "W_2": (U, "f d"),
            "b_2": (c, "d"),
        }

    right = r"(x) = \max(0, x W_1 + b_1) W_2 + b_2"
    true = [name + right for name in (r"\operatorname{FFN}", r"\mathrm{FFN}", "f", r"\Phi")]
    wrong = [
        "f" + right.replace("max", "min"),
        "f" + right.replace("+ b_2", "- b_2"),
        "f" + right.replace("+ b_1", ""),
        "f" + right.replace("W_1", "W_1 W_2 W_1"),
        "f(x, b_2)" + right[3:].replace("+ b_2", ""),
    ]
    judged(only(feed_forward, "y", "x", "W_1", "b_1", "W_2", "b_2"), true, wrong, ROWS)
    assert (
        "another name" in judge("f(x) = x", lambda rng, n, k: {"y": (a := rng.normal(size=n), "n"), "x": (a, "n")}).why
    )


def test_the_indices_of_a_function_on_the_left_give_the_order():
    def make(rng, n, k):
        A = rng.normal(size=(n, k))
        return {"y": (A.T.copy(), "k n"), "A": (A, "n k")}

    judged(make, ["f(A)_{ij} = A_{ji}", "f(A) = A^\\top"], ["f(A)_{ij} = A_{ij}", "f(A)_{ji} = A_{ji}", "f(A) = A"])
    assert "the index i is not on the left side" in judge("f(A) = A_{ij}", make).why


def test_the_normal_distribution_by_the_error_function():
    def make(rng, n, k):
        x = rng.normal(size=n)
        return {"y": (np.array([0.5 * (1 + math.erf(t / math.sqrt(2))) for t in x]), "n"), "x": (x, "n")}

    form = r"\Phi(x) = \tfrac12 \Big(1 + \operatorname{erf}\Big(\frac{x}{\sqrt{2}}\Big)\Big)"
    wrong = [form.replace("1 +", "1 -"), form.replace("12", "13"), form.replace(r"\sqrt{2}", "2")]
    judged(make, [form, form.replace(r"\tfrac12", r"\frac{1}{2}")], wrong, Reading(per=("entry",)))


def kept(rng, n, k):
    p = softmax(rng.normal(size=n + 3))
    order = np.argsort(-p)
    before = np.cumsum(p[order]) - p[order]
    c, inside = 0.55 + 0.1 * rng.random(), np.zeros(n + 3, dtype=bool)
    inside[order[before < c]] = True
    return {
        "S": (inside, "V"),
        "z": (np.where(inside, p, 0.0), "V"),
        "Z": (p[inside].sum(), ""),
        "p": (p, "V"),
        "o": (order, "V"),
        "b": (before, "V"),
        "c": (c, ""),
        "k": (3, ""),
        "K": (order[:3], "k"),
        "s": (p[order[:3]].sum(), ""),
        "r": (np.where(inside, p / p[inside].sum(), 0.0), "V"),
    }


def test_a_set_of_those_that_meet_a_condition():
    true = [r"S = \{o_r : b_r < c\}", r"S = \{o_r \mid b_r < c\}"]
    wrong = [r"S = \{o_r : b_r > c\}", r"S = \{r : b_r < c\}", r"S = \{o_r : b_r < c - b_r\}", r"S = \{o_r : o_r < c\}"]
    judged(only(kept, "S", "o", "b", "c"), true, wrong)
    form = r"z_v = \begin{cases} p_v & v \in \{o_r : b_r < c\} \\ 0 & \text{otherwise} \end{cases}"
    wrong = [form.replace("b_r <", "b_r >"), form.replace("{o_r", "{r"), form.replace("p_v", "2 p_v")]
    judged(only(kept, "z", "p", "o", "b", "c"), [form], wrong)
    why = judge(r"z = \{o_r : b_r < c\}", only(kept, "z", "o", "b", "c")).why
    assert "a set is compared with a row of booleans" in why


def test_an_index_is_in_a_recorded_set():
    judged(only(kept, "Z", "p", "S"), [r"Z = \sum_{v \in S} p_v"], [r"Z = \sum_v p_v", r"Z = -\sum_{v \in S} p_v"])
    judged(only(kept, "s", "p", "K"), [r"s = \sum_{v \in K} p_v"], [r"s = \sum_v p_v", r"s = \prod_{v \in K} p_v"])
    form = r"r_v = \begin{cases} \frac{p_v}{\sum_{u \in S} p_u} & v \in S \\ 0 & \text{otherwise} \end{cases}"
    judged(only(kept, "r", "p", "S"), [form], [form.replace(r"u \in S", "u"), form.replace(r"\frac{p_v}", r"\frac{1}")])
    judged(
        only(kept, "s", "p", "o", "k"),
        [r"s = \sum_{r < k} p_{o_r}", r"s = \sum_{v \in \{o_r : r < k\}} p_v"],
        [r"s = \sum_{r \le k} p_{o_r}", r"s = \sum_{v \in \{o_r : r > k\}} p_v"],
    )


def test_the_place_of_the_maximum_has_one_name():
    def make(rng, n, k):
        z = rng.normal(size=(n, k + 2))
        return {"k": (z.argmax(-1), "T"), "z": (z, "T V")}

    forms = [r"\argmax_j", r"\arg\max_j", r"\operatorname*{arg\,max}_j", r"\operatorname*{argmax}_{j}"]
    judged(
        make, [rf"k_t = {form} z_{{tj}}" for form in forms], [r"k_t = \argmin_j z_{tj}", r"k_t = \argmax_j (-z_{tj})"]
    )


def test_a_logarithm_to_a_base():
    def make(rng, n, k):
        p = softmax(rng.normal(size=(n, k)))
        return {"H": (-(p * np.log2(p)).sum(-1), "T"), "p": (p, "T V")}

    true = [r"H_t = -\sum_v p_{tv} \log_2 p_{tv}", r"H_t = -\sum_v p_{tv} \frac{\log p_{tv}}{\log 2}"]
    judged(
        make,
        [*true, r"H_t = -\sum_v p_{tv} \log_{\sqrt{4}} p_{tv}", r"H_t = -\sum_v p_{tv} \log_{2}(p_{tv})"],
        [
            r"H_t = -\sum_v p_{tv} \log p_{tv}",
            r"H_t = -\sum_v p_{tv} \log_{10} p_{tv}",
            r"H_t = \sum_v p_{tv} \log_2 p_{tv}",
        ],
    )


def test_the_positive_part():
    def make(rng, n, k):
        x = rng.normal(size=(n, k))
        return {"y": (np.maximum(x, 0), "n k"), "x": (x, "n k")}

    judged(make, ["y = [x]_+", "y = (x)_+", "y_{ij} = [x_{ij}]_{+}"], ["y = [-x]_+", "y = -[x]_+", "y = 2 [x]_+"])


def test_an_equals_sign_may_say_that_it_defines():
    def make(rng, n, k):
        x = rng.normal(size=n)
        return {"y": (2 * x, "n"), "x": (x, "n")}

    true = ["y := 2 x", r"y_i = 2 x_i \quad \forall i", r"y_i = 2 x_i, \quad \forall\, i", r"y_i = 2 x_i,\ \forall i"]
    judged(make, true, ["y := 3 x", r"y_i = 3 x_i \quad \forall i"])
    assert "is always met" in judge(r"y_i = 2 x_i \quad \forall i < 9", make).why


def test_for_all_of_which_a_condition_holds():
    def make(rng, n, k):
        A = rng.normal(size=(n, n))
        return {"D": (np.tril(A), "n n"), "A": (A, "n n")}

    reading = Reading(property=True)
    assert judge(r"D_{ij} = 0 \quad \forall j > i", make, reading).ok
    assert not judge(r"D_{ij} = 0 \quad \forall j \ge i", make, reading).ok


@pytest.mark.parametrize(
    "letter", [r"\varsigma", r"\varrho", r"\varpi", r"\varkappa", r"\varphi", r"\vartheta", r"\epsilon"]
)
def test_every_greek_letter_is_a_symbol_and_an_index(letter):
    def make(rng, n, k):
        x = rng.normal(size=n)
        return {"y": (2 * x, "n"), letter: (x, "n")}

    judged(make, [f"y = 2 {letter}"], [f"y = 3 {letter}"])
    if letter != r"\epsilon":
        judged(
            lambda rng, n, k: {"y": (2 * np.arange(n), "n")}, [f"y_{letter} = 2 {letter}"], [f"y_{letter} = 3 {letter}"]
        )
