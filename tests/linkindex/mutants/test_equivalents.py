"""A mutant that is declared equivalent must leave the linked value as it is, whatever its reason says."""

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for
from tests.linkindex.project import messages

RECORDS, CODE, TESTS = "docs/filter.yml", "kalman/filter.py", "tests/test_filter.py"
LATEX = "  latex: y = z - H x\n"
ZERO = {"z - H @ x + 0 / z": "adds 0", "z - H @ x - 0 * z": "subtracts 0"}


def full(project):
    return evidence_for(read_config(project.root), mutants=True)[4]


def declaring(project, equivalents):
    listed = "".join(f"    {code}: {reason}\n" for code, reason in equivalents.items())
    project.edit(RECORDS, LATEX, f"{LATEX}  equivalent:\n{listed}")
    project.lock()


@pytest.fixture
def adding_zero(project):
    project.edit(CODE, "y = z - H @ x ", "y = z - H @ x + 0 * z ")
    return project


def test_mutants_that_compute_the_same_are_accepted(adding_zero):
    declaring(adding_zero, ZERO)
    assert not messages(full(adding_zero), "LI457")


def test_a_survivor_that_changes_the_value_is_refused_whatever_its_reason(project):
    start, end = project.read(TESTS).split("def test_innovation(rng):")
    before, _, after = end.partition("def test_innovation_covariance")
    body = (
        "\n    x, P, z, H, R = problem(rng)\n    new, _ = update(x, P, z, H, R)\n"
        "    assert np.allclose(abs(new - x), abs(gain(P, H, R) @ (z - H @ x)))\n\n\n"
    )
    project.write(TESTS, f"{start}def test_innovation(rng):{body}def test_innovation_covariance{after}")
    declaring(project, {"-(z - H @ x)": "the sign does not matter"})
    found = [finding for finding in full(project) if finding.code == "LI457"]
    assert [finding.place.line for finding in found] == [project.line_of(RECORDS, "equivalent:") + 1]
    assert "in the run 'inputs' the linked value changes by" in found[0].message


def test_the_samples_count_as_well(project):
    """The test has three measurements, and so has never come to where the mutant is."""
    project.edit(CODE, "y = z - H @ x ", "y = np.where(len(z) < 6, z - H @ x, z - H @ x + 0 * z) ")
    declaring(project, {'"np.where(len(z) < 6, z - H @ x, z - H @ x + 1 * z)"': "not in the test"})
    assert "in the run 'sample 2' the linked value changes by" in messages(full(project), "LI457")[0]


def test_a_mutant_stands_in_place_of_the_code_whose_random_numbers_it_draws(project):
    drawing = "rng = np.random.default_rng(7)\n    y = z - H @ x + rng.random(len(z)) + 0 * z "
    project.edit(CODE, "y = z - H @ x ", drawing)
    project.edit(TESTS, "for j in range(4)) for i in range(3)]\n    new,",
                 "for j in range(4)) for i in range(3)] + np.random.default_rng(7).random(3)\n    new,")  # fmt: skip
    declaring(project, {"z - H @ x + rng.random(len(z)) + 0 / z": "adds 0"})
    codes = [finding.code for finding in full(project) if finding.message.startswith("filter.innovation:")]
    assert "LI453" in codes  # of the mutants that are not declared
    assert not {"LI402", "LI455", "LI456", "LI457"} & {*codes}


@pytest.mark.parametrize("edit", [
    None,
    ("docs/filter.py", "    ahead, covariance = predict", "    raise ValueError\n    ahead, covariance = predict"),
    (RECORDS, LATEX, f"  where: nope\n{LATEX}"),
])  # fmt: skip
def test_where_nothing_could_be_tried_there_is_one_finding(adding_zero, monkeypatch, edit):
    declaring(adding_zero, ZERO)
    if edit:
        adding_zero.edit(*edit)
        adding_zero.lock()
    else:
        monkeypatch.setattr("linkindex.mutants.equivalents.run_worker", lambda *_: {"crash": "planted"})
    *_, evidence, found = evidence_for(read_config(adding_zero.root), mutants=True)
    assert [finding.code for finding in found if finding.code in ("LI305", "LI302", "LI417", "LI457")] == [
        {None: "LI305", "docs/filter.py": "LI302", RECORDS: "LI417"}[edit and edit[0]]
    ]
    assert edit or not evidence.proofs["filter.innovation"].steps["defended"].ok


def test_what_was_tried_is_kept_until_the_code_changes(adding_zero, monkeypatch):
    declaring(adding_zero, ZERO)
    full(adding_zero)
    monkeypatch.setattr("linkindex.mutants.equivalents.run_worker", lambda *_: pytest.fail("computed again"))
    assert not messages(full(adding_zero), "LI457")
    monkeypatch.undo()
    adding_zero.edit("docs/filter.py", "np.array([1.25])", "np.array([0.0])")
    assert "changes by nan" in messages(full(adding_zero), "LI457")[0]
