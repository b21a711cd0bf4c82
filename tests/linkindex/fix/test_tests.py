"""A test is known by its body."""

TESTS, RECORDS = "tests/test_filter.py", "docs/filter.yml"


def test_a_renamed_test_is_found_by_its_body(fixing):
    fixing.project.edit(TESTS, "def test_gain(", "def test_the_gain_solves_its_system(")
    fixing.repaired()
    assert "  test: tests/test_filter.py::test_the_gain_solves_its_system\n" in fixing.project.read(RECORDS)


def test_a_test_moved_into_a_class_of_another_file_is_found(fixing):
    moved = fixing.cut(TESTS, "test_updated_covariance")
    inside = "".join(f"    {line}\n" if line else "\n" for line in moved.rstrip().split("\n"))
    fixing.project.write("tests/more/test_more.py", f"class TestUpdate:\n{inside}")
    fixing.repaired()
    assert "  test: tests/more/test_more.py::TestUpdate::test_updated_covariance\n" in fixing.project.read(RECORDS)


def test_of_two_tests_with_the_body_the_one_with_a_close_name_is_taken(fixing):
    moved = fixing.cut(TESTS, "test_gain")
    fixing.project.write(
        "tests/test_gain.py",
        moved.replace("test_gain", "test_the_gain") + "\n\n" + moved.replace("test_gain", "test_zebra"),
    )
    fixing.repaired()
    assert "  test: tests/test_gain.py::test_the_gain\n" in fixing.project.read(RECORDS)


def test_two_tests_with_the_body_and_close_names_are_both_named(fixing):
    moved = fixing.cut(TESTS, "test_gain")
    fixing.project.write(
        "tests/test_gain.py",
        moved.replace("test_gain", "test_gain_a") + "\n\n" + moved.replace("test_gain", "test_gain_b"),
    )
    outcome = fixing.refused("LI804")
    assert "tests/test_gain.py::test_gain_a (line 1), tests/test_gain.py::test_gain_b (line 7)" in outcome.stdout


def test_a_renamed_test_whose_assertion_changed_is_refused(fixing):
    fixing.project.edit(TESTS, "def test_gain(", "def test_the_gain(")
    fixing.project.edit(
        TESTS, "    assert np.allclose(P - new, product(gain", "    assert not np.isnan(P - new, product(gain"
    )
    outcome = fixing.refused("LI804")
    assert "nearest by name: tests/test_filter.py::test_the_gain (line" in outcome.stdout


def test_a_test_that_serves_another_equation_is_not_taken(fixing):
    fixing.project.edit(TESTS, "def test_gain(", "def test_something(")
    body = fixing.project.read(TESTS)
    fixing.project.write(TESTS, body.replace("def test_something(", "def test_updated_covariance_2("))
    fixing.project.edit(
        RECORDS, "tests/test_filter.py::test_updated_covariance", "tests/test_filter.py::test_updated_covariance_2"
    )
    fixing.refused("LI804")
