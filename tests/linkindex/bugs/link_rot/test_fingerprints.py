"""The lock sees what changes the code, and nothing else."""

import pytest
from linkindex.load.config import read_config
from linkindex.pipeline import places_for

CODE = "kalman/filter.py"

SAME = {
    "lines above": ("def update(", "# A note.\n\n\ndef update("),
    "another layout": ("y = z - H @ x  ", "y = (\n        z\n        - H@x\n    )  "),
    "a comment": ("# (m,)\n    S", "# (m,) the surprise\n    S"),
    "needless brackets": ("y = z - H @ x ", "y = (z - (H @ x)) "),
    "other statements": ("    y = z - H @ x", "    assert x.ndim\n    y = z - H @ x"),
    "another signature": ("def update(x, P, z, H, R)", "def update(x, P, z, H, R, *, name=None)"),
    "a docstring": ("Take in a measurement", "Use a measurement"),
}
OTHER = {
    "an operator": ("y = z - H @ x ", "y = z + H @ x "),
    "a sign": ("y = z - H @ x ", "y = -z - H @ x "),
    "a grouping": ("y = z - H @ x ", "y = (z - H) @ x "),
    "a name": ("y = z - H @ x ", "y = z - H @ z "),
    "a factor": ("y = z - H @ x ", "y = z - 1 * H @ x "),
    "an order": ("y = z - H @ x ", "y = -H @ x + z "),
    "an index": ("y = z - H @ x ", "y = z - H @ x[:] "),
}


@pytest.mark.parametrize("name", SAME)
def test_row_36_what_does_not_change_the_code_changes_no_fingerprint(project, name):
    project.edit(CODE, *SAME[name])
    index, resolution, findings = places_for(read_config(project.root))
    assert findings == ()
    line = next(number for number, text in enumerate(project.read(CODE).split("\n"), 1) if "y = " in text)
    assert resolution.links["filter.innovation"][0].statement.line == line


@pytest.mark.parametrize("name", OTHER)
def test_row_36_what_changes_the_code_is_seen_at_its_place(project, name):
    project.edit(CODE, *OTHER[name])
    found = [finding for finding in project.fast() if finding.code == "LI226"]
    assert [(f.place.path, f.place.line) for f in found] == [(CODE, project.line_of(CODE, "y = "))]


@pytest.mark.parametrize(
    "number, other", [("1", "1.0"), ("1", "True"), ("0", "None"), ('"a"', 'b"a"'), ("1e3", "1000"), ("()", "[]")]
)
def test_row_36_constants_that_compare_equal_have_fingerprints_of_their_own(project, number, other):
    project.edit(CODE, "y = z - H @ x ", f"y = max(z - H @ x, {number}) ")
    project.lock()
    project.edit(CODE, f"max(z - H @ x, {number})", f"max(z - H @ x, {other})")
    assert {finding.code for finding in project.fast()} == {"LI226"}
