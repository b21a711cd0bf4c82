"""Whether a linked test would notice a fault is found out by mutants, not by a guess at what it compares.

A test that compares the code with itself, or only a shape or a total, passes under mutants; an honest one, however it is
written, fails under each.
"""

import pytest

from linkindex.cli import main

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
    "calls it in a helper": (
        "    def reference(*arguments):\n        return update(*arguments)[0]\n\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], reference(x, P, z, H, R))\n"
    ),
    "subtracts": (
        "    new, _ = update(x, P, z, H, R)\n    again, _ = update(x, P, z, H, R)\n"
        "    assert np.abs(new - again).max() < 1e-12\n"
    ),
    "uses a function that calls it": (
        "    from kalman.other import twice\n\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], twice(x, P, z, H, R) / 2)\n"
    ),
    "hands it to another function": (
        "    from functools import partial\n\n    step = partial(update, x, P)\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], step(z, H, R)[0])\n"
    ),
    "has a function of the file that is no def": (
        "    assert np.allclose(update(x, P, z, H, R)[0], STEP(x, P, z, H, R)[0])\n\n\n"
        "STEP = lambda *given: update(*given)\n"
    ),
    "asks an object of the package": (
        "    from kalman.other import Filter\n\n    kept = Filter(P, H, R)\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], getattr(kept, 'step')(x, z))\n"
    ),
    "keeps it in a list": (
        "    kept = []\n    kept.append(update(x, P, z, H, R)[0])\n"
        "    assert np.allclose(update(x, P, z, H, R)[0], kept[0])\n"
    ),
}  # fmt: skip
WEAK = {
    "the shapes": "assert new.shape == x.shape",
    "the number of axes": "assert np.ndim(new) == 1",
    "a type": "assert new.dtype == np.float64",
    "a total": "assert np.isclose(new.sum(), 1.25, atol=9)",
    "a total under a name": "total = float(np.sum(new))\n    assert abs(total) < 1e9",
    "a total and a shape": "assert new.shape == (4,)\n    assert np.allclose(np.mean(new), 0, atol=9)",
}
SOUND = {
    "compares with the definition": (
        "    new, _ = update(x, P, z, H, R)\n    y = z - H @ x\n    assert np.allclose(new, x + gain(P, H, R) @ y)\n"
    ),
    "has one sound comparison among others": (
        "    new, _ = update(x, P, z, H, R)\n    assert np.allclose(new, update(x, P, z, H, R)[0])\n"
        "    assert np.allclose(new, x + gain(P, H, R) @ (z - H @ x))\n"
    ),
    "prepares its input with another function": (
        "    ahead, _ = predict(x, P, np.eye(4), P)\n    new, _ = update(ahead, P, z, H, R)\n"
        "    assert np.allclose(new, ahead + gain(P, H, R) @ (z - H @ ahead))\n"
    ),
    "takes inputs from an object of the package": (
        "    from kalman.other import Filter\n\n    kept = Filter(P, H, R)\n"
        "    new = update(x, kept.P, z, kept.H, kept.R)[0]\n"
        "    assert np.allclose(new, x + gain(kept.P, kept.H, kept.R) @ (z - kept.H @ x))\n"
    ),
    "collects values in a list": (
        "    found = []\n    found.append(update(x, P, z, H, R)[0])\n    np.random.seed(0)\n"
        "    assert np.allclose(found[0], x + gain(P, H, R) @ (z - H @ x))\n"
    ),
    "uses a function that calls what it calls": (
        "    from kalman.other import innovation_of\n\n"
        "    new, _ = update(x, P, z, H, R)\n"
        "    assert np.allclose(new, x + gain(P, H, R) @ innovation_of(x, z, H))\n"
    ),
    "asserts in a helper of another file": (
        "    from tests.compared import check\n\n"
        "    check(update(x, P, z, H, R)[0], x + gain(P, H, R) @ (z - H @ x))\n"
    ),
    "compares pair by pair": (
        "    expected = (x + gain(P, H, R) @ (z - H @ x), P - gain(P, H, R) @ H @ P)\n"
        "    for got, want in zip(update(x, P, z, H, R), expected, strict=True):\n        assert np.allclose(got, want)\n"
    ),
}  # fmt: skip


