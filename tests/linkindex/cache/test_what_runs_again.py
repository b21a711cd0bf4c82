"""What is kept of earlier checks is used where nothing that it depends on has changed, and nowhere else."""

import shutil

import linkindex.evidence.agreement
import pytest

from tests.linkindex.cache.checking import CODE, EDITS, EXAMPLE, PREDICT, TESTS, full, toggle
from tests.linkindex.project import Project


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
