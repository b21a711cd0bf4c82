"""What a test depends on without calling it: an edit of that runs it again."""

from tests.linkindex.cache.checking import TESTS, full


def changed(project, started):
    """Whether the test of the predicted state runs again, and what is found."""
    started.clear()
    findings = full(project)[4]
    return "tests/test_filter.py::test_predicted_state" in started, [finding.code for finding in findings]


def test_a_function_that_is_called_when_a_module_is_imported_counts(project, started):
    project.edit("kalman/arrays.py", "DTYPE = float\n", "def choose():\n    return float\n\n\nDTYPE = choose()\n")
    assert changed(project, started) == (True, [])
    project.edit("kalman/arrays.py", "    return float\n", "    return complex\n")
    assert changed(project, started)[0]


def test_a_function_whose_result_an_earlier_test_left_behind_counts(project, started):
    cached = "import functools\n\n\n@functools.cache\ndef scale():\n    return 1.0\n\n\ndef as_vector"
    project.edit("kalman/arrays.py", "def as_vector", cached)
    project.edit("kalman/arrays.py", "dtype=DTYPE)", "dtype=DTYPE) * scale()")
    assert changed(project, started) == (True, [])
    project.edit("kalman/arrays.py", "    return 1.0\n", "    return 2.0\n")
    assert changed(project, started) == (True, ["LI402"])


def test_a_function_that_only_a_mutant_reaches_counts(project, started):
    """The mutant that drops the transpose raises in a function that the test, unchanged, never calls."""
    project.edit("kalman/arrays.py", "def as_vector", "def refuse(x):\n    raise ValueError(x)\n\n\ndef as_vector")
    value = "    return np.asarray(x, dtype=DTYPE)"
    project.edit("kalman/arrays.py", value, f"{value} if x is not None else refuse(x)")
    assert changed(project, started) == (True, [])
    project.edit("kalman/arrays.py", "    raise ValueError(x)\n", "    return x\n")
    full(project)
    assert "filter.predicted-state" in started


def test_a_file_that_is_missing_counts_when_it_appears(project, started):
    project.edit(
        TESTS,
        '    scale = json.loads(Path(__file__).with_name("noise.json").read_text())["scale"]\n',
        '    try:\n        scale = float(open("scale.txt").read())\n    except OSError:\n        scale = 1.0\n',
    )
    assert changed(project, started) == (True, [])
    project.write("scale.txt", "0\n")
    assert changed(project, started)[0]


def test_a_new_conftest_counts(project, started):
    broken = "@pytest.fixture(autouse=True)\ndef broken():\n    raise OSError('no')\n"
    project.write("conftest.py", f"import pytest\n\n\n{broken}")
    assert changed(project, started)[0]


def test_other_settings_in_the_environment_count(project, started, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "--strict-markers")
    assert changed(project, started) == (True, [])
