"""Ids and anchors that differ in more than case, and formulas that are read to their end."""

import pytest
from linkindex.load.config import read_config
from linkindex.pipeline import places_for


def test_row_18_pages_that_differ_only_in_case_are_refused(project):
    project.write("docs/Filter.md", "# Another page\n")
    assert [finding.place.path for finding in project.fast() if finding.code == "LI105"] == ["docs/filter.md"]


@pytest.mark.parametrize("name", ["equations.md", "Symbols.md", "source/kalman.md"])
def test_row_18_a_page_named_like_a_generated_one_is_refused(project, name):
    project.write(f"docs/{name}", "# A page\n")
    assert [finding.place.path for finding in project.fast() if finding.code == "LI105"] == [f"docs/{name}"]


def test_row_18_ids_whose_anchors_are_equal_are_refused(project):
    text = project.read("docs/filter.yml")
    record = text[text.index("filter.gain:") : text.index("filter.updated-state:")]
    record = "notation: [x, P, H, S, K, y]\n\n" + record.replace("filter.gain", "filter.updated.state")
    project.write("docs/filter/updated.yml", record)  # beside filter.updated-state of the page filter
    project.write("docs/filter/updated.md", "# More\n\n## More {#more}\n\n::: equation filter.updated.state\n")
    assert "LI105" in {finding.code for finding in project.fast()}


def test_row_18_an_id_with_a_second_dot_is_refused(project):
    project.edit("docs/filter.yml", "filter.gain:", "filter.updated.state:")
    assert "LI106" in {finding.code for finding in project.fast()}


def test_row_18_anchors_of_a_page_that_differ_only_in_case_are_refused(project):
    project.edit("docs/filter.md", "{#update-listing}", "{#Update}")
    assert [finding.place.line for finding in project.fast() if finding.code == "LI105"] == [
        project.line_of("docs/filter.md", "{#Update}")
    ]


@pytest.mark.parametrize(
    "latex", [r"y = z - \unknown x", "y = z - H x \\", "y = z -", r"y = \frac{z}", "y = z - H x }", 'y = z - "H x"']
)
def test_row_19_a_formula_that_is_not_wholly_read_is_refused_at_its_place(project, latex):
    project.edit("docs/filter.yml", "latex: y = z - H x", f"latex: {latex}")
    index, resolution, findings = places_for(read_config(project.root))
    found = [finding for finding in findings if finding.code == "LI501"]
    assert [finding.place.path for finding in found] == ["docs/filter.yml"]
    assert found[0].place.line == project.line_of("docs/filter.yml", f"latex: {latex}")
    assert found[0].place.col > 10 and "filter.innovation" not in resolution.formulas
