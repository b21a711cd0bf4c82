import pytest

from tests.transformer.checkpoint.toy import ARRAYS, PROVENANCE
from transformer import checkpoint


@pytest.fixture
def saved(tmp_path):
    checkpoint.save(tmp_path / "toy", ARRAYS, PROVENANCE)
    return tmp_path / "toy"
