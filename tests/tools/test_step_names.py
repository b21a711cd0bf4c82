"""README and the page on how to read a page name the steps of evidence as the generated pages and the settings do."""

import re
from pathlib import Path

import pytest

from linkindex.model import STEPS
from linkindex.render.places import STEP_NAMES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("file", ["README.md", "docs/how-to-read.md"])
def test_the_table_of_steps_names_each_by_both_of_its_names_in_order(file):
    rows = re.findall(r"^\| ([\w ]+) \(`(\w+)`\) \|", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(STEP_NAMES[step], step) for step in STEPS]
