"""Linked code that is reached in a roundabout way: it works, or one sentence says what to write."""

import pytest

from tests.linkindex.binding.one_page import page, refusals, survivors

SYMBOLS = {name: name for name in ("x", "b", "w")}
DRAWN = {"x": "rng.normal(size=n)", "b": "rng.normal(size=n)"}
BODY = "{0}w = 2 * x + b\n{0}return w\n"
INNER = "    def inner(x, b):\n" + BODY.format(" " * 8)
METHOD = "class A:\n    def f(self, x, b):\n" + BODY.format(" " * 8)
F = "def f(x, b):\n" + BODY.format(" " * 4)

# What the module holds, the function of the record, and how it is called.
WORKS = {
    "closure": (f"def make(k):\n{INNER}    return inner\n", "make.inner", "code.make(1)(x, b)"),
    "factory": (f"{METHOD}\n\ndef make(kind):\n    return {{'a': A}}[kind]()\n", "A.f", "code.make('a').f(x, b)"),
    "registry": (
        f"OPS = {{}}\n\n\ndef add(g):\n    OPS[g.__name__] = g\n    return g\n\n\n@add\n{F}", "f",
        "code.OPS['f'](x, b)",
    ),
    "map": (f"{F}\n\ndef g(x, b):\n    return list(map(f, [x], [b]))[0]\n", "f", "code.g(x, b)"),
    "kept results": (
        f"from functools import lru_cache\nimport numpy as np\n\n\n@lru_cache\n{F}".replace(
            "    w", "    x, b = np.array(x), np.array(b)\n    w"
        ),
        "f", "code.f(tuple(x), tuple(b))",
    ),
    "kept by hand": (
        "KEPT = {}\n\n\ndef f(x, b):\n    if x.tobytes() not in KEPT:\n        w = 2 * x + b\n"
        "        KEPT[x.tobytes()] = w\n    return KEPT[x.tobytes()]\n", "f", "code.f(x, b)",
    ),
    "dispatch": (
        "from functools import singledispatch\nimport numpy as np\n\n\n@singledispatch\ndef f(x, b):\n"
        f"    raise TypeError\n\n\n@f.register\n{F.replace('f(x', '_(x: np.ndarray')}", "_", "code.f(x, b)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WORKS)
def test_it_is_watched_and_its_mutants_are_noticed(tmp_path, case):
    code, function, run = WORKS[case]
    test = (
        "import numpy as np\nfrom lab import code\n\n\ndef test_it():\n    rng, n = np.random.default_rng(0), 4\n"
        f"    x, b = rng.normal(size=n), rng.normal(size=n)\n    assert np.allclose({run}, 2 * x + b, rtol=1e-9)\n"
    )
    record = {"one": f"in: lab.code.{function}\nlatex: w = 2 x + b"}
    assert survivors(page(tmp_path, code, SYMBOLS, record, run, DRAWN, test)) == []


@pytest.mark.parametrize("listed", ["", "__all__ = ['A']", "__all__ = []\n__all__ += ['A']", "__all__ = list('A')"])
def test_a_class_may_be_exported_with_a_star(tmp_path, listed):
    record = {"one": "in: lab.code.A.f\nlatex: w = 2 x + b"}
    project = page(tmp_path, "from lab.inner import *\n", SYMBOLS, record, "code.A().f(x, b)", DRAWN)
    (project / "lab/inner.py").write_text(f"{listed}\n\n\n{METHOD}")
    assert refusals(project) == []


def test_results_that_are_kept_do_not_hide_code_from_later_runs(tmp_path):
    code = (
        "from functools import cache\n\n\n@cache\ndef fib(k):\n    if k < 2:\n        return k + 1.5\n"
        "    p, q = fib(k - 1), fib(k - 2)\n    w = p + q\n    return w\n"
    )
    symbols = {name: f"{{code: {name}, meaning: Number, shape: ()}}" for name in "pqw"}
    record = {"one": "in: lab.code.fib\nlatex: w = p + q"}
    assert refusals(page(tmp_path, code, symbols, record, "code.fib(6)", {"x": "rng.normal(size=n)"})) == []


@pytest.mark.parametrize("keys", ["latex: w = 2 x + b", "code: 2 * x + b\nlatex: w = 2 x + b"])
def test_chance_is_still_noticed(tmp_path, keys):
    code = "import numpy as np\n\n\ndef f(x, b):\n    x = x + np.random.normal()\n    w = 2 * x + b\n    return w\n"
    found = refusals(page(tmp_path, code, SYMBOLS, {"one": f"in: lab.code.f\n{keys}"}, "code.f(x, b)", DRAWN, TEST))
    assert [one[:5] for one in found] == ["LI303"]


TEST = "import numpy as np\nfrom lab import code\n\n\ndef test_it():\n    code.f(np.ones(3), np.ones(3))\n"
REFUSED = {
    "a lambda in it": ("def f(x, b):\n    return (lambda v: 2 * v + b)(x)\n", "code: 2 * v + b", "a function with def"),
    "a function in it": (f"def f(x, b):\n{INNER}    return inner(x, b)\n", "code: 2 * x + b", "name lab.code.f.inner"),
    "a dispatcher": (
        "from functools import singledispatch\n\n\n@singledispatch\ndef f(x, b):\n    return x\n\n\n"
        "@f.register(int)\ndef g(x, b):\n    w = 2 * x + b\n    return w\n",
        "title: One", "name one of its implementations: lab.code.g (line 10)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_there_is_refused_with_what_to_name(tmp_path, case):
    code, key, message = REFUSED[case]
    key = "" if key.startswith("title") else f"{key}\n"
    record = {"one": f"in: lab.code.f\n{key}latex: w = 2 x + b"}
    found = refusals(page(tmp_path, code, SYMBOLS, record, "code.f(x, b)", DRAWN, TEST))
    assert found[0].startswith("LI207") and message in found[0]
