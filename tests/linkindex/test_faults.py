"""Every fault is found, at its place, with its code. One fault at a time is planted in a clean project."""

import re

import pytest

from linkindex.cli import main
from linkindex.model import Place

RECORDS, PAGE, EXAMPLE, SYMBOLS = "docs/filter.yml", "docs/filter.md", "docs/filter.py", "docs/symbols.yml"
CODE, TESTS, LOCK = "kalman/filter.py", "tests/test_filter.py", "docs/links.lock"

# name: (file, text to replace, new text, code of the finding, file of the finding, text of its line)
FAST = {
    "YAML that does not parse": (RECORDS, "title: Innovation\n", "title: Inno: vation\n",
        "LI101", RECORDS, "Inno: vation"),
    "an unknown key": (RECORDS, "  title: Innovation\n", "  title: Innovation\n  tests: x\n",
        "LI102", RECORDS, "tests: x"),
    "a missing key": (RECORDS, "  latex: y = z - H x\n", "", "LI103", RECORDS, "title: Innovation"),
    "the same id twice": (RECORDS, "filter.gain:", "filter.innovation:", "LI104", RECORDS, "filter.innovation:"),
    "an id with a capital": (RECORDS, "filter.gain:", "filter.Gain:", "LI106", RECORDS, "filter.Gain:"),
    "an id of another page": (RECORDS, "filter.gain:", "update.gain:", "LI106", RECORDS, "update.gain:"),
    "a list where a text belongs": (RECORDS, "title: Innovation\n", "title: [Innovation]\n",
        "LI107", RECORDS, "[Innovation]"),
    "a symbol that is not registered": (RECORDS, "notation: [n, m,", "notation: [n, m, G,",
        "LI108", RECORDS, "notation:"),
    "a directive without a name": (PAGE, "::: code", "::: ", "LI110", PAGE, "::: "),
    "an equation that no record has": (PAGE, "filter.innovation ", "filter.inovation ",
        "LI112", PAGE, "filter.inovation"),
    "an equation that is shown nowhere": (PAGE, " filter.gain", "", "LI113", RECORDS, "filter.gain:"),
    "a formula in the page": (PAGE, "and grows.", "and grows.\n\n$$P > 0$$", "LI114", PAGE, "$$P > 0$$"),
    "a formula in a heading": (PAGE, "## Update {#update}", "## Update of $x$ {#update}",
        "LI116", PAGE, "## Update of"),
    "a link to a page that is not there": (PAGE, "and grows.", "and [grows](fliter.md).", "LI117", PAGE, "fliter.md"),
    "a link to an anchor that is not there": (PAGE, "and grows.", "and [grows](filter.md#updat).",
        "LI118", PAGE, "#updat"),
    "a relation between two formulas": (PAGE, "The state $x$", "The state $x$ = $P$", "LI504", PAGE, "$x$ = $P$"),
    "a number that is typed": (PAGE, "and grows.", "and grows to 0.35.", "LI505", PAGE, "0.35"),
    "a formula that only looks like one": (PAGE, "and grows.", "and grows: <math>x</math>", "LI506", PAGE, "<math>"),
    "a module that is not there": (RECORDS,
        "in: kalman.filter.predict\n  latex: \\bar x", "in: calman.filter.predict\n  latex: \\bar x",
        "LI201", RECORDS, "calman"),
    "a function that is not there": (CODE, "def predict(", "def forecast(", "LI202", RECORDS, "kalman.filter.predict"),
    "a function defined twice": (CODE, "def update(", "def update():\n    pass\n\n\ndef update(",
        "LI203", RECORDS, "kalman.filter.update"),
    "a file that does not parse": (CODE, "y = z - H @ x ", "y = z - H @ ", "LI204", CODE, "y = z - H @"),
    "code that is no expression": (RECORDS, "code: K\n", "code: K =\n", "LI206", RECORDS, "code: K ="),
    "a renamed variable": (CODE, "y = z - H @ x ", "innovation = z - H @ x ", "LI207", RECORDS, "kalman.filter.update"),
    "an expression that is not there": (RECORDS, "code: K\n", "code: H @ Q\n", "LI207", RECORDS, "code: H @ Q"),
    "a variable assigned twice": (CODE, "    x_new = x + K @ y", "    y = y * 1\n    x_new = x + K @ y",
        "LI208", RECORDS, "kalman.filter.update"),
    "a test file that is not there": (RECORDS, "tests/test_filter.py::test_gain", "tests/test_filters.py::test_gain",
        "LI210", RECORDS, "test_filters"),
    "a test that is not there": (TESTS, "def test_gain(", "def test_the_gain(", "LI210", RECORDS, "::test_gain"),
    "a test that asserts nothing": (TESTS, "    assert np.allclose(P - new", "    np.allclose(P - new",
        "LI211", RECORDS, "::test_gain"),
    "an equation without a left side": (RECORDS, "  code: K\n  latex: K S =", "  latex: K S =",
        "LI213", RECORDS, "kalman.filter.update"),
    "an equation that the lock does not know": (RECORDS, "filter.gain:", "filter.kalman-gain:",
        "LI223", RECORDS, "filter.kalman-gain"),
    "an equation that was dropped": (RECORDS, "filter.gain:", "filter.kalman-gain:",
        "LI222", "docs/links.lock", "filter.gain"),
    "a changed formula": (RECORDS, "latex: y = z - H x", "latex: y = - H x + z", "LI224", RECORDS, "- H x + z"),
    "an equation linked to another function": (RECORDS,
        "  in: kalman.filter.update\n  latex: y =", "  in: kalman.filter.predict\n  code: x_next\n  latex: y =",
        "LI225", RECORDS, "kalman.filter.predict"),
    "changed code": (CODE, "y = z - H @ x ", "y = z + H @ x ", "LI226", CODE, "y = z + H @ x"),
    "an equation linked to another test": (RECORDS,
        "tests/test_filter.py::test_gain", "tests/test_filter.py::test_innovation",
        "LI227", RECORDS, "::test_innovation"),
    "a symbol that is spelt in two ways": (SYMBOLS, "y: {code: y,", "'y ': {code: x, meaning: again}\ny: {code: y,",
        "LI125", SYMBOLS, "y: {code: y,"),
    "a symbol that is a formula": (SYMBOLS, "y: {code: y,", "H x: {code: H @ x, meaning: a product}\ny: {code: y,",
        "LI125", SYMBOLS, "H x: {code"),
    "a function that is imported in a circle": (CODE,
        "def predict(", "from kalman.filter import predict\n\n\ndef forecast(",
        "LI209", RECORDS, "kalman.filter.predict"),
    "a dollar sign that begins no formula": (PAGE, "and grows.", "and grows by $ x.", "LI503", PAGE, "by $ x"),
    "LaTeX that does not parse": (RECORDS, "latex: y = z - H x", "latex: y = z - {H x",
        "LI501", RECORDS, "y = z - {H x"),
    "a letter that is no symbol": (RECORDS, "latex: y = z - H x", "latex: y = z - G x",
        "LI501", RECORDS, "y = z - G x"),
}  # fmt: skip