OTHER = """from kalman.filter import innovation, update


def twice(*given):
    return 2 * update(*given)[0]


def innovation_of(x, z, H):
    return innovation(z, H, x)


class Filter:
    def __init__(self, P, H, R):
        self.P, self.H, self.R = P, H, R

    def step(self, x, z):
        return update(x, self.P, z, self.H, self.R)[0]
"""


COMPARED = "import numpy as np\n\n\ndef check(found, expected):\n    assert np.allclose(found, expected)\n"


def with_body(project, body):
    """The project in which the linked test of the innovation does this."""
    project.edit("kalman/filter.py", "def update(", "def innovation(z, H, x):\n    return z - H @ x\n\n\ndef update(")
    project.edit("kalman/filter.py", "    S = H @ P", "    innovation(z, H, x)\n    S = H @ P")
    project.write("kalman/other.py", OTHER)
    project.write("tests/compared.py", COMPARED)
    text = project.read("tests/test_filter.py")
    start = text.index("def test_innovation(rng)")
    end = text.index("def test_innovation_covariance")
    project.write("tests/test_filter.py", f"{text[:start]}{HEAD}{body}\n\n{text[end:]}")
    return project


def full(project, capsys):
    """The codes and lines of what the full check finds."""
    code = main(["check", "--full", "--root", str(project.root)])
    lines = capsys.readouterr().out.splitlines()
    assert code == bool([line for line in lines if ": LI" in line])
    return [line for line in lines if ": LI" in line]


TOO_LITTLE = CIRCULAR | {name: f"    new, _ = update(x, P, z, H, R)\n    {claim}\n" for name, claim in WEAK.items()}


@pytest.mark.parametrize("name", TOO_LITTLE)
def test_mutants_pass_a_test_that_compares_too_little(project, name, capsys):
    lines = full(with_body(project, TOO_LITTLE[name]), capsys)
    place = f"docs/filter.yml:{project.line_of('docs/filter.yml', 'test_filter.py::test_innovation')}:"
    assert lines and all(line.startswith(place) for line in lines)
    assert any(" LI453 filter.innovation: " in line for line in lines)


@pytest.mark.parametrize("name", SOUND)
def test_an_honest_test_is_accepted_however_it_is_written(project, name, capsys):
    assert full(with_body(project, SOUND[name]), capsys) == []


def test_a_test_may_get_the_linked_function_as_a_parameter(project, capsys):
    with_body(project, SOUND["compares with the definition"].replace("update(", "step("))
    head = "def test_innovation(rng"
    project.edit("tests/test_filter.py", f"{head})", f"@pytest.mark.parametrize('step', [update])\n{head}, step)")
    assert full(project, capsys) == []


def test_one_test_may_serve_several_equations(project, capsys):
    project.edit("docs/filter.yml", "test_filter.py::test_innovation\n", "test_filter.py::test_updated_state\n")
    project.lock()
    assert [line for line in full(project, capsys) if "LI453" not in line] == []


def test_a_method_may_be_linked(project, capsys):
    method = "class Filter:\n    def gap(self, z, H, x):\n        y = z - H @ x  # (m,)\n        return y\n\n\n"
    project.edit("kalman/filter.py", "def update(", f"{method}def update(")
    project.edit("docs/filter.yml", "in: kalman.filter.update\n  latex: y", "in: kalman.filter.Filter.gap\n  latex: y")
    project.edit("docs/filter.py", "predict, update\n", "Filter, predict, update\n")
    project.edit("docs/filter.py", "    return update(", "    Filter().gap(z, H, ahead)\n    return update(")
    project.lock()
    with_body(project, "    from kalman.filter import Filter\n\n    expected = [z[i] - H[i] @ x for i in range(3)]\n"
              "    assert np.allclose(Filter().gap(z, H, x), expected)\n")  # fmt: skip
    assert full(project, capsys) == []


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
