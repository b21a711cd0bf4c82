"""A property asks its test for the mutants that break it on the example, and for no others."""

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for
from tests.linkindex.project import messages

RECORDS, EXAMPLE, TESTS = "docs/filter.yml", "docs/filter.py", "tests/test_filter.py"
GAIN = "filter.gain"                                     # K S = P H^T, of K = np.linalg.solve(S, H @ P).T
COVARIANCE = "\n  latex: S = H P H^\\top + R\n"


def full(project):
    """The runs, the evidence and the findings."""
    return evidence_for(read_config(project.root), mutants=True)[2:]


def codes(runs, equation):
    return {verdict.mutant.code for verdict in runs.verdicts[equation]}


@pytest.fixture
def symmetric(project):
    """The covariance of the innovation as a property: it is symmetric."""
    project.edit(RECORDS, COVARIANCE, "\n  code: S\n  latex: S = S^\\top\n  property: true\n")
    project.lock()
    return project


def test_a_mutant_under_which_the_property_holds_is_not_asked_for(symmetric):
    runs, evidence, findings = full(symmetric)
    assert findings == () and evidence.proofs["filter.innovation-covariance"].steps["defended"].ok
    found = codes(runs, "filter.innovation-covariance")
    assert not {"H @ P @ H.T", "R", "-(H @ P @ H.T + R)"} & found  # as symmetric as the sum
    assert "(H @ P @ H.T + R)[..., ::-1]" in found  # on the samples: on the inputs of the page S has one entry


def test_a_mutant_that_breaks_the_property_must_be_noticed(symmetric):
    start, end = symmetric.read(TESTS).split("def test_innovation_covariance(rng):")
    _, _, after = end.partition("def test_gain")
    body = "\n    x, P, z, H, R = problem(rng)\n    assert np.isfinite(update(x, P, z, H, R)[1]).all()\n\n\n"
    symmetric.write(TESTS, f"{start}def test_innovation_covariance(rng):{body}def test_gain{after}")
    told = messages(full(symmetric)[2], "LI453")
    assert any("'(H @ P @ H.T + R)[..., ::-1]'" in message for message in told)
    assert not any("'-(H @ P @ H.T + R)'" in message for message in told)


def test_a_property_that_no_mutant_breaks_is_not_defended(project):
    project.edit(RECORDS, "latex: K S = P H^\\top", "latex: K = K")
    project.lock()
    _, evidence, findings = full(project)
    (told,) = messages(findings, "LI451")
    assert told.startswith(f"{GAIN}: no mutant of its code breaks this property on the example")
    assert not evidence.proofs[GAIN].steps["defended"].ok


def test_a_mutant_that_stops_the_example_says_nothing_of_the_property(project):
    assert "np.linalg.solve(S, P @ H).T" not in codes(full(project)[0], GAIN)


def test_what_breaks_is_kept_until_the_code_or_the_property_changes(project, monkeypatch):
    first = codes(full(project)[0], GAIN)
    with monkeypatch.context() as patch:
        patch.setattr("linkindex.mutants.properties.run_worker", lambda *_: pytest.fail("computed again"))
        assert codes(full(project)[0], GAIN) == first
    project.edit(RECORDS, "latex: K S = P H^\\top", "latex: K S H = P H^\\top H")
    project.lock()
    ran = []
    monkeypatch.setattr("linkindex.mutants.properties.run_worker", lambda *_: ran.append(1) or {"crash": "planted"})
    _, evidence, findings = full(project)
    assert ran and ["planted" in message for message in messages(findings, "LI305")] == [True]
    assert not evidence.proofs[GAIN].steps["defended"].ok
