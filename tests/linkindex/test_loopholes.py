"""Ways in which something could pass without being proved, each refused."""

import pytest

from linkindex.cli import main
from linkindex.load.config import ConfigError, read_config
from linkindex.pipeline import evidence_for

RECORDS = "docs/filter.yml"
GAIN = "  latex: K S = P H^\\top\n"


def codes(project, equation):
    return {finding.code for finding in project.check() if finding.message.startswith(f"{equation}:")}


@pytest.mark.parametrize(
    "latex",
    [
        "1 = 1",  # says nothing of anything
        "y + H x = z",  # true, but not about the linked gain
        "P H^\\top = P H^\\top",
    ],
)
def test_a_property_must_speak_of_the_linked_value(project, latex):
    project.edit(RECORDS, GAIN, f"  latex: {latex}\n")
    project.lock()
    assert "LI420" in codes(project, "filter.gain")


def test_a_property_cannot_be_about_free_symbols_alone(project):
    project.edit(RECORDS, GAIN, "  latex: K = K\n  free: [K]\n")
    project.lock()
    assert "LI420" in codes(project, "filter.gain")


def test_at_most_one_equation_in_ten_may_have_an_exception_and_one_always(project):
    project.edit(RECORDS, GAIN, GAIN + "  exception: {formula: a reason}\n")
    assert {finding.code for finding in project.check()} == {"LI431"}
    project.edit(RECORDS, "  latex: y = z", "  exception: {formula: a reason}\n  latex: y = z")
    found = {finding.code: finding for finding in project.check()}
    assert found["LI432"].place.line == project.line_of(RECORDS, "exception:")
    assert "LI431" in found  # and this one is not even needed


def test_a_step_that_the_policy_leaves_out_gives_no_finding(project):
    project.edit("pyproject.toml", "batch-axes = []", 'batch-axes = []\npolicy = ["resolved", "ran", "tested"]')
    project.edit(RECORDS, "latex: y = z - H x", "latex: y = z + H x")
    project.lock()
    assert project.check() == ()
    assert not evidence_for(read_config(project.root))[3].proofs["filter.innovation"].steps["formula"].ok


def test_a_step_whose_reason_the_policy_leaves_out_is_found_itself(project):
    """That the condition never holds is a finding of the step `symbols`, which is not asked for here."""
    project.edit("pyproject.toml", "batch-axes = []", 'batch-axes = []\npolicy = ["resolved", "ran", "formula"]')
    project.edit(RECORDS, "  latex: y = z", "  where: len(z) > 99\n  latex: y = z")
    (finding,) = project.check()
    assert (finding.place.line, finding.code) == (project.line_of(RECORDS, "filter.innovation:"), "LI410")
    why = "the condition 'len(z) > 99' (where) never holds in the run 'inputs'"
    assert finding.message.startswith(f"filter.innovation: the step 'formula' does not hold: {why}")
    assert finding.message.endswith("correct it")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('packages = ["kalman"]', 'packages = ["nope"]'),
        ('packages = ["kalman"]', 'packages = [""]'),
        ('packages = ["kalman"]', "packages = [1]"),
        ("batch-axes = []", "batch-axes = [1]"),
        ("batch-axes = []", "policy = []"),
        ("batch-axes = []", 'tests = "nix"'),
        ("{n = 4, m = 3}", "{n = true, m = 3}"),
        ("[tool.linkindex]", "[tool]\nlinkindex = 3\n[tool.other]"),
    ],
)
def test_a_configuration_that_proves_less_than_it_seems_is_refused(project, old, new, capsys):
    project.edit("pyproject.toml", old, new)
    with pytest.raises(ConfigError):
        read_config(project.root)
    assert main(["check", "--fast", "--root", str(project.root)]) == 2
    assert "pyproject.toml" in capsys.readouterr().err


def test_sizes_that_are_equal_are_found_where_a_formula_uses_them(project):
    project.edit("pyproject.toml", "{n = 4, m = 3}", "{n = 4, m = 4}")
    found = [finding for finding in project.check() if finding.code == "LI409"]
    uses = ("filter.innovation", "filter.innovation-covariance", "filter.gain", "filter.updated-state",
            "filter.updated-covariance")  # fmt: skip
    assert sorted(finding.message.partition(":")[0] for finding in found) == sorted(uses)


