"""Claims that one side is smaller are looked at on many samples; the dtype of the code decides how near is equal."""

import pytest

from tests.linkindex.evidence.one_formula import faults, result

SIZES = "sizes: {T: [5, 2, 3], V: [4, 3, 7]}"
LENGTHS = """T: {code: 'z.shape[0]', meaning: rows, shape: (), size: free}
V: {code: 'z.shape[1]', meaning: words, shape: (), size: free}
z: {code: z, meaning: logits, shape: "(T, V)"}
p: {code: p, meaning: probabilities, shape: "(T, V)"}
"""
SOFTMAX = """    e = np.exp(z - z.max(axis=-1, keepdims=True))  # (T, V)
    p = e / e.sum(axis=-1, keepdims=True)  # (T, V)
"""
HEAD = "import numpy as np\n\n\n"
ENTROPY = f"{HEAD}def f(z):\n{SOFTMAX}    h = -np.sum(p * np.log(p), axis=-1)  # (T,)\n    return h\n"
NEGATIVE = ENTROPY.replace("h = -np", "h = np")
ENTROPIES = LENGTHS + "\\mathcal H: {code: h, meaning: entropy, shape: '(T,)'}\n"
LOSS = f"{HEAD}def f(z, y):\n{SOFTMAX}    L = -np.mean(np.log(p[np.arange(len(y)), y]))  # ()\n    return L\n"
LOSSES = LENGTHS + "L: {code: L, meaning: loss, shape: ()}\n"
LOGITS = "'z': rng.normal(size=(sizes['T'], sizes['V']))"
WORDS = "'y': rng.integers(0, sizes['V'], sizes['T'])"
PROPERTY = "  property: true\n"
UNIFORM = "def extremes(rng, sizes):\n    return [{'z': np.zeros((sizes['T'], sizes['V']))}]\n"


def judged(root, code, latex, symbols, sample, **named):
    record = PROPERTY + named.pop("record", "")
    return faults(root, code, latex, symbols, f"{{{sample}}}", page=SIZES, record=record, **named)


@pytest.mark.parametrize(("code", "latex"), [
    (NEGATIVE, r"\mathcal H_t < -0.1"),
    (NEGATIVE, r"\mathcal H_t \le -0.01"),
    (ENTROPY, r"\mathcal H_t > 0.2"),
    (ENTROPY, r"\mathcal H_t \le \frac{9}{10} \log V"),
    (ENTROPY, r"\mathcal H_t \ge \frac{1}{V}"),
])  # fmt: skip
def test_a_bound_that_few_samples_do_not_break_is_broken_by_one_of_many(tmp_path, code, latex):
    (found,) = judged(tmp_path, code, latex, ENTROPIES, LOGITS)
    assert "does not hold, in one of many further samples" in found or "does not hold" in found


def test_a_loss_that_is_larger_than_that_of_guessing_as_a_rule_only(tmp_path):
    (found,) = judged(tmp_path, LOSS, r"L \ge \log V", LOSSES, f"{LOGITS}, {WORDS}", record="  code: L\n")
    assert "does not hold" in found


@pytest.mark.parametrize("latex", [r"\mathcal H_t \le \log V", r"\log V \ge \mathcal H_t"])
@pytest.mark.parametrize("example", ["", UNIFORM])
def test_the_true_bound_of_an_entropy_holds_also_where_it_is_met(tmp_path, latex, example):
    assert judged(tmp_path, ENTROPY, latex, ENTROPIES, LOGITS, example=example, record="  code: h\n") == []


def test_a_strict_bound_that_an_extreme_sample_meets_is_refused(tmp_path):
    (found,) = judged(tmp_path, ENTROPY, r"\mathcal H_t < \log V", ENTROPIES, LOGITS, example=UNIFORM)
    assert "does not hold" in found


def test_a_bound_that_nothing_comes_near_is_refused_with_what_to_do(tmp_path):
    (found,) = judged(tmp_path, ENTROPY, r"\mathcal H_t \le V", ENTROPIES, LOGITS)
    assert "let extremes(rng, sizes) in the example return a list of inputs at which both sides are equal" in found


