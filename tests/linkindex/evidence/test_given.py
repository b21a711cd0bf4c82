"""What a symbol stands for is taken from the code: else a formula says of the code what the record itself computes."""

import pytest

from linkindex.evidence.given import check_given
from linkindex.evidence.subject import Subject
from linkindex.load.config import read_config
from linkindex.pipeline import NO_RUNS, places_for


def found(project, code: str):
    """With a symbol G of this code in the formula of the innovation, y = z - H x."""
    row = f"G: {{code: '{code}', meaning: What is seen, shape: \"(m,)\"}}"
    project.edit("docs/symbols.yml", "z: {code: z,", f"{row}\nz: {{code: z,")
    project.edit("docs/filter.yml", "notation: [n", "notation: [G, n")
    project.edit("docs/filter.yml", "latex: y = z - H x", "latex: y = z - G")
    index, resolution, _ = places_for(read_config(project.root))
    (page,) = (page for page in index.pages if page.stem == "filter")
    (equation,) = (one for one in page.equations if one.id == "filter.innovation")
    return list(check_given(Subject(index, resolution, NO_RUNS, page, equation)))


@pytest.mark.parametrize("code", ["z - y", "-y", "y * 2", "y[::-1]", "y.T", "H @ x * 0 + z - y"])
def test_a_symbol_made_of_the_linked_value_proves_nothing(project, code):
    (finding,) = found(project, code)
    assert finding.code == "LI418" and "is made of y, which the linked line assigns" in finding.message
    assert finding.place.line == project.line_of("docs/filter.yml", "latex: y = z - G")


@pytest.mark.parametrize("code", ["H @ x * 2 / 2", "z[::-1] + 1", "np.linalg.inv(R) @ z", "7"])
def test_a_symbol_that_the_record_computes_is_none_of_the_code(project, code):
    (finding,) = found(project, code)
    assert finding.code == "LI418" and "does not stand in kalman.filter.update" in finding.message


@pytest.mark.parametrize("code", ["H @ x", "H@x", "z[0]", "R.T", "y.shape[0] * 2", "len(y)", "H["])
def test_a_symbol_that_the_function_holds_is_fine_and_what_is_no_code_is_reported_elsewhere(project, code):
    assert found(project, code) == []


def test_a_formula_that_holds_whatever_the_code_computes_is_found_by_the_check(project):
    found(project, "z - y")
    project.lock()
    assert [finding.code for finding in project.check()] == ["LI418"]
