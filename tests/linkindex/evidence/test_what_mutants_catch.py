"""Whether a linked test would notice a fault is found out by mutants, not by a guess at what it compares.

A test that compares the code with itself, or only a shape or a total, passes under mutants.
Honest ones, however they are written, stand in ``tests/linkindex/mutants/test_honest_tests.py``.
"""

import pytest

from linkindex.load.config import read_config
from linkindex.model import Place
from linkindex.pipeline import evidence_for

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


def with_body(project, body):
    """The project in which the linked test of the innovation does this."""
    project.edit("kalman/filter.py", "def update(", "def innovation(z, H, x):\n    return z - H @ x\n\n\ndef update(")
    project.edit("kalman/filter.py", "    S = H @ P", "    innovation(z, H, x)\n    S = H @ P")
    project.write("kalman/other.py", OTHER)
    text = project.read("tests/test_filter.py")
    start = text.index("def test_innovation(rng)")
    end = text.index("def test_innovation_covariance")
    project.write("tests/test_filter.py", f"{text[:start]}{HEAD}{body}\n\n{text[end:]}")
    return project


TOO_LITTLE = CIRCULAR | {name: f"    new, _ = update(x, P, z, H, R)\n    {claim}\n" for name, claim in WEAK.items()}


@pytest.mark.parametrize("name", TOO_LITTLE)
def test_mutants_pass_a_test_that_compares_too_little(project, name):
    with_body(project, TOO_LITTLE[name])
    findings = evidence_for(read_config(project.root), mutants=True)[4]
    line = project.line_of("docs/filter.yml", "test_filter.py::test_innovation")
    assert {finding.place for finding in findings} == {Place("docs/filter.yml", line, 9)}
    assert "LI453" in {finding.code for finding in findings}


def test_code_that_runs_before_the_file_is_collected_counts_as_collected(project):
    project.write("tests/snapshot.py", "import numpy as np\nfrom kalman.filter import update\n\n"
                  "VALUE = update(np.ones(2), np.eye(2), np.ones(1), np.ones((1, 2)), np.eye(1))\n")  # fmt: skip
    project.write("tests/conftest.py", "import sys\nsys.path.insert(0, 'tests')\nimport snapshot  # noqa\n")
    codes = [finding.code for finding in project.check() if finding.message.startswith("filter.innovation:")]
    assert codes == ["LI404"]
