import shutil

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for
from linkindex.selfattack.fault import Pristine
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


@pytest.fixture(scope="session")
def untouched(pristine):
    """The unchanged copy and what is known of it, to plant faults in; without mutants and without a site."""
    index, resolution, runs, evidence, _ = evidence_for(read_config(pristine.root))
    return Pristine(pristine.root, index, resolution, runs, evidence)
