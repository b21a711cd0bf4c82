"""The linked line is the one that the formula is about: it gives the value, or the value is made of it."""

from contextlib import suppress

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for

from tests.linkindex.project import messages

RECORDS, CODE, EXAMPLE = "docs/filter.yml", "kalman/filter.py", "docs/filter.py"
PLACE = "  in: kalman.filter.update\n  latex: y ="


@pytest.fixture
def split(project):
    """The innovation y = z - H x is computed by a function of its own, in three lines."""
    project.edit(
        CODE,
        "def update(",
        "def innovation(z, H, x):\n    seen = H @ x\n    size = seen.sum()\n    gap = z - seen\n"
        "    return gap, size\n\n\ndef update(",
    )
    project.edit(CODE, "    y = z - H @ x ", "    y, _ = innovation(z, H, x) ")
    return project


def linked(project, keys):
    """All that is found once the record of the innovation has these keys, accepted by the maintainer."""
    project.edit(RECORDS, PLACE, PLACE.replace("  latex", "".join(f"  {key}\n" for key in keys) + "  latex"))
    with suppress(ValueError):  # what is not found cannot be accepted
        project.lock()
    return project.check()


def in_callee(code, more=""):
    return f"computes: {{in: kalman.filter.innovation, code: {code}{more}}}"


@pytest.mark.parametrize("code", ["gap", "z - seen", "gap, via: [seen]"])
def test_the_line_that_gives_the_value_of_the_call_is_accepted(split, code):
    assert [finding.code for finding in linked(split, [in_callee(code)])] == []


@pytest.mark.parametrize("code", ["seen", "size", "seen.sum()"])
def test_another_line_of_the_callee_is_refused(split, code):
    findings = linked(split, [in_callee(code)])
    found = [finding for finding in findings if finding.code == "LI414"]
    assert [finding.place.line for finding in found] == [split.line_of(RECORDS, "computes:")]
    assert "with `via: [" in found[0].message


def test_the_value_must_be_given_in_every_run(split):
    split.edit(CODE, "gap = z - seen\n    return gap, size", "gap = z - seen\n    return z - seen * 1, size")
    split.edit(CODE, "return z - seen * 1", "return (gap if len(z) == 1 else gap * 2)")
    assert "'configuration'" in messages(linked(split, [in_callee("gap")]), "LI414")[0]


def test_a_property_may_link_a_line_on_the_way_of_the_same_shape(split):
    split.edit(RECORDS, "latex: y = z - H x", "latex: y + H x = z\n  property: true\n  code: y")
    split.edit(CODE, "gap = z - seen\n", "raw = seen - z\n    gap = -raw\n")
    split.edit(RECORDS, "  latex: y + H", f"  {in_callee('raw')}\n  latex: y + H")
    split.lock()
    assert not messages(split.check(), "LI414")
    split.edit(RECORDS, "code: raw", "code: size")
    split.lock()
    assert messages(split.check(), "LI414")


def test_the_line_under_computes_must_give_the_value_of_the_linked_code(split):
    split.edit(CODE, "def update(", "def other(x):\n    twice = 2 * x\n    return twice\n\n\ndef update(")
    found = [f for f in linked(split, ["computes: {in: kalman.filter.other, code: twice}"]) if f.code == "LI401"]
    assert found and "call kalman.filter.other in run()" in found[0].message


def test_a_line_under_via_that_leads_nowhere_is_changed_unnoticed(project):
    project.edit(CODE, "    y = z - H @ x ", "    idle = z * 2\n    y = z - H @ x ")
    project.edit(RECORDS, "  latex: y = z - H x", "  via: [idle]\n  latex: y = z - H x")
    project.lock()
    assert messages(evidence_for(read_config(project.root), mutants=True)[4], "LI453")


def test_a_line_elsewhere_that_has_no_part_in_the_value_is_changed_unnoticed(project):
    project.edit(CODE, "def update(", "def first(H):\n    row = 1 * H[0]\n    return row\n\n\ndef update(")
    project.edit(CODE, "y = z - H @ x ", "first(H)\n    y = z - H @ x ")
    project.edit(RECORDS, "  latex: y = z", "  also: {in: kalman.filter.first, code: row}\n  latex: y = z")
    project.lock()
    assert messages(evidence_for(read_config(project.root), mutants=True)[4], "LI453")


def test_a_whole_number_of_any_size_is_compared(split):
    split.edit(CODE, "    gap = z - seen\n", "    huge = 10 ** 400\n    gap = z - seen\n")
    assert messages(linked(split, [in_callee("huge")]), "LI414")
