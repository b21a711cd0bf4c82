"""Full checks of a small project, in this process and in others, and the edits between them."""

import os
import subprocess
import sys
from pathlib import Path

import linkindex
from linkindex import store
from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for

CODE, TESTS, RECORDS, EXAMPLE = "kalman/filter.py", "tests/test_filter.py", "docs/filter.yml", "docs/filter.py"
EQUATIONS = ("filter.predicted-state", "filter.predicted-covariance", "filter.innovation")
PREDICT = {"tests/test_filter.py::test_predicted_state", "tests/test_filter.py::test_predicted_covariance"}

# Each edit goes one way the first time and back the next.
EDITS = {
    "code of the linked expression": (CODE, "P_next = F @ P @ F.T + Q", "P_next = Q + F @ P @ F.T"),
    "wrong code": (CODE, "y = z - H @ x ", "y = z + H @ x "),
    "layout": (CODE, "P_next = F @ P @ F.T + Q", "P_next = (F @ P\n              @ F.T + Q)"),
    "a docstring": (CODE, "The state one step ahead.", "The state after one step."),
    "a helper of the code": (
        "kalman/arrays.py", "return np.asarray(x, dtype=DTYPE)", "return np.array(x, dtype=DTYPE) * 1.0",
    ),
    "a helper that is wrong": ("kalman/arrays.py", "dtype=DTYPE)", "dtype=DTYPE) * 2.0"),
    "module-level code": ("kalman/arrays.py", "DTYPE = float", 'DTYPE = "float64"'),
    "an assertion that is weaker": (
        TESTS, "assert np.allclose(ahead, product", "assert ahead.shape == (4, 4) or np.allclose(ahead, product",
    ),
    "a failing test": (TESTS, "assert np.allclose(new, x + gain", "assert not np.allclose(new, x + gain"),
    "a skipped test": (
        TESTS, "def test_innovation(rng):\n", "def test_innovation(rng):\n    __import__('pytest').skip('later')\n",
    ),
    "a helper of the tests, renamed": (TESTS, "product(", "times("),
    "a data file": ("tests/noise.json", "1.0", "2.0"),
    "a data file that hides the mutants": ("tests/noise.json", '{"scale"', '{"scale": 0.0, "other"'),
    "a seed in conftest": ("tests/conftest.py", "SEED = 7", "SEED = 8"),
    "a fixture in conftest": ("tests/conftest.py", "default_rng(SEED)", "default_rng(SEED + 1)"),
    "a title": (RECORDS, "title: Predicted state", "title: The state ahead"),
    "a formula": (RECORDS, "latex: y = z - H x", "latex: y = - H x + z"),
    "a wrong formula": (RECORDS, r"latex: \bar x = F x", r"latex: \bar x = F x + F x"),
    "another test": (RECORDS, "test: tests/test_filter.py::test_innovation", "test: tests/test_filter.py::test_gain"),
    "inputs of the example": (EXAMPLE, "np.array([1.25])", "np.array([1.5])"),
    "samples of the example": (EXAMPLE, '"x": rng.normal(size=n)', '"x": rng.normal(size=n) + 1'),
    "an example that raises": (EXAMPLE, "    return update(ahead", "    ahead[9]\n    return update(ahead"),
    "sizes": ("pyproject.toml", "{n = 5, m = 2}", "{n = 6, m = 2}"),
    "settings of pytest": ("pyproject.toml", 'pythonpath = ["."]', 'pythonpath = ["."]\nfilterwarnings = ["error"]'),
}


def toggle(project, path, old, new):
    old, new = (old, new) if old in project.read(path) and new not in project.read(path) else (new, old)
    if old in project.read(path):
        project.edit(path, old, new)


def full(project):
    return evidence_for(read_config(project.root), mutants=True)


def entries(project) -> list[Path]:
    return sorted((project.root / store.FOLDER).rglob("*.json"))


CHECK = """
import sys
from pathlib import Path
from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for
*_, findings = evidence_for(read_config(Path(sys.argv[1])), mutants=True)
print(len(findings), *findings)
"""


def check_in_a_process(project, source=None) -> subprocess.Popen:
    path = os.pathsep.join([str(source or Path(linkindex.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", CHECK, str(project.root)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True)