RUN = {
    "an example without sample()": (EXAMPLE, "def sample(", "def samples(", "LI301", EXAMPLE, ""),
    "an example that raises": (EXAMPLE, "    return update(ahead", "    ahead[9]\n    return update(ahead",
        "LI302", EXAMPLE, "ahead[9]"),
    "an example that is not deterministic": (EXAMPLE,
        "np.array([1.25])", "np.array([np.random.default_rng().normal()])",
        "LI303", EXAMPLE, "def run"),
    "an example that dies": (EXAMPLE,
        "    return update(ahead", "    import os\n    os._exit(3)\n    return update(ahead",
        "LI305", EXAMPLE, ""),
    "an example that skips the code": (EXAMPLE, "return update(ahead, covariance, z, H, R)", "return ahead",
        "LI401", RECORDS, "kalman.filter.update"),
    "a failing test": (TESTS, "assert np.allclose(P - new", "assert not np.allclose(P - new",
        "LI402", RECORDS, "::test_gain"),
    "a skipped test": (TESTS, "def test_gain(", "@pytest.mark.skip(reason='later')\ndef test_gain(",
        "LI402", RECORDS, "::test_gain"),
    "a test expected to fail": (TESTS, "def test_gain(", "@pytest.mark.xfail\ndef test_gain(",
        "LI402", RECORDS, "::test_gain"),
    "a test without cases": (TESTS,
        "def test_gain(rng", "@pytest.mark.parametrize('size', [])\ndef test_gain(size, rng",
        "LI402", RECORDS, "::test_gain"),
    "a test file that cannot be collected": (TESTS, "import pytest\n", "import pytest\nimport nothing_of_this_name\n",
        "LI402", TESTS, "import nothing_of_this_name"),
    "a test that does not call the code": (TESTS,
        "    _, new = update(x, P, z, H, R)\n    assert np.allclose(P - new, ",
        "    new = P\n    assert np.allclose(P - new, 0 * ",
        "LI403", RECORDS, "::test_gain"),
    "a test module that runs the code when collected": (TESTS,
        "@pytest.fixture\n", "EXPECTED = predict(np.ones(2), np.eye(2), np.eye(2), np.eye(2))\n\n\n@pytest.fixture\n",
        "LI404", RECORDS, "::test_predicted_state"),
    "one test for two formulas": (RECORDS, "tests/test_filter.py::test_gain", "tests/test_filter.py::test_innovation",
        "LI405", RECORDS, ""),
    "a symbol of unknown shape": (CODE, "y = z - H @ x                    # (m,)", "y = z - H @ x",
        "LI407", RECORDS, "notation:"),
    "an operator that no equation defines": (RECORDS, "latex: y = z - H x", "latex: y = \\operatorname{gap}(z, H x)",
        "LI421", RECORDS, "gap}(z, H x)"),
    "an operator that is no call": (RECORDS, "  latex: y =", "  defines: gap\n  latex: y =",
        "LI422", RECORDS, "defines: gap"),
    "a free symbol that is not in the formula": (RECORDS, "  latex: y =", "  free: [P]\n  latex: y =",
        "LI424", RECORDS, "free: [P]"),
    "a symbol whose code is nowhere": (SYMBOLS, "H: {code: H,", "H: {code: HH,",
        "LI406", RECORDS, "y = z - H x"),
    "a wrong shape comment": (CODE,
        "y = z - H @ x                    # (m,)", "y = z - H @ x                    # (n,)",
        "LI408", RECORDS, "y = z - H x"),
}  # fmt: skip

