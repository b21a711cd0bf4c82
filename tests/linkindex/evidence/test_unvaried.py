"""What no trial varies is not compared: a number equal in all trials, a side of a choice that none takes."""

import pytest

from tests.linkindex.evidence.one_formula import faults


def scalars(names):
    return "".join(f"{latex}: {{code: '{code}', meaning: a number, shape: ()}}\n" for latex, code in names.items())


def size(name):
    return f"{name}: {{code: {name}, meaning: a length, shape: (), size: free}}\n"


DRAWN = "rng.uniform(0.1, 0.9)"
MOMENT = "def f(m, g, b1, lr):\n    new = b1 * m + (1 - b1) * g\n    return lr * new\n"
MOMENTS = scalars({r"m_t": "new", r"m_{t-1}": "m", "g_t": "g", r"\beta_1": "b1", r"\eta": "lr"})
MOVING = "'m': rng.normal(), 'g': rng.normal()"


def says(found, *parts):
    assert found, "nothing was found"
    assert any(all(part in one for part in parts) for one in found), found


@pytest.mark.parametrize("latex", [
    r"m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t", r"m_t = \beta_1 m_{t-1} + \frac{1 - \beta_1}{1} g_t",
    r"m_t = 0.9 m_{t-1} + 0.1 g_t", r"m_t = 0.9 m_{t-1} + (1 - \beta_1) g_t",
])  # fmt: skip
def test_a_rate_that_is_equal_in_all_trials_is_named(tmp_path, latex):
    found = faults(tmp_path, MOMENT, latex, MOMENTS, f"{{{MOVING}, 'b1': 0.9, 'lr': 0.1}}")
    says(found, "b1 is 0.9 in every trial")


def test_two_rates_that_complete_each_other_are_not_taken_for_each_other(tmp_path):
    latex = r"m_t = \beta_1 m_{t-1} + \eta g_t"
    says(faults(tmp_path / "a", MOMENT, latex, MOMENTS, f"{{{MOVING}, 'b1': 0.9, 'lr': 0.1}}"), "b1 is 0.9")
    says(faults(tmp_path / "b", MOMENT, latex, MOMENTS, f"{{{MOVING}, 'b1': {DRAWN}, 'lr': {DRAWN}}}"), "differ")


def test_drawing_the_rate_is_all_that_it_takes(tmp_path):
    latex = r"m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t"
    assert faults(tmp_path, MOMENT, latex, MOMENTS, f"{{{MOVING}, 'b1': {DRAWN}, 'lr': 0.1}}") == []


@pytest.mark.parametrize(("code", "run", "named"), [
    ("def f(t, lr, start=0):\n    u = (start + t) * lr\n    return u\n", "f(**given)", "start is 0"),
    ("def f(t, lr, **more):\n    start = more['start']\n    u = (start + t) * lr\n    return u\n",
     "f(**given, start=0)", "more['start'] is 0"),
    ("class A:\n    start = 0\n\n    def g(self, t, lr):\n        u = (self.start + t) * lr\n        return u\n\n\n"
     "def f(t, lr):\n    return A().g(t, lr)\n", "f(**given)", "self.start is 0"),
    ("def f(t, lr, state=None):\n    state = state or {'start': 0}\n    u = (state['start'] + t) * lr\n    return u\n",
     "f(**given)", "state['start'] is 0"),
    ("def g(start):\n    def f(t, lr):\n        u = (start + t) * lr\n        return u\n    return f\n\n\n"
     "def f(t, lr):\n    return g(0)(t, lr)\n", "f(**given)", "start is 0"),
    ("import numpy as np\n\n\ndef f(t, lr):\n    return g(t, lr, np.zeros(3))\n\n\n"
     "def g(t, lr, start):\n    u = (start.sum() + t) * lr\n    return u\n", "f(**given)", "start is 0"),
    ("def f(t, lr, start=0):\n    shifted = start + t\n    u = shifted * lr\n    return u\n",
     "f(**given)", "start is 0"),
    ("def f(t, lr, start=0):\n    match t:\n        case _:\n            shifted = start + t\n    u = shifted * lr\n"
     "    return u\n", "f(**given)", "start is 0"),
    ("def f(t, lr, start=0):\n    if (shifted := start + t) is None:\n        return t\n    u = shifted * lr\n"
     "    return u\n", "f(**given)", "start is 0"),
])  # fmt: skip
def test_a_number_that_the_formula_does_not_show_is_named(tmp_path, code, run, named):
    where = "A.g" if "class A" in code else "g.f" if "return g(0)" in code else "g" if "def g(t" in code else "f"
    symbols = scalars({"u_t": "u", "t": "t", r"\eta": "lr"})
    sample = f"{{'t': {DRAWN}, 'lr': {DRAWN}}}"
    found = faults(tmp_path, code, r"u_t = t \eta", symbols, sample, run=run, function=where)
    says(found, named)


