"""What a symbol stands for is taken from the code: else a formula says of the code what the page itself computes."""

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import places_for
from linkindex.render import rendered
from linkindex.render.book import Book
from linkindex.render.taken import check_symbols
from tests.linkindex.project import Project


@pytest.fixture
def project(tmp_path):
    return Project.copy(tmp_path / "project")


def found(project, code: str):
    """With a symbol G of this code in the formula of the innovation, y = z - H x."""
    row = f"G: {{code: '{code}', meaning: What is seen, shape: (m,)}}"
    project.edit("docs/symbols.yml", "z: {code: z,", f"{row}\nz: {{code: z,")
    project.edit("docs/filter.yml", "notation: [n", "notation: [G, n")
    project.edit("docs/filter.yml", "latex: y = z - H x", "latex: y = z - G")
    index, resolution, _ = places_for(read_config(project.root))
    return list(check_symbols(Book(index, resolution, None, None)))


@pytest.mark.parametrize("code", ["z - y", "-y", "y * 2", "y[::-1]", "y.T", "H @ x * 0 + z - y"])
def test_a_symbol_made_of_the_linked_value_proves_nothing(project, code):
    (finding,) = found(project, code)
    assert finding.code == "LI622" and "is made of y, which the linked line assigns" in finding.message
    assert finding.place.line == project.line_of("docs/filter.yml", "latex: y = z - G")


@pytest.mark.parametrize("code", ["H @ x * 2 / 2", "z[::-1] + 1", "np.linalg.inv(R) @ z", "7"])
def test_a_symbol_that_the_record_computes_is_none_of_the_code(project, code):
    (finding,) = found(project, code)
    assert finding.code == "LI622" and "does not stand in kalman.filter.update" in finding.message


@pytest.mark.parametrize("code", ["H @ x", "H@x", "z", "z[0]", "R.T", "y.shape[0] * 2", "len(y)", "H["])
def test_a_symbol_that_the_function_holds_is_fine_and_what_is_no_code_is_reported_elsewhere(project, code):
    assert found(project, code) == []


EXAMPLE = "docs/filter.py"
TYPED = "def shown(**inputs):\n    return np.array([[7.0, 0.35]])\n"
COMPUTED = {
    "by a call": """def shown(x, P, F, Q, **_):
    return predict(x, P, F, Q)[1]
""",
    "by another function": """def shown(**inputs):
    return run(**inputs)[1]
""",
    "by an import of its own": """def shown(x, P, F, Q, **_):
    from kalman import filter
    return filter.predict(x, P, F, Q)[1]
""",
    "by a constant": """STEP = lambda *a: predict(*a)[1]
def shown(x, P, F, Q, **_):
    return STEP(x, P, F, Q)
""",
}


def of_the_example(project, function: str) -> list:
    project.edit(EXAMPLE, "def labels", f"{function}def labels")
    project.edit("docs/filter.md", "show: [x, F, x_next, P_next]", "show: [x, F, x_next, P_next, shown()]")
    index, resolution, runs, evidence, findings = project.result()
    assert findings == ()
    return [finding.code for finding in rendered(Book(index, resolution, runs, evidence))[1]]


def test_numbers_that_an_example_only_types_are_found(project):
    assert of_the_example(project, TYPED) == ["LI623"]


@pytest.mark.parametrize("how", COMPUTED)
def test_numbers_that_an_example_computes_with_the_code_are_shown(project, how):
    assert of_the_example(project, COMPUTED[how]) == []
