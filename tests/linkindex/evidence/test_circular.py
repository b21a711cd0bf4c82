"""A test whose expected value comes from the linked function compares the code with itself, and proves nothing."""

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import places_for

HEAD = "def test_innovation(rng):\n    x, P, z, H, R = problem(rng)\n"
CIRCULAR = {
    "calls it on both sides": "    assert np.allclose(update(x, P, z, H, R)[0], update(x, P, z, H, R)[0])\n",
    "keeps both results in names": (
        "    new, _ = update(x, P, z, H, R)\n    expected, _ = update(x.copy(), P, z, H, R)\n"
        "    assert np.allclose(new, expected)\n"
    ),
    "fills the expected value entry by entry": (
        "    new, _ = update(x, P, z, H, R)\n    expected = np.zeros(4)\n    for i in range(4):\n"
        "        expected[i] = update(x, P, z, H, R)[0][i]\n    assert np.allclose(new, expected)\n"
    ),
    "hides it in a helper": (
        "    def reference(*arguments):\n        return update(*arguments)[0]\n\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], reference(x, P, z, H, R))\n"
    ),
    "subtracts": (
        "    new, _ = update(x, P, z, H, R)\n    again, _ = update(x, P, z, H, R)\n"
        "    assert np.abs(new - again).max() < 1e-12\n"
    ),
    "uses it under another name": (
        "    from kalman.filter import update as step\n\n"
        "    assert np.allclose(step(x, P, z, H, R)[0], update(x, P, z, H, R)[0])\n"
    ),
    "uses a function that calls it": (
        "    from kalman.other import twice\n\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], twice(x, P, z, H, R) / 2)\n"
    ),
    "uses a function that calls what it calls": (
        "    from kalman.other import innovation_of\n\n"
        "    new, _ = update(x, P, z, H, R)\n"
        "    assert np.allclose(new, x + gain(P, H, R) @ innovation_of(x, z, H))\n"
    ),
    "hands it to another function": (
        "    from functools import partial\n\n    step = partial(update, x, P)\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], step(z, H, R)[0])\n"
    ),
    "looks it up in its module": (
        "    import operator\n    import kalman.filter as module\n\n    same = operator.attrgetter('update')(module)\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], same(x, P, z, H, R)[0])\n"
    ),
    "takes it out of its module": (
        "    import kalman.filter as module\n\n    same = [module][0].update\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], same(x, P, z, H, R)[0])\n"
    ),
    "takes it out of the names that a function sees": (
        "    assert np.allclose(update(x, P, z, H, R)[0], predict.__globals__['up' + 'date'](x, P, z, H, R)[0])\n"
    ),
    "has a function of the file that is no def": (
        "    assert np.allclose(update(x, P, z, H, R)[0], STEP(x, P, z, H, R)[0])\n\n\n"
        "STEP = lambda *given: update(*given)\n"
    ),
    "hides it in a class": (
        "    assert np.allclose(update(x, P, z, H, R)[0], Expected().of(x, P, z, H, R))\n\n\n"
        "class Expected:\n    def of(self, *given):\n        return update(*given)[0]\n"
    ),
    "hides it in a class of the test": (
        "    class Expected:\n        def of(self, *given):\n            return update(*given)[0]\n\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], Expected().of(x, P, z, H, R))\n"
    ),
    "asks an object of the package": (
        "    from kalman.other import Filter\n\n    kept = Filter(P, H, R)\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], getattr(kept, 'step')(x, z))\n"
    ),
    "keeps it in a list": (
        "    kept = []\n    kept.append(update(x, P, z, H, R)[0])\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], kept[0])\n"
    ),
    "writes it into an array": (
        "    kept = np.zeros(4)\n    np.add(update(x, P, z, H, R)[0], 0, out=kept)\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], kept)\n"
    ),
    "imports it in a loop": (
        "    for _ in range(1):\n        from kalman.filter import update as step\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], step(x, P, z, H, R)[0])\n"
    ),
    "imports it in a function of the test": (
        "    def step(*given):\n        from kalman.filter import update as same\n\n        return same(*given)\n\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], step(x, P, z, H, R)[0])\n"
    ),
    "looks it up by a function of another name": (
        "    from importlib import import_module as load\n\n    step = load('kalman.filter').update\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], step(x, P, z, H, R)[0])\n"
    ),
}  # fmt: skip
SOUND = {
    "compares with the definition": (
        "    new, _ = update(x, P, z, H, R)\n    y = z - H @ x\n    assert np.allclose(new, x + gain(P, H, R) @ y)\n"
    ),
    "compares with a number": (
        "    new, _ = update(x, P, z, H, R)\n    assert new[0] < 1e9\n    assert abs(new).max() > 0\n"
    ),
    "has one sound comparison among others": (
        "    new, _ = update(x, P, z, H, R)\n    assert np.allclose(new, update(x, P, z, H, R)[0])\n"
        "    assert np.allclose(new, x + gain(P, H, R) @ (z - H @ x))\n"
    ),
    "prepares its input with another function": (
        "    ahead, _ = predict(x, P, np.eye(4), P)\n    new, _ = update(ahead, P, z, H, R)\n"
        "    assert np.allclose(new, ahead + gain(P, H, R) @ (z - H @ ahead))\n"
    ),
    "has variables named like functions": (
        "    twice = z - product(H, x[:, None])[:, 0]\n    definition = sum([forward for forward in [twice]])\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], x + gain(P, H, R) @ times_one(definition))\n\n\n"
        "from kalman.other import innovation_of, twice  # noqa: E402\n\n\n"
        "def forward(*given):\n    return update(*given)\n\n\ndef times_one(forward):\n"
        "    innovation_of = 1\n    return forward * innovation_of\n"
    ),
    "takes inputs from an object of the package": (
        "    from kalman.other import Filter\n\n    kept = Filter(P, H, R)\n"
        "    new = update(x, kept.P, z, kept.H, kept.R)[0]\n"
        "    assert np.allclose(new, x + gain(kept.P, kept.H, kept.R) @ (z - kept.H @ x))\n"
    ),
    "calls methods that are named like means to look up": (
        "    class Layer:\n        def eval(self):\n            return self\n\n"
        "        def of(self):\n            return z - H @ x\n\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], x + gain(P, H, R) @ Layer().eval().of())\n"
    ),
    "uses a function with two underscores in its name": (
        "    from kalman.other import row__sums\n\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], x + gain(P, H, R) @ (z - row__sums(H * x)))\n"
    ),
    "asks for an attribute by its name": (
        "    from types import SimpleNamespace\n\n    expected = SimpleNamespace(y=z - H @ x)\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], x + gain(P, H, R) @ getattr(expected, 'y'))\n"
    ),
    "collects values in a list": (
        "    found = []\n    found.append(update(x, P, z, H, R)[0])\n    np.random.seed(0)\n"
        "    assert np.allclose(found[0], x + gain(P, H, R) @ (z - H @ x))\n"
    ),
}  # fmt: skip


