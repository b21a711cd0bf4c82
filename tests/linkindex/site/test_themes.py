"""A site with a theme of MkDocs as it comes builds: what it loads from other hosts matters to sites that ask."""

import pytest
from linkindex.cli import main

RECORDS, PAGE = "docs/filter.yml", "docs/filter.md"


@pytest.fixture
def one_equation(project):
    first = project.read(RECORDS).partition("filter.predicted-covariance:")[0]
    project.write(RECORDS, first)
    project.write(PAGE, "# Filter\n\n## Prediction\n\n::: equation filter.predicted-state\n")
    project.lock()
    return project


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_a_default_theme_and_one_equation_build_without_findings(one_equation, theme, capsys):
    one_equation.edit("pyproject.toml", "offline = true\n", "")
    one_equation.write("mkdocs.yml", f"site_name: Kalman filter\ntheme: {theme}\nplugins: [search, linkindex]\n")
    assert main(["build", "--root", str(one_equation.root)]) == 0
    assert capsys.readouterr().out == ""
    assert "eq-filter-predicted-state" in one_equation.read("site/filter/index.html")


def test_a_site_that_asks_for_it_contacts_no_other_host(one_equation, capsys):
    one_equation.write("mkdocs.yml", "site_name: Kalman filter\ntheme: readthedocs\nplugins: [search, linkindex]\n")
    assert main(["build", "--root", str(one_equation.root)]) == 1
    assert "LI715" in capsys.readouterr().out
