"""Only a test that ran, passed and notices changes is evidence; formulas are compared with the code. Rows: rows.py."""

import shutil
from dataclasses import replace

import pytest
from linkindex.cli import main
from linkindex.evidence import prove
from linkindex.link_index import link_index
from linkindex.load.config import read_config
from linkindex.mutants.plan import plan
from linkindex.mutants.run import run_mutants
from linkindex.pipeline import evidence_for

from tests.linkindex.bugs import rows
from tests.linkindex.project import Project

RECORDS, CODE, CONFIG = "docs/filter.yml", "kalman/filter.py", "pyproject.toml"
OTHERS, TESTS = "tests/test_filter.py", "tests/test_gain.py"
GAIN = f"{TESTS}::test_gain"
NOT_APPLICABLE = {}
ELSEWHERE = {}


def test_every_row_is_tested():
    assert rows.uncovered(rows.EVIDENCE, globals(), ELSEWHERE, NOT_APPLICABLE) == []
    assert rows.lost(ELSEWHERE) == []


@pytest.fixture(scope="module")
def judged(pristine, tmp_path_factory):
    """The project, one test in a file of its own, with the verdicts of all mutants: only what is edited runs again."""
    project = Project(tmp_path_factory.mktemp("judged") / "project")
    shutil.copytree(pristine.root, project.root)
    text = project.read(OTHERS)
    start, end = text.index(HEAD), text.index("def test_updated_state")
    project.write(TESTS, text[: text.index("def test_predicted_state")] + text[start:end].rstrip() + "\n")
    project.write(OTHERS, text[:start] + text[end:])
    project.edit(RECORDS, f"{OTHERS}::test_gain", GAIN)
    project.lock()
    assert full(project)[4] == ()
    return project.root


@pytest.fixture
def project(judged, tmp_path):
    shutil.copytree(judged, tmp_path / "project")
    return Project(tmp_path / "project")


def full(project):
    return evidence_for(read_config(project.root), mutants=True)


def published(result, equation="filter.gain"):
    """What link-index.json says of an equation: its one test, and the steps of its evidence."""
    entry = next(entry for entry in link_index(*result[:4])["equations"] if entry["id"] == equation)
    (test,) = entry["tests"]
    return test, entry["evidence"]


def coded(findings):
    return [finding.code for finding in findings]


# --- 41: what did not run, or was not meant to pass ----------------------------------------------------------------