OTHER = """from kalman.filter import innovation, update


def twice(*given):
    return 2 * update(*given)[0]


def innovation_of(x, z, H):
    return innovation(z, H, x)


def row__sums(M):
    return M.sum(axis=1)


class Filter:
    def __init__(self, P, H, R):
        self.P, self.H, self.R = P, H, R

    def step(self, x, z):
        return update(x, self.P, z, self.H, self.R)[0]
"""


def with_body(project, body):
    project.edit("kalman/filter.py", "def update(", "def innovation(z, H, x):\n    return z - H @ x\n\n\ndef update(")
    project.edit("kalman/filter.py", "    S = H @ P", "    innovation(z, H, x)\n    S = H @ P")
    project.write("kalman/other.py", OTHER)
    text = project.read("tests/test_filter.py")
    start = text.index("def test_innovation(rng)")
    end = text.index("def test_innovation_covariance")
    project.write("tests/test_filter.py", f"{text[:start]}{HEAD}{body}\n\n{text[end:]}")
    return [finding for finding in project.check() if finding.message.startswith("filter.innovation:")]


@pytest.mark.parametrize("name", CIRCULAR)
def test_a_test_that_compares_the_code_with_itself_is_refused(project, name):
    findings = with_body(project, CIRCULAR[name])
    assert [finding.code for finding in findings] == ["LI411"]
    assert findings[0].place.line == project.line_of("docs/filter.yml", "test_filter.py::test_innovation")


@pytest.mark.parametrize("name", SOUND)
def test_a_test_with_an_independent_expected_value_is_accepted(project, name):
    assert with_body(project, SOUND[name]) == []


