"""What is committed here is what `linkindex fix` would write."""

from pathlib import Path

from linkindex.fix import plan
from linkindex.load.config import read_config

ROOT = Path(__file__).parents[3]


def test_nothing_is_to_be_written_in_this_repository():
    planned = plan(read_config(ROOT))
    assert planned.refusals == ()
    files = [change.path for change in (*planned.changes, *planned.kept)]
    assert files == [], f"run `linkindex fix --write`, and commit: {planned.notes}"
