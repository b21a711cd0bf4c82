import shutil

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for
from tests.linkindex.project import Project


@pytest.fixture(scope="session")
def proved(tmp_path_factory):
    """One unchanged copy with everything in its cache that a build asks for."""
    project = Project.copy(tmp_path_factory.mktemp("kalman") / "proved")
    assert evidence_for(read_config(project.root), mutants=True)[4] == ()
    return project


@pytest.fixture
def project(proved, tmp_path):
    """A copy that the test may change."""
    shutil.copytree(proved.root, tmp_path / "project")
    return Project(tmp_path / "project")
