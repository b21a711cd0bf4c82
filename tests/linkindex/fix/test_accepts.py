"""What --write accepts is said: nothing that changed slips into the lock."""

import json

CODE, RECORDS, LOCK, TESTS = "kalman/filter.py", "docs/filter.yml", "docs/links.lock", "tests/test_filter.py"


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


def test_a_lock_of_the_older_form_is_good_and_is_completed(fixing):
    lines = [json.loads(line) for line in fixing.project.read(LOCK).splitlines()]
    short = [{key: line[key] for key in ("id", "latex", "code", "in", "test")} for line in lines]
    full = fixing.project.read(LOCK)
    fixing.project.write(LOCK, "".join(json.dumps(line) + "\n" for line in short))
    assert fixing.project.fast() == ()
    fixing.repaired()
    assert fixing.project.read(LOCK) == full


def test_with_a_lock_of_the_older_form_lost_code_is_refused(fixing):
    lines = [json.loads(line) for line in fixing.project.read(LOCK).splitlines()]
    fixing.project.write(
        LOCK,
        "".join(json.dumps({key: line[key] for key in ("id", "latex", "code", "in", "test")}) + "\n" for line in lines),
    )
    fixing.rename(CODE, "y", "innovation")
    assert "its line in the lock is of an older form" in fixing.refused("LI802").stdout


def test_a_damaged_line_of_the_lock_is_written_anew(fixing):
    whole = fixing.project.read(LOCK)
    fixing.project.write(LOCK, whole.replace('{"id": "filter.gain"', '{"id" "filter.gain"'))
    fixing.repaired()
    assert fixing.project.read(LOCK) == whole


def test_json_on_stdout_is_json(fixing):
    fixing.rename(CODE, "y", "innovation")
    outcome = fixing.run("--format", "json")
    assert json.loads(outcome.stdout) == []
    assert "--- docs/symbols.yml" in outcome.stderr