HEAD = "def test_gain("
BODY = "def test_gain(rng):\n"
IMPORT = "import pytest\n"
NOT_PASSED = {
    "skip": (HEAD, f"@pytest.mark.skip(reason='later')\n{HEAD}", "skipped"),
    "skipif": (HEAD, f"@pytest.mark.skipif(True, reason='not here')\n{HEAD}", "skipped"),
    "unittest.skip": (HEAD, f"@__import__('unittest').skip('later')\n{HEAD}", "skipped"),
    "skip in the body": (BODY, f"{BODY}    pytest.skip('later')\n", "skipped"),
    "skip in a fixture": (
        BODY, "@pytest.fixture\ndef data():\n    pytest.skip('no data')\n\n\ndef test_gain(rng, data):\n", "skipped"
    ),
    "importorskip": (BODY, f"{BODY}    pytest.importorskip('nothing_of_this_name')\n", "skipped"),
    "importorskip of the file": (IMPORT, f"{IMPORT}pytest.importorskip('nothing_of_this_name')\n", "skipped"),
    "no parameters": (BODY, "@pytest.mark.parametrize('size', [])\ndef test_gain(rng, size):\n", "skipped"),
    "one case of two skipped": (
        BODY,
        "@pytest.mark.parametrize('size', [1, pytest.param(2, marks=pytest.mark.skip(reason='slow'))])\n"
        "def test_gain(rng, size):\n",
        "skipped",
    ),
    "xfail that fails": (BODY, f"@pytest.mark.xfail(reason='known')\n{BODY}    raise ValueError\n", "xfailed"),
    "xfail that is not run": (HEAD, f"@pytest.mark.xfail(run=False, reason='known')\n{HEAD}", "xfailed"),
    "xfail in the body": (BODY, f"{BODY}    pytest.xfail('known')\n", "xfailed"),
    "xfail that passes": (HEAD, f"@pytest.mark.xfail(reason='known')\n{HEAD}", "xpassed"),
    "strict xfail that passes": (HEAD, f"@pytest.mark.xfail(strict=True, reason='known')\n{HEAD}", "failed"),
    "error after the test": (
        BODY,
        "@pytest.fixture\ndef closing():\n    yield\n    raise OSError\n\n\ndef test_gain(rng, closing):\n",
        "error",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_PASSED)
def test_row_41_a_test_that_did_not_plainly_pass_is_no_evidence(project, name):
    old, new, outcome = NOT_PASSED[name]
    project.edit(TESTS, old, new)
    result = full(project)
    assert result[2].tests[GAIN].outcome == outcome
    found = [finding for finding in result[4] if finding.message.startswith("filter.gain:")]
    assert coded(found) == ["LI402"] and f" is {outcome} (" in found[0].message
    assert found[0].place.line == project.line_of(RECORDS, "::test_gain")
    test, evidence = published(result)
    assert test["outcome"] == outcome
    assert not evidence["tested"]["ok"] and not evidence["defended"]["ok"]


def test_row_41_no_parameters_that_pytest_is_told_to_expect_are_no_evidence_either(project):
    project.edit(CONFIG, 'pythonpath = ["."]', 'pythonpath = ["."]\nempty_parameter_set_mark = "xfail"')
    project.edit(TESTS, *NOT_PASSED["no parameters"][:2])
    result = full(project)
    assert coded(result[4]) == ["LI402"] and published(result)[0]["outcome"] == "xfailed"


@pytest.mark.parametrize("mark", ["skipif(False, reason='not here')", "xfail(False, reason='known')"])
def test_row_41_a_mark_whose_condition_does_not_hold_takes_nothing_away(project, mark):
    project.edit(TESTS, HEAD, f"@pytest.mark.{mark}\n{HEAD}")
    result = full(project)
    assert result[4] == () and published(result)[0]["outcome"] == "passed"


# --- 42: node ids --------------------------------------------------------------------------------------------------

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


# --- 43: tests in classes ------------------------------------------------------------------------------------------

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
    assert coded(found) == ["LI210"] and "TestUpdate.test_gain" in found[0].message


# --- 44: mutants ---------------------------------------------------------------------------------------------------

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


# --- 46: the published formula and the code ------------------------------------------------------------------------

DIFFERENT = {
    "a sign": ("latex: y = z - H x", "latex: y = z + H x"),
    "an order": ("latex: y = z - H x", "latex: y = H x - z"),
    "a transpose": (r"\bar P = F P F^\top + Q", r"\bar P = F^\top P F + Q"),
    "a term that is left out": (r"S = H P H^\top + R", r"S = H P H^\top"),
    "a factor": (r"latex: \hat x = x + K y", r"latex: \hat x = x + 2 K y"),
    "one part in a million": (r"latex: \hat x = x + K y", r"latex: \hat x = x + 1.000001 K y"),
    "another variable": (r"latex: \hat x = x + K y", r"latex: \hat x = x + K z"),
    "a property that does not hold": (r"latex: K S = P H^\top", r"latex: K R = P H^\top"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_row_46_a_formula_that_differs_from_the_code_fails_also_once_it_is_locked(project, name):
    old, new = DIFFERENT[name]
    project.edit(RECORDS, old, new)
    assert {"LI224", "LI420"} == set(coded(project.check()))
    assert main(["fix", "--write", "--root", str(project.root)]) == 0
    assert new in project.read(RECORDS)
    result = project.result()
    assert coded(result[4]) == ["LI420"] and result[4][0].place.line == project.line_of(RECORDS, new)
    assert main(["check", "--root", str(project.root)]) == 1


def test_row_46_code_and_test_that_are_wrong_together_still_differ_from_the_formula(project):
    project.edit(CODE, "x_next = F @ x ", "x_next = F.T @ x ")
    project.edit(OTHERS, "sum(F[i, j] * x[j]", "sum(F[j, i] * x[j]")
    assert main(["fix", "--write", "--root", str(project.root)]) == 0
    result = full(project)
    assert coded(result[4]) == ["LI420"] and result[4][0].message.startswith("filter.predicted-state:")
    _, evidence = published(result, "filter.predicted-state")
    assert evidence["tested"]["ok"] and evidence["defended"]["ok"] and not evidence["formula"]["ok"]
    assert evidence["formula"]["max_error"] > evidence["formula"]["tolerance"]


def test_row_46_the_same_formula_in_another_form_agrees(project):
    project.edit(RECORDS, r"\hat P = P - K H P", r"\hat P = -K H P + P")
    project.lock()
    assert project.check() == ()
