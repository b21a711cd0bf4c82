"""Mutants are made of the code as it is, and each is counted as what it became."""

from dataclasses import replace

import pytest
from linkindex.evidence import prove
from linkindex.mutants.plan import plan

from tests.linkindex.bugs.evidence.judged import BODY, CODE, HEAD, OTHERS, RECORDS, TESTS, coded, full, published
from tests.linkindex.mutants.asked import run_mutants

FIRST = "    x_next = F @ x            # (n,)\n"
SECOND = "    P_next = F @ P @ F.T + Q  # (n, n)\n"
MOVES = {
    "down by a statement": (FIRST, f"    size = len(x)\n    assert size\n\n{FIRST}"),
    "into each other's lines": (f"{FIRST}{SECOND}", f"{SECOND}{FIRST}"),
    "apart on two lines": (SECOND, "    P_next = (F @ P @ F.T\n              + Q)  # (n, n)\n"),
}
PREDICTED = ("filter.predicted-state", "filter.predicted-covariance")


def outcomes(result, equation):
    return {verdict.mutant.code: verdict.outcome for verdict in result[2].verdicts[equation]}


@pytest.mark.parametrize("name", MOVES)
def test_row_44_the_mutants_of_code_that_moved_are_the_same_and_fare_the_same(project, name):
    before = full(project)
    project.edit(CODE, *MOVES[name])
    after = full(project)
    assert after[4] == ()
    for equation in PREDICTED:
        again = outcomes(after, equation)
        again.pop("P_next @ x", None)  # a variable that a statement further up sets may be put in
        assert again == outcomes(before, equation)
        (link,) = after[1].links[equation]
        assert {verdict.key for verdict in after[2].verdicts[equation]} == {link.key}
        assert link.span.line == project.line_of(CODE, link.span.code.split("\n")[0])


def test_row_44_mutants_are_made_of_the_code_as_it_is_now(project):
    before = outcomes(full(project), "filter.predicted-state")
    project.edit(CODE, "x_next = F @ x ", "x_next = (x @ F.T) ")
    project.lock()
    result = full(project)
    after = outcomes(result, "filter.predicted-state")
    assert result[4] == () and "x @ F" in after and "F * x" in before and "F * x" not in after


def weaken(project):
    """The test of the predicted state looks at one entry only, and not closely."""
    project.edit(OTHERS, "np.allclose(ahead, [sum(F[i, j] * x[j] for j in range(4)) for i in range(4)], rtol=1e-12)",
                 "np.allclose(ahead[0], sum(F[0, j] * x[j] for j in range(4)), rtol=1e-2)")  # fmt: skip


def test_row_44_killed_survived_and_equivalent_are_counted_apart(project):
    project.edit(CODE, "x_next = F @ x ", "x_next = 1 * (F @ x) ")
    weaken(project)
    project.lock()
    result = full(project)
    survivors = {code for code, outcome in outcomes(result, PREDICTED[0]).items() if outcome == "survived"}
    assert survivors == {"F @ x", "1 * (F @ x) * 1.001"}
    assert coded(result[4]) == ["LI453"] * 2
    counts = published(result, PREDICTED[0])[0]["mutants"]
    assert (counts["survived"], counts["equivalent"], counts["invalid"]) == (2, 0, 0)

    project.edit(
        RECORDS, "  latex: \\bar x = F x\n", "  latex: \\bar x = F x\n  equivalent: {F @ x: the factor is 1}\n"
    )
    result = full(project)
    assert coded(result[4]) == ["LI453"] and "* 1.001" in result[4][0].message
    now, evidence = published(result, PREDICTED[0])
    assert now["mutants"] == counts | {"survived": 1, "equivalent": 1}
    assert now["mutants"]["killed"] + 2 == now["mutants"]["total"] and not evidence["defended"]["ok"]


@pytest.mark.parametrize(("declared", "code"), [("F @ x + 77", "LI455"), ("F * x", "LI456")])
def test_row_44_only_a_mutant_that_survives_can_be_declared_equivalent(project, declared, code):
    project.edit(
        RECORDS, "  latex: \\bar x = F x\n", f"  latex: \\bar x = F x\n  equivalent: {{{declared}: so it is said}}\n"
    )
    result = full(project)
    assert coded(result[4]) == [code]
    assert published(result, PREDICTED[0])[0]["mutants"]["equivalent"] == 0


def test_row_44_mutants_that_were_not_run_are_not_taken_for_killed_or_survived(project):
    without = project.result()
    project.edit(TESTS, HEAD, f"@pytest.mark.skip(reason='later')\n{HEAD}")
    for result in (without, full(project)):
        test, evidence = published(result)
        assert set(test["mutants"].values()) == {0} and "filter.gain" not in result[2].verdicts
        assert (evidence["defended"]["ok"], evidence["defended"]["why"]) == (False, "not run")


def test_row_44_mutants_that_cannot_be_judged_are_neither_killed_nor_survivors(project):
    """The test passes once and fails from then on, whatever the code is."""
    once = "    ran = Path(__file__).with_name('ran')\n    assert not ran.exists()\n    ran.touch()\n"
    project.edit(TESTS, BODY, f"from pathlib import Path\n\n\n{BODY}{once}")
    result = full(project)
    assert coded(result[4]) == ["LI452"]
    counts = published(result)[0]["mutants"]
    assert counts["total"] == counts["invalid"] > 0 == counts["killed"] == counts["survived"]


def test_row_44_code_without_mutants_is_not_checked(project):
    index, resolution, runs, _, findings = full(project)
    assert findings == ()
    targets = [
        replace(target, mutants=() if target.equation == "filter.gain" else target.mutants)
        for target in plan(index, resolution, runs)
    ]
    verdicts, wrong = run_mutants(index, targets)
    evidence, findings = prove(index, resolution, replace(runs, verdicts=verdicts))
    assert wrong == () and coded(findings) == ["LI451"] and "not checked" in findings[0].message
    step = evidence.proofs["filter.gain"].steps["defended"]
    assert (step.ok, step.trials) == (False, 0)


def test_row_44_code_that_the_test_does_not_execute_has_no_survivors(project):
    call = "    _, new = update(x, P, z, H, R)\n    assert np.allclose(P - new, product(gain"
    instead = "    new = P - product(gain(P, H, R), product(H, P))\n    assert np.allclose(P - new, product(gain"
    project.edit(TESTS, call, instead)
    result = full(project)
    assert "LI403" in coded(result[4]) and "LI453" not in coded(result[4])
    test, evidence = published(result)
    assert not test["executes"] and test["outcome"] == "passed" and test["mutants"]["survived"] == 0
    assert (evidence["defended"]["ok"], evidence["defended"]["why"]) == (False, "not run")


def test_row_44_a_branch_that_the_test_does_not_take_has_no_survivors(project):
    project.edit(CODE, FIRST, "    if len(x) == 4:\n        return F @ x, F @ P @ F.T + Q\n" + FIRST)
    result = full(project)
    found = [finding for finding in result[4] if finding.message.startswith(PREDICTED)]
    assert "LI403" in coded(found) and "LI453" not in coded(found)
    assert [published(result, equation)[0]["mutants"]["survived"] for equation in PREDICTED] == [0, 0]
