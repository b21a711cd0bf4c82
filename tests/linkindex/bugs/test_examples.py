"""Examples run, fail loudly, and are remembered exactly as long as nothing that they reach has changed. Rows: see rows.py."""

import sys

import numpy as np
import pytest
from linkindex.cli import main
from linkindex.run import cache

from tests.linkindex.bugs import rows

EXAMPLE, CODE = "docs/filter.py", "kalman/filter.py"
NOT_APPLICABLE = {62: "examples are plain Python files; the worker is started with the interpreter that runs the check, so no kernel is named"}
ELSEWHERE = {}


def test_every_row_is_tested():
    assert rows.uncovered(rows.EXAMPLES, globals(), ELSEWHERE, NOT_APPLICABLE) == []
    assert rows.lost(ELSEWHERE) == []


RAISING = {
    "in run": ("    return update(ahead", "    1 / 0\n    return update(ahead", "1 / 0"),
    "in inputs": ("def inputs():\n", "def inputs():\n    1 / 0\n", "1 / 0"),
    "in sample": ('    n, m = sizes["n"], sizes["m"]\n', '    1 / 0\n    n, m = sizes["n"], sizes["m"]\n', "1 / 0"),
    "in labels": ("def labels():\n", "def labels():\n    1 / 0\n", "1 / 0"),
    "when imported": ("import numpy as np\n", "import numpy as np\n\n1 / 0\n", "1 / 0"),
    "an import": ("import numpy as np\n", "import numpy as np\nimport nothing_of_this_name\n", "nothing_of"),
    "in a helper": ("    root = rng.normal", "    assert n < 0\n    root = rng.normal", "assert n < 0"),
}


@pytest.mark.parametrize("name", RAISING)
def test_row_61_an_example_that_raises_fails_at_its_line(project, name):
    old, new, line = RAISING[name]
    project.edit(EXAMPLE, old, new)
    found = [finding for finding in project.check() if finding.code == "LI302"]
    assert [(f.place.path, f.place.line) for f in found] == [(EXAMPLE, project.line_of(EXAMPLE, line))]
    assert main(["check", "--root", str(project.root)]) == 1


def test_row_61_an_error_in_the_code_names_both_files(project):
    project.edit(CODE, "    y = z - H @ x ", "    y = z[9] - H @ x ")
    found = [finding for finding in project.check() if finding.code == "LI302"]
    assert [(f.place.path, f.place.line) for f in found] == [(EXAMPLE, project.line_of(EXAMPLE, "return update("))]
    assert f"filter.py, line {project.line_of(CODE, 'z[9]')}" in found[0].message


@pytest.fixture
def runs(monkeypatch):
    """Counts the workers that are started."""
    import linkindex.run

    started = []
    run = linkindex.run._run_worker
    monkeypatch.setattr(linkindex.run, "_run_worker", lambda job: started.append("tests" if job["tests"] else "examples") or run(job))
    return started


def test_row_63_nothing_runs_again_where_nothing_changed(project, runs):
    assert project.check() == () and runs == []


@pytest.mark.parametrize("path", ["README.md", "docs/notes.txt", "docs/index.md"])
def test_row_63_a_file_that_no_code_reaches_starts_nothing(project, runs, path):
    project.write(path, "# Notes\n")
    assert project.check() == () and runs == []


@pytest.mark.parametrize(
    "path, started",
    [(CODE, ["examples", "tests"]), ("kalman/__init__.py", ["examples", "tests"]), (EXAMPLE, ["examples"]), ("tests/test_filter.py", ["tests"])],
)
def test_row_63_what_reaches_the_change_runs_again(project, runs, path, started):
    project.write(path, project.read(path) + "\n# A note.\n")
    assert project.check() == () and sorted(runs) == started


@pytest.mark.parametrize("path, text", [("tests/conftest.py", "# settings\n"), ("tests/data.json", "[]\n"), ("kalman/extra.py", "x = 1\n")])
def test_row_63_a_file_that_is_new_where_code_is_read_counts(project, runs, path, text):
    project.write(path, text)
    assert project.check() == () and "tests" in runs


def test_row_63_other_versions_run_again(project, runs, monkeypatch):
    monkeypatch.setattr(cache, "version", lambda name: "0")
    assert project.check() == () and sorted(runs) == ["examples", "tests"]


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff", b"0" * 64 + b"\n{}"], ids=["empty", "no checksum", "no text", "a wrong checksum"])
def test_row_63_a_damaged_result_is_computed_again_not_believed(project, runs, damage):
    before = project.result()
    entries = sorted((project.root / cache.FOLDER).glob("*.json"))
    assert entries
    for entry in entries:
        entry.write_bytes(damage)
    assert project.result() == before and sorted(runs) == ["examples", "tests"]


@pytest.mark.parametrize("setting", ["precision=2, suppress=True", "linewidth=20, threshold=3", "sign='+', floatmode='fixed'"])
def test_row_65_pages_do_not_depend_on_how_numpy_prints(project, setting, tmp_path):
    from linkindex.render import render

    index, resolution, runs, evidence, _ = project.result()
    plain, other = tmp_path / "plain", tmp_path / "other"
    assert render(index, resolution, runs, evidence, plain) == ()
    with np.printoptions(**eval(f"dict({setting})")):
        assert render(index, resolution, runs, evidence, other) == ()
    assert (plain / "filter.md").read_bytes() == (other / "filter.md").read_bytes()


def test_row_65_numbers_pass_from_the_run_to_the_page_bit_for_bit(project):
    _, _, runs, _, _ = project.result()
    run = runs.examples["filter"][0]
    sys.path.insert(0, str(project.root))
    x, F = np.array([1.0, 0.5]), np.array([[1.0, 0.2], [0.05, 1.0]])
    value = run.visits["filter.predicted-state"][0].value
    sys.path.remove(str(project.root))
    assert value.dtype == "float64" and value.array().tobytes() == (F @ x).tobytes()


def test_row_65_a_result_says_with_which_versions_it_was_computed(project):
    assert project.result()[2].versions["numpy"] == np.__version__
