import shutil

import pytest

from tests.linkindex.project import Project


@pytest.fixture(scope="session")
def pristine(tmp_path_factory):
    """One unchanged copy, with its lock and its cache of runs."""
    project = Project.copy(tmp_path_factory.mktemp("kalman") / "pristine")
    assert project.check() == ()
    return project


@pytest.fixture
def project(pristine, tmp_path):
    """A copy that the test may change."""
    shutil.copytree(pristine.root, tmp_path / "project")
    return Project(tmp_path / "project")
