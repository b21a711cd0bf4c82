"""Names that are not there, in another case, or several in one place: an error names what is near, or all of them."""

import re
from pathlib import Path

import pytest
from linkindex.cli import main
from linkindex.load.config import read_config
from linkindex.pipeline import places_for

from tests.linkindex.project import messages

RECORDS, PAGE, CODE = "docs/filter.yml", "docs/filter.md", "kalman/filter.py"

NEAREST = {
    "a function": ("kalman.filter.predct", "predict"),
    "a method of a class that is not there": ("kalman.filter.Nope.update", "update"),
    "a module": ("kalman.fliter.predict", "filter"),
    "a package": ("calman.filter.predict", "kalman"),
    "another case": ("kalman.filter.Predict", "predict"),
}


@pytest.mark.parametrize("name", NEAREST)
def test_row_27_a_name_that_is_not_there_is_an_error_with_the_nearest_ones(project, name):
    wrong, nearest = NEAREST[name]
    project.edit(RECORDS, "in: kalman.filter.predict\n  latex: \\bar x", f"in: {wrong}\n  latex: \\bar x")
    found = [finding for finding in project.fast() if finding.code in ("LI201", "LI202")]
    assert [finding.place.line for finding in found] == [project.line_of(RECORDS, wrong)]
    assert re.search(rf"nearest: .*\b{nearest}\b", found[0].message), found[0].message


def test_row_27_a_function_that_moved_is_looked_for_in_the_other_modules(project):
    head, function = project.read(CODE).split("def predict(")
    function, rest = function.split("\n\n\ndef update(")
    project.write(CODE, f"{head}def update({rest}")
    project.write("kalman/motion.py", f"def predict({function}\n")
    (found,) = messages(project.fast(), "LI202")
    assert "kalman/motion.py:1" in found and found.endswith("(the same in 1 more places)")


def test_row_27_a_function_that_moved_and_is_imported_at_its_old_place_is_noted_by_the_lock(project):
    head, function = project.read(CODE).split("def predict(")
    function, rest = function.split("\n\n\ndef update(")
    project.write(CODE, f"{head}from kalman.motion import predict\n\n\ndef update({rest}")
    project.write("kalman/motion.py", f"def predict({function}\n")
    found = messages(project.fast(), "LI225")
    assert len(found) == 2 and all("kalman.motion.predict" in message for message in found)
    project.lock()
    assert project.check() == ()


def test_row_27_a_rename_after_a_clean_check_is_seen_in_spite_of_every_cache(project):
    assert project.check() == () and main(["check", "--fast", "--root", str(project.root)]) == 0
    project.edit(CODE, "def predict(", "def forecast(")
    assert messages(project.fast(), "LI202") and main(["check", "--fast", "--root", str(project.root)]) == 1
    assert main(["check", "--root", str(project.root)]) == 1


def test_row_29_every_name_of_a_list_counts(project):
    index, resolution, _ = places_for(read_config(project.root))
    assert index.pages[0].concepts[1].equations == tuple(f"filter.{name}" for name in (
        "innovation", "innovation-covariance", "gain", "updated-state", "updated-covariance", "posterior"))  # fmt: skip
    assert len(resolution.links) == len(resolution.tests) == 7


@pytest.mark.parametrize("via", ["[HP, turned]", "\n    - HP\n    - turned"], ids=["in one line", "in lines"])
def test_row_29_every_name_of_a_list_in_a_record_is_linked(project, via):
    solve = "HP = H @ P\n    turned = np.linalg.solve(S, HP)\n    K = turned.T"
    project.edit(CODE, "K = np.linalg.solve(S, H @ P).T", solve)
    project.edit(RECORDS, "  code: K\n", f"  code: K\n  via: {via}\n")
    _, resolution, _ = places_for(read_config(project.root))
    assert [link.target for link in resolution.links["filter.gain"]] == ["K", "HP", "turned"]


@pytest.mark.parametrize(
    "written", ["filter.innovation, filter.innovation-covariance", "filter.innovation,filter.innovation-covariance"]
)
def test_row_29_names_joined_by_commas_are_not_taken_for_one(project, written):
    project.edit(PAGE, "filter.innovation filter.innovation-covariance", written)
    findings = project.fast()
    assert messages(findings, "LI112") and {finding.code for finding in findings} <= {"LI112", "LI113"}


def test_row_29_a_list_written_as_one_text_is_not_taken_for_its_first_name(project):
    project.edit(RECORDS, "  code: K\n", "  code: K\n  via: S, y\n")
    assert messages(project.fast(), "LI207")


def test_row_31_a_file_whose_name_changed_its_case_is_not_found(project):
    (project.root / "kalman" / "filter.py").rename(project.root / "kalman" / "Filter.py")
    found = messages(project.fast(), "LI202")
    assert [re.search(r"\w+(?=')", message)[0] for message in found] == ["predict", "update"]
    assert all("nearest: Filter" in message for message in found)
    more = [int(re.search(r"the same in (\d) more", message)[1]) for message in found]
    assert len(found) + sum(more) == 7 + 1, "seven records and the listing of the page"


@pytest.fixture
def case_blind(monkeypatch):
    """Files are found in each spelling, as on the usual file systems of macOS and Windows."""
    is_file = Path.is_file

    def found(path: Path) -> bool:
        return is_file(path) or (
            path.parent.is_dir() and path.name.lower() in {entry.name.lower() for entry in path.parent.iterdir()}
        )

    monkeypatch.setattr(Path, "is_file", found)


def test_row_31_case_counts_where_the_file_system_ignores_it(code, case_blind):
    library = code({"pkg/core.py": "def f(): return 1\n"})
    assert library.find("pkg.core.f") and library.refused("pkg.Core.f").code == "LI201"


def test_row_31_the_case_of_a_test_file_counts_there_as_well(project, case_blind):
    project.edit(RECORDS, "tests/test_filter.py::test_gain", "tests/Test_filter.py::test_gain")
    assert any("tests/test_filter.py" in message for message in messages(project.fast(), "LI210"))


@pytest.mark.parametrize(
    "old, new, code, near",
    [
        ("def predict(", "def Predict(", "LI202", "Predict"),
        ("y = z - H", "Y = z - H", "LI207", "Y"),
        ("K = np", "k = np", "LI207", "k"),
    ],
)
def test_row_31_a_name_whose_case_changed_is_not_found_and_the_new_one_is_suggested(project, old, new, code, near):
    project.edit(CODE, old, new)
    found = messages(project.fast(), code)
    assert found and all(re.search(rf"nearest: .*\b{near}\b", message) for message in found)