WEAK = {
    "the shapes": "assert new.shape == x.shape",
    "the number of axes": "assert np.ndim(new) == 1",
    "a type": "assert new.dtype == np.float64",
    "a total": "assert np.isclose(new.sum(), 1.25, atol=9)",
    "a total under a name": "total = float(np.sum(new))\n    assert abs(total) < 1e9",
    "a total and a shape": "assert new.shape == (4,)\n    assert np.allclose(np.mean(new), 0, atol=9)",
}


@pytest.mark.parametrize("name", WEAK)
def test_a_test_that_only_compares_a_shape_or_a_total_is_refused(project, name):
    findings = with_body(project, f"    new, _ = update(x, P, z, H, R)\n    {WEAK[name]}\n")
    assert [finding.code for finding in findings] == ["LI412"]


def test_sums_along_an_axis_are_values(project):
    body = (
        "    new, _ = update(x, P, z, H, R)\n    y = z - H @ x\n"
        "    assert np.isclose(new[None].sum(axis=0), x + gain(P, H, R) @ y).all()\n"
    )
    assert with_body(project, body) == []


@pytest.mark.parametrize(("given", "rows", "circular"), [
    ("step", "[update]", True),
    (["step", "n"], "[(update, 4), pytest.param(update, 4, id='again')]", True),
    ("n, step", "[(update, 4)]", False),
])  # fmt: skip
def test_what_a_parameter_of_a_test_may_be_counts(project, given, rows, circular):
    with_body(project, "    assert np.allclose(update(x, P, z, H, R)[0], step(x, P, z, H, R)[0])\n")
    head = "def test_innovation(rng"
    decorator = f"@pytest.mark.parametrize({given!r}, {rows})\n"
    project.edit("tests/test_filter.py", f"{head})", f"{decorator}{head}, step, n)")
    origin = places_for(read_config(project.root))[1].tests["filter.innovation"].circular
    assert (origin == "kalman.filter.update") == circular


def test_a_test_may_get_the_linked_function_as_a_parameter(project):
    with_body(project, SOUND["compares with the definition"].replace("update(", "step("))
    head = "def test_innovation(rng"
    project.edit("tests/test_filter.py", f"{head})", f"@pytest.mark.parametrize('step', [update])\n{head}, step)")
    assert project.check() == ()


def test_a_method_may_be_linked(project):
    method = "class Filter:\n    def gap(self, z, H, x):\n        y = z - H @ x  # (m,)\n        return y\n\n\n"
    project.edit("kalman/filter.py", "def update(", f"{method}def update(")
    project.edit("docs/filter.yml", "in: kalman.filter.update\n  latex: y", "in: kalman.filter.Filter.gap\n  latex: y")
    project.edit("docs/filter.py", "predict, update\n", "Filter, predict, update\n")
    project.edit("docs/filter.py", "    return update(", "    Filter().gap(z, H, ahead)\n    return update(")
    project.lock()
    with_body(project, "    from kalman.filter import Filter\n\n    expected = [z[i] - H[i] @ x for i in range(3)]\n"
              "    assert np.allclose(Filter().gap(z, H, x), expected)\n")  # fmt: skip
    assert not [finding for finding in project.check() if finding.code in ("LI411", "LI413")]


def test_a_package_may_stand_in_another(project):
    (project.root / "lab").mkdir()
    (project.root / "kalman").rename(project.root / "lab" / "kalman")
    for path in ("docs/filter.yml", "docs/filter.md", "docs/filter.py", "tests/test_filter.py", "pyproject.toml"):
        text = project.read(path).replace('"kalman"', '"lab.kalman"')
        project.write(path, text.replace("lab.kalman.", "kalman.").replace("kalman.filter", "lab.kalman.filter"))
    project.lock()
    assert [finding.code for finding in project.check()] == []


def test_code_that_runs_before_the_file_is_collected_counts_as_collected(project):
    project.write("tests/snapshot.py", "import numpy as np\nfrom kalman.filter import update\n\n"
                  "VALUE = update(np.ones(2), np.eye(2), np.ones(1), np.ones((1, 2)), np.eye(1))\n")  # fmt: skip
    project.write("tests/conftest.py", "import sys\nsys.path.insert(0, 'tests')\nimport snapshot  # noqa\n")
    codes = [finding.code for finding in project.check() if finding.message.startswith("filter.innovation:")]
    assert codes == ["LI404"]
