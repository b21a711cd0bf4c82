"""Tests as people write them, however they come to their values and however they compare: mutants decide."""

import shutil

import pytest

from linkindex.load.config import read_config
from linkindex.model import STEPS
from linkindex.pipeline import evidence_for
from tests.linkindex.project import Project

CODE, RECORDS, OTHERS, TESTS = "kalman/filter.py", "docs/filter.yml", "tests/test_filter.py", "tests/test_honest.py"
HELPERS = """import numpy as np


def same(got, want):
    differ(got, want)


def differ(got, want):
    if not np.allclose(got, want, rtol=1e-10):
        raise AssertionError("they differ")


class Checks:
    def test_state(self, rng):
        x, F = rng.normal(size=4), rng.normal(size=(4, 4))
        assert np.allclose(self.step(x, np.eye(4), F, np.eye(4))[0], np.einsum("ij,j->i", F, x))
"""
IMPORTS = """import unittest
from types import SimpleNamespace

import numpy as np
import pytest

from helpers import Checks, same
from kalman.filter import predict, update
from kalman.parts import weighted
from test_filter import gain, problem, product, rng, spread


@pytest.fixture
def step():
    return update


"""
# What it shows -> (equation, name of the test, its code); those of one list fit into one project.
FIRST = {
    "an inherited test": ("predicted-state", "TestState::test_state", """
class TestState(Checks):
    step = staticmethod(predict)
"""),
    "pairs of values and what they should be": ("predicted-covariance", "test_both", """
def test_both(rng):
    x, P, F, Q = rng.normal(size=4), spread(4, rng), rng.normal(size=(4, 4)), spread(4, rng)
    for got, want in zip(predict(x, P, F, Q), (product(F, x[:, None])[:, 0], product(product(F, P), F.T) + Q)):
        assert np.allclose(got, want)
"""),
    "one test for two equations": ("innovation", "test_mean_and_covariance", """
def test_mean_and_covariance(rng):
    x, P, z, H, R = problem(rng)
    mean, covariance = update(x, P, z, H, R)
    np.testing.assert_allclose(mean, x + gain(P, H, R) @ (z - product(H, x[:, None])[:, 0]))
    np.testing.assert_allclose(covariance, P - product(product(gain(P, H, R), H), P))
"""),
    "one test for two equations, the other one": ("innovation-covariance", "test_mean_and_covariance", ""),
    "finite differences": ("gain", "test_slope", """
def test_slope(rng):
    x, P, z, H, R = problem(rng)
    step = 1e-3 * np.eye(3)
    slopes = [(update(x, P, z + h, H, R)[0] - update(x, P, z - h, H, R)[0]) / 2e-3 for h in step]
    assert np.abs(np.array(slopes).T - gain(P, H, R)).max() < 1e-8
"""),
    "a composition of other functions of the package": ("updated-state", "test_parts", """
def test_parts(rng):
    x, P, z, H, R = problem(rng)
    expected = x + weighted(gain(P, H, R), z - weighted(H, x))
    assert np.allclose(update(x, P, z, H, R)[0], expected)
"""),
    "a helper of another file that asserts": ("updated-covariance", "test_covariance", """
def test_covariance(rng):
    x, P, z, H, R = problem(rng)
    same(update(x, P, z, H, R)[1], P - product(product(gain(P, H, R), H), P))
"""),
}  # fmt: skip
SECOND = {
    "a function that a parameter hands in": ("predicted-state", "test_parameter", """
@pytest.mark.parametrize(("function", "want"), [(predict, np.matmul)])
def test_parameter(rng, function, want):
    x, F = rng.normal(size=4), rng.normal(size=(4, 4))
    assert np.allclose(function(x, np.eye(4), F, np.eye(4))[0], want(F, x))
"""),
    "a closure called through an attribute": ("predicted-covariance", "test_closure", """
def test_closure(rng):
    P, F, Q = spread(4, rng), rng.normal(size=(4, 4)), spread(4, rng)
    model = SimpleNamespace(forward=lambda P: predict(np.ones(4), P, F, Q)[1])
    assert np.allclose(model.forward(P), product(product(F, P), F.T) + Q)
"""),
    "a function that a fixture hands in": ("innovation", "test_fixture", """
def test_fixture(rng, step):
    x, P, z, H, R = problem(rng)
    assert np.allclose(step(x, P, z, H, R)[0], x + gain(P, H, R) @ (z - H @ x))
"""),
    "a call of pytest.fail": ("innovation-covariance", "test_fails", """
def test_fails(rng):
    x, P, z, H, R = problem(rng)
    if not np.allclose(update(x, P, z, H, R)[1], P - product(product(gain(P, H, R), H), P)):
        pytest.fail("another covariance")
"""),
    "an assertion of unittest": ("gain", "TestGain::test_gain", """
class TestGain(unittest.TestCase):
    def test_gain(self):
        x, P, z, H, R = problem(np.random.default_rng(3))
        self.assertTrue(np.allclose(P - update(x, P, z, H, R)[1], product(gain(P, H, R), product(H, P))))
"""),
    "an inner function that asserts": ("updated-state", "test_inner", """
def test_inner(rng):
    x, P, z, H, R = problem(rng)

    def agree(a, b):
        assert np.allclose(a, b)

    agree(update(x, P, z, H, R)[0], x + gain(P, H, R) @ (z - H @ x))
"""),
    "a method of the class that asserts": ("updated-covariance", "TestCovariance::test_it", """
class TestCovariance:
    def agree(self, a, b):
        assert np.allclose(a, b)

    def test_it(self, rng):
        x, P, z, H, R = problem(rng)
        self.agree(update(x, P, z, H, R)[1], P - product(product(gain(P, H, R), H), P))
"""),
}  # fmt: skip
BOTH = (FIRST, SECOND)


