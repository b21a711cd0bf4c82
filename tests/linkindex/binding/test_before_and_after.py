"""A variable that a statement assigns again: its right side is what stood before, its left side what stands behind."""

import pytest

from tests.linkindex.binding.one_page import page, refusals

DRAWN = {"x": "rng.normal(size=n)", "b": "rng.normal(size=n)"}
ENTRY = '{{code: "{}", meaning: A number, shape: ()}}'

# What each function assigns, the code of the two notations, and how it is called.
FORMS = {
    "name": ("def f(x, b):\n    x = 2 * x + b\n    return x\n", "x", "code.f(x, b)"),
    "name in a loop": (
        "def f(x, b):\n    for _ in range(3):\n        x = 2 * x + b\n    return x\n", "x", "code.f(x, b)",
    ),
    "in place": ("def f(x, b):\n    x += x + b\n    return x\n", "x", "code.f(x.copy(), b)"),
    "in two steps": ("def f(x, b):\n    x *= 2\n    x += b\n    return x\n", "x", "code.f(x.copy(), b)"),
    "attribute": (
        "class F:\n    def f(self, b):\n        self.x = 2 * self.x + b\n", "self.x", "o = code.F(); o.x = x; o.f(b)",
    ),
    "attribute in place": (
        "class F:\n    def f(self, b):\n        self.x += self.x + b\n", "self.x",
        "o = code.F(); o.x = x.copy(); o.f(b)",
    ),
    "key": (
        "def f(d, b):\n    d['k'] = 2 * d['k'] + b\n    return d\n", "d['k']", "code.f({'k': x}, b)",
    ),
    "key in place": (
        "def f(d, b):\n    d['k'] *= 2\n    d['k'] += b\n    return d\n", "d['k']", "code.f({'k': x.copy()}, b)",
    ),
    "under another name": (
        "def f(d, b):\n    x = d['k']\n    x *= 2\n    x += b\n    return x\n", "x", "code.f({'k': x.copy()}, b)",
    ),
    "tuple": ("def f(x, b):\n    x, c = 2 * x + b, x\n    return x, c\n", "x", "code.f(x, b)"),
    "walrus": ("def f(x, b):\n    return (x := 2 * x + b) + 1\n", "x", "code.f(x, b)"),
    "walrus in a condition": (
        "def f(x, b):\n    while ((x := 2 * x + b) ** 2).sum() < 1e4:\n        pass\n    return x\n", "x",
        "code.f(x, b)",
    ),
}  # fmt: skip
FORMULAS = {
    "x' = 2 x + b": True,
    "x' = x + b": False,
    "x' = 2 x + 2 b": False,
    "x' = 3 x": False,
    "x' = \\frac{x' + 2 x + b}{2}": False,
}


def _function(form: str) -> str:
    return "lab.code.F.f" if "attribute" in form else "lab.code.f"


@pytest.mark.parametrize("form", FORMS)
def test_two_notations_name_what_stood_before_and_what_stands_behind(tmp_path, form):
    code, variable, run = FORMS[form]
    symbols = {"x": variable, "x'": variable, "b": "b"}
    records = {f"part-{number}": f"in: {_function(form)}\nlatex: {latex}" for number, latex in enumerate(FORMULAS)}
    found = [one.partition(":")[0] for one in refusals(page(tmp_path, code, symbols, records, run, DRAWN))]
    assert found == [f"LI420 page.part-{number}" for number, holds in enumerate(FORMULAS.values()) if not holds]


ITEMS = "def f(h, x):\n    for i in range(1, len(x)):\n        h[i] = 0.5 * h[i - 1] + x[i]\n    return h\n"


@pytest.mark.parametrize(
    ("latex", "holds"), [("h' = 0.5 h + u", True), ("h' = 0.6 h + u", False), ("h' = 0.5 h", False)]
)
def test_an_item_is_read_in_each_round_of_a_loop(tmp_path, latex, holds):
    symbols = {"h'": ENTRY.format("h[i]"), "h": ENTRY.format("h[i - 1]"), "u": ENTRY.format("x[i]")}
    record = {"one": f"in: lab.code.f\nlatex: {latex}"}
    drawn = {"x": "rng.normal(size=n)", "h": "rng.normal(size=n)"}
    found = refusals(page(tmp_path, ITEMS, symbols, record, "code.f(h.copy(), x)", drawn))
    assert (found == []) is holds


