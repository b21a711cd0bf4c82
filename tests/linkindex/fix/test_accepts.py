"""What --write accepts is said: nothing that changed slips into the lock."""

import json

import pytest

CODE, RECORDS, TESTS = "kalman/filter.py", "docs/filter.yml", "tests/test_filter.py"
LOCK, MEMORY = "docs/links.lock", "docs/links.memory"


def test_nothing_to_do_is_said(fixing):
    outcome = fixing.run()
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (0, "", "everything is in place: nothing to do\n")


def test_changed_code_is_shown_old_and_new_with_its_place(fixing):
    fixing.project.edit(CODE, "y = z - H @ x ", "y = z + H @ x ")
    line = fixing.project.line_of(CODE, "y = z + H")
    assert fixing.run().exit_code == 1
    assert [finding.code for finding in fixing.project.fast()] == ["LI226"]
    outcome = fixing.repaired()
    assert (
        f"filter.innovation: ACCEPTS CHANGED CODE: was 'z - H @ x', is 'z + H @ x' (kalman/filter.py:{line}:9)"
        in outcome.stderr
    )


def test_changed_code_under_a_new_name_is_accepted_as_a_change(fixing):
    """Renaming what the line uses does not hide that its operator changed."""
    fixing.rename(CODE, "S", "spread")
    fixing.project.edit(CODE, "np.linalg.solve(spread, H @ P).T", "np.linalg.solve(spread, H * P).T")
    outcome = fixing.repaired()
    assert (
        "filter.gain: ACCEPTS CHANGED CODE: was 'np.linalg.solve(S, H @ P).T', is 'np.linalg.solve(spread, H * P).T'"
        in outcome.stderr
    )


def test_a_changed_constant_is_a_change(fixing):
    fixing.project.edit(CODE, "y = z - H @ x ", "y = z - 2 * H @ x ")
    assert "ACCEPTS CHANGED CODE: was 'z - H @ x', is 'z - 2 * H @ x'" in fixing.repaired().stderr


def test_dropped_new_and_rewritten_equations_are_named(fixing):
    fixing.project.edit(RECORDS, "filter.gain:", "filter.kalman-gain:")
    fixing.project.edit("docs/filter.md", "filter.gain", "filter.kalman-gain")
    fixing.project.edit(RECORDS, "latex: y = z - H x", "latex: y = - H x + z")
    lines = fixing.repaired().stderr.split("\n")
    assert "filter.gain: dropped, no record has this id any more" in lines
    assert "filter.kalman-gain: new" in lines
    assert "filter.innovation: accepts another formula than the one that was locked" in lines


def test_a_record_that_people_gave_another_function_is_accepted(fixing):
    fixing.project.edit(CODE, "    y = z - H @ x                    # (m,)\n", "    y = innovation(z, H, x)  # (m,)\n")
    fixing.project.edit(
        CODE, "def update(", "def innovation(z, H, x):\n    gap = z - H @ x  # (m,)\n    return gap\n\n\ndef update("
    )
    fixing.project.edit(
        RECORDS, "  in: kalman.filter.update\n  latex: y =", "  in: kalman.filter.innovation\n  code: gap\n  latex: y ="
    )
    records = fixing.project.read(RECORDS)
    assert "filter.innovation: in kalman.filter.update, now in kalman.filter.innovation" in fixing.repaired().stderr
    assert fixing.project.read(RECORDS) == records


def test_an_edited_test_is_named(fixing):
    fixing.project.edit(
        TESTS,
        "    assert np.allclose(P - new, product(gain(P, H, R), product(H, P)), rtol=1e-10)",
        "    assert new.shape == P.shape",
    )
    assert fixing.project.fast() == ()
    assert "filter.gain: its test tests/test_filter.py::test_gain was edited" in fixing.repaired().stderr


def test_a_formula_a_meaning_and_a_test_are_never_written(fixing):
    code, tests = fixing.project.read(CODE), fixing.project.read(TESTS)
    fixing.project.edit(CODE, "y = z - H @ x ", "y = z + H @ x ")
    records = fixing.project.read(RECORDS)
    fixing.repaired()
    assert (fixing.project.read(RECORDS), fixing.project.read(TESTS)) == (records, tests)
    assert fixing.project.read(CODE) != code


