"""What is wrong in one place is one finding, there, with its remedy: no traceback, and nothing that only follows."""

import pytest

from linkindex.cli import main
from tests.linkindex.project import messages

RECORDS, SYMBOLS, EXAMPLE, PAGE = "docs/filter.yml", "docs/symbols.yml", "docs/filter.py", "docs/filter.md"
CODE, TESTS = "kalman/filter.py", "tests/test_filter.py"
SIZE = 'm: {code: "z.shape[0]", meaning: "Numbers in a measurement", shape: (), size: free}'
SIZES = {
    "n / 2": "uses more than",
    "n ** 2": "uses more than",
    '"lambda: 0"': "uses more than",
    '"n *"': "is no arithmetic",
    "n // 0": "divides by zero",
    "k": "goes round in a circle",
    "n * zz": "names zz, which is no size",
    "n - 9": "is no length for",
    "n * true": "names true",
    "n // (m - 2)": "divides by zero for n = 4, m = 2",
    "n // (m - 2) + n / 2": "uses more than",
    "'" + "+".join("n" * 3000) + "'": "is no arithmetic",
}


def one(findings):
    assert len(findings) == 1, findings
    return findings[0]


@pytest.mark.parametrize("size", SIZES)
def test_a_size_that_cannot_be_computed(project, size):
    project.edit(SYMBOLS, SIZE, f"{SIZE}\nk: {{code: x.size, meaning: more, shape: (), size: {size}}}")
    finding = one(project.check())
    assert (finding.code, finding.place.line) == ("LI122", project.line_of(SYMBOLS, "k: {code"))
    assert SIZES[size] in finding.message


def test_a_size_that_can_be_computed_is_accepted(project):
    size = "20 + n * m // 2 - 1 // (2 * m - 2)"
    project.edit(SYMBOLS, SIZE, f"{SIZE}\nk: {{code: x.size, meaning: more, shape: (), size: {size}}}")
    assert project.check() == ()


def test_two_sizes_that_are_computed_from_each_other(project):
    entry = "{{code: x.size, meaning: more, shape: (), size: {0} + 1}}"
    project.edit(SYMBOLS, SIZE, f"{SIZE}\nj: {entry.format('k')}\nk: {entry.format('j')}")
    assert len(messages(project.check(), "LI122")) == 2


@pytest.mark.parametrize("size", ["n *", "n - 9", "n // (m - 2)"])
def test_what_is_computed_from_a_wrong_size_is_no_second_fault(project, size):
    entries = "".join(f"\n{name}: {{code: x.size, meaning: more, shape: (), size: {text!r}}}"
                      for name, text in {"k": size, "j": "k + 1"}.items())  # fmt: skip
    project.edit(SYMBOLS, SIZE, SIZE + entries)
    finding = one(project.check())
    assert (finding.code, finding.place.line) == ("LI122", project.line_of(SYMBOLS, "k: {code"))


def test_a_free_size_without_a_length(project):
    project.edit("pyproject.toml", "configuration = {n = 4, m = 2}", "configuration = {n = 4}")
    finding = one(project.check())
    assert (finding.code, finding.place.line) == ("LI122", project.line_of(SYMBOLS, "m: {code"))
    assert "has no length among n = 4" in finding.message


def test_a_length_for_what_is_no_free_size(project):
    project.edit(SYMBOLS, SIZE, SIZE.replace(", size: free", ""))
    finding = one(project.check())
    assert (finding.code, finding.place.path) == ("LI122", "pyproject.toml")


@pytest.mark.parametrize("text", [None, "", "# nothing\n"])
def test_no_registry(project, text):
    if text is None:
        (project.root / SYMBOLS).unlink()
    else:
        project.write(SYMBOLS, text)
    for findings in (project.fast(), project.check()):
        finding = one(findings)
        assert (finding.code, finding.place.path) == ("LI124", SYMBOLS)


