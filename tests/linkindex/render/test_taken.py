"""What a function of the example gives is computed by the code: else its numbers are typed, in another file."""

import pytest

from tests.linkindex.project import Project


@pytest.fixture
def project(tmp_path):
    return Project.copy(tmp_path / "project")


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
    return [finding.code for finding in project.check()]


def test_numbers_that_an_example_only_types_are_found(project):
    assert of_the_example(project, TYPED) == ["LI623"]


@pytest.mark.parametrize("how", COMPUTED)
def test_numbers_that_an_example_computes_with_the_code_are_shown(project, how):
    assert of_the_example(project, COMPUTED[how]) == []
