"""What is kept of earlier checks is used where nothing that it depends on has changed, and nowhere else."""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import linkindex
import linkindex.evidence.agreement
import linkindex.mutants.effects
import linkindex.mutants.run
import linkindex.run.runs
import pytest
from linkindex import store
from linkindex.fast import check_fast
from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for

from tests.linkindex.project import Project

CODE, TESTS, RECORDS, EXAMPLE = "kalman/filter.py", "tests/test_filter.py", "docs/filter.yml", "docs/filter.py"
EQUATIONS = ("filter.predicted-state", "filter.predicted-covariance", "filter.innovation")
PREDICT = {"tests/test_filter.py::test_predicted_state", "tests/test_filter.py::test_predicted_covariance"}

HELPER = """import numpy as np

DTYPE = float


def as_vector(x):
    return np.asarray(x, dtype=DTYPE)
"""
CONFTEST = """import numpy as np
import pytest

SEED = 7


@pytest.fixture
def rng():
    return np.random.default_rng(SEED)
"""
PAGE = """# The filter

## Steps {#steps}

::: equation filter.predicted-state filter.predicted-covariance filter.innovation

::: dossier
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Three equations of the Kalman filter, a helper module, a conftest, and a test that reads a data file."""
    project = Project.copy(tmp_path_factory.mktemp("cache") / "small")
    records = project.read(RECORDS).split("\n\n")
    kept = [record for record in records if record.startswith(tuple(f"{equation}:" for equation in EQUATIONS))]
    project.write(RECORDS, "\n\n".join([records[0], *kept]) + "\n")
    project.write("docs/filter.md", PAGE)
    project.write("kalman/arrays.py", HELPER)
    project.edit(CODE, "import numpy as np\n", "import numpy as np\n\nfrom kalman.arrays import as_vector\n")
    project.edit(CODE, "    x_next = F @ x ", "    x = as_vector(x)\n    x_next = F @ x ")
    project.write("tests/conftest.py", CONFTEST)
    project.write("tests/noise.json", '{"scale": 1.0}\n')
    project.edit(TESTS, "@pytest.fixture\ndef rng():\n    return np.random.default_rng(7)\n\n\n", "")
    imports = "import json\nfrom pathlib import Path\n\nimport numpy as np\n"
    project.edit(TESTS, "import numpy as np\nimport pytest\n", imports)
    project.edit(
        TESTS,
        "    x, F = rng.normal(size=4), rng.normal(size=(4, 4))\n",
        '    scale = json.loads(Path(__file__).with_name("noise.json").read_text())["scale"]\n'
        "    x, F = scale * rng.normal(size=4), rng.normal(size=(4, 4))\n",
    )
    (project.root / "docs" / "links.lock").unlink()
    project.lock()
    assert full(project)[4] == ()
    return project


@pytest.fixture
def project(small, tmp_path):
    shutil.copytree(small.root, tmp_path / "project")
    return Project(tmp_path / "project")


@pytest.fixture
def started(monkeypatch):
    """The linked tests, examples and equations of which something runs again."""
    names = set()

    def noting(run_worker):
        def run(module, job):
            equations = (task["equation"] for task in job.get("tasks", ()))
            names.update(job.get("examples", ()), job.get("tests", ()), equations)
            return run_worker(module, job)

        return run

    for stage in (linkindex.run.runs, linkindex.mutants.run, linkindex.mutants.effects):
        monkeypatch.setattr(stage, "run_worker", noting(stage.run_worker))
    return names


def full(project):
    return evidence_for(read_config(project.root), mutants=True)


def without_cache(project, tmp_path):
    """The same project where nothing is kept."""
    copy = tmp_path / f"fresh{len(list(tmp_path.iterdir()))}"
    shutil.copytree(project.root, copy, ignore=shutil.ignore_patterns("build"))
    return full(Project(copy))


def entries(project) -> list[Path]:
    return sorted((project.root / store.FOLDER).rglob("*.json"))


# --- the same result as without a cache ------------------------------------------------------------------------------

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


def comment(project, rng):
    """A comment and a blank line above a random statement at the top level."""
    path = rng.choice([CODE, "kalman/arrays.py", TESTS, "tests/conftest.py", EXAMPLE])
    lines = project.read(path).split("\n")
    number = rng.choice([number for number, line in enumerate(lines) if line.startswith(("def ", "import "))])
    project.write(path, "\n".join([*lines[:number], f"# {rng.random()}", "", *lines[number:]]))


