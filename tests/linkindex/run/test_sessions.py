"""pytest is started once for the test files of a folder, and yet no file sees what another one did."""

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for

FIRST, SECOND, RECORDS = "tests/test_filter.py", "tests/test_more.py", "docs/filter.yml"
TEST = "test_innovation"
BROKEN = {
    "ends the process": ("__import__('os')._exit(3)", "was not run to its end"),
    "raises": ("1 / 0", "cannot be imported: ZeroDivisionError"),
}
IMPORT = "import numpy as np\n"


@pytest.fixture
def project(project):
    """The test of one equation is in a file of its own."""
    project.write(SECOND, project.read(FIRST))
    project.edit(RECORDS, f"{FIRST}::{TEST}\n", f"{SECOND}::{TEST}\n")
    project.lock()
    return project


def results(project, mutants=False):
    """The outcomes and reasons of the linked tests, and those of their mutants, by file."""
    _, _, runs, _, findings = evidence_for(read_config(project.root), mutants=mutants)
    tests, verdicts = {FIRST: set(), SECOND: set()}, {FIRST: set(), SECOND: set()}
    for nodeid, test in runs.tests.items():
        tests[nodeid.partition("::")[0]].add((test.outcome, test.why))
    for verdict in (one for of_equation in runs.verdicts.values() for one in of_equation):
        verdicts[verdict.test.partition("::")[0]].add(verdict.outcome)
    return tests, verdicts, findings


@pytest.mark.parametrize("file", [FIRST, SECOND])
@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_breaks_while_it_is_collected_does_not_take_the_other_along(project, file, name):
    statement, why = BROKEN[name]
    project.edit(file, IMPORT, f"{IMPORT}{statement}\n")
    tests, _, _ = results(project)
    ((outcome, reason),) = tests.pop(file)
    assert outcome == "error" and why in reason
    assert list(tests.values()) == [{("passed", None)}]


def test_what_a_file_does_while_it_is_collected_is_not_seen_by_the_other(project):
    """Nor by the mutants of the other one's expressions: all of them are noticed, and by assertions."""
    for file, other in ((FIRST, SECOND), (SECOND, FIRST)):
        seen = f"import os\n\nassert {other!r} not in os.environ\nos.environ[{file!r}] = 'collected'\n"
        project.edit(file, IMPORT, f"{seen}{IMPORT}")
    tests, verdicts, findings = results(project, mutants=True)
    assert tests == {FIRST: {("passed", None)}, SECOND: {("passed", None)}}
    assert findings == ()
    assert all("assertion" in outcomes and outcomes <= {"assertion", "exception"} for outcomes in verdicts.values())


def test_a_conftest_file_that_breaks_is_a_finding_for_each_test_of_its_folder(project):
    project.write("tests/conftest.py", "1 / 0\n")
    tests, _, findings = results(project)
    why = "tests/conftest.py:1: cannot be imported: ZeroDivisionError: division by zero"
    assert tests == {FIRST: {("error", why)}, SECOND: {("error", why)}}
    assert "LI402" in {finding.code for finding in findings}
