"""Examples run, fail loudly, and are remembered as long as what they reach stays the same. Rows: see rows.py."""

import numpy as np
import pytest
from linkindex.cli import main

from tests.linkindex.bugs import rows
from tests.linkindex.project import Project

EXAMPLE, CODE, TESTS = "docs/filter.py", "kalman/filter.py", "tests/test_filter.py"
NOT_APPLICABLE = {
    62: "examples are plain Python files, run by the interpreter of the check: no kernel is named anywhere"
}
ELSEWHERE = {}


def test_every_row_is_tested():
    assert rows.uncovered(rows.EXAMPLES, globals(), ELSEWHERE, NOT_APPLICABLE) == []
    assert rows.lost(ELSEWHERE) == []


RAISING = {
    "in run": ("    return update(ahead", "    1 / 0\n    return update(ahead", "1 / 0"),
    "in inputs": ("def inputs():\n", "def inputs():\n    1 / 0\n", "1 / 0"),
    "in sample": ('    n, m = sizes["n"], sizes["m"]\n', '    1 / 0\n    n, m = sizes["n"], sizes["m"]\n', "1 / 0"),
    "in labels": ("def labels():\n", "def labels():\n    1 / 0\n", "1 / 0"),
    "when imported": ("import numpy as np\n", "import numpy as np\n\n1 / 0\n", "1 / 0"),
    "an import": ("import numpy as np\n", "import numpy as np\nimport nothing_of_this_name\n", "nothing_of"),
    "in a helper": ("    root = rng.normal", "    assert n < 0\n    root = rng.normal", "assert n < 0"),
}


@pytest.mark.parametrize("name", RAISING)
def test_row_61_an_example_that_raises_fails_at_its_line(project, name):
    old, new, line = RAISING[name]
    project.edit(EXAMPLE, old, new)
    found = [finding for finding in project.check() if finding.code == "LI302"]
    assert [(f.place.path, f.place.line) for f in found] == [(EXAMPLE, project.line_of(EXAMPLE, line))]
    assert main(["check", "--root", str(project.root)]) == 1


def test_row_61_an_error_in_the_code_names_both_files(project):
    project.edit(CODE, "    y = z - H @ x ", "    y = z[9] - H @ x ")
    found = [finding for finding in project.check() if finding.code == "LI302"]
    assert [(f.place.path, f.place.line) for f in found] == [(EXAMPLE, project.line_of(EXAMPLE, "return update("))]
    assert f"filter.py, line {project.line_of(CODE, 'z[9]')}" in found[0].message


class Watched(Project):
    """A project with an example and a test that note when they run."""

    def ran(self) -> set[str]:
        """Which ran since this was last asked."""
        path = self.root.parent / "ran.txt"
        names = set(path.read_text().split()) if path.is_file() else set()
        path.unlink(missing_ok=True)
        return names


@pytest.fixture
def watched(project):
    # Beside the project, not in it: files of the project that a run opens are part of what its result depends on.
    note = "(Path(__file__).parents[2] / 'ran.txt').open('a').write('{}\\n')\n"
    project.edit(EXAMPLE, "import numpy as np\n", "from pathlib import Path\n\nimport numpy as np\n")
    project.edit(
        EXAMPLE, "def run(x, P, F, Q, z, H, R):\n", f"def run(x, P, F, Q, z, H, R):\n    {note.format('example')}"
    )
    project.edit(TESTS, "import numpy as np\n", "from pathlib import Path\n\nimport numpy as np\n")
    project.edit(TESTS, "def test_gain(rng):\n", f"def test_gain(rng):\n    {note.format('test')}")
    watched = Watched(project.root)
    assert watched.check() == () and watched.ran() == {"example", "test"}
    return watched


def test_row_63_nothing_runs_again_where_nothing_changed(watched):
    assert watched.check() == () and watched.ran() == set()


@pytest.mark.parametrize("path", ["README.md", "docs/notes.txt", "docs/other.md"])
def test_row_63_a_file_that_no_code_reaches_starts_nothing(watched, path):
    watched.write(path, "# Notes\n")
    assert watched.check() == () and watched.ran() == set()


CHANGES = {
    "the code": (CODE, "return x_new, P_new", "return x_new * 1, P_new * 1", {"example", "test"}),
    "the inputs": (EXAMPLE, "np.array([1.25])", "np.array([1.5])", {"example"}),
    "a helper of the example": (EXAMPLE, "root @ root.T + np.eye(n)", "root @ root.T + 2 * np.eye(n)", {"example"}),
    "the test": (
        TESTS,
        "assert np.allclose(P - new, product(gain(P, H, R)",
        "assert np.allclose(1 * P - new, product(gain(P, H, R)",
        {"test"},
    ),
    "a fixture of the test": (TESTS, "default_rng(7)", "default_rng(8)", {"test"}),
    "a helper of the test": (
        TESTS,
        "    S = product(product(H, P), H.T) + R\n    return",
        "    S = R + product(product(H, P), H.T)\n    return",
        {"test"},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_row_63_what_reaches_a_change_runs_again(watched, name):
    path, old, new, expected = CHANGES[name]
    watched.edit(path, old, new)
    assert watched.check() == () and watched.ran() >= expected


def test_row_63_settings_of_the_tests_that_are_new_count(watched):
    watched.write("tests/conftest.py", "import numpy\n")
    assert watched.check() == () and "test" in watched.ran()


@pytest.mark.parametrize(
    "damage", [b"", b"{}", b"\xff", b"0" * 64 + b"\n{}"], ids=["empty", "no checksum", "no text", "a wrong checksum"]
)
def test_row_63_a_damaged_result_is_computed_again_not_believed(watched, damage):
    before = watched.result()
    kept = [path for path in sorted((watched.root / "build" / "cache").rglob("*")) if path.is_file()]
    assert kept
    for path in kept:
        path.write_bytes(damage)
    assert watched.result() == before and watched.ran() == {"example", "test"}


@pytest.mark.parametrize(
    "setting", ["precision=2, suppress=True", "linewidth=20, threshold=3", "sign='+', floatmode='fixed'"]
)
def test_row_65_pages_do_not_depend_on_how_numpy_prints(project, setting, tmp_path):
    from linkindex.render import render

    index, resolution, runs, evidence, _ = project.result()
    plain, other = tmp_path / "plain", tmp_path / "other"
    assert render(index, resolution, runs, evidence, plain) == ()
    with np.printoptions(**eval(f"dict({setting})")):
        assert render(index, resolution, runs, evidence, other) == ()
    assert (plain / "filter.md").read_bytes() == (other / "filter.md").read_bytes()


def test_row_65_numbers_pass_from_the_run_to_the_page_bit_for_bit(project):
    _, _, runs, _, _ = project.result()
    run = runs.examples["filter"][0]
    x, F = np.array([1.0, 0.5]), np.array([[1.0, 0.2], [0.05, 1.0]])
    value = run.visits["filter.predicted-state"][0].value
    assert value.dtype == "float64" and value.array().tobytes() == (F @ x).tobytes()


def test_row_65_a_result_says_with_which_versions_it_was_computed(project):
    assert project.result()[2].versions["numpy"] == np.__version__
