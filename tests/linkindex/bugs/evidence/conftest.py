import shutil

import pytest

from tests.linkindex.bugs.evidence.judged import GAIN, HEAD, OTHERS, RECORDS, TESTS, full
from tests.linkindex.project import Project


@pytest.fixture(scope="session")
def judged(pristine, tmp_path_factory):
    """The project, one test in a file of its own, with the verdicts of all mutants: only what is edited runs again."""
    project = Project(tmp_path_factory.mktemp("judged") / "project")
    shutil.copytree(pristine.root, project.root)
    text = project.read(OTHERS)
    start, end = text.index(HEAD), text.index("def test_updated_state")
    project.write(TESTS, text[: text.index("def test_predicted_state")] + text[start:end].rstrip() + "\n")
    project.write(OTHERS, text[:start] + text[end:])
    project.edit(RECORDS, f"{OTHERS}::test_gain", GAIN)
    project.lock()
    assert full(project)[4] == ()
    return project.root


@pytest.fixture
def project(judged, tmp_path):
    shutil.copytree(judged, tmp_path / "project")
    return Project(tmp_path / "project")