def new_file(project, rng):
    project.write(f"tests/other{rng.randrange(9)}.py", "VALUE = 1\n")


def earlier(project, rng, history):
    """A file as it was some edits ago."""
    path = rng.choice(list(history[0]))
    project.write(path, rng.choice(history)[path])


def test_random_edits_give_the_same_evidence_as_without_a_cache(project, tmp_path):
    rng = random.Random(5)
    names = [*EDITS, "comment", "earlier", "earlier", "new file"]
    rng.shuffle(names)
    edited = sorted({path for path, _, _ in EDITS.values()})
    history = []
    for number, name in enumerate(names):
        history.append({path: project.read(path) for path in edited})
        match name:
            case "comment":
                comment(project, rng)
            case "earlier":
                earlier(project, rng, history)
            case "new file":
                new_file(project, rng)
            case _:
                toggle(project, *EDITS[name])
        kept, fresh = full(project), without_cache(project, tmp_path)
        assert kept[4] == fresh[4], f"edit {number}, {name}: other findings"
        assert kept[3] == fresh[3], f"edit {number}, {name}: other proofs"
        assert kept[2] == fresh[2], f"edit {number}, {name}: other runs or verdicts"
        config = read_config(project.root)
        remembered = check_fast(config)[1]
        (project.root / linkindex.fast.FILE).unlink(missing_ok=True)
        assert remembered == check_fast(config)[1], f"edit {number}, {name}: check --fast finds something else"


# --- what runs again -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [CODE, "kalman/arrays.py", "kalman/__init__.py", TESTS, "tests/conftest.py", EXAMPLE])
def test_a_comment_and_a_blank_line_run_nothing_again(project, started, path):
    before = full(project)
    project.write(path, f"# A comment.\n\n{project.read(path)}\n# And one at the end.\n")
    after = full(project)
    assert started == set()
    assert (after[3].proofs, after[4]) == (before[3].proofs, ())


@pytest.mark.parametrize("edit", ["a title"])
def test_what_no_run_depends_on_runs_nothing_again(project, started, edit):
    toggle(project, *EDITS[edit])
    assert full(project)[4] == () and started == set()


def test_an_edit_of_a_function_runs_again_what_reaches_it(project, started):
    project.edit(CODE, "    x_new = x + K @ y ", "    x_new = K @ y + x ")
    assert full(project)[4] == ()
    assert started == {"filter", "filter.innovation", "tests/test_filter.py::test_innovation"}


def test_an_edit_of_a_helper_runs_again_what_reaches_it(project, started):
    toggle(project, *EDITS["a helper of the code"])
    assert full(project)[4] == ()
    assert started == {"filter", *PREDICT, "filter.predicted-state", "filter.predicted-covariance"}


def test_an_edit_of_one_test_runs_that_test_again(project, started):
    project.edit(TESTS, "    P, F, Q = spread(4, rng)", "    P, F, Q = 1 * spread(4, rng)")
    assert full(project)[4] == ()
    assert started == {"tests/test_filter.py::test_predicted_covariance", "filter.predicted-covariance"}


def test_an_edit_of_a_data_file_runs_the_test_that_reads_it_again(project, started):
    toggle(project, *EDITS["a data file"])
    assert full(project)[4] == ()
    assert started == {"tests/test_filter.py::test_predicted_state", "filter.predicted-state"}


def test_an_edit_of_the_example_runs_the_example_again(project, started):
    toggle(project, *EDITS["inputs of the example"])
    assert full(project)[4] == () and started == {"filter"}


def test_an_edit_that_is_taken_back_runs_nothing_again(project, started):
    for _ in range(2):
        started.clear()
        toggle(project, *EDITS["a helper of the code"])
        assert full(project)[4] == ()
    assert started == set()


def test_a_copy_of_the_project_keeps_what_was_computed(project, started, tmp_path):
    shutil.copytree(project.root, tmp_path / "other place")
    assert full(Project(tmp_path / "other place"))[4] == () and started == set()


def test_a_test_that_fails_runs_again_each_time(project, started):
    toggle(project, *EDITS["a failing test"])
    for _ in range(2):
        started.clear()
        assert "LI402" in [finding.code for finding in full(project)[4]]
        assert started == {"tests/test_filter.py::test_innovation"}


