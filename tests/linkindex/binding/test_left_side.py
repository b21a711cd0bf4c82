"""The left side is a claim: where its symbol has a variable, that holds the linked value behind the statement."""

import pytest

from tests.linkindex.binding.one_page import page, refusals

DRAWN = {"x": "rng.normal(size=n)", "b": "rng.normal(size=n)"}
SYMBOLS = {name: name for name in ("x", "b", "w", "y")}


def found(tmp_path, body, keys, symbols=SYMBOLS):
    code = "import numpy as np\n\n\ndef f(x, b):\n" + "".join(f"    {line}\n" for line in body.split("; "))
    return refusals(page(tmp_path, code, symbols, {"one": f"in: lab.code.f\n{keys}"}, "code.f(x, b)", DRAWN))


WRONG = {
    "assigned before": ("w = x - 5 * b; u = 2 * x + b; return w, u", "code: 2 * x + b\nlatex: w = 2 x + b"),
    "assigned later": ("u = 2 * x + b; w = x - 5 * b; return w, u", "code: 2 * x + b\nlatex: w = 2 x + b"),
    "a part of it": ("w = 2 * x + b; return w", "code: 2 * x\nlatex: w = 2 x"),
    "added to it": ("y = 0.5 * x; y += 2 * x * b; return y", "code: 2 * x * b\nper: [n]\nlatex: y = 2 x b"),
    "a parameter": ("return 2 * x", "code: 2 * x\nlatex: b = 2 x"),
    "an attribute": (
        "y = np.ndarray.view(b, type('A', (np.ndarray,), {})); y.w = x; u = 2 * x; return y, u",
        "code: 2 * x\nlatex: v = 2 x",
    ),
    "returned": ("w = x + b; return 2 * w", "at: return\nlatex: w = 2 (x + b)"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_variable_that_holds_something_else_is_refused(tmp_path, case):
    messages = found(tmp_path, *WRONG[case], SYMBOLS | {"v": "y.w"})
    assert len(messages) == 1 and messages[0][:5] in ("LI420", "LI406")
    assert "behind" in messages[0] and "link what is assigned to" in messages[0]


RIGHT = {
    "assigned": ("w = 2 * x + b; return w", "code: 2 * x + b\nlatex: w = 2 x + b"),
    "never stored": ("w = 2 * x + b; return w", "code: 2 * x\nlatex: y = 2 x"),
    "returned": ("w = x + b; return 2 * w", "at: return\nlatex: y = 2 (x + b)"),
    "returned as a part": ("w = x + b; return w, 2 * w", "at: return[1]\nlatex: y = 2 (x + b)"),
    "of an expression": ("w = 2 * x + b; return w", "code: w\nlatex: 2 x + b"),
    "stored with fewer digits": (
        "w = np.zeros(len(x), dtype=np.float32); w[:] = 2 * x + b; return w", "code: 2 * x + b\nlatex: w = 2 x + b",
    ),
    "by another name": ("w = v = 2 * x + b; return v", "code: 2 * x + b\nlatex: w = 2 x + b"),
}  # fmt: skip


@pytest.mark.parametrize("case", RIGHT)
def test_a_variable_that_holds_it_or_none_is_accepted(tmp_path, case):
    assert found(tmp_path, *RIGHT[case]) == []