def test_extremes_that_are_no_list_are_found_there(tmp_path):
    example = "def extremes(rng, sizes):\n    return {'z': 1}\n"
    (found,) = judged(tmp_path, ENTROPY, r"\mathcal H_t \le \log V", ENTROPIES, LOGITS, example=example)
    assert found.startswith("LI301 extremes() must return a list of dicts")


# --- ties

CASES = f"{HEAD}def f(x, b):\n    y = np.where(x < b, x, 2 * b)  # (n,)\n    return y\n"
VECTORS = """n: {code: 'x.size', meaning: entries, shape: (), size: free}
x: {code: x, meaning: a vector, shape: "(n,)"}
b: {code: b, meaning: a vector, shape: "(n,)"}
y: {code: y, meaning: a vector}
"""
LESS = r"y_i = \begin{cases} x_i & x_i < b_i \\ 2 b_i & \text{otherwise} \end{cases}"
DRAWN = "{'x': rng.normal(size=sizes['n']), 'b': rng.normal(size=sizes['n'])}"
TIED = "{'x': rng.integers(-2, 3, sizes['n']) / 1, 'b': rng.integers(-2, 3, sizes['n']) / 1}"
LONG = "sizes: {n: [17, 25]}"


@pytest.mark.parametrize(("sign", "sample", "right", "notes"), [
    ("<", DRAWN, True, ("no trial tells < from ≤",)), (r"\le", DRAWN, True, ("no trial tells ≤ from <",)),
    ("<", TIED, True, ()), (r"\le", TIED, False, ()),
])  # fmt: skip
def test_without_a_tie_the_page_says_what_was_not_told_apart(tmp_path, sign, sample, right, notes):
    latex = LESS.replace("<", sign)
    _, _, _, evidence, _ = result(tmp_path, CASES, latex, VECTORS, sample, page=LONG)
    step = evidence.proofs["page.one"].steps["formula"]
    assert (step.ok, step.notes) == (right, notes)


def test_a_tie_may_be_an_extreme_sample(tmp_path):
    example = "def extremes(rng, sizes):\n    return [{'x': np.full(3, 2.0), 'b': np.full(3, 2.0)}]\n"
    _, _, _, evidence, _ = result(tmp_path, CASES, LESS, VECTORS, DRAWN, page=LONG, example=example)
    assert evidence.proofs["page.one"].steps["formula"].notes == ()


# --- dtypes

PRODUCT = "def f(x, W):\n    y = x @ W  # (T, k)\n    return y\n"
MATRICES = """T: {code: 'x.shape[0]', meaning: rows, shape: (), size: free}
n: {code: 'x.shape[1]', meaning: columns, shape: (), size: free}
k: {code: 'W.shape[1]', meaning: columns that come out, shape: (), size: free}
x: {code: x, meaning: input, shape: "(T, n)"}
W: {code: W, meaning: weights, shape: "(n, k)"}
y: {code: y, meaning: output}
"""


def matrices(dtype):
    return (f"{{'x': rng.normal(size=(sizes['T'], sizes['n'])).astype('{dtype}'),"
            f" 'W': rng.normal(size=(sizes['n'], sizes['k'])).astype('{dtype}')}}")  # fmt: skip


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-10), ("float32", 1e-5), ("float16", 1e-2)])
@pytest.mark.parametrize(("latex", "right"), [
    ("y = x W", True), (r"y_{ij} = \sum_{c} x_{ic} W_{cj}", True), ("y = 1.1 x W", False),
])  # fmt: skip
def test_numbers_are_as_near_as_their_dtype_lets_them_be(tmp_path, dtype, tolerance, latex, right):
    page = "sizes: {T: [15, 17], n: [33, 64], k: [12, 6]}"
    _, _, _, evidence, _ = result(tmp_path, PRODUCT, latex, MATRICES, matrices(dtype), page=page)
    step = evidence.proofs["page.one"].steps["formula"]
    assert (step.ok, step.dtype, step.tolerance) == (right, dtype, tolerance)


@pytest.mark.parametrize("wrong", ["y = 1.0001 x W", r"y = x W - 0.0003 x W"])
def test_in_float32_a_difference_of_a_ten_thousandth_is_none_of_rounding(tmp_path, wrong):
    page = "sizes: {T: [5, 7], n: [3, 4], k: [2, 6]}"
    assert "differ by" in faults(tmp_path, PRODUCT, wrong, MATRICES, matrices("float32"), page=page)[0]