@pytest.fixture
def proved(monkeypatch):
    """The formulas that are proved again."""
    formulas = []
    prove = linkindex.evidence.agreement.prove
    note = lambda formula, *rest: (formulas.append(formula.source), prove(formula, *rest))[1]  # noqa: E731
    monkeypatch.setattr(linkindex.evidence.agreement, "prove", note)
    return formulas


def test_a_formula_is_proved_again_only_where_a_value_is_another(project, started, proved):
    project.edit(CODE, "    x_new = x + K @ y ", "    x_new = K @ y + x ")
    assert full(project)[4] == () and "filter" in started and proved == []
    toggle(project, *EDITS["inputs of the example"])
    assert full(project)[4] == () and proved == ["y = z - H x"]


def test_a_formula_that_does_not_hold_is_computed_again(project, proved):
    toggle(project, *EDITS["a wrong formula"])
    for _ in range(2):
        proved.clear()
        assert "LI420" in [finding.code for finding in full(project)[4]]
        assert proved == [r"\bar x = F x + F x"]


# --- what a test depends on without calling it -----------------------------------------------------------------------


def changed(project, started):
    """Whether the test of the predicted state runs again, and what is found."""
    started.clear()
    findings = full(project)[4]
    return "tests/test_filter.py::test_predicted_state" in started, [finding.code for finding in findings]


def test_a_function_that_is_called_when_a_module_is_imported_counts(project, started):
    project.edit("kalman/arrays.py", "DTYPE = float\n", "def choose():\n    return float\n\n\nDTYPE = choose()\n")
    assert changed(project, started) == (True, [])
    project.edit("kalman/arrays.py", "    return float\n", "    return complex\n")
    assert changed(project, started)[0]


def test_a_function_whose_result_an_earlier_test_left_behind_counts(project, started):
    cached = "import functools\n\n\n@functools.cache\ndef scale():\n    return 1.0\n\n\ndef as_vector"
    project.edit("kalman/arrays.py", "def as_vector", cached)
    project.edit("kalman/arrays.py", "dtype=DTYPE)", "dtype=DTYPE) * scale()")
    assert changed(project, started) == (True, [])
    project.edit("kalman/arrays.py", "    return 1.0\n", "    return 2.0\n")
    assert changed(project, started) == (True, ["LI402"])


def test_a_function_that_only_a_mutant_reaches_counts(project, started):
    """The mutant that drops the transpose raises in a function that the test, unchanged, never calls."""
    project.edit("kalman/arrays.py", "def as_vector", "def refuse(x):\n    raise ValueError(x)\n\n\ndef as_vector")
    value = "    return np.asarray(x, dtype=DTYPE)"
    project.edit("kalman/arrays.py", value, f"{value} if x is not None else refuse(x)")
    assert changed(project, started) == (True, [])
    project.edit("kalman/arrays.py", "    raise ValueError(x)\n", "    return x\n")
    full(project)
    assert "filter.predicted-state" in started


def test_a_file_that_is_missing_counts_when_it_appears(project, started):
    project.edit(
        TESTS,
        '    scale = json.loads(Path(__file__).with_name("noise.json").read_text())["scale"]\n',
        '    try:\n        scale = float(open("scale.txt").read())\n    except OSError:\n        scale = 1.0\n',
    )
    assert changed(project, started) == (True, [])
    project.write("scale.txt", "0\n")
    assert changed(project, started)[0]


def test_a_process_that_a_test_starts_may_depend_on_everything(project, started):
    command = '[__import__("sys").executable, "-c", "import kalman.filter"]'
    started_process = f'    __import__("subprocess").run({command}, check=True)\n'
    project.edit(TESTS, "    scale = json", f"{started_process}    scale = json")
    assert changed(project, started) == (True, ["LI416"])
    project.edit(CODE, "    P_new = P - K @ H @ P ", "    P_new = P - (K @ H) @ P  # \n")
    assert changed(project, started)[0]


def test_a_new_conftest_counts(project, started):
    broken = "@pytest.fixture(autouse=True)\ndef broken():\n    raise OSError('no')\n"
    project.write("conftest.py", f"import pytest\n\n\n{broken}")
    assert changed(project, started)[0]


def test_other_settings_in_the_environment_count(project, started, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "--strict-markers")
    assert changed(project, started) == (True, [])


