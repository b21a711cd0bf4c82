"""Tests in classes are found, run and linked like others."""

import pytest

from tests.linkindex.bugs.evidence.judged import GAIN, HEAD, RECORDS, TESTS, coded, full, published

CLASSES = ["TestUpdate", "TestUpdate::TestGain", "TestUpdate::TestGain::TestDeep"]


def in_classes(project, classes, decorator="", relink=True):
    """Move test_gain into classes, and link it there."""
    text = project.read(TESTS)
    start = text.index(HEAD)
    names = classes.split("::")
    heads = "".join(f"{'    ' * depth}class {name}:\n" for depth, name in enumerate(names))
    body = text[start:].rstrip().replace("(rng)", "(self, rng)", 1)
    method = "".join(f"{'    ' * len(names)}{line}\n" for line in body.split("\n"))
    project.write(TESTS, f"{text[:start]}{decorator}{heads}{method}")
    if relink:
        project.edit(RECORDS, GAIN, f"{TESTS}::{classes}::test_gain")
        project.lock()


@pytest.mark.parametrize("classes", CLASSES)
def test_row_43_a_test_in_classes_is_found_run_and_linked_at_its_line(project, classes):
    in_classes(project, classes)
    result = full(project)
    nodeid = f"{TESTS}::{classes}::test_gain"
    assert result[4] == () and result[2].tests[nodeid].cases == (nodeid,)
    test, evidence = published(result)
    assert (test["nodeid"], test["outcome"], test["line"]) == (nodeid, "passed", project.line_of(TESTS, HEAD))
    assert test["executes"] and test["mutants"]["killed"] == test["mutants"]["total"] > 0 and evidence["defended"]["ok"]


def test_row_43_cases_of_a_method_and_of_its_class_all_run(project):
    in_classes(project, "TestUpdate::TestGain", "@pytest.mark.parametrize('size', [1, 2], ids=['a::b', 'π'])\n")
    project.edit(
        TESTS,
        "def test_gain(self, rng)",
        "@pytest.mark.parametrize('n', [3, 4])\n        def test_gain(self, rng, n, size)",
    )
    _, _, runs, _, findings = project.result()
    assert findings == () and len(runs.tests[f"{TESTS}::TestUpdate::TestGain::test_gain"].cases) == 4


def test_row_43_methods_of_one_name_in_several_classes_are_kept_apart(project):
    in_classes(project, "TestUpdate")
    project.write(
        TESTS,
        project.read(TESTS) + "\n\nclass TestOther:\n    def test_gain(self):\n        assert False\n\n\n"
        "def test_gain():\n    assert False\n",
    )
    _, _, runs, _, findings = project.result()
    assert findings == () and runs.tests[f"{TESTS}::TestUpdate::test_gain"].outcome == "passed"


@pytest.mark.parametrize(
    ("mark", "outcome"), [("skip(reason='later')", "skipped"), ("xfail(reason='known')", "xpassed")]
)
def test_row_43_a_mark_of_the_class_counts_for_its_tests(project, mark, outcome):
    in_classes(project, "TestUpdate::TestGain", f"@pytest.mark.{mark}\n")
    result = full(project)
    assert coded(result[4]) == ["LI402"] and published(result)[0]["outcome"] == outcome


def test_row_43_a_class_that_pytest_does_not_collect_is_no_evidence(project):
    in_classes(project, "Update")
    result = full(project)
    assert coded(result[4]) == ["LI402"] and published(result)[0]["outcome"] == "missing"


def test_row_43_a_test_that_moved_into_a_class_is_missed_at_its_old_id(project):
    in_classes(project, "TestUpdate", relink=False)
    found = project.fast()
    assert coded(found) == ["LI210"] and "TestUpdate::test_gain" in found[0].message
