"""The linked line is the one that the formula is about: it gives the value, or the value is made of it."""

from contextlib import suppress

import pytest

from linkindex.fast import check_fast
from linkindex.load.config import read_config

from tests.linkindex.project import messages

RECORDS, CODE, EXAMPLE = "docs/filter.yml", "kalman/filter.py", "docs/filter.py"
PLACE = "  in: kalman.filter.update\n  latex: y ="


@pytest.fixture
def split(project):
    """The innovation y = z - H x is computed by a function of its own, in three lines."""
    project.edit(
        CODE,
        "def update(",
        "def innovation(z, H, x):\n    seen = H @ x\n    size = seen.sum()\n    gap = z - seen\n"
        "    return gap, size\n\n\ndef update(",
    )
    project.edit(CODE, "    y = z - H @ x ", "    y, _ = innovation(z, H, x) ")
    return project


def linked(project, keys):
    """All that is found once the record of the innovation has these keys, accepted by the maintainer."""
    project.edit(RECORDS, PLACE, PLACE.replace("  latex", "".join(f"  {key}\n" for key in keys) + "  latex"))
    with suppress(ValueError):  # what is not found cannot be accepted
        project.lock()
    return project.check()


def in_callee(code, more=""):
    return f"computes: {{in: kalman.filter.innovation, code: {code}{more}}}"


@pytest.mark.parametrize("code", ["gap", "z - seen", "gap, via: [seen]"])
def test_the_line_that_gives_the_value_of_the_call_is_accepted(split, code):
    assert [finding.code for finding in linked(split, [in_callee(code)])] == []


@pytest.mark.parametrize("code", ["seen", "size", "seen.sum()"])
def test_another_line_of_the_callee_is_refused(split, code):
    findings = linked(split, [in_callee(code)])
    found = [finding for finding in findings if finding.code == "LI414"]
    assert [finding.place.line for finding in found] == [split.line_of(RECORDS, "computes:")]
    assert "with `via: [" in found[0].message


def test_the_value_must_be_given_in_every_run(split):
    split.edit(CODE, "gap = z - seen\n    return gap, size", "gap = z - seen\n    return z - seen * 1, size")
    split.edit(CODE, "return z - seen * 1", "return (gap if len(z) == 1 else gap * 2)")
    assert "'configuration'" in messages(linked(split, [in_callee("gap")]), "LI414")[0]


def test_a_property_may_link_a_line_on_the_way_of_the_same_shape(split):
    split.edit(RECORDS, "latex: y = z - H x", "latex: y + H x = z\n  property: true\n  code: y")
    split.edit(CODE, "gap = z - seen\n", "raw = seen - z\n    gap = -raw\n")
    split.edit(RECORDS, "  latex: y + H", f"  {in_callee('raw')}\n  latex: y + H")
    split.lock()
    assert not messages(split.check(), "LI414")
    split.edit(RECORDS, "code: raw", "code: size")
    split.lock()
    assert messages(split.check(), "LI414")


def test_a_property_cannot_link_a_line_that_leads_nowhere(split):
    split.edit(CODE, "    size = seen.sum()\n", "    size = seen.sum()\n    idle = seen * 2\n")
    split.edit(RECORDS, "latex: y = z - H x", "latex: y + H x = z\n  property: true\n  code: y")
    split.edit(RECORDS, "  latex: y + H", f"  {in_callee('idle')}\n  latex: y + H")
    assert "is not made of 'idle'" in messages(split.fast(), "LI215")[0]


def test_the_function_under_computes_must_be_called_by_the_linked_code(split):
    split.edit(CODE, "def update(", "def other(x):\n    twice = 2 * x\n    return twice\n\n\ndef update(")
    found = [f for f in linked(split, ["computes: {in: kalman.filter.other, code: twice}"]) if f.code == "LI216"]
    assert [finding.place.line for finding in found] == [split.line_of(RECORDS, "computes:")]
    assert "it calls kalman.filter.innovation" in found[0].message


@pytest.mark.parametrize(("code", "fits"), [("seen", True), ("H @ x", True), ("S", False), ("z_seen", False)])
def test_the_value_is_made_of_what_via_names(project, code, fits):
    project.edit(CODE, "y = z - H @ x ", "z_seen = z * 1\n    seen = H @ x\n    y = z - seen ")
    found = messages(linked(project, [f"via: [{code}]"]), "LI215")
    assert bool(found) != fits


def test_what_the_formula_takes_as_given_is_not_on_the_way(project):
    """The formula says x + K y: how K came about is none of its business."""
    project.edit(RECORDS, "  latex: \\hat x =", "  via: [K]\n  latex: \\hat x =")
    found = [finding for finding in project.fast() if finding.code == "LI215"]
    assert [finding.place.line for finding in found] == [project.line_of(RECORDS, "via:")]


