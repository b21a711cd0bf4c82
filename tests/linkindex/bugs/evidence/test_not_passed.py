"""What did not run, or was not meant to pass, is no evidence."""

import pytest

from tests.linkindex.bugs.evidence.judged import BODY, CONFIG, GAIN, HEAD, RECORDS, TESTS, coded, full, published

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


def test_row_41_a_test_that_skips_under_a_mutant_does_not_defend_the_code(project):
    agree = "np.allclose(P - new, product(gain(P, H, R), product(H, P)), rtol=1e-10)"
    skip = f"    if not {agree}:\n        pytest.skip('too large')\n"
    project.edit(TESTS, f"    assert {agree}", f"{skip}    assert {agree}")
    result = full(project)
    (found,) = result[4]
    assert found.code == "LI453" and "is skipped, and does not fail, when the linked code is" in found.message
    test, evidence = published(result)
    counts = test["mutants"]
    assert not evidence["defended"]["ok"] and counts["invalid"] > 0 == counts["survived"]
    assert counts["killed"] + counts["invalid"] == counts["total"]
