"""The self-attack on the small project: every fault is found where it was planted; a check that is blind is noticed."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from linkindex.cli import main
from linkindex.load.config import read_config
from linkindex.model import Place
from linkindex.pipeline import evidence_for
from linkindex.selfattack import selfattack
from linkindex.selfattack.attacks import ATTACKS
from linkindex.selfattack.attacks.examples import skips_the_code
from linkindex.selfattack.judge import judge, planned
from linkindex.selfattack.model import BROKEN, ELSEWHERE, FAST, FOUND, MISSED, Attack, Outcome, Pristine
from linkindex.selfattack.report import lines, misses

# What the small project has not got: an equation that names a callee, a formula with indices, one with a root.
NOT_APPLICABLE = {
    "code: a renamed variable of a called function",
    "formula: indices swapped",
    "formula: a root dropped",
    "records: linked to another line of the called function",
}


def attack(name):
    return next(attack for attack in ATTACKS if attack.name == name)


@pytest.fixture(scope="module")
def untouched(pristine):
    """The small project and what is known of it, without mutants and without a site."""
    index, resolution, runs, evidence, _ = evidence_for(read_config(pristine.root))
    return Pristine(pristine.root, index, resolution, runs, evidence)


def test_every_fault_is_found_where_it_was_planted(pristine):
    outcomes = selfattack(read_config(pristine.root), lambda done, total: None)
    assert misses(outcomes) == ()
    assert {outcome.attack for outcome in outcomes if outcome.verdict != FOUND} == NOT_APPLICABLE
    assert sum(outcome.verdict == FOUND for outcome in outcomes) >= 45
    assert len(lines(outcomes)) == len(ATTACKS)


def test_attacks_differ_in_name():
    assert max(Counter(attack.name for attack in ATTACKS).values()) == 1


def judged(project, name, **expected):
    one = attack(name)
    plan = planned(project, one)
    code, place = plan.expected
    plan = replace(plan, expected=(expected.get("code", code), expected.get("place", place)))
    return judge(project, one.name, one.depth, plan)


def test_a_code_that_is_not_reported_is_a_miss(untouched):
    outcome = judged(untouched, "code: a renamed variable", code="LI999")
    assert outcome.verdict == MISSED
    assert "LI207" in outcome.note
    assert [finding.code for finding in misses([outcome])] == ["LI901", "LI904"]


def test_a_finding_in_another_line_is_told_apart(untouched):
    outcome = judged(untouched, "code: a renamed variable", place=Place("docs/filter.yml", 1))
    assert outcome.verdict == ELSEWHERE
    assert [(finding.code, finding.place.line) for finding in misses([outcome])][0] == ("LI902", 1)


def test_a_fault_that_changes_nothing_is_a_miss(untouched):
    one = attack("code: a renamed variable")
    plan = replace(planned(untouched, one), edits={})
    assert judge(untouched, one.name, one.depth, plan).note == "the check found nothing"


def test_a_check_that_ends_in_a_traceback_is_told_with_what_was_to_be_found(untouched):
    one = attack("code: a renamed variable")
    plan = planned(untouched, one)
    outcome = judge(untouched, one.name, FAST, replace(plan, edits={"pyproject.toml": b"[tool"}))
    assert outcome.verdict == BROKEN
    finding = misses([outcome])[0]
    assert (finding.code, finding.place) == ("LI903", plan.expected[1])
    expected = "code: a renamed variable: expected a verdict on what the fast check finds"
    assert finding.message.startswith(f"{expected}, but the check ended with ConfigError: ")
    assert finding.message.endswith(": mend what raised it")


def test_an_attack_that_cannot_be_planted_for_a_fault_of_its_own_is_told(untouched):
    one = Attack("planted: badly", FAST, lambda project: project.index.pages[99])
    finding = misses([planned(untouched, one)])[0]
    assert (finding.code, finding.place) == ("LI903", Place("build"))
    assert finding.message == (
        "planted: badly: expected a verdict on what the fast check finds, but planting it ended with IndexError: "
        "tuple index out of range: mend what raised it"
    )


def test_an_attack_leaves_the_project_as_it_is(untouched):
    def files():
        return {path: path.read_bytes() for path in Path(untouched.root).rglob("*") if path.is_file()}

    before = files()
    for one in ATTACKS:
        if one.depth == FAST and one.name.startswith("page"):
            judge(untouched, one.name, one.depth, planned(untouched, one))
    assert files() == before


def test_too_few_faults_are_a_finding():
    outcomes = [Outcome(f"fault {number}", FAST, FOUND, ("LI101", Place("x.yml"))) for number in range(39)]
    assert [finding.code for finding in misses(outcomes)] == ["LI904"]
    assert misses([*outcomes, outcomes[0]]) == ()


def test_a_project_that_is_not_clean_is_not_attacked(project, capsys):
    project.edit("kalman/filter.py", "y = z - H @ x ", "y = z + H @ x ")
    assert main(["selfattack", "--root", str(project.root)]) == 1
    printed = capsys.readouterr()
    line = project.line_of("kalman/filter.py", "y = z + H @ x")
    assert printed.out.startswith(f"kalman/filter.py:{line}:9: LI226")
    assert "the untouched copy has 1 finding(s)" in printed.err


def test_an_example_that_skips_the_code_still_serves_its_own_functions():
    """Else the check finds that another function of the example raises, and the planted fault is never reached."""
    example = {}
    exec(skips_the_code("def run(x):\n    return x + 1\n\n\ndef twice(x):\n    return 2 * run(x)\n"), example)
    assert example["run"](3) is None
    assert example["twice"](3) == 8
