"""A function is where its linked code is."""

import pytest

CODE, RECORDS, EXAMPLE, TESTS = "kalman/filter.py", "docs/filter.yml", "docs/filter.py", "tests/test_filter.py"


def move_update(fixing, path="kalman/steps.py"):
    moved = fixing.cut(CODE, "update")
    fixing.project.write(path, f'"""Steps."""\n\nimport numpy as np\n\n\n{moved}')
    module = path.removesuffix(".py").replace("/", ".")
    for user in (EXAMPLE, TESTS):
        fixing.project.edit(
            user,
            "from kalman.filter import predict, update",
            f"from kalman.filter import predict\nfrom {module} import update",
        )


def test_a_moved_function_keeps_its_links(fixing):
    move_update(fixing)
    outcome = fixing.repaired()
    assert "filter.gain: in kalman.filter.update, now in kalman.steps.update" in outcome.stderr
    assert fixing.project.read(RECORDS).count("  in: kalman.steps.update\n") == 5
    assert fixing.project.read(RECORDS).count("  in: kalman.filter.predict\n") == 2
    assert fixing.project.check() == ()


def test_a_function_moved_behind_a_re_export_needs_no_new_name(fixing):
    move_update(fixing)
    fixing.project.edit(CODE, "import numpy as np\n", "import numpy as np\n\nfrom kalman.steps import update\n")
    records = fixing.project.read(RECORDS)
    fixing.repaired()
    assert fixing.project.read(RECORDS) == records


def test_a_renamed_function_keeps_its_links(fixing):
    for path in (CODE, EXAMPLE, TESTS):
        fixing.rename(path, "predict", "forecast")
    fixing.project.edit("docs/filter.md", "::: code", "::: listing kalman.filter.predict\n\n::: code")
    fixing.repaired()
    assert "::: listing kalman.filter.forecast\n" in fixing.project.read("docs/filter.md")
    assert fixing.project.check() == ()


def test_a_function_may_be_moved_and_its_variables_renamed(fixing):
    move_update(fixing)
    fixing.rename("kalman/steps.py", "y", "innovation")
    fixing.repaired()
    assert "y: {code: innovation," in fixing.project.read("docs/symbols.yml")


def test_a_renamed_function_that_linked_code_calls_is_followed(fixing):
    fixing.project.edit(CODE, "def update(", "def measured(H, x):\n    seen = H @ x\n    return seen\n\n\ndef update(")
    fixing.project.edit(CODE, "y = z - H @ x ", "y = z - measured(H, x) ")
    fixing.project.edit(
        RECORDS,
        "  in: kalman.filter.update\n  latex: y =",
        "  in: kalman.filter.update\n  computes: {in: kalman.filter.measured, code: seen}\n  latex: y =",
    )
    fixing.project.lock()
    fixing.rename(CODE, "measured", "expected_measurement")
    outcome = fixing.repaired()
    assert "renamed: was 'z - measured(H, x)', is 'z - expected_measurement(H, x)'" in outcome.stderr
    assert "  computes: {in: kalman.filter.expected_measurement, code: seen}\n" in fixing.project.read(RECORDS)


def test_a_second_function_that_shares_in_a_formula_is_followed(fixing):
    fixing.project.edit(CODE, "def update(", "def measured(H, x):\n    seen = H @ x\n    return seen\n\n\ndef update(")
    fixing.project.edit(CODE, "y = z - H @ x ", "y = z - measured(H, x) ")
    fixing.project.edit(
        RECORDS,
        "  in: kalman.filter.update\n  latex: y =",
        "  in: kalman.filter.update\n  also: {in: kalman.filter.measured, code: seen}\n  latex: y =",
    )
    fixing.project.lock()
    fixing.rename(CODE, "measured", "expected_measurement")
    fixing.rename(CODE, "seen", "H_x")
    fixing.repaired()
    assert "  also: {in: kalman.filter.expected_measurement, code: H_x}\n" in fixing.project.read(RECORDS)


def test_two_functions_with_the_same_code_are_both_named(fixing):
    moved = fixing.cut(CODE, "update")
    for name in ("steps", "copies"):
        fixing.project.write(f"kalman/{name}.py", f"import numpy as np\n\n\n{moved}")
    outcome = fixing.refused("LI801")
    assert (
        "kalman.copies.update (kalman/copies.py:4) holds all of it; "
        "kalman.steps.update (kalman/steps.py:4) holds all of it"
        in outcome.stdout
    )


def test_two_functions_with_the_same_code_up_to_names_are_both_named(fixing):
    moved = fixing.cut(CODE, "update")
    for name in ("one", "two"):
        fixing.project.write(f"kalman/{name}.py", "import numpy as np\n\n\n" + moved.replace("y", name))
    assert "kalman.one.update" in fixing.refused("LI801").stdout


def test_a_deleted_function_is_refused_with_what_comes_nearest(fixing):
    moved = fixing.cut(CODE, "update")
    fixing.project.write(
        "kalman/steps.py",
        "import numpy as np\n\n\n" + moved.replace("z - H @ x", "z + H @ x").replace("K @ y", "K * y"),
    )
    outcome = fixing.refused("LI801")
    assert "kalman.steps.update (kalman/steps.py:4) holds" in outcome.stdout


def test_code_that_went_to_another_function_is_left_to_people(fixing):
    """The function is still there: whether the formula should follow, only people can say."""
    fixing.project.edit(CODE, "    y = z - H @ x                    # (m,)\n", "    y = innovation(z, H, x)\n")
    fixing.project.edit(
        CODE, "def update(", "def innovation(z, H, x):\n    gap = z - H @ x\n    return gap\n\n\ndef update("
    )
    fixing.project.edit(RECORDS, "  latex: y =", "  code: z - H @ x\n  latex: y =")
    outcome = fixing.refused("LI802")
    assert "kalman.filter.innovation (kalman/filter.py:13) holds it: name that function" in outcome.stdout


def test_a_record_with_a_misspelt_function_gets_the_right_one(fixing):
    records = fixing.project.read(RECORDS)
    fixing.project.edit(RECORDS, "kalman.filter.predict", "kalman.filters.predict")
    assert fixing.run("--write").exit_code == 0
    assert fixing.project.read(RECORDS) == records


@pytest.mark.parametrize(
    "text", ["    y = (z\n         - H @ x)  # (m,)\n", "    y = z - (H@x)                    # (m,)\n"]
)
def test_reformatted_code_needs_nothing(fixing, text):
    fixing.project.edit(CODE, "    y = z - H @ x                    # (m,)\n", text)
    fixing.project.edit(CODE, '"""One step', "# A comment.\n\n\n# Another.\n" + '"""One step')
    before = fixing.files()
    outcome = fixing.run("--write")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (0, "", "everything is in place: nothing to do\n")
    assert fixing.files() == before
