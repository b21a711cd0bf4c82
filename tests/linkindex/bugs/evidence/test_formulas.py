"""The published formula is compared with what the code computes."""

import pytest
from linkindex.cli import main

from tests.linkindex.bugs.evidence.judged import CODE, OTHERS, RECORDS, coded, full, published

DIFFERENT = {
    "a sign": ("latex: y = z - H x", "latex: y = z + H x"),
    "an order": ("latex: y = z - H x", "latex: y = H x - z"),
    "a transpose": (r"\bar P = F P F^\top + Q", r"\bar P = F^\top P F + Q"),
    "a term that is left out": (r"S = H P H^\top + R", r"S = H P H^\top"),
    "a factor": (r"latex: \hat x = x + K y", r"latex: \hat x = x + 2 K y"),
    "one part in a million": (r"latex: \hat x = x + K y", r"latex: \hat x = x + 1.000001 K y"),
    "another variable": (r"latex: \hat x = x + K y", r"latex: \hat x = x + K z"),
    "a property that does not hold": (r"latex: K S = P H^\top", r"latex: K R = P H^\top"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_row_46_a_formula_that_differs_from_the_code_fails_also_once_it_is_locked(project, name):
    old, new = DIFFERENT[name]
    project.edit(RECORDS, old, new)
    assert {"LI224", "LI420"} == set(coded(project.check()))
    assert main(["fix", "--write", "--root", str(project.root)]) == 0
    assert new in project.read(RECORDS)
    result = project.result()
    assert coded(result[4]) == ["LI420"] and result[4][0].place.line == project.line_of(RECORDS, new)
    assert main(["check", "--root", str(project.root)]) == 1


def test_row_46_code_and_test_that_are_wrong_together_still_differ_from_the_formula(project):
    project.edit(CODE, "x_next = F @ x ", "x_next = F.T @ x ")
    project.edit(OTHERS, "sum(F[i, j] * x[j]", "sum(F[j, i] * x[j]")
    assert main(["fix", "--write", "--root", str(project.root)]) == 0
    result = full(project)
    assert coded(result[4]) == ["LI420"] and result[4][0].message.startswith("filter.predicted-state:")
    _, evidence = published(result, "filter.predicted-state")
    assert evidence["tested"]["ok"] and evidence["defended"]["ok"] and not evidence["formula"]["ok"]
    assert evidence["formula"]["max_error"] > evidence["formula"]["tolerance"]


def test_row_46_the_same_formula_in_another_form_agrees(project):
    project.edit(RECORDS, r"\hat P = P - K H P", r"\hat P = -K H P + P")
    project.lock()
    assert project.check() == ()