@pytest.mark.parametrize(
    ("D", "H", "named"), [("12", "3", "in every trial"), ("sizes['d'] * sizes['k']", "sizes['k']", "differ")]
)
def test_a_width_that_is_equal_in_all_trials(tmp_path, D, H, named):
    code = "def f(D, H):\n    dh = D // H\n    return dh\n"
    symbols = scalars({"D": "D", "H": "H", "d_h": "dh"}) + size("d") + size("k")
    page = "sizes: {d: [4, 5, 7], k: [3, 2, 6]}"
    found = faults(tmp_path, code, "d_h = D - 8", symbols, f"{{'D': {D}, 'H': {H}}}", page=page)
    says(found, named)


@pytest.mark.parametrize(("code", "latex"), [
    ("SCALE = 0.5\n\n\ndef f(x):\n    y = SCALE * x ** 2\n    return y\n", r"y = \frac{x^2}{2}"),
    ("import math\n\n\ndef f(x):\n    c = math.sqrt(2 / math.pi)\n    y = c * x\n    return y\n",
     r"y = \sqrt{\frac{2}{\pi}} x"),
    ("def f(x):\n    half = 1 / 2\n    y = half * x\n    return y\n", r"y = \frac{x}{2}"),
    ("import numpy as np\n\n\ndef f(x, axis=-1):\n    y = 3 * np.sum([x, x], axis=axis)\n    return y\n", "y = 6 x"),
    ("def f(x, power=2):\n    y = x ** power\n    return y\n", "y = x^2"),
])  # fmt: skip
def test_a_constant_of_the_code_is_no_number_that_could_vary(tmp_path, code, latex):
    record = "  where: power == 2" if "power" in code else ""
    symbols = scalars({"x": "x", "y": "y"})
    assert faults(tmp_path, code, latex, symbols, "{'x': rng.normal()}", record=record) == []


def test_a_default_that_no_trial_varies_is_named_with_what_to_write(tmp_path):
    code = "def f(x, power=2):\n    y = x ** power\n    return y\n"
    found = faults(tmp_path, code, "y = x^2", scalars({"x": "x", "y": "y"}), "{'x': rng.normal()}")
    says(found, "power is 2 in every trial", "let sample() in docs/page.py draw it", "write `where: power == 2`")


def test_a_number_that_a_loop_moves_varies(tmp_path):
    code = "def f(x):\n    y = 0.0\n    for t in range(1, 4):\n        y = y + t * x\n        z = y / t\n    return z\n"
    symbols = scalars({"z": "z", "y": "y", "t": "t"})
    assert faults(tmp_path, code, r"z = \frac{y}{t}", symbols, "{'x': rng.normal()}") == []


def test_what_stands_behind_a_symbol_of_the_formula_is_not_compared_here(tmp_path):
    code = "def f(x, lr=0.5):\n    g = max(lr * x, 0.001)\n    y = 2 * g\n    return y\n"
    symbols = scalars({"y": "y", "g": "g"})
    assert faults(tmp_path / "a", code, "y = 2 g", symbols, "{'x': rng.uniform(1, 2)}") == []
    through = scalars({"y": "y", "x": "x"})
    says(faults(tmp_path / "b", code, "y = x", through, "{'x': rng.uniform(1, 2)}"), "lr is 0.5 in every trial")


# --- choices

WARM = "def f(s, w, D):\n    lr = D ** -0.5 * min(s ** -0.5, s * w ** -1.5)\n    return lr\n"
WARMING = scalars({r"\eta": "lr", "s": "s", "w": "w", "D": "D"})
TRUE, RISING = r"\eta = D^{-0.5} \min(s^{-0.5}, s w^{-1.5})", r"\eta = D^{-0.5} s w^{-1.5}"
EARLY = "{'s': rng.uniform(1, 4), 'w': rng.uniform(5, 9), 'D': rng.uniform(3, 9)}"
TIED = "{'s': 5 * rng.uniform(1, 1.5), 'w': 5 + rng.uniform(5, 6), 'D': rng.uniform(3, 9)}"
BOTH = "{'s': rng.uniform(1, 9), 'w': rng.uniform(2, 8), 'D': rng.uniform(3, 9)}"
STEPS = "sizes: {n: [2, 3, 4, 5, 6, 7]}"


