import shutil

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for
from linkindex.site.build import build_site
from tests.linkindex.project import Project


@pytest.fixture(scope="session")
def proved(tmp_path_factory):
    """One unchanged copy with everything in its cache that a build asks for."""
    project = Project.copy(tmp_path_factory.mktemp("kalman") / "proved")
    assert evidence_for(read_config(project.root), mutants=True)[4] == ()
    return project


@pytest.fixture(scope="session")
def published(proved, tmp_path_factory):
    """One unchanged copy with a good site, and all that its build kept."""
    root = tmp_path_factory.mktemp("kalman") / "published"
    shutil.copytree(proved.root, root)
    assert build_site(read_config(root), root / "site") == ()
    return Project(root)


@pytest.fixture
def project(proved, tmp_path):
    """A copy that the test may change, without a site."""
    shutil.copytree(proved.root, tmp_path / "project")
    return Project(tmp_path / "project")


@pytest.fixture
def built(published, tmp_path):
    """A copy that the test may change, with a good site."""
    shutil.copytree(published.root, tmp_path / "project")
    return Project(tmp_path / "project")
