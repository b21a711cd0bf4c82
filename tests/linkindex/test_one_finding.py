"""What is wrong in one place is one finding, there, with its remedy: no traceback, and nothing that only follows."""

import pytest

from linkindex.cli import main
from tests.linkindex.project import messages

RECORDS, SYMBOLS, EXAMPLE, PAGE = "docs/filter.yml", "docs/symbols.yml", "docs/filter.py", "docs/filter.md"
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
