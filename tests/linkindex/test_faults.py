"""Every fault is found, at its place, with its code. One fault at a time is planted in a clean project.

Most are in ``linkindex.selfattack.table``, which ``tests/linkindex/selfattack`` plants in the small project. Here are
those that can be planted in this project only, and what messages say.
"""

import pytest

from linkindex.cli import main
from linkindex.model import Place
from linkindex.selfattack.fault import FOUND, Fault
from linkindex.selfattack.judge import judge, planned

RECORDS, PAGE, EXAMPLE, SYMBOLS = "docs/filter.yml", "docs/filter.md", "docs/filter.py", "docs/symbols.yml"
CODE, TESTS, LOCK = "kalman/filter.py", "tests/test_filter.py", "docs/links.lock"

# name: (file, text to replace, new text, code of the finding, file of the finding, text that begins in its line)
FAST = {
    "an id of another page": (RECORDS, "filter.gain:", "update.gain:", "LI106", RECORDS, "update.gain:"),
    "a symbol that is not registered": (RECORDS, "notation: [n, m,", "notation: [n, m, G,",
        "LI108", RECORDS, "notation:"),
    "an equation that is shown nowhere": (PAGE, " filter.gain", "", "LI113", RECORDS, "filter.gain:"),
    "a test file that is not there": (RECORDS, "tests/test_filter.py::test_gain", "tests/test_filters.py::test_gain",
        "LI210", RECORDS, "test_filters"),
    "an equation without a left side": (RECORDS, "  code: K\n  latex: K S =", "  latex: K S =",
        "LI213", RECORDS, "in: kalman.filter.update\n  latex: K S ="),
    "an equation linked to another function": (RECORDS,
        "  in: kalman.filter.update\n  latex: y =", "  in: kalman.filter.predict\n  code: x_next\n  latex: y =",
        "LI225", RECORDS, "in: kalman.filter.predict\n  code: x_next"),
    "a symbol that is spelt in two ways": (SYMBOLS, "y: {code: y,", "'y ': {code: x, meaning: again}\ny: {code: y,",
        "LI125", SYMBOLS, "y: {code: y,"),
    "a symbol that is a formula": (SYMBOLS, "y: {code: y,", "H x: {code: H @ x, meaning: a product}\ny: {code: y,",
        "LI125", SYMBOLS, "H x: {code"),
    "a function that is imported in a circle": (CODE,
        "def predict(", "from kalman.filter import predict\n\n\ndef forecast(",
        "LI209", RECORDS, "kalman.filter.predict"),
    "a dollar sign that begins no formula": (PAGE, "and grows.", "and grows by $ x.", "LI503", PAGE, "by $ x"),
    "a letter that is no symbol": (RECORDS, "latex: y = z - H x", "latex: y = z - G x",
        "LI501", RECORDS, "y = z - G x"),
}  # fmt: skip

