"""The tests of this folder, taken together, cover their group of rows.py."""

from pathlib import Path

from tests.linkindex.bugs import rows


def test_every_row_is_tested():
    assert rows.uncovered(rows.EVIDENCE, rows.tests_in(Path(__file__).parent), {}, {}) == []