@pytest.mark.parametrize(("latex", "holds"), [("2 x + b", True), (r"\frac{3 x}{3}", False), ("x", False)])
def test_without_a_left_side_the_variable_is_what_the_expression_reads(tmp_path, latex, holds):
    code, _, run = FORMS["name"]
    record = {"one": f"in: lab.code.f\ncode: 2 * x + b\nlatex: {latex}"}
    found = refusals(page(tmp_path, code, {"x": "x", "b": "b"}, record, run, DRAWN))
    assert (found == []) is holds


def test_one_notation_for_both_is_refused_with_what_to_write(tmp_path):
    code, _, run = FORMS["name"]
    record = {"one": "in: lab.code.f\nlatex: x = 2 x + b"}
    (found,) = refusals(page(tmp_path, code, {"x": "x", "b": "b"}, record, run, DRAWN))
    assert "x is on both sides" in found and "another notation, with the same code" in found


MOMENT = "def f(m, g):\n    u = 3 * m\n    m = 0.9 * m + g\n    h = m / 0.5\n    return u, h\n"
MOMENTS = {"m_{t-1}": "m", "m_t": "m", "g": "g", "h": "h", "u": "u"}


@pytest.mark.parametrize(
    ("latex", "message"),
    [
        (r"h = \frac{m_t}{0.5}", None),
        ("u = 3 m_{t-1}", None),
        (r"h = \frac{m_{t-1}}{0.5}", "write m_t"),
        ("u = 3 m_t", "write m_{t-1}"),
    ],
)
def test_a_notation_is_the_same_value_in_all_equations(tmp_path, latex, message):
    records = {"one": r"in: lab.code.f" + "\nlatex: m_t = 0.9 m_{t-1} + g", "two": f"in: lab.code.f\nlatex: {latex}"}
    drawn = {"m": "rng.normal(size=n)", "g": "rng.normal(size=n)"}
    found = refusals(page(tmp_path, MOMENT, MOMENTS, records, "code.f(m, g)", drawn))
    assert found == [] if message is None else [one[:5] for one in found] == ["LI125"] and message in found[0]


@pytest.mark.parametrize("linked", [True, False])
def test_two_notations_of_one_value_are_refused_where_the_variable_has_two(tmp_path, linked):
    code = "def f(m, g):\n    m = m + 1\n    u = 3 * m\n    v = 4 * m\n    m = 0.9 * m + g\n    return u, v, m\n"
    symbols = {"m": "m", "p": "m", "m'": "m", "g": "g", "u": "u", "v": "v"}
    keys = ("latex: u = 3 m", "latex: v = 4 p", "code: m = 0.9 * m + g\nlatex: m' = 0.9 m + g")[: 3 if linked else 2]
    records = {f"part-{number}": f"in: lab.code.f\n{key}" for number, key in enumerate(keys)}
    drawn = {"m": "rng.normal(size=n)", "g": "rng.normal(size=n)"}
    if not linked:
        del symbols["m'"]
    (found,) = refusals(page(tmp_path, code, symbols, records, "code.f(m, g)", drawn))
    assert found.startswith("LI125 page.part-1: p stands here for the value of m that is m in page.part-0")


def test_two_branches_give_one_value(tmp_path):
    branches = "    if b[0] > 0:\n        y = x + b\n    else:\n        y = x - b\n"
    code = f"def f(x, b):\n{branches}    z = 2 * y\n    return z\n"
    records = {
        "plus": "in: lab.code.f\ncode: x + b\nlatex: y = x + b",
        "minus": "in: lab.code.f\ncode: x - b\nlatex: y = x - b",
        "two": "in: lab.code.f\nlatex: z = 2 y",
    }
    symbols = {"x": "x", "b": "b", "y": "y", "z": "z"}
    run = "[code.f(x, b), code.f(x, -b)]"
    assert refusals(page(tmp_path, code, symbols, records, run, DRAWN)) == []