@pytest.fixture(scope="module")
def results(pristine, tmp_path_factory):
    """For each of the projects, the evidence by equation, and the findings."""
    return [_result(pristine, variants, tmp_path_factory.mktemp("honest") / "project") for variants in BOTH]


def _result(pristine, variants, root):
    shutil.copytree(pristine.root, root)
    project = Project(root)
    project.write("kalman/parts.py", '"""Parts of the filter."""\n\n\ndef weighted(A, v):\n    return A @ v\n')
    project.edit(CODE, "import numpy as np\n", "import numpy as np\n\nfrom kalman.parts import weighted\n")
    project.edit(CODE, "x_new = x + K @ y ", "x_new = x + weighted(K, y) ")
    project.write("tests/helpers.py", HELPERS)
    project.write(TESTS, IMPORTS + "\n\n".join(code for *_, code in variants.values()))
    records = project.read(RECORDS)
    for equation, test, _ in variants.values():
        before, head, after = records.partition(f"\nfilter.{equation}:")
        first, key, rest = after.partition(f"test: {OTHERS}::")
        records = f"{before}{head}{first}test: {TESTS}::{test}\n{rest.partition(chr(10))[2]}"
    project.write(RECORDS, records)
    project.lock()
    *_, evidence, findings = evidence_for(read_config(root), mutants=True)
    return evidence.proofs, findings


@pytest.mark.parametrize(("number", "name"), [(number, name) for number, of in enumerate(BOTH) for name in of])
def test_an_honest_test_holds_all_steps(results, number, name):
    proofs, findings = results[number]
    equation = f"filter.{BOTH[number][name][0]}"
    assert [finding.message for finding in findings if finding.message.startswith(equation)] == []
    assert [step for step in STEPS if not proofs[equation].steps[step].ok] == []


@pytest.mark.parametrize("number", range(len(BOTH)))
def test_nothing_else_is_found(results, number):
    assert results[number][1] == ()