def test_a_registry_that_does_not_parse(project):
    project.edit(SYMBOLS, "y: {code: y,", "y: {code: [y,")
    assert one(project.check()).code == "LI101"


def test_two_files_that_do_not_parse_are_two_faults(project):
    project.edit(SYMBOLS, "y: {code: y,", "y: {code: [y,")
    project.edit(RECORDS, "notation: [n,", "notation: [n, {")
    findings = project.check()
    assert {(finding.code, finding.place.path) for finding in findings} == {("LI101", SYMBOLS), ("LI101", RECORDS)}


@pytest.mark.parametrize(("path", "old", "new"), [
    (RECORDS, "  latex: y = z", "  where: '][ '\n  latex: y = z"),
    (SYMBOLS, "y: {code: y,", "y: {code: 'y[',"),
    (SYMBOLS, "H: {code: H,", "H: {code: 'H[',"),
    (SYMBOLS, "H: {code: H,", "H: {code: {a: H, b: 'H['},"),
])  # fmt: skip
def test_code_that_is_no_expression(project, path, old, new):
    project.edit(path, old, new)
    finding = one(project.check())
    assert (finding.code, finding.place.path) == ("LI123", path)
    assert project.read(path).split("\n")[finding.place.line - 1] in new + project.read(path)


@pytest.mark.parametrize("where", ["nope", "len(z) > 99"])
def test_a_condition_that_never_holds(project, where):
    project.edit(RECORDS, "  latex: y = z", f"  where: {where}\n  latex: y = z")
    finding = one(project.check())
    assert (finding.code, finding.place.line) == ("LI417", project.line_of(RECORDS, "where:"))


@pytest.mark.parametrize("labels", ["['a']", "3", "{'n': 3}", "{'n': 'ab'}"])
def test_labels_that_are_no_names(project, labels):
    project.edit(EXAMPLE, "def labels():\n", f"def labels():\n    return {labels}\n")
    finding = one(project.check())
    assert (finding.code, finding.place.line) == ("LI301", project.line_of(EXAMPLE, "def labels"))


def test_an_example_that_ends_the_program(project):
    project.edit(EXAMPLE, "    ahead, covariance = predict", "    raise SystemExit(3)\n    ahead, covariance = predict")
    finding = one(project.check())
    assert (finding.code, finding.place.line) == ("LI302", project.line_of(EXAMPLE, "raise SystemExit"))


@pytest.mark.parametrize(("path", "old", "new", "code"), [
    (EXAMPLE, "    ahead, covariance = predict", "    raise SystemExit(3)\n    ahead, covariance = predict", "LI302"),
    (EXAMPLE, "def labels():\n", "def labels():\n    return 3\n", "LI301"),
    (SYMBOLS, "H: {code: H,", "H: {code: 'H[',", "LI123"),
    (SYMBOLS, SIZE, SIZE.replace("size: free", "size: n / 2"), "LI122"),
])  # fmt: skip
def test_the_full_check_has_no_followers_either(project, path, old, new, code, capsys):
    project.edit(path, old, new)
    assert main(["check", "--full", "--root", str(project.root)]) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if f": {code} " in line or ": LI" in line]
    assert {line.split(": ")[1].split()[0] for line in lines} == {code}


