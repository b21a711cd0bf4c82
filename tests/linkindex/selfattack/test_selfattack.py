"""The self-attack on the small project: every fault is found where it was planted; a check that is blind is noticed."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from linkindex.cli import main
from linkindex.load.config import read_config
from linkindex.model import Place
from linkindex.selfattack import left_out, selfattack
from linkindex.selfattack.fault import BROKEN, ELSEWHERE, FAST, FOUND, MISSED, Fault, Outcome
from linkindex.selfattack.judge import judge, planned
from linkindex.selfattack.report import lines, misses
from linkindex.selfattack.table import FAULTS

# What the small project has not got: a formula with two indices.
NOT_APPLICABLE = {"formula: an index forgotten"}
RENAMED = next(fault for fault in FAULTS if fault.name == "code: a renamed variable")


def test_every_fault_is_found_where_it_was_planted(pristine):
    outcomes = selfattack(read_config(pristine.root), lambda done, total: None)
    assert misses(outcomes) == ()
    assert {outcome.fault.name for outcome in outcomes if outcome.verdict != FOUND} == NOT_APPLICABLE
    assert len(lines(outcomes)) == len(FAULTS)


def test_environments_are_not_copied_whatever_their_name(tmp_path):
    for name in (".venv-newest", "env", "package"):
        (tmp_path / name).mkdir()
    for name in (".venv-newest", "env"):
        (tmp_path / name / "pyvenv.cfg").touch()
    assert left_out(str(tmp_path), [".git", "site", *sorted(path.name for path in tmp_path.iterdir())]) == {
        ".git", "site", ".venv-newest", "env",
    }  # fmt: skip


def test_faults_differ_in_name():
    assert max(Counter(fault.name for fault in FAULTS).values()) == 1


def test_a_code_that_is_not_reported_is_a_miss(untouched):
    outcome = judge(untouched, replace(RENAMED, code="LI299"), planned(untouched, RENAMED))
    assert outcome.verdict == MISSED
    assert "LI207" in outcome.note
    assert [finding.code for finding in misses([outcome])] == ["LI901", "LI904"]


def test_a_message_that_does_not_say_what_it_should_is_a_miss(untouched):
    outcome = judge(untouched, replace(RENAMED, says="no message says this"), planned(untouched, RENAMED))
    assert outcome.verdict == MISSED


def test_a_finding_in_another_line_is_told_apart(untouched):
    edits, _ = planned(untouched, RENAMED)
    outcome = judge(untouched, RENAMED, (edits, Place("docs/filter.yml", 1)))
    assert outcome.verdict == ELSEWHERE
    assert [(finding.code, finding.place.line) for finding in misses([outcome])][0] == ("LI902", 1)


def test_a_fault_that_changes_nothing_is_a_miss(untouched):
    _, place = planned(untouched, RENAMED)
    assert judge(untouched, RENAMED, ({}, place)).note == "the check found nothing"


def test_a_check_that_ends_in_a_traceback_is_told_with_what_was_to_be_found(untouched):
    _, place = planned(untouched, RENAMED)
    outcome = judge(untouched, RENAMED, ({"pyproject.toml": "[tool"}, place))
    assert outcome.verdict == BROKEN
    finding = misses([outcome])[0]
    assert (finding.code, finding.place) == ("LI903", Place(place.path, place.line))
    expected = "code: a renamed variable: expected a verdict on what the fast check finds"
    assert finding.message.startswith(f"{expected}, but the check ended with ConfigError: ")
    assert finding.message.endswith(": mend what raised it")


def test_a_fault_that_cannot_be_planted_for_a_mistake_in_its_row_is_told(untouched):
    one = Fault("planted: badly", "LI101", lambda project: iter([project.index.pages[99]]))
    finding = misses([planned(untouched, one)])[0]
    assert (finding.code, finding.place) == ("LI903", Place("build"))
    assert finding.message == (
        "planted: badly: expected a verdict on what the fast check finds, but planting it ended with IndexError: "
        "tuple index out of range: mend what raised it"
    )


def test_a_fault_leaves_the_project_as_it_is(untouched):
    def files():
        return {path: path.read_bytes() for path in Path(untouched.root).rglob("*") if path.is_file()}

    before = files()
    for one in FAULTS:
        if one.depth == FAST and one.name.startswith("page"):
            judge(untouched, one, planned(untouched, one))
    assert files() == before


def test_too_few_faults_are_a_finding():
    outcomes = [Outcome(RENAMED, FOUND, ("LI101", Place("x.yml"))) for _ in range(39)]
    assert [finding.code for finding in misses(outcomes)] == ["LI904"]
    assert misses([*outcomes, outcomes[0]]) == ()


def test_a_project_that_is_not_clean_is_not_attacked(project, capsys):
    project.edit("kalman/filter.py", "y = z - H @ x ", "y = z + H @ x ")
    assert main(["selfattack", "--root", str(project.root)]) == 1
    printed = capsys.readouterr()
    line = project.line_of("kalman/filter.py", "y = z + H @ x")
    assert printed.out.startswith(f"kalman/filter.py:{line}:9: LI226")
    assert "the untouched copy has 1 finding(s)" in printed.err
