"""`pytest --linkindex`: an item for each step of each equation."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import linkindex
import pytest

from tests.linkindex.project import Project

PYPROJECT = Path(__file__).parents[2] / "tools" / "linkindex" / "pyproject.toml"
STEPS = ("resolved", "ran", "tested", "symbols", "formula", "defended")
TESTS, RECORDS = "tests/test_filter.py", "docs/filter.yml"


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """A project of which all runs and verdicts are kept."""
    project = Project.copy(tmp_path_factory.mktemp("plugin") / "project")
    assert run(project, "--linkindex").returncode == 0
    return project


@pytest.fixture
def project(checked, tmp_path):
    shutil.copytree(checked.root, tmp_path / "project")
    return Project(tmp_path / "project")


def run(project, *options):
    """pytest in a process of its own, with no plugin but this one: it may or may not be installed here."""
    path = os.pathsep.join([str(Path(linkindex.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    plugins = ["-p", "linkindex.pytest_plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *plugins, "-v", *options]
    return subprocess.run(command, cwd=project.root, env=environment, capture_output=True, text=True)


def outcomes(done) -> dict[str, str]:
    return dict(re.findall(r"^(linkindex::\S+) ([A-Z]+)", done.stdout, re.MULTILINE))


def test_every_step_of_every_equation_is_an_item(checked):
    done = run(checked, "--linkindex")
    found = outcomes(done)
    records = re.findall(r"(?m)^(filter\.\S+):\n  (.*)$", checked.read(RECORDS))
    ids = [id for id, first in records if first != "kind: statement"]  # of a statement, no step is claimed
    assert len(ids) == len(records) - 1 == 7
    assert found == {
        **{f"linkindex::{id}::{step}": "PASSED" for id in ids for step in STEPS},
        "linkindex::findings": "PASSED",
    }
    assert "tests/test_filter.py::test_gain PASSED" in done.stdout


def test_without_the_option_nothing_is_added_and_nothing_is_imported(checked):
    checked.write(
        "tests/conftest.py",
        "import sys\n\n\ndef pytest_unconfigure():\n"
        "    print(sorted(n for n in sys.modules if n.startswith('linkindex')))\n",
    )
    done = run(checked)
    (checked.root / "tests" / "conftest.py").unlink()
    assert done.returncode == 0 and outcomes(done) == {}
    assert "['linkindex', 'linkindex.pytest_plugin']" in done.stdout


def test_a_failing_step_shows_the_finding_with_its_place(project):
    project.edit(TESTS, "assert np.allclose(P - new", "assert not np.allclose(P - new")
    done = run(project, "--linkindex", "-k", "filter.gain")
    assert done.returncode == 1
    assert outcomes(done)["linkindex::filter.gain::tested"] == "FAILED"
    line = project.line_of(RECORDS, "::test_gain")
    assert re.search(
        rf"^docs/filter.yml:{line}:\d+: LI402 filter.gain: its test \S+ is failed", done.stdout, re.MULTILINE
    )
    assert outcomes(done)["linkindex::filter.gain::resolved"] == "PASSED"


def test_a_step_that_was_not_run_is_skipped_with_the_reason(project):
    project.edit(TESTS, "assert np.allclose(P - new", "assert not np.allclose(P - new")
    done = run(project, "--linkindex", "-k", "filter.gain", "-rs")
    assert outcomes(done)["linkindex::filter.gain::defended"] == "SKIPPED"
    assert "not run" in done.stdout


def test_an_exception_is_an_expected_failure_with_its_reason(project):
    project.edit(RECORDS, "  property: true\n", "  property: true\n  exception: {tested: shown in the lecture only}\n")
    project.edit(TESTS, "assert np.allclose(P - new", "assert not np.allclose(P - new")
    done = run(project, "--linkindex", "-k", "filter.gain", "-rx")
    assert outcomes(done)["linkindex::filter.gain::tested"] == "XFAIL"
    assert "exception: shown in the lecture only" in done.stdout


def test_what_belongs_to_no_step_is_an_item_of_its_own(project):
    project.write("docs/filter.md", project.read("docs/filter.md") + "\nSee [there](gone.md).\n")
    done = run(project, "--linkindex", "-k", "findings")
    assert outcomes(done) == {"linkindex::findings": "FAILED"}
    assert "docs/filter.md:" in done.stdout


def test_a_project_may_ask_for_it_in_its_settings(project):
    project.edit(
        "pyproject.toml",
        'pythonpath = ["."]',
        'pythonpath = ["."]\naddopts = ["-p", "linkindex.pytest_plugin", "--linkindex"]',
    )
    done = run(project)
    assert done.returncode == 0 and outcomes(done)["linkindex::filter.gain::defended"] == "PASSED"


def test_a_project_without_settings_is_a_wrong_use(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    done = run(Project(tmp_path), "--linkindex")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR and "pyproject.toml: not found" in done.stderr


def test_installing_linkindex_registers_the_plugin():
    entries = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["entry-points"]["pytest11"]
    assert entries == {"linkindex": "linkindex.pytest_plugin"}