RUN = {
    "a test module that runs the code when collected": (TESTS,
        "@pytest.fixture\n", "EXPECTED = predict(np.ones(2), np.eye(2), np.eye(2), np.eye(2))\n\n\n@pytest.fixture\n",
        "LI404", RECORDS, "::test_predicted_state"),
    "a symbol of unknown shape": (CODE, "y = z - H @ x                    # (m,)", "y = z - H @ x",
        "LI407", RECORDS, "notation:"),
    "an operator that no equation defines": (RECORDS, "latex: y = z - H x", "latex: y = \\operatorname{gap}(z, H x)",
        "LI421", RECORDS, "gap}(z, H x)"),
    "an operator that is no call": (RECORDS, "  latex: y =", "  defines: gap\n  latex: y =",
        "LI422", RECORDS, "defines: gap"),
    "a free symbol that is not in the formula": (RECORDS, "  latex: y =", "  free: [P]\n  latex: y =",
        "LI424", RECORDS, "free: [P]"),
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


def literal(name, row):
    """A row of the tables above as the faults of ``linkindex selfattack`` are written."""
    path, old, new, code, found_in, text = row

    def ways(project):
        content = "\n".join(project.lines(path))
        assert old in content, f"{path} does not hold {old!r}"
        edits = {path: content.replace(old, new)}
        found = edits[path] if found_in == path else "\n".join(project.lines(found_in))
        yield edits, Place(found_in, found[: found.index(text)].count("\n") + 1)

    return Fault(name, code, ways, says=SAYS.get(name, ""))


@pytest.mark.parametrize("name", [*FAST, *RUN])
def test_a_fault_is_found_where_it_was_planted(untouched, name):
    fault = literal(name, {**FAST, **RUN}[name])
    outcome = judge(untouched, fault, planned(untouched, fault))
    assert outcome.verdict == FOUND, (outcome.expected, outcome.note)


@pytest.mark.parametrize("path", ["docs/update.yml", "docs/more/symbols.yml", "docs/more/references.yml"])
def test_records_without_a_page_are_found(project, path):
    """Also where they are called like the registry, of which there is one."""
    project.write(path, project.read(RECORDS))
    (finding,) = project.fast()
    name = path.rpartition("/")[2].removesuffix(".yml")
    assert (finding.place, finding.code) == (Place(path), "LI115")
    expected = f"expected the page {name}.md beside these records"
    assert finding.message == f"{expected}, and there is none: add it, or move them"


# Name: what is done to the text of the lock, the number of the damaged line after the id filter.gain, what is expected
# there. Each of these is one finding; the other entries are read.
CODE_LINE = "the line '  code ...' of filter.gain"
DAMAGED = {
    "a hash cut short": ("  code {code}", "  code {code:.9}", 2, CODE_LINE),
    "no value": ("  code {code}", "  code", 2, CODE_LINE),
    "a misspelt key": ("  code {code}", "  kode {code}", 2, CODE_LINE),
    "the mark of a merge": ("  code {code}", "<<<<<<< HEAD\n  code {code}", 2, CODE_LINE),
    "a line that is gone": ("  code {code}\n", "", 2, CODE_LINE),
    "the same line twice": ("  code {code}\n", "  code {code}\n  code {code}\n", 3,
        "the line '  in ...' of filter.gain"),
    "no line behind the second": ("  code {code}\n  in {in}\n  test {test}\n", "  code {code}\n", 3,
        "the line '  in ...' of filter.gain"),
    "a line too many": ("  test {test}", "  test {test}\n  body 0", 5, "nothing more of filter.gain"),
    "a misspelt id": ("filter.gain\n", "filter gain\n", 0, "the id of an equation"),
    "an entry of an older form": ("filter.gain\n", '{{"id": "filter.gain"}}\n', 0, "the id of an equation"),
    "no empty line before the next": ("  test {test}\n\n", "  test {test}\n", 5, "''"),
    "an entry twice": ("filter.gain\n", "filter.gain\n  latex {latex}\n  code {code}\n  in {in}\n  test {test}\n\n"
        "filter.gain\n", 6, "'filter.innovation'"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_lock_is_found_in_its_line_and_written_anew(project, name):
    """What repairs the project is not stopped by it."""
    good, (old, new, number, expected) = project.read(LOCK), DAMAGED[name]
    lines = good.split("\n")
    start = lines.index("filter.gain")
    facts = dict(line.split() for line in lines[start + 1 : start + 5])
    project.edit(LOCK, old.format(**facts), new.format(**facts))
    (finding,) = project.fast()
    assert (finding.place, finding.code) == (Place(LOCK, start + 1 + number), "LI120")
    assert finding.message.startswith(f"this line is damaged: expected {expected}, found ")
    assert finding.message.endswith("from version control, or write it anew with `linkindex fix --write`")
    assert main(["fix", "--write", "--root", str(project.root)]) == 0
    assert project.read(LOCK) == good


def test_a_lock_of_an_older_form_is_one_finding(project):
    good = project.read(LOCK)
    project.write(LOCK, "".join(f'{{"id": "filter.{name}", "latex": "1f"}}\n' for name in ("gain", "innovation")))
    (finding,) = project.fast()
    assert (finding.place, finding.code) == (Place(LOCK), "LI120")
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
