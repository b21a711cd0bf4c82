"""A test is known by its node id as pytest gives it, whatever stands in it."""

import pytest

from tests.linkindex.bugs.evidence.judged import BODY, GAIN, HEAD, RECORDS, TESTS, coded, full, published

STRANGE = ["a::b", "a b", "a[0]", "x]", "a/b.py::c", "π", "\\", "", "x", "x"]


def with_cases(project, ids, body=""):
    """test_gain once for each id; ``body``: further lines that see the case's position."""
    sizes = range(len(ids))
    head = f"@pytest.mark.parametrize('case', {list(sizes)}, ids={ids!r})\ndef test_gain(rng, case):\n{body}"
    project.edit(TESTS, BODY, head)


def test_row_42_all_cases_run_and_count_whatever_their_ids_are(project):
    with_cases(project, STRANGE)
    result = full(project)
    _, resolution, runs, _, findings = result
    assert findings == ()
    run, (link,) = runs.tests[GAIN], resolution.links["filter.gain"]
    assert len(run.cases) == len(set(run.cases)) == len(STRANGE) == run.executed[link.key]
    assert {f"{GAIN}[{id}]" for id in ("a::b", "a b", "a[0]", "x]", "a/b.py::c")} < set(run.cases)
    test, _ = published(result)
    assert (test["nodeid"], test["line"], test["outcome"]) == (GAIN, project.line_of(TESTS, HEAD), "passed")
    assert test["mutants"]["killed"] == test["mutants"]["total"] > 0


def test_row_42_a_second_case_of_the_same_id_renames_the_first_and_breaks_no_link(project):
    with_cases(project, ["x"])
    assert project.result()[2].tests[GAIN].cases == (f"{GAIN}[x]",)
    project.edit(TESTS, "[0], ids=['x']", "[0, 1], ids=['x', 'x']")
    _, _, runs, _, findings = project.result()
    assert findings == () and runs.tests[GAIN].cases == (f"{GAIN}[x0]", f"{GAIN}[x1]")


@pytest.mark.parametrize("position", range(len(STRANGE)), ids=[ascii(id) for id in STRANGE])
def test_row_42_a_failing_case_fails_the_test_whatever_its_id_is(project, position):
    with_cases(project, STRANGE, f"    assert case != {position}\n")
    assert coded(project.check()) == ["LI402"]


def test_row_42_a_case_that_alone_notices_the_mutants_is_heard(project):
    with_cases(project, ["plain", "a::b [c]/π"], "    if case == 0:\n        return\n")
    result = full(project)
    test, _ = published(result)
    assert result[4] == () and test["mutants"]["killed"] == test["mutants"]["total"] > 0


def test_row_42_a_test_whose_name_begins_with_the_linked_one_is_another(project):
    project.write(TESTS, project.read(TESTS) + "\n\ndef test_gain_x(rng):\n    assert False\n")
    _, _, runs, _, findings = project.result()
    assert findings == () and runs.tests[GAIN].cases == (GAIN,)


@pytest.mark.parametrize("case", ["[x]", "[a::b]"])
def test_row_42_a_record_links_a_test_and_never_one_of_its_cases(project, case):
    with_cases(project, ["x", "a::b"])
    project.edit(RECORDS, f"test: {GAIN}", f"test: '{GAIN}{case}'")
    found = [finding for finding in project.fast() if finding.code == "LI210"]
    assert len(found) == 1 and "test_gain" in found[0].message
    assert found[0].place.line == project.line_of(RECORDS, f"::test_gain{case}")
