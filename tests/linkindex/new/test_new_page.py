"""`linkindex new page` on the Kalman project, whose own page is removed first: its functions and tests stay."""

import re

import pytest

from linkindex.cli import main
from linkindex.run import forked
from tests.linkindex.project import Project

PAGE = "docs/tracking"
FROM = ("kalman.filter.predict", "kalman.filter.update")
WRITTEN = {
    "x-next": r"\bar x = F x", "p-next": r"\bar P = F P F^\top + Q", "y": "y = z - H x", "s": r"S = H P H^\top + R",
    "x-new": r"\hat x = x + K y", "p-new": r"\hat P = P - K H P",
}  # fmt: skip


def new_page(project, name="tracking", functions=FROM, *options):
    return main(["new", "page", name, "--root", str(project.root), "--from", *functions, *options])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The project with a new page in the place of its own, and without the registry's entries for what is estimated."""
    project = Project.copy(tmp_path_factory.mktemp("new") / "kalman")
    for name in ("filter.md", "filter.yml", "filter.py", "index.md", "links.lock"):
        (project.root / "docs" / name).unlink()
    registry = project.read("docs/symbols.yml")
    project.write("docs/symbols.yml", re.sub(r"(?m)^(\\hat x|S): .*\n", "", registry))
    assert new_page(project, "tracking", FROM, "--publish") == 0
    return project


@pytest.fixture
def project(made, tmp_path):
    """A copy that a test may change."""
    copy = Project.copy(tmp_path / "kalman")
    for path in (copy.root / "docs").iterdir():
        path.unlink()
    for path in (made.root / "docs").iterdir():
        copy.write(f"docs/{path.name}", path.read_bytes())
    return copy




def found(project):
    return list(project.check())


def fill(project, written=WRITTEN):
    """What an author writes: titles, formulas, meanings of new symbols, and that a covariance is symmetric."""
    text = re.sub(r"(?m)^  title:$", "  title: A step", project.read(f"{PAGE}.yml"))
    for name, latex in written.items():
        text = re.sub(rf"(tracking\.{name}:(?:\n  .*)*?\n  latex:) .*", lambda match: f"{match[1]} {latex}", text)
    text = text.replace("  latex:  # K = ", "  code: K\n  property: true\n  latex: K S = P H^\\top  # K = ")
    project.write(f"{PAGE}.yml", text)
    a_covariance = r'(?s)"([PR])": (.*?),(?=\n        "|\n    })'
    example = re.sub(a_covariance, r'"\1": symmetric(\2),', project.read(f"{PAGE}.py"))
    project.write(f"{PAGE}.py", f"{example}\n\ndef symmetric(A):\n    return A @ A.T + np.eye(len(A))\n")
    registry = project.read("docs/symbols.yml")
    project.write("docs/symbols.yml", registry.replace("meaning: ,", 'meaning: "What it is",'))


def test_each_step_is_a_record_that_a_section_shows(made):
    records, page = made.read(f"{PAGE}.yml"), made.read(f"{PAGE}.md")
    ids = re.findall(r"(?m)^(tracking\..*):$", records)
    assert ids == [f"tracking.{name}" for name in ("x-next", "p-next", "y", "s", "k", "x-new", "p-new")]
    assert [name for line in re.findall("::: equation (.*)", page) for name in line.split()] == ids
    assert "## Predict {#predict}" in page and "## Update {#update}" in page


def test_symbols_are_those_of_the_registry_and_new_ones_from_names(made):
    notation = made.read(f"{PAGE}.yml").partition("\n\n")[0].split("\n")
    assert {r"  \bar x:", "  F:", r"  x_{\mathrm{new}}:", "  S:"} <= set(notation)
    added = made.read("docs/symbols.yml").partition("# tracking\n")[2]
    assert added == (
        'S: {code: S, meaning: , shape: "(m, m)"}\nx_{\\mathrm{new}}: {code: x_new, meaning: , shape: "(n,)"}\n'
    )


