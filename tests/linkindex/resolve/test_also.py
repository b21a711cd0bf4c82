"""`also`: a formula whose code stands in two functions, one of which does not call the other."""

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for

RECORDS, CODE, EXAMPLE, TESTS = "docs/filter.yml", "kalman/filter.py", "docs/filter.py", "tests/test_filter.py"
ALSO = "  also: {in: kalman.filter.sign, code: minus}\n"


@pytest.fixture
def shared(project):
    """The innovation is y = z - H x, and its minus sign is computed elsewhere, by who calls the update."""
    project.edit(
        CODE,
        "def update(x, P, z, H, R):",
        "def sign():\n    minus = -np.ones(())\n    return minus\n\n\ndef update(x, P, z, H, R, minus=-1.0):",
    )
    project.edit(CODE, "y = z - H @ x ", "y = z + minus * H @ x ")
    project.edit(
        EXAMPLE, "from kalman.filter import predict, update", "from kalman.filter import predict, sign, update"
    )
    project.edit(EXAMPLE, "z, H, R)\n", "z, H, R, sign())\n")
    project.edit(RECORDS, "  in: kalman.filter.update\n  latex: y =", f"  in: kalman.filter.update\n{ALSO}  latex: y =")
    project.lock()
    return project


def test_both_places_are_linked_and_symbols_are_read_in_the_first(shared):
    links = shared.result()[1].links["filter.innovation"]
    assert [(link.function, link.role, link.probe) for link in links] == [
        ("kalman.filter.update", "computes", True),
        ("kalman.filter.sign", "computes", False),
    ]


def test_the_linked_test_must_execute_and_defend_the_second_place_too(shared):
    findings = shared.check()
    assert [finding.code for finding in findings] == ["LI403"] and "'-np.ones(())'" in findings[0].message
    shared.edit(TESTS, "from kalman.filter import predict, update", "from kalman.filter import predict, sign, update")
    test = "    y = [z[i] - sum(H[i, j] * x[j] for j in range(4)) for i in range(3)]\n    new, _ = update(x, P, z, H, R"
    shared.edit(TESTS, test, f"{test}, sign()")
    shared.lock()
    _, resolution, runs, evidence, findings = evidence_for(read_config(shared.root), mutants=True)
    assert findings == () and evidence.proofs["filter.innovation"].steps["defended"].ok
    second = resolution.links["filter.innovation"][1].key
    outcomes = [verdict.outcome for verdict in runs.verdicts["filter.innovation"] if verdict.key == second]
    assert "assertion" in outcomes and "survived" not in outcomes


@pytest.mark.parametrize(("old", "new", "code"), [
    ("sign, code: minus}", "sine, code: minus}", "LI202"),
    ("code: minus}", "code: plus}", "LI207"),
    ("code: minus}", "}", "LI103"),
])  # fmt: skip
def test_a_fault_in_the_second_place_is_found_there(shared, old, new, code):
    shared.edit(RECORDS, old, new)
    findings = [finding for finding in shared.fast() if finding.code == code]
    assert [finding.place.line for finding in findings] == [shared.line_of(RECORDS, "also:")]