@pytest.mark.parametrize("root", [r"\sqrt{z \odot z}", r"\sqrt{\frac{z}{2}}"])
def test_a_message_that_quotes_tex_is_no_tex_that_was_left_over(project, root, capsys):
    """The pages of a site with findings show the message: beside its equation, with the evidence, in the search."""
    project.edit(RECORDS, "latex: y = z - H x", f"latex: y = {root} - H x")
    project.lock()
    assert main(["check", "--full", "--root", str(project.root)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{RECORDS}:{project.line_of(RECORDS, root)}:10: LI420 filter.innovation: ")
    assert f"(in {root})" in line


# One mistake each: (file, what stands there, what stands there instead, code of the one finding, its file, a word of
# its line, what it says).
MISTAKES = {
    "a tab before a record's key": (RECORDS, "  title: Innovation\n", "\ttitle: Innovation\n",
        "LI101", RECORDS, "\ttitle", "a tab stands before this line"),
    "a tab in the registry": (SYMBOLS, "z: {code", "\tz: {code", "LI101", SYMBOLS, "\tz", "a tab stands"),
    "a tab before an option": (PAGE, "    title: One", "\ttitle: One", "LI101", PAGE, "\ttitle", "a tab stands"),
    "records below a key": (RECORDS, "filter.predicted-state:", "equations:\n  filter.predicted-state:",
        "LI106", RECORDS, "equations:", "records stand at the top level of this file, id by id"),
    "an id without its page": (RECORDS, "filter.gain:", "gain:", "LI106", RECORDS, "gain:", "filter.scores"),
    "an id in upper case": (RECORDS, "filter.gain:", "Filter.Gain:", "LI106", RECORDS, "Filter.Gain:", "lower case"),
    "a record without its test": (RECORDS, "  test: tests/test_filter.py::test_innovation\n", "",
        "LI103", RECORDS, "title: Innovation", "add `test: tests/test_filter.py::test_innovation`"),
    "a function that five records misspell": (RECORDS, "kalman.filter.update", "kalman.filter.updat",
        "LI202", RECORDS, "updat", "(the same in 4 more places)"),
    "a module that is not there": (RECORDS, "kalman.filter.predict", "kalmn.filter.predict",
        "LI201", RECORDS, "kalmn", "nearest: kalman"),
    "a function renamed in the code": (CODE, "def update(", "def updat(",
        "LI202", RECORDS, "kalman.filter.update", "nearest: updat"),
    "code that does not parse": (CODE, "def update(", "def update(:", "LI204", CODE, "def update", "does not parse"),
    "a test that does not parse": (TESTS, "def test_gain(", "def test_gain(:", "LI204", TESTS, "test_gain", "parse"),
    "a test that imports what is not installed": (TESTS, "import numpy", "import nothing_here\nimport numpy",
        "LI402", TESTS, "import nothing_here", "tests/test_filter.py imports nothing_here, which is not installed"),
    "a test that imports what is not there": (TESTS, "import predict, update", "import predict, updte",
        "LI402", TESTS, "updte", "cannot import name 'updte'"),
    "a test that is not there": (RECORDS, "::test_innovation\n", "::test_innovatio\n",
        "LI210", RECORDS, "::test_innovatio", "nearest: test_innovation,"),
    "a symbol that is not registered": (SYMBOLS, "F: {code: F,", "G: {code: F,", "LI108", RECORDS, "notation", "F"),
    "a variable that is not there": (SYMBOLS, "y: {code: y,", "y: {code: yyy,", "LI207", RECORDS,
        "title: Innovation", "assigns no variable 'yyy'"),
    "a symbol that several formulas need without code": (SYMBOLS, "R: {code: R,", "R: {", "LI406", RECORDS, "notation",
        "the symbol R has no code"),
    "a symbol of several formulas without code or shape": (SYMBOLS, "K: {code: K,", "K: {", "LI406", RECORDS,
        "notation", "the symbol K has no code"),
    "a family without code": (SYMBOLS, "K: {code: K,", "K: {code: {a: ''},", "LI123", SYMBOLS, "K: {", "code ''"),
    "a family without members": (SYMBOLS, "K: {code: K,", "K: {code: {},", "LI107", SYMBOLS, "K: {", "code"),
    "an equation shown twice": (PAGE, "equation filter.innovation ", "equation filter.innovation filter.innovation ",
        "LI113", PAGE, "filter.innovation filter.innovation ", "shown twice"),
    "an id that a directive misspells": (PAGE, "filter.innovation ", "filter.inovation ",
        "LI112", PAGE, "inovation", "nearest: filter.innovation"),
    "a function that a page misspells": (PAGE, "listing kalman.filter.update", "listing kalman.filter.updat",
        "LI202", PAGE, "::: listing", "nearest: update"),
    "a value that was not recorded": (PAGE, "P_next]", "P_nex]", "LI603", PAGE, "::: matrices", "nearest: P_next"),
    "an option that there is not": (PAGE, "    title: One", "    titel: One",
        "LI604", PAGE, "::: matrices", "nearest: title"),
    "a directive that there is not": (PAGE, "::: shapes", "::: shaps", "LI602", PAGE, "::: shaps", "nearest: shapes"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_one_mistake_is_one_finding(project, mistake):
    path, old, new, code, where, word, says = MISTAKES[mistake]
    project.edit(path, old, new)
    finding = one(project.check())
    assert (finding.code, finding.place.path) == (code, where)
    assert says in finding.message
    assert abs(finding.place.line - project.line_of(where, word)) <= 2  # a missing key has the place of its record


@pytest.mark.parametrize("mistake", [
    "a function that five records misspell", "records below a key", "a test that imports what is not installed",
    "a symbol of several formulas without code or shape",
])  # fmt: skip
def test_the_full_check_adds_nothing_to_one_mistake(project, mistake, capsys):
    path, old, new, code, *_ = MISTAKES[mistake]
    project.edit(path, old, new)
    assert main(["check", "--full", "--root", str(project.root)]) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if ": LI" in line]
    assert [line.split(": ")[1].split()[0] for line in lines] == [code]


def test_a_conftest_file_that_imports_what_is_not_installed_is_named_once(project):
    project.write("tests/conftest.py", "import nothing_here\n")
    finding = one(project.check())
    assert (finding.place.path, finding.place.line) == ("tests/conftest.py", 1)
    assert "imports nothing_here, which is not installed" in finding.message


def test_the_left_side_of_linked_code_needs_no_code_of_its_own(project):
    """The record says under `code` what holds it; to name it twice would be one more thing to keep right."""
    project.edit(SYMBOLS, r"\bar x: {code: x_next, ", r"\bar x: {")
    project.edit(RECORDS, "  latex: \\bar x", "  code: x_next\n  latex: \\bar x")
    _, _, _, evidence, findings = project.result()
    assert findings == ()
    (row,) = (row for row in evidence.proofs["filter.predicted-state"].symbols if row.latex == r"\bar x")
    assert (row.code, row.shape, row.runtime_shape) == ("x_next", ("n",), (4,))


NESTED = """
class TestGain:
    def test_gain(self):
        assert True

class TestOuter:
    class TestInner:
        def test_deep(self):
            def test_local(): ...
            assert True
"""
MISNAMED = (
    "tests/deep/test_more.py::test_gain", "tests/deep/test_more.py::TestGain",
    "tests/deep/test_more.py::TestGain.test_gain", "tests/deep/test_more.py::test_local",
    "tests/deep/test_more.py::TestOuter::test_deep", "tests/deep/test_more.py::TestGain::test_gain[a]",
    "tests/test_more.py::TestGain::test_gain",
    "tests/deeper/test_more.py::TestGain::test_gain", "deep/test_more.py::TestGain::test_gain",
    "test/deep/test_mor.py::TestGain::test_gain",
)  # fmt: skip


@pytest.mark.parametrize("nodeid", MISNAMED)
def test_what_is_suggested_for_a_test_that_is_not_there_is_accepted(project, nodeid):
    project.write("tests/deep/test_more.py", NESTED)
    project.edit(RECORDS, "tests/test_filter.py::test_gain", nodeid)
    (said,) = messages(project.fast(), "LI210")
    suggested = said.partition("nearest: ")[2].split(", ")[0].split(": ")[0]
    path, _, name = nodeid.partition("::")
    followed = f"{suggested}::{name}" if suggested.endswith(".py") else f"{path}::{suggested}"
    project.edit(RECORDS, nodeid, followed)
    assert not messages(project.fast(), "LI210")