@pytest.mark.parametrize("lost", ["", None, "garbage", "# Head\n\nfilter.gain\n  link 3\n"])
def test_what_is_remembered_may_be_lost_and_is_written_anew(fixing, lost):
    """Only `fix` needs it: to the check nothing is missing."""
    whole = fixing.project.read(MEMORY)
    if lost is None:
        (fixing.root / MEMORY).unlink()
    else:
        fixing.project.write(MEMORY, lost)
    assert fixing.project.fast() == ()
    outcome = fixing.repaired()
    assert outcome.stderr == "written: docs/links.memory\n"
    assert fixing.project.read(MEMORY) == whole


@pytest.mark.parametrize("damage", ["", "  link", '  link ["a", 1, "b"]', "  body 3", "<<<<<<< HEAD", "[" * 100_000])
def test_a_damaged_entry_of_what_is_remembered_leaves_the_others(fixing, damage):
    lines = fixing.project.read(MEMORY).split("\n")
    lines[lines.index("filter.gain") + 1] = damage
    fixing.project.write(MEMORY, "\n".join(lines))
    for path in (CODE, "docs/filter.py", TESTS):
        fixing.rename(path, "predict", "forecast")
    assert "filter.predicted-state: in kalman.filter.predict, now in kalman.filter.forecast" in fixing.repaired().stderr


def test_lost_code_of_which_nothing_is_remembered_is_refused(fixing):
    (fixing.root / MEMORY).unlink()
    fixing.rename(CODE, "y", "innovation")
    assert "docs/links.memory does not say what its code looked like" in fixing.refused("LI802").stdout


def test_changed_code_of_which_nothing_is_remembered_is_accepted_as_a_change(fixing):
    (fixing.root / MEMORY).unlink()
    fixing.project.edit(CODE, "y = z - H @ x ", "y = z + H @ x ")
    says = "filter.innovation: ACCEPTS CHANGED CODE: what it was is not remembered\n"
    assert says in fixing.repaired().stderr


def test_a_damaged_line_of_the_lock_is_written_anew(fixing):
    whole = fixing.project.read(LOCK)
    fixing.project.write(LOCK, whole.replace("filter.gain\n  latex ", "filter.gain\n  latx "))
    assert "filter.gain: what it was linked to cannot be read in the damaged lock\n" in fixing.repaired().stderr
    assert fixing.project.read(LOCK) == whole


@pytest.mark.parametrize("fact", ["latex", "code", "in", "test"])
def test_a_lock_that_would_be_written_otherwise_is_a_finding(fixing, fact):
    whole = fixing.project.read(LOCK)
    lines = whole.split("\n")
    number = lines.index("filter.gain") + 1 + ["latex", "code", "in", "test"].index(fact)
    lines[number] = f"  {fact} {'0' * 16}"
    fixing.project.write(LOCK, "\n".join(lines))
    assert [finding.code[:4] for finding in fixing.project.fast()] == ["LI22"]
    fixing.repaired()
    assert fixing.project.read(LOCK) == whole


def test_what_changes_in_the_lock_is_said_in_words_only(fixing):
    """People read what `fix` does to records and pages; the lock's own lines are in the diff of the commit."""
    fixing.rename(CODE, "K", "gain")
    outcome = fixing.run()
    assert "--- docs/filter.yml" in outcome.stdout and "--- docs/filter.md" in outcome.stdout
    assert "links.lock" not in outcome.stdout and "links.memory" not in outcome.stdout
    assert outcome.stderr.endswith(
        "to write with --write: docs/filter.md, docs/filter.yml, docs/symbols.yml, docs/links.lock, docs/links.memory\n"
    )


def test_json_on_stdout_is_json(fixing):
    fixing.rename(CODE, "y", "innovation")
    outcome = fixing.run("--format", "json")
    assert json.loads(outcome.stdout) == []
    assert "--- docs/symbols.yml" in outcome.stderr
