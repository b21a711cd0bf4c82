"""What this repository claims of its attention pages: all steps hold, no linked test can be weakened unnoticed."""

import ast
import shutil
from pathlib import Path

import pytest

from linkindex.load.config import read_config
from linkindex.model import STEPS
from linkindex.pipeline import evidence_for
from tests.pages import EQUATIONS

ROOT = Path(__file__).parents[2]
PAGES = "attention", "attention-backward"
NAMES = tuple(name for page in PAGES for name in EQUATIONS[page])


@pytest.fixture(scope="module")
def copy(site, tmp_path_factory):
    """The parts of this repository that the evidence of its pages depends on, with what the build of the site kept."""
    root = tmp_path_factory.mktemp("repository")
    for name in ("transformer", "docs", "build/cache"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    support = ("tests/__init__.py", "tests/conftest.py", "tests/page_numbers.py", "tests/transformer", "tests/data")
    for path in ("pyproject.toml", *support):
        target = root / path
        target.parent.mkdir(exist_ok=True)
        if (ROOT / path).is_dir():
            shutil.copytree(ROOT / path, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / path, target)
    return root


def full(root):
    return evidence_for(read_config(root), mutants=True)


def test_all_equations_hold_in_all_six_steps_without_an_exception(copy):
    index, _, _, evidence, findings = full(copy)
    assert findings == ()
    equations = [equation for equation in index.equations if equation.page in PAGES]
    assert tuple(equation.id for equation in equations) == NAMES
    assert not any(equation.exceptions for equation in equations)
    for name in NAMES:
        proof = evidence.proofs[name]
        assert {step: proof.steps[step].ok for step in STEPS} == dict.fromkeys(STEPS, True), name
        assert proof.steps["formula"].trials >= 4
        assert proof.steps["formula"].max_error <= proof.steps["formula"].tolerance
        assert proof.steps["defended"].trials >= (1 if name in PROPERTIES else 5)


WEAKER = {
    "the shapes": lambda a, b: f"np.shape({a}) == np.shape({b})",
    "the sums": lambda a, b: f"np.allclose(np.sum({a}), np.sum({b}), equal_nan=True)",
}


# What is left when only sums are compared: properties that say of every number that it is 0, a single number, and
# gradients of which no mutant keeps the sum. Mutants decide, and so these count as tested.
PROPERTIES = {"attention.masked-weight", "attention-backward.masked-gradient", "attention-backward.key-bias-gradient"}
SUM_IS_ENOUGH = PROPERTIES | {
    f"attention-backward.{name}" for name in ("head-gradient", "weight-gradient", "softmax-gradient", "initial-bound")
}


@pytest.mark.parametrize("kind", WEAKER)
def test_no_linked_test_can_be_weakened_to_a_comparison_of(copy, kind, tmp_path):
    """Every assertion of every linked test is weakened, in all tests at once: each equation loses its evidence, unless
    its mutants show that the sum is enough."""
    root = tmp_path / "weakened"
    shutil.copytree(copy, root)
    equations = evidence_for(read_config(copy), pending=True)[0].equations
    linked = {equation.test for equation in equations if equation.page in PAGES}
    for path in sorted({nodeid.partition("::")[0] for nodeid in linked}):
        names = {nodeid.partition("::")[2] for nodeid in linked if nodeid.startswith(path)}
        tree = ast.parse((root / path).read_text())
        weakener = Weakener(names, WEAKER[kind])
        weakened = ast.unparse(ast.fix_missing_locations(weakener.visit(tree)))
        assert weakener.changed == names, f"{path}: {names - weakener.changed} hold no assertion that is known here"
        (root / path).write_text("import numpy as np\n" + weakened)
    _, _, _, evidence, findings = full(root)
    assert findings
    steps = {name: evidence.proofs[name].steps for name in NAMES}
    defended = {name for name in steps if steps[name]["tested"].ok and steps[name]["defended"].ok}
    assert defended == (SUM_IS_ENOUGH if kind == "the sums" else set())


class Weakener(ast.NodeTransformer):
    """Rewrites the assertions of the named tests; each compares two values, or a value with 0 or True."""

    def __init__(self, names, weaker):
        self.names, self.weaker = names, weaker
        self.current, self.changed = None, set()

    def visit_FunctionDef(self, node):
        outer, self.current = self.current, node.name if node.name in self.names else self.current
        self.generic_visit(node)
        self.current = outer
        return node

    def visit_Assert(self, node):
        return self.replaced(node, *sides(node.test)) if self.current else node

    def visit_Expr(self, node):
        call = node.value
        if (
            self.current
            and isinstance(call, ast.Call)
            and ast.unparse(call.func).rpartition(".")[2].startswith("assert")
        ):
            return self.replaced(node, *call.args[:2])
        return node

    def replaced(self, node, a, b):
        self.changed.add(self.current)
        return ast.copy_location(ast.parse(f"assert {self.weaker(ast.unparse(a), ast.unparse(b))}").body[0], node)


def sides(claim):
    if isinstance(claim, ast.Compare):
        return claim.left, claim.comparators[0]
    if isinstance(claim, ast.Call) and len(claim.args) > 1:
        return claim.args[:2]
    return claim, claim