# --- damage, time, and other processes -------------------------------------------------------------------------------

DAMAGE = {
    "empty": lambda data: b"",
    "cut short": lambda data: data[: len(data) // 2],
    "another number": lambda data: data.replace(b"1", b"2"),
    "no text": lambda data: b"\xff\xfe" + data,
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_is_computed_again(project, started, name):
    before = full(project)
    for path in entries(project):
        path.write_bytes(DAMAGE[name](path.read_bytes()))
    assert full(project)[2:] == before[2:]
    assert started == {"filter", *EQUATIONS, *PREDICT, "tests/test_filter.py::test_innovation"}


def test_a_file_under_the_name_of_another_is_not_believed(project, started):
    before = full(project)
    paths = entries(project)
    contents = [path.read_bytes() for path in paths]
    for path, content in zip(paths, [*contents[1:], contents[0]]):
        path.write_bytes(content)
    assert full(project)[2:] == before[2:] and "filter" in started


def test_a_result_is_not_kept_if_a_file_changed_while_it_was_computed(project, started, monkeypatch):
    run_worker = linkindex.run.runs.run_worker

    def run(module, job):
        result = run_worker(module, job)
        if job["tests"]:
            project.edit("kalman/arrays.py", "dtype=DTYPE) * 1.0", "dtype=DTYPE) * 3.0")
        return result

    toggle(project, *EDITS["a helper of the code"])
    monkeypatch.setattr(linkindex.run.runs, "run_worker", run)
    full(project)
    monkeypatch.setattr(linkindex.run.runs, "run_worker", run_worker)
    assert "LI402" in [finding.code for finding in full(project)[4]]


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


def test_two_checks_at_once_do_not_disturb_each_other(project, started):
    before = full(project)
    shutil.rmtree(project.root / "build")
    processes = [check_in_a_process(project) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in processes] == ["0", "0"]
    assert not list((project.root / store.FOLDER).rglob("*.new")), "a temporary file was left behind"
    assert full(project)[2:] == before[2:]


def test_two_processes_that_write_one_file_leave_one_of_the_two_results(tmp_path):
    path = tmp_path / "result.json"
    write = (
        "import sys; from pathlib import Path; from linkindex import store\n"
        "for _ in range(300): store.write(Path(sys.argv[1]), sys.argv[2] * 5000)"
    )
    processes = [subprocess.Popen([sys.executable, "-c", write, str(path), letter]) for letter in "ab"]
    seen = set()
    while any(process.poll() is None for process in processes):
        result = store.read(path)
        seen.add(result and result[:1])
        assert result in (None, "a" * 5000, "b" * 5000)
        time.sleep(0.001)
    assert [process.returncode for process in processes] == [0, 0]
    assert seen >= {"a"} or seen >= {"b"}
    assert [other.name for other in tmp_path.iterdir()] == ["result.json"]


def test_what_another_version_of_linkindex_kept_is_not_used(project, tmp_path):
    """The other version differs in one rule: no mutant survives. What this one kept is computed again by it."""
    source = tmp_path / "src"
    shutil.copytree(Path(linkindex.__file__).parents[1], source, ignore=shutil.ignore_patterns("__pycache__"))
    worker = source / "linkindex" / "mutants" / "worker.py"
    assert '"assertion" if' in worker.read_text()
    kept = {path.name for path in entries(project)}
    worker.write_text(worker.read_text().replace('"assertion" if', '"exception" if'))
    assert "LI454" in check_in_a_process(project, source).communicate()[0]
    assert kept <= {path.name for path in entries(project)}
    assert full(project)[4] == ()


def test_the_files_that_were_not_used_for_longest_are_removed(tmp_path):
    for number in range(6):
        store.write(tmp_path / f"{number}.json", number)
        os.utime(tmp_path / f"{number}.json", (number, number))
    store.touch(tmp_path / "0.json")
    store.prune(tmp_path, 3)
    assert sorted(json.loads(path.read_text().split("\n")[1]) for path in tmp_path.iterdir()) == [0, 4, 5]


def test_files_are_removed_beyond_the_room_that_they_may_take(tmp_path):
    for number in range(6):
        (tmp_path / f"{number}.json").write_bytes(bytes(100))
        os.utime(tmp_path / f"{number}.json", (number, number))
    store.prune(tmp_path, 5, room=250)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["4.json", "5.json"]