def test_sizes_that_are_computed_must_differ_as_well(project):
    project.edit(
        "docs/symbols.yml", "m: {code:", "k: {code: 'x.size * 2', meaning: twice, shape: (), size: n + n}\nm: {code:"
    )
    project.edit(RECORDS, "notation: [", "notation: [k, ")
    project.edit(RECORDS, "latex: y = z - H x", "latex: y = z - H x + k - k")
    project.lock()
    assert "LI409" in {finding.code for finding in project.check()}  # k = 6 = m in the third set


def test_an_alias_that_contains_itself_is_a_finding(project):
    project.edit(RECORDS, "filter.gain:", "filter.odd: &a [*a]\n\nfilter.gain:")
    assert "LI101" in {finding.code for finding in project.fast()}


def test_a_folder_that_is_called_like_a_page_is_no_page(project):
    (project.root / "docs" / "folder.md").mkdir()
    assert project.fast() == ()


@pytest.mark.parametrize("test", ["/absolute/test_x.py::test_x", "../test_x.py::test_x"])
def test_a_test_outside_of_the_project_is_refused(project, test):
    project.edit(RECORDS, "tests/test_filter.py::test_gain", test)
    assert "LI210" in {finding.code for finding in project.fast()}


def test_an_unknown_work_is_found_by_the_fast_check(project):
    project.edit(RECORDS, "paper: kalman1960", "paper: kalman1961")
    found = [finding for finding in project.fast() if finding.code == "LI121"]
    assert len(found) == 2
    assert "kalman1960" in found[0].message
    assert [finding.code for finding in project.check()] == ["LI121"] * 2


@pytest.mark.parametrize("name", ["filter.", 'filter.a"<b>', "filter.a_b", "filter.Gain"])
def test_an_id_is_made_of_plain_lower_case_words(project, name):
    project.edit(RECORDS, "filter.gain:", f"'{name}':")
    assert "LI106" in {finding.code for finding in project.fast()}


def test_a_cache_folder_that_is_a_file_is_told_in_a_sentence(project, capsys):
    import shutil

    shutil.rmtree(project.root / "build", ignore_errors=True)
    project.write("build", "not a folder")
    assert main(["check", "--root", str(project.root)]) == 2
    assert "build" in capsys.readouterr().err


def test_where_picks_the_visits_that_an_equation_is_about(tmp_path, project):
    """A line that a loop passes for several names: the record says which visit its formula describes."""
    project.write(
        "kalman/loop.py",
        'def scaled(x, y):\n    out = {}\n    for name, v in (("x", x), ("y", y)):\n'
        '        out[name] = v * (2 if name == "x" else 3)\n    return out\n',
    )
    project.edit("docs/filter.py", "    ahead, covariance", "    scaled(x, z)\n    ahead, covariance")
    project.edit(
        "docs/filter.py",
        "from kalman.filter import predict, update",
        "from kalman.filter import predict, update\nfrom kalman.loop import scaled",
    )
    project.edit(RECORDS, "filter.gain:", (
        "filter.doubled:\n  title: Doubled\n  in: kalman.loop.scaled\n  code: 'v * (2 if name == \"x\" else 3)'\n"
        "  where: name == \"x\"\n  latex: 2 x\n  test: tests/test_loop.py::test_doubled\n\nfilter.gain:"
    ))
    project.edit("docs/filter.md", "::: equation filter.innovation ", "::: equation filter.doubled filter.innovation ")
    project.write(
        "tests/test_loop.py",
        "import numpy as np\nfrom kalman.loop import scaled\n\n\ndef test_doubled():\n"
        "    x = np.array([1.0, 3.0])\n    assert np.array_equal(scaled(x, x)[\"x\"], [2.0, 6.0])\n",
    )
    project.lock()
    assert codes(project, "filter.doubled") == set()
    project.edit(RECORDS, '  where: name == "x"\n', "")
    assert "LI420" in codes(project, "filter.doubled")
