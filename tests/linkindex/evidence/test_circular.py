"""A test whose expected value comes from the linked function compares the code with itself, and proves nothing."""

import pytest

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
}  # fmt: skip


OTHER = """from kalman.filter import innovation, update


def twice(*given):
    return 2 * update(*given)[0]


def innovation_of(x, z, H):
    return innovation(z, H, x)
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


UNSEEN = {
    "is loaded a second time": "import runpy\n    runpy.run_path('kalman/filter.py')",
    "is read as a file": "open('kalman/filter.py').close()",
    "another process is started": "import subprocess\n    subprocess.run(['true'])",
}


@pytest.mark.parametrize("what", UNSEEN)
def test_code_that_runs_where_no_probe_sees_it_is_reported(project, what):
    findings = with_body(project, f"    {UNSEEN[what]}\n{SOUND['compares with the definition']}")
    assert [finding.code for finding in findings] == ["LI416"]
    assert what in findings[0].message


def test_code_that_runs_before_the_file_is_collected_counts_as_collected(project):
    project.write("tests/snapshot.py", "import numpy as np\nfrom kalman.filter import update\n\n"
                  "VALUE = update(np.ones(2), np.eye(2), np.ones(1), np.ones((1, 2)), np.eye(1))\n")  # fmt: skip
    project.write("tests/conftest.py", "import sys\nsys.path.insert(0, 'tests')\nimport snapshot  # noqa\n")
    codes = [finding.code for finding in project.check() if finding.message.startswith("filter.innovation:")]
    assert codes == ["LI404"]