def test_what_is_open_is_said_once_for_each_record_and_each_symbol(project):
    left_open = [one for one in project.fast() if one.code == "LI103"]
    said = [one.message for one in left_open if one.place.path == f"{PAGE}.yml"]
    assert len(said) == 7
    assert all("title, latex left open" in message for message in said)
    assert [one.message.split(" needs")[0] for one in left_open if one.place.path == "docs/symbols.yml"] == [
        "symbol S", r"symbol x_{\mathrm{new}}",
    ]  # fmt: skip


def test_with_formulas_titles_and_meanings_it_is_clean(project):
    fill(project, WRITTEN | {"x-new": r"x_{\mathrm{new}} = x + K y"})
    project.lock()
    assert found(project) == []


def test_a_wrong_formula_on_it_is_found(project):
    fill(project, WRITTEN | {"x-new": r"x_{\mathrm{new}} = x - K y"})
    project.lock()
    assert [finding.code for finding in found(project)] == ["LI420"]


@pytest.mark.skipif(not forked.AVAILABLE, reason="mutants need processes that are forked")
def test_a_record_names_a_test_that_notices_every_change_of_its_step(made):
    records = made.read(f"{PAGE}.yml")
    for _, noticed, of in re.findall(r"(?m)^  test: (.*)\n  # It fails for (\d+) of (\d+) changes", records):
        assert noticed == of
    assert "test: tests/test_filter.py::test_predicted_state\n" in records


def test_a_step_that_no_test_runs_has_an_open_test(project):
    project.edit("kalman/filter.py", "def update(", "def moved(x, F):\n    \"\"\"x: (n,), F: (n, n).\"\"\"\n"
                 "    ahead = F @ x  # (n,)\n    return ahead\n\n\ndef update(")
    assert new_page(project, "moved", ["kalman.filter.moved"], "--publish") == 0
    assert "\n  test:  # no test" in project.read("docs/moved.yml")
    assert any("title, latex, test left open" in finding.message for finding in project.fast())


def test_a_draft_stands_in_the_folder_of_drafts(project):
    assert new_page(project, "second") == 0
    assert sorted(path.name for path in (project.root / "docs/drafts").iterdir()) == [
        "second.md", "second.py", "second.yml",
    ]  # fmt: skip
    assert "\nsecond.y:\n" in project.read("docs/drafts/second.yml")


def test_a_parameter_without_a_shape_is_named_where_the_example_needs_it(project):
    project.edit("kalman/filter.py", "x: (n,), P: (n, n), F: (n, n), Q: (n, n).", "x: (n,), P: (n, n), Q: (n, n).")
    assert new_page(project, "second", FROM, "--publish") == 0
    assert "no docstring gives a shape of F: make it" in project.read("docs/second.py")


@pytest.mark.parametrize(
    ("name", "function", "says"),
    [
        ("tracking", "kalman.filter.predict", "docs/tracking.md is there already: choose another name"),
        ("drafts/other", "kalman.filter.predict", "named without its folder: write `linkindex new page other --from"),
        ("docs/drafts/other", "kalman.filter.predict", "named without its folder: write `linkindex new page other"),
        ("other.md", "kalman.filter.predict", "for a draft in docs/drafts, and add --publish for a page in docs"),
        ("parts/other", "kalman.filter.predict", "needs a name in lower case"),
        ("Other Page", "kalman.filter.predict", "needs a name in lower case"),
        ("other", "kalman.filter.predicts", "LI202 kalman/filter.py has no function 'predicts'; nearest: predict"),
        ("other", "kalmann.filter.predict", "LI201 no module of this project begins kalmann.filter.predict; nearest"),
    ],
)
def test_what_cannot_be_written_is_refused_with_the_reason(project, capsys, name, function, says):
    before = {path: path.read_bytes() for path in project.root.rglob("*.*") if path.is_file()}
    assert new_page(project, name, [function], "--publish") == 2
    assert says in capsys.readouterr().err
    assert {path: path.read_bytes() for path in project.root.rglob("*.*") if path.is_file()} == before