@pytest.mark.parametrize(
    ("function", "code"), [("predict", "x_next"), ("predict", "P_next"), ("update", "S"), ("update", "y")]
)
def test_a_line_elsewhere_must_give_a_value_that_the_linked_code_reads(project, function, code):
    """x_next is the x of the update, but the formula names it as a symbol; y is what it gives, not what it reads."""
    found = [f for f in linked(project, [f"also: {{in: kalman.filter.{function}, code: {code}}}"]) if f.code == "LI415"]
    assert [finding.place.line for finding in found] == [project.line_of(RECORDS, "also:")]


GAP = "        gap = z - H @ x\n        {0}\n"
INDIRECT = {
    "an object that holds it": (
        "_gap", "from functools import partial\n\n\ndef _gap(z, H, x):\n    gap = z - H @ x\n    return gap\n\n\n"
        "innovation = partial(_gap)\n", "innovation(z, H, x)",
    ),
    "an object with a method for calls": (
        "Gap.__call__", f"class Gap:\n    def __call__(self, z, H, x):\n{GAP.format('return gap')}\n\n"
        "innovation = Gap()\n", "innovation(z, H, x)",
    ),
    "a class": (
        "Gap.__init__", f"class Gap:\n    def __init__(self, z, H, x):\n{GAP.format('self.gap = gap')}\n",
        "Gap(z, H, x).gap",
    ),
    "one of two definitions": (
        "innovation[branch:if]", f"if np:\n    def innovation(z, H, x):\n{GAP.format('return gap')}"
        "else:\n    def innovation(z, H, x):\n        return 0\n", "innovation(z, H, x)",
    ),
    "a function that is handed on": (
        "innovation", "def innovation(z, H, x):\n    gap = z - H @ x\n    return gap\n",
        "np.concatenate(list(map(innovation, [z], [H], [x])))",
    ),
    "one of two imports": (
        "other.innovation", "try:\n    from kalman.missing import innovation\nexcept ImportError:\n"
        "    from kalman.other import innovation\n", "innovation(z, H, x)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", INDIRECT)
def test_what_a_call_does_not_name_may_be_the_function_under_computes(project, how):
    name, code, call = INDIRECT[how]
    project.write("kalman/other.py", "def innovation(z, H, x):\n    gap = z - H @ x\n    return gap\n")
    project.edit(CODE, "def update(", f"{code}\n\ndef update(")
    project.edit(CODE, "y = z - H @ x ", f"y = {call} ")
    module = "kalman" if name.startswith("other") else "kalman.filter"
    assert linked(project, [f"computes: {{in: '{module}.{name}', code: gap}}"]) == ()


@pytest.mark.parametrize("read", ["kept[at]", "kept[-1]", "kept[0].T.T"])
def test_the_value_that_a_line_elsewhere_gives_may_be_an_entry_of_a_variable(project, read):
    project.edit(CODE, "def update(", "def products(H, x):\n    seen = H @ x\n    return [seen]\n\n\ndef update(")
    project.edit(CODE, "y = z - H @ x ", f"at = 0\n    kept = products(H, x)\n    y = z - {read} ")
    assert linked(project, ["also: {in: kalman.filter.products, code: seen}"]) == ()


def test_an_entry_of_what_the_formula_takes_as_given_is_given(project):
    project.edit(CODE, "def update(", "def first(H):\n    row = 1 * H[0]\n    return row\n\n\ndef update(")
    project.edit(CODE, "y = z - H @ x ", "first(H)\n    y = z - H @ x + 0 * H[0].sum() ")
    found = linked(project, ["also: {in: kalman.filter.first, code: row}"])
    assert messages(found, "LI415")


def test_a_whole_number_of_any_size_is_compared(split):
    split.edit(CODE, "    gap = z - seen\n", "    huge = 10 ** 400\n    gap = z - seen\n")
    assert messages(linked(split, [in_callee("huge")]), "LI414")


@pytest.mark.parametrize("fill", [
    "rows = []\n    for row in H:\n        entry = row @ x\n        rows.append(entry)\n    seen = np.array(rows)",
    "entry = 1 * x\n    seen = np.empty(len(z))\n    np.matmul(H, entry, out=seen)",
])  # fmt: skip
def test_what_is_put_into_a_list_or_an_array_is_on_the_way(project, fill):
    project.edit(CODE, "y = z - H @ x ", f"{fill}\n    y = z - seen ")
    assert linked(project, ["via: [entry]"]) == ()


def test_the_quick_check_sees_that_a_name_which_is_imported_on_the_way_means_another_function(split):
    body = "def innovation(z, H, x):\n    gap = z - H @ x\n    return gap, gap.sum()\n"
    split.write("kalman/gap.py", body)
    split.write("kalman/other.py", body)
    split.write("kalman/api.py", "from kalman.gap import innovation\n")
    split.edit(CODE, "    y, _ = innovation(z, H, x) ", "    y, _ = api.innovation(z, H, x) ")
    split.write(CODE, "from kalman import api\n" + split.read(CODE))
    assert linked(split, ["computes: {in: kalman.gap.innovation, code: gap}"]) == ()
    config = read_config(split.root)
    assert check_fast(config)[1] == ()
    split.write("kalman/api.py", "from kalman.other import innovation\n")
    assert [finding.code for finding in check_fast(config)[1]] == ["LI216"]
