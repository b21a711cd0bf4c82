import pytest

from tests.linkindex.bugs.code import Code


@pytest.fixture
def code(tmp_path):
    """Writes files into an empty project: ``code({"m.py": ...})``."""
    return lambda files: Code.write(tmp_path, files)