# What a message says beside its code: what was expected, what was found, what to do.
SAYS = {
    "a symbol that is spelt in two ways":
        "symbol y: expected another notation than that of y  in line 12, found the same: keep one of them, or give one",
    "a symbol that is a formula":
        "symbol H x: expected one letter with its accents and scripts, found x behind it: register each symbol",
    "a function that is imported in a circle":
        "the name goes round in a circle: kalman.filter.predict -> kalman.filter.predict: import it from where it is",
    "a dollar sign that begins no formula":
        "this dollar sign begins no formula: write $x$ without blanks just inside, or `$` for the sign itself",
    "a symbol of unknown shape":
        "the shape of y is unknown: add a shape comment beside y in kalman.filter.update, or `shape` to the symbol",
    "an operator that no equation defines":
        "the operator gap has no definition: give the equation that says what it is `defines: gap(...)`",
    "an operator that is no call":
        "`defines` cannot be used: 'gap' is no call: write name(argument, ...), as in softmax(x)",
    "a free symbol that is not in the formula":
        "`free` lists P, which is no symbol of the formula (y, z, H, x): correct it, or remove it",
}  # fmt: skip


def plant(project, fault):
    path, old, new, *_ = fault
    project.edit(path, old, new)


def assert_found(project, findings, fault, says=""):
    *_, code, path, text = fault
    found = [finding for finding in findings if finding.code == code]
    assert found, f"{code} was not reported, only {[(f.code, f.place, f.message) for f in findings]}"
    places = [finding.place for finding in found if finding.place.path == path]
    assert places, f"{code} was reported in {[finding.place for finding in found]}"
    lines = project.read(path).split("\n") if text else []
    assert not text or any(text in lines[place.line - 1] for place in places), f"{code} was reported at {places}"
    assert any(says in finding.message for finding in found), [finding.message for finding in found]


