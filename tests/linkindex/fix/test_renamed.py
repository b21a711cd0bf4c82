"""A variable with another name is the same variable where all else is the same."""

import pytest

from tests.linkindex.fix.fixing import changed_lines

CODE, RECORDS, SYMBOLS = "kalman/filter.py", "docs/filter.yml", "docs/symbols.yml"

# function, old name, what its symbol is called in symbols.yml
VARIABLES = [
    ("predict", "x_next", "\\bar x"),
    ("predict", "P_next", "\\bar P"),
    ("predict", "F", "F"),
    ("predict", "Q", "Q"),
    ("update", "y", "y"),
    ("update", "S", "S"),
    ("update", "K", "K"),
    ("update", "x_new", "\\hat x"),
    ("update", "P_new", "\\hat P"),
    ("update", "H", "H"),
]


@pytest.mark.parametrize(("function", "old", "symbol"), VARIABLES, ids=[old for _, old, _ in VARIABLES])
def test_a_renamed_variable_is_renamed_in_its_symbol(fixing, function, old, symbol):
    before = fixing.files()
    fixing.rename_in(CODE, function, old, "another_name")
    outcome = fixing.repaired()
    after = fixing.files()
    lines = changed_lines(before["symbols.yml"], after["symbols.yml"])
    assert [new.decode() for _, new in lines] == [
        old_line.decode().replace(f"code: {old},", "code: another_name,") for old_line, _ in lines
    ]
    assert [line.startswith(symbol.encode() + b":") for line, _ in lines] == [True]
    assert "ACCEPTS" not in outcome.stderr


def test_all_variables_of_a_function_may_be_renamed_at_once(fixing):
    for _, old, _ in VARIABLES:
        fixing.rename(CODE, old, f"{old}_renamed")
    fixing.repaired()
    assert fixing.project.check() == ()


def test_a_parameter_that_two_functions_share_is_renamed_in_both(fixing):
    fixing.rename(CODE, "P", "covariance")
    fixing.repaired()
    assert "P: {code: covariance," in fixing.project.read(SYMBOLS)


def test_a_symbol_that_would_have_two_codes_is_refused(fixing):
    fixing.rename_in(CODE, "update", "P", "covariance")
    outcome = fixing.refused("LI803")
    assert "'P' in kalman.filter.predict" in outcome.stdout
    assert "'covariance' in kalman.filter.update" in outcome.stdout


def test_renamed_code_in_a_record_is_renamed(fixing):
    before = fixing.files()
    fixing.rename(CODE, "K", "gain")
    fixing.repaired()
    assert changed_lines(before["filter.yml"], fixing.files()["filter.yml"]) == [(b"  code: K", b"  code: gain")]


def test_an_expression_in_a_record_is_renamed(fixing):
    fixing.project.edit(RECORDS, "  code: K\n", "  code: np.linalg.solve(S, H @ P).T\n")
    fixing.project.lock()
    fixing.rename(CODE, "S", "spread")
    fixing.repaired()
    assert "  code: np.linalg.solve(spread, H @ P).T\n" in fixing.project.read(RECORDS)


def test_code_shown_by_a_page_is_renamed(fixing):
    page = fixing.project.read("docs/filter.md")
    fixing.project.write("docs/filter.md", page + "\n::: matrices\n    title: y  # not code\n    show: [y, 'K @ y']\n")
    fixing.rename(CODE, "y", "innovation")
    fixing.repaired()
    page = fixing.project.read("docs/filter.md")
    assert "\n    title: y  # not code\n    show: [innovation, 'K @ innovation']\n" in page


SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
<title>K</title><desc>K is {{ K[0, 0] | f(2) }}</desc>
{% for row in K %}<text x="K">{{ row[0] * K.size }}{{ shape(K) }} {{ labels["K"] | length }}</text>{% endfor %}</svg>
"""
RENAMED = SVG.replace("{{ K[", "{{ gain[").replace("in K %", "in gain %").replace("* K.size", "* gain.size").replace(
    "shape(K)", "shape(gain)")  # fmt: skip


def with_page(project, text, path="docs/filter.md"):
    before = project.read(path) if (project.root / path).is_file() else ""
    project.write(path, before + text)


@pytest.mark.parametrize(("before", "after"), [
    ("\nIt grows by {{ K[0, 0] | 2 }}.\n", "\nIt grows by {{ gain[0, 0] | 2 }}.\n"),
    ("\n- by {{K[0, 0]}} or\n  {{ (K @ y)[1] }}\n", "\n- by {{gain[0, 0]}} or\n  {{ (gain @ y)[1] }}\n"),
    ("\nCode: `{{ K[0, 0] }}`.\n", "\nCode: `{{ K[0, 0] }}`.\n"),
    ("\n::: whatif\n    mutant: x + K + y\n    ask: K?\n", "\n::: whatif\n    mutant: x + gain + y\n    ask: K?\n"),
    ("\n::: figure one\n    of: {K: K, both: K @ y}\n", "\n::: figure one\n    of: {K: gain, both: gain @ y}\n"),
    ("\n::: figure one\n    of:\n      - K\n      - S\n", "\n::: figure one\n    of:\n      - gain\n      - S\n"),
])  # fmt: skip
def test_wherever_a_page_names_a_value_it_is_renamed(fixing, before, after):
    fixing.project.write("docs/figures/one.svg", SVG)
    with_page(fixing.project, before)
    fixing.rename(CODE, "K", "gain")
    fixing.repaired()
    assert fixing.project.read("docs/filter.md").endswith(after)


@pytest.mark.parametrize(("of", "svg"), [("[K, S]", RENAMED), ("{K: K}", SVG), ("{other: K}", SVG), ("[S]", SVG)])
def test_a_picture_is_told_the_new_name_where_the_page_has_none_of_its_own(fixing, of, svg):
    fixing.project.write("docs/figures/one.svg", SVG)
    with_page(fixing.project, f"\n::: figure one\n    of: {of}\n")
    fixing.rename(CODE, "K", "gain")
    fixing.repaired()
    assert fixing.project.read("docs/figures/one.svg") == svg


def test_a_page_that_shows_values_of_another_page_follows_it(fixing):
    fixing.project.write("docs/figures/one.svg", SVG)
    shown = "\n::: figure one\n    page: filter\n    of: [{0}]\n\n::: chain filter.gain\n    show: {0}[0, 0]\n"
    with_page(fixing.project, shown.format("K"), "docs/index.md")
    fixing.rename(CODE, "K", "gain")
    fixing.repaired()
    assert fixing.project.read("docs/index.md").endswith(shown.format("gain"))
    assert fixing.project.read("docs/figures/one.svg") == RENAMED


def test_a_picture_that_is_not_there_stops_no_repair(fixing):
    with_page(fixing.project, "\n::: figure one\n    of: [K]\n")
    fixing.rename(CODE, "K", "gain")
    fixing.repaired()
    assert fixing.project.read("docs/filter.md").endswith("of: [gain]\n")


def test_prose_that_names_an_old_variable_is_pointed_out_and_kept(fixing):
    page = fixing.project.read("docs/filter.md").replace("::: symbols", "The code calls it `x_new`.\n\n::: symbols", 1)
    fixing.project.write("docs/filter.md", page)
    fixing.rename(CODE, "x_new", "estimate")
    line = fixing.project.line_of("docs/filter.md", "`x_new`")
    assert f"docs/filter.md:{line}: the text says `x_new`, and x_new is estimate now" in fixing.repaired().stderr
    assert "`x_new`" in fixing.project.read("docs/filter.md")


def test_a_renamed_variable_whose_line_changed_as_well_is_refused(fixing):
    fixing.rename(CODE, "y", "innovation")
    fixing.project.edit(CODE, "innovation = z - H @ x", "innovation = z + H @ x")
    outcome = fixing.refused("LI802")
    assert "nowhere as it was locked: 'z - H @ x'" in outcome.stdout


def test_a_variable_replaced_by_two_equal_ones_is_refused_with_both_lines(fixing):
    fixing.rename(CODE, "P_new", "one")
    fixing.project.edit(CODE, "    return x_new", "    two = P - K @ H @ P\n    return x_new")
    one, two = (fixing.project.line_of(CODE, f"{name} = P") for name in ("one", "two"))
    assert f"'P - K @ H @ P' may be what stands in line {one} or {two}" in fixing.refused("LI802").stdout


def test_of_two_equal_variables_the_one_that_linked_code_uses_is_taken(fixing):
    fixing.rename(CODE, "y", "one")
    fixing.project.edit(CODE, "    S = H @ P", "    two = z - H @ x\n    S = H @ P")
    fixing.repaired()
    assert "y: {code: one," in fixing.project.read(SYMBOLS)


def test_another_variable_in_the_place_of_a_deleted_one_is_not_a_rename(fixing):
    """The line is the same up to one name, but that name is bound to something else."""
    fixing.project.edit(CODE, "    y = z - H @ x ", "    raw = z * 1\n    y = z - H @ x ")
    fixing.project.edit(CODE, "    x_new = x + K @ y", "    x_new = x + K @ raw")
    outcome = fixing.run("--write")
    assert "filter.updated-state: ACCEPTS CHANGED CODE: was 'x + K @ y', is 'x + K @ raw'" in outcome.stderr


def test_swapped_names_are_a_change(fixing):
    fixing.project.edit(CODE, "P - K @ H @ P", "P - H @ K @ P")
    outcome = fixing.run("--write")
    assert "filter.updated-covariance: ACCEPTS CHANGED CODE: was 'P - K @ H @ P', is 'P - H @ K @ P'" in outcome.stderr
    assert "renamed" not in outcome.stderr


def test_names_inside_a_comprehension_are_free(fixing):
    fixing.project.edit(CODE, "y = z - H @ x  ", "y = z - np.array([sum(row * x) for row in H])  ")
    fixing.project.lock()
    fixing.project.edit(CODE, "sum(row * x) for row in H", "sum(line * x) for line in H")
    fixing.rename(CODE, "y", "innovation")
    fixing.repaired()
    assert "code: innovation," in fixing.project.read(SYMBOLS)