@pytest.mark.parametrize("latex", [TRUE, RISING])
@pytest.mark.parametrize("sample", [EARLY, TIED])
def test_a_side_of_a_minimum_that_no_trial_takes_is_named(tmp_path, latex, sample):
    says(faults(tmp_path, WARM, latex, WARMING, sample), "s ** -0.5 of min(s ** -0.5, s * w ** -1.5) is never taken")


def test_with_both_sides_the_true_formula_holds_and_the_other_does_not(tmp_path):
    symbols = WARMING + size("n")
    assert faults(tmp_path / "a", WARM, TRUE, symbols, BOTH, page=STEPS) == []
    says(faults(tmp_path / "b", WARM, RISING, symbols, BOTH, page=STEPS), "differ")


X = scalars({"x": "x", "y": "y", "b": "b"})
ABOVE = "{'x': rng.uniform(2, 3), 'b': rng.uniform(0.5, 1)}"


@pytest.mark.parametrize(("line", "latex", "named"), [
    ("y = max(x, b)", "y = x", "b of max(x, b) is never taken"),
    ("y = np.maximum(x, b)", "y = x", "b of np.maximum(x, b) is never taken"),
    ("y = np.where(x > b, x, b)", "y = x", "b of np.where(x > b, x, b) is never taken"),
    ("y = x if x > b else b", "y = x", "b of x if x > b else b is never taken"),
    ("y = x * (x > b)", "y = x", "x > b is never false"),
    ("y = np.clip(x, b, 9)", "y = x", "b of np.clip(x, b, 9) is never taken"),
    ("y = np.clip(x, None, b)", "y = b", "x of np.clip(x, None, b) is never taken"),
    ("y = np.clip(x, a_max=9, a_min=b)", "y = x", "b of np.clip(x, a_max=9, a_min=b) is never taken"),
    ("y = np.float64(x).clip(b, 9)", "y = x", "b of np.float64(x).clip(b, 9) is never taken"),
    ("top = np.array([x, 2 * x])\n    y = top.clip(b, max=99).sum()", "y = 3 x", "b of top.clip(b, max=99) is never"),
    ("y = abs(x)", "y = x", "-(x) of abs(x) is never taken"),
    ("y = np.abs(x - 9)", "y = 9 - x", "x - 9 of np.abs(x - 9) is never taken"),
    ("top = max(x, b)\n    y = 2 * top", "y = 2 x", "b of max(x, b) is never taken"),
    ("if x > b:\n        top = x\n    else:\n        top = b\n    y = 2 * top", "y = 2 x", "x > b is never false"),
])  # fmt: skip
def test_a_side_that_no_trial_takes_is_named(tmp_path, line, latex, named):
    code = f"import numpy as np\n\n\ndef f(x, b):\n    {line}\n    return y\n"
    says(faults(tmp_path, code, latex, X, ABOVE), named)


def test_a_choice_that_the_record_speaks_of_is_meant_to_be_so(tmp_path):
    code = "def f(x, b):\n    y = max(x, b)\n    return y\n"
    assert faults(tmp_path, code, "y = x", X, ABOVE, record="  where: x > b") == []


@pytest.mark.parametrize("head", ["b = 2 * x if b is None else b", "if b is None:\n        b = 2 * x"])
def test_a_value_in_the_place_of_a_missing_one_is_no_choice(tmp_path, head):
    code = f"def f(x, b=None):\n    {head}\n    y = b + x\n    return y\n"
    symbols = scalars({"x": "x", "y": "y"})
    assert faults(tmp_path, code, "y = 3 x", symbols, "{'x': rng.normal()}") == []


def test_entries_of_one_array_take_both_sides(tmp_path):
    code = "import numpy as np\n\n\ndef f(x):\n    y = np.maximum(x, 0)  # (n,)\n    return y\n"
    symbols = f"{size('n')}x: {{code: x, meaning: a, shape: '(n,)'}}\ny: {{code: y, meaning: b}}\n"
    sample = "{'x': rng.normal(size=sizes['n'])}"
    assert faults(tmp_path, code, r"y_i = \max(x_i, 0)", symbols, sample, page="sizes: {n: [5, 8]}") == []