@pytest.mark.parametrize("name", FAST)
def test_a_fault_in_what_is_written_is_found_without_running_code(project, name):
    plant(project, FAST[name])
    assert_found(project, project.fast(), FAST[name], SAYS.get(name, ""))


@pytest.mark.parametrize("name", RUN)
def test_a_fault_in_what_runs_is_found(project, name):
    plant(project, RUN[name])
    assert_found(project, project.check(), RUN[name], SAYS.get(name, ""))


@pytest.mark.parametrize("path", ["docs/update.yml", "docs/more/symbols.yml", "docs/more/references.yml"])
def test_records_without_a_page_are_found(project, path):
    """Also where they are called like the registry, of which there is one."""
    project.write(path, project.read(RECORDS))
    (finding,) = project.fast()
    name = path.rpartition("/")[2].removesuffix(".yml")
    assert (finding.place, finding.code) == (Place(path), "LI115")
    expected = f"expected the page {name}.md beside these records"
    assert finding.message == f"{expected}, and there is none: add it, or move them"


LINE = '"latex": "a", "code": "b", "in": "c", "test": "d"'
DAMAGED = (
    "garbage", "1", "[]", "{}", '{"id": "filter.gain"}', "[" * 100_000, f'{{"id": 3, {LINE}}}', f'{{"id": [], {LINE}}}',
    '{"id": "filter.gain", "latex": 1, "code": [], "in": {}, "test": null}',
    f'{{"id": "filter.gain", {LINE}, "body": 3}}', f'{{"id": "filter.gain", {LINE}, "links": 3}}',
    f'{{"id": "filter.gain", {LINE}, "links": [{{"in": "c", "name": 1, "code": "d"}}]}}',
    f'{{"id": "filter.gain", {LINE}, "names": {{"c": {{"x": 1}}}}}}',
    f'{{"id": "filter.gain", {LINE}, "names": ["c"]}}',
)  # fmt: skip


@pytest.mark.parametrize("line", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_line_of_the_lock_is_found_and_written_anew(project, line):
    """The other lines are read; what repairs the project is not stopped by it."""
    good = project.read(LOCK)
    project.write(LOCK, f"{good}{line}\n")
    (finding,) = project.fast()
    assert (finding.place, finding.code) == (Place(LOCK, good.count("\n") + 1), "LI120")
    expected = "this line is damaged: expected a JSON object with texts under id, latex, code, in and test, found "
    assert finding.message.startswith(expected + line[:40])
    assert finding.message.endswith("from version control, or write it anew with `linkindex fix --write`")
    assert main(["fix", "--write", "--root", str(project.root)]) == 0
    assert project.read(LOCK) == good


def test_an_operator_that_is_defined_twice_is_found_at_the_second_definition(project):
    project.edit(RECORDS, "  latex: y =", "  defines: gap(z)\n  latex: y =")
    project.edit(RECORDS, "  latex: S =", "  defines: gap(R)\n  latex: S =")
    (finding,) = project.check()
    assert (finding.code, finding.place.line) == ("LI423", project.line_of(RECORDS, "gap(R)"))
    assert finding.message == (
        "filter.innovation-covariance: the operator gap is defined here and by filter.innovation: keep one definition"
    )


@pytest.mark.parametrize(
    "defines",
    ["gap", "gap(z", "gap(z, q)", "gap(P)", "gap()", "(z)", "gap(z)(x)", "gap(z) + (x)", "gap(z) = (x)",
     "gap(z) \\cdot (x)", "gap(z), \\qquad (x)", "gap(z) \\text{for} (x)", "\\text{(z)"],
)  # fmt: skip
def test_an_operator_that_is_not_one_call_of_parts_of_its_formula_is_found(project, defines):
    project.edit(RECORDS, "  latex: y =", f"  defines: '{defines}'\n  latex: y =")
    (finding,) = project.check()
    assert (finding.code, finding.place.line) == ("LI422", project.line_of(RECORDS, "defines:"))
    assert finding.message.startswith("filter.innovation: `defines` cannot be used: ")


def test_a_symbol_of_unknown_shape_is_no_wrong_formula_as_well(project):
    project.edit(CODE, "y = z - H @ x                    # (m,)", "y = z - H @ x")
    assert {finding.code for finding in project.check()} == {"LI407"}
