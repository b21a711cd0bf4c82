"""A page names the lengths that it uses: only those of one formula must differ, and only from each other."""

import pytest

from tests.linkindex.evidence.one_formula import faults, result

LINEAR = "def f(x, W):\n    y = x @ W  # (T, k)\n    return y\n"
SYMBOLS = """T: {code: 'x.shape[0]', meaning: rows, shape: (), size: free}
n: {code: 'x.shape[1]', meaning: columns, shape: (), size: free}
k: {code: 'W.shape[1]', meaning: columns that come out, shape: (), size: free}
x: {code: x, meaning: input, shape: "(T, n)"}
W: {code: W, meaning: weights, shape: "(n, k)"}
y: {code: y, meaning: output}
"""
SAMPLE = "{'x': rng.normal(size=(sizes['T'], sizes['n'])), 'W': rng.normal(size=(sizes['n'], sizes['k']))}"
SIZES = "sizes: {T: [5, 7], n: [3, 4], k: [2, 6]}"


def test_a_page_names_all_its_sizes_and_pyproject_none(tmp_path):
    index, _, runs, evidence, _ = result(tmp_path, LINEAR, "y = x W", SYMBOLS, SAMPLE, page=SIZES)
    assert [(run.kind, dict(run.sizes)) for run in runs.examples["page"]] == [
        ("inputs", {}),
        ("configuration", {"T": 5, "n": 3, "k": 2}),
        ("sample 0", {"T": 5, "n": 3, "k": 2}),
        ("sample 1", {"T": 7, "n": 4, "k": 6}),
    ]
    assert evidence.proofs["page.one"].steps["formula"].ok
    assert evidence.proofs["page.one"].steps["symbols"].ok


def test_what_a_page_does_not_name_comes_from_the_configuration(tmp_path):
    sets = "sizes = [{T = 9, n = 3, k = 4}, {T = 8, n = 5, k = 2}, {T = 7, n = 2, k = 3}]"
    settings = f"{sets}\nconfiguration = {{T = 4, n = 3, k = 2}}"
    page = "sizes: {T: [11, 12]}"
    _, _, runs, evidence, _ = result(tmp_path, LINEAR, "y = x W", SYMBOLS, SAMPLE, page=page, settings=settings)
    found = [tuple(run.sizes.values()) for run in runs.examples["page"] if run.sizes]
    assert found == [(4, 3, 2), (11, 3, 4), (12, 5, 2), (11, 2, 3)]
    assert evidence.proofs["page.one"].steps["symbols"].ok


@pytest.mark.parametrize("more", ["V = 3", "V = 7, B = 5", "B = 2"])
def test_a_size_that_no_equation_uses_may_be_like_any_other(project, more):
    names = [part.split(" = ")[0] for part in more.split(", ")]
    project.edit("pyproject.toml", "{n = 4, m = 3}", f"{{n = 4, m = 3, {more}}}")
    project.edit("pyproject.toml", "{n = 5, m = 2}", f"{{n = 5, m = 2, {more}}}")
    project.edit("pyproject.toml", "{n = 3, m = 6}", f"{{n = 3, m = 6, {more}}}")
    project.edit("pyproject.toml", "{n = 4, m = 2}", f"{{n = 4, m = 2, {more}}}")
    entries = "".join(f"{name}: {{code: {name}, meaning: more, shape: (), size: free}}\n" for name in names)
    project.edit("docs/symbols.yml", "m: {code:", f"{entries}m: {{code:")
    assert project.check() == ()


@pytest.mark.parametrize("sizes", ["{T: [5, 7], n: [5, 4], k: [2, 6]}", "{T: [5, 7], n: [3, 4], k: [2, 4]}"])
def test_sizes_that_a_formula_uses_must_differ(tmp_path, sizes):
    (found,) = faults(tmp_path, LINEAR, "y = x W", SYMBOLS, SAMPLE, page=f"sizes: {sizes}")
    assert found.startswith("LI409 page.one: the sizes that the formula uses are not all different in the run")
    assert "under `sizes` in docs/page.yml" in found


@pytest.mark.parametrize(("sizes", "code", "says"), [
    ("[5, 7]", "LI107", "must map free sizes to lengths"),
    ("{T: [5, 0], n: [3, 4], k: [2, 6]}", "LI107", "the lengths of T must be whole numbers from 1 on"),
    ("{T: [5, many], n: [3, 4], k: [2, 6]}", "LI107", "the lengths of T must be whole numbers from 1 on"),
    ("{T: [], n: [3, 4], k: [2, 6]}", "LI107", "the lengths of T must be whole numbers from 1 on"),
    ("{T: [5, 7], n: [3, 4], k: [2, 6], y: [1]}", "LI122", "no symbol y has `size: free`"),
    ("{T: [5, 7], n: [3, 4], k: [2, 6], q: [1]}", "LI122", "no symbol q has `size: free`"),
    ("{T: [5, 7], n: [3, 4]}", "LI122", "the free size k has no length among T = 5, n = 3"),
])  # fmt: skip
def test_sizes_that_cannot_be_used_are_found_at_their_place(tmp_path, sizes, code, says):
    found = faults(tmp_path, LINEAR, "y = x W", SYMBOLS, SAMPLE, page=f"sizes: {sizes}")
    assert found[0].startswith(code) and says in found[0]


HELPER = """def whole(x, W, U):
    h = f(x, W)
    return f(h, U)


def f(a, M):
    b = a @ M  # (T, k)
    return b
"""
INNER = """T: {code: 'a.shape[0]', meaning: rows, shape: (), size: free}
n: {code: 'a.shape[1]', meaning: columns, shape: (), size: free}
k: {code: 'M.shape[1]', meaning: columns that come out, shape: (), size: free}
a: {code: a, meaning: input, shape: "(T, n)"}
M: {code: M, meaning: weights, shape: "(n, k)"}
b: {code: b, meaning: output}
"""
BACK = SAMPLE[:-1] + ", 'U': rng.normal(size=(sizes['k'], sizes['n']))}"


CALLED_TWICE = {"page": SIZES, "run": "whole(**given)", "imported": "whole"}


@pytest.mark.parametrize(
    ("latex", "right"), [("b = a M", True), ("b = a M + a M", False), (r"b_{ij} = \sum_c a_{ic} M_{cj}", True)]
)
def test_a_helper_is_called_at_other_sizes_on_the_same_page(tmp_path, latex, right):
    assert (faults(tmp_path, HELPER, latex, INNER, BACK, **CALLED_TWICE) == []) is right


@pytest.mark.parametrize("shape", ["(n, T)", "(T, k)", "(T,)"])
def test_a_wrong_shape_is_found_although_a_helper_is_called_twice(tmp_path, shape):
    symbols = INNER.replace('shape: "(T, n)"', f'shape: "{shape}"')
    found = faults(tmp_path, HELPER, "b = a M", symbols, BACK, **CALLED_TWICE)
    assert any(one.startswith("LI408") for one in found)


@pytest.mark.parametrize(("latex", "right"), [("y = a x + b", True), ("y = a x - b", False)])
def test_scalar_code_needs_no_sizes(tmp_path, latex, right):
    symbols = "".join(f"{name}: {{code: {name}, meaning: number, shape: ()}}\n" for name in "axby")
    code = "def f(a, x, b):\n    y = a * x + b\n    return y\n"
    sample = "{'a': rng.normal(), 'x': rng.normal(), 'b': rng.normal()}"
    assert (faults(tmp_path, code, latex, symbols, sample) == []) is right
