"""One symbol, and the variables that hold it: another one in another function, or none, as of the length of an axis."""

import pytest

from tests.linkindex.binding.one_page import page, refusals

CODE = (
    "def f(x, gamma):\n    y = gamma * x\n    return y\n\n\n"
    "def g(x, weight):\n    gamma = x + weight\n    z = weight * x\n    return z + gamma\n"
)
DRAWN = {"x": "rng.normal(size=n)", "w": "rng.normal(size=n)"}
RUN = "[code.f(x, w), code.g(x, w)]"


@pytest.mark.parametrize("names", ["{f: gamma, g: weight}", "{lab.code.f: gamma, code.g: weight}"])
@pytest.mark.parametrize(("latex", "holds"), [(r"z = w \odot x", True), (r"z = 2 w \odot x", False)])
def test_a_symbol_may_have_another_variable_in_another_function(tmp_path, names, latex, holds):
    symbols = {"x": "x", "y": "y", "z": "z", "w": f'{{code: {names}, meaning: Gain, shape: "(n,)"}}'}
    records = {"one": "in: lab.code.f\nlatex: " + r"y = w \odot x", "two": f"in: lab.code.g\nlatex: {latex}"}
    assert (refusals(page(tmp_path, CODE, symbols, records, RUN, DRAWN)) == []) is holds


def test_a_function_that_the_symbol_does_not_name_has_no_variable_for_it(tmp_path):
    symbols = {"x": "x", "y": "y", "z": "z", "w": '{code: {lab.code.f: gamma}, meaning: Gain, shape: "(n,)"}'}
    records = {"one": "in: lab.code.f\nlatex: " + r"y = w \odot x", "two": "in: lab.code.g\nlatex: " + r"z = w \odot x"}
    (found,) = refusals(page(tmp_path, CODE, symbols, records, RUN, DRAWN))
    assert found.startswith("LI406 the symbol w has no code")


@pytest.mark.parametrize(
    ("latex", "holds"),
    [(r"m = \frac{1}{n} \sum_i x_i", True), (r"m = \frac{1}{n - 1} \sum_i x_i", False), (r"m = \sum_i x_i", False)],
)
def test_a_size_needs_no_variable(tmp_path, latex, holds):
    code = "def f(x):\n    m = x.mean()\n    return m\n"
    symbols = {"x": "x", "m": "{code: m, meaning: Mean, shape: ()}"}
    records = {"one": f"in: lab.code.f\nlatex: {latex}"}
    drawn = {"x": "rng.normal(size=n)"}
    assert (refusals(page(tmp_path, code, symbols, records, "code.f(x)", drawn)) == []) is holds
