"""Every finding begins with a place that exists, in every form of report."""

import re

import pytest
from linkindex.cli import main
from linkindex.report import FORMATS, report

RECORDS, PAGE, CODE, TESTS = "docs/filter.yml", "docs/filter.md", "kalman/filter.py", "tests/test_filter.py"

BREAKING = {
    "a record": (RECORDS, "title: Innovation\n", "titel: Innovation\n"),
    "a formula": (RECORDS, "latex: y = z - H x", "latex: y = z - G x"),
    "a page": (PAGE, "and grows.", "and [grows](gone.md).\n\n$$P > 0$$"),
    "code": (CODE, "y = z - H @ x ", "y = z - H @ "),
    "a test": (TESTS, "    assert np.allclose(P - new", "    assert not np.allclose(P - new"),
    "an example": ("docs/filter.py", "return update(ahead", "raise ValueError('two\\nlines')\n    return update(ahead"),
    "a lock": ("docs/links.lock", '  in ', '  on '),
}


@pytest.mark.parametrize("name", BREAKING)
def test_row_39_every_finding_is_one_line_that_begins_with_a_place_that_exists(project, name, capsys):
    project.edit(*BREAKING[name])
    assert main(["check", "--root", str(project.root)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines
    for line in lines:
        match = re.fullmatch(r"([^:]+):(\d+):(\d+): (LI\d{3}) (\S.*)", line)
        assert match, line
        text = project.read(match[1]).split("\n")
        assert 1 <= int(match[2]) <= len(text) and 1 <= int(match[3]) <= len(text[int(match[2]) - 1]) + 1, line


@pytest.mark.parametrize("style", FORMATS)
def test_row_39_every_form_of_report_holds_place_and_code(project, style):
    project.edit(*BREAKING["a formula"])
    finding = project.fast()[0]
    text = report([finding], style)
    assert all(str(part) in text for part in (finding.place.path, finding.place.line, finding.place.col, finding.code))
