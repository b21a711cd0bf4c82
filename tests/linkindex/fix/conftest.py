import pytest

from tests.linkindex.fix.fixing import Fixing


@pytest.fixture
def fixing(project, capsys):
    """The small project, and `linkindex fix` in it."""
    return Fixing(project, capsys)
