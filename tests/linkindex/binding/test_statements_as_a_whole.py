"""Statements in the place of an expression: what they compute is compared, and the expressions in them are mutated."""

import pytest

from tests.linkindex.binding.one_page import page, refusals, survivors

DRAWN = {"x": "rng.normal(size=n)", "b": "rng.normal(size=n)"}
SYMBOLS = {name: name for name in ("x", "b", "w")} | {"x'": "x"}
SYMBOLS["y"] = '{meaning: Result, shape: "(n,)"}'
FILL = "    for i in range(len(x)):\n        w[i] = 2 * x[i] + b[i]\n"
HEAD = "import numpy as np\n\n\n"
CALL = "code.f(x.copy(), b)"

# The function, the record, the true formula, a wrong one, and what the test compares.
WHOLE = {
    "in place": (
        "def f(x, b):\n    x *= 0.9\n    x += 0.1 * b\n    return x\n",
        "code: |\n  x *= 0.9\n  x += 0.1 * b\n", "x' = 0.9 x + 0.1 b", "x' = 0.9 x + 0.2 b", "0.9 * x + 0.1 * b",
    ),
    "nothing returned": (
        "def f(x, b):\n    x *= 0.9\n    x += 0.1 * b\n\n\ndef g(x, b):\n    f(x, b)\n    return x\n",
        "at: return\n", "x' = 0.9 x + 0.1 b", "x' = 0.9 x + b", "0.9 * x + 0.1 * b",
    ),
    "a name in between": (
        "def f(x, b):\n    '''Twice the sum.'''\n    s = x + b\n    return 2 * s\n",
        "at: return\n", "y = 2 (x + b)", "y = 2 x + b", "2 * (x + b)",
    ),
    "a name assigned again": (
        "def f(x, b):\n    x = x + b\n    return 2 * x\n",
        "at: return\n", "y = 2 (x + b)", "y = 2 x", "2 * (x + b)",
    ),
    "filled in a loop": (
        f"def f(x, b):\n    w = np.zeros(len(x))\n{FILL}    return w\n",
        "at: return\n", "w_i = 2 x_i + b_i", "w_i = 2 x_i + 3 b_i", "2 * x + b",
    ),
    "a range with a loop": (
        f"def f(x, b):\n    w = np.empty(len(x))\n{FILL}    return w\n",
        "code: |\n  for i in range(len(x)):\n      w[i] = 2 * x[i] + b[i]\n", "w = 2 x + b", "w = 2 x", "2 * x + b",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WHOLE)
def test_the_formula_speaks_of_all_of_them_and_their_mutants_are_planted(tmp_path, case):
    code, keys, right, wrong, expected = WHOLE[case]
    run = CALL.replace("code.f", "code.g") if "def g" in code else CALL
    drawn = "".join(f"    {name} = {how}\n" for name, how in DRAWN.items())
    test = (
        "import numpy as np\nfrom lab import code\n\n\ndef test_it():\n    rng, n = np.random.default_rng(0), 4\n"
        f"{drawn}    assert np.allclose({run}, {expected}, rtol=1e-9)\n"
    )
    record = {"one": f"in: lab.code.f\n{keys}latex: {right}"}
    assert survivors(page(tmp_path / "right", HEAD + code, SYMBOLS, record, run, DRAWN, test)) == []
    weak = test.replace("rtol=1e-9", "rtol=1e9, atol=1e9")
    found = survivors(page(tmp_path / "weak", HEAD + code, SYMBOLS, record, run, DRAWN, weak))
    assert {one[:5] for one in found} == {"LI453", "LI454"}
    record = {"one": f"in: lab.code.f\n{keys}latex: {wrong}"}
    found = refusals(page(tmp_path / "wrong", HEAD + code, SYMBOLS, record, run, DRAWN, test))
    assert [one[:5] for one in found] == ["LI420"]


CASES = "def f(s):\n    if s < 0:\n        return 0.1 * s\n    return 2 * s\n"
CASES_TEST = """import numpy as np
from lab import code


def test_it():
    for s in (-1.5, -0.5, -1e-9, 0.0, 1e-9, 0.5, 1.5):
        assert abs(code.f(s) - (0.1 * s if s < 0 else 2 * s)) < 1e-12
"""


@pytest.mark.parametrize(("slope", "holds"), [("0.1", True), ("0.2", False)])
def test_cases_over_two_returns(tmp_path, slope, holds):
    latex = rf"y = \begin{{cases}} {slope} s & s < 0 \\ 2 s & s \ge 0 \end{{cases}}"
    symbols = {name: "{meaning: A number, shape: ()}" for name in "ys"} | {"s": "{code: s, meaning: S, shape: ()}"}
    record = {"one": f"in: lab.code.f\nat: return\nlatex: {latex}\nequivalent:\n  s <= 0: both branches give 0 there"}
    run, drawn = "[code.f(s) for s in xs]", {"xs": "rng.normal(size=20)"}
    project = page(tmp_path, CASES, symbols, record, run, drawn, CASES_TEST)
    assert [one[:5] for one in survivors(project)] == ([] if holds else ["LI420"])


@pytest.mark.parametrize(
    ("keys", "code", "message"),
    [
        ("at: end", "LI107", "at must be return, or return[0]"),
        ("at: return\ncode: 2 * x", "LI107", "keep one of them"),
        ("code: x *= 3", "LI207", "copy them as they stand"),
        ("code: |\n  x *= 2\n  b *= 2", "LI207", "do not follow each other"),
        ("code: print(1); print(2)", "LI207", "do not follow each other"),
        ("code: x *= ", "LI206", "is no Python expression"),
    ],
)
def test_what_cannot_be_linked_is_refused_with_what_to_write(tmp_path, keys, code, message):
    source = "def f(x, b):\n    x *= 2\n    x += b\n    return x\n"
    record = {"one": f"in: lab.code.f\n{keys}\nlatex: x' = 2 x + b"}
    found = refusals(page(tmp_path, source, SYMBOLS, record, CALL, DRAWN))
    assert any(one.startswith(code) and message in one for one in found), found
