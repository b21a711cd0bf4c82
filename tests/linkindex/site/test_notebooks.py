"""A notebook is run when the site is built, and becomes a page like any other."""

import json
import re
import shutil

import pytest

from linkindex.load.config import read_config
from linkindex.site.build import build_site, check_site
from linkindex.site.notebooks import NotebookError, as_markdown
from linkindex.verify.html import parse

from tests.linkindex.project import Project

NOTEBOOK, PAGE = "docs/steps.ipynb", "site/steps/index.html"
STATE = "The state $x$ has $n < 3$; see [the filter](filter.md) and [one step](#one-step)."
STEP = """import numpy as np
from kalman.filter import predict
x, P = predict(np.ones(2), np.eye(2), np.eye(2), np.eye(2))
"""
QUOTES = 'text = "$y$ <b> *a* ```"\nprint(text)'
DRAWN = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
MARKUP = f"from IPython.display import SVG, Latex, display\ndisplay(Latex('$P$'))\nSVG('{DRAWN}')"
COUNTER = "import pathlib\nruns = pathlib.Path('../runs')\nruns.open('a').write('once ')"


def prose(*lines: str) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": "\n".join(lines)}


def code(source: str, *tags: str) -> dict:
    stored = {"output_type": "stream", "name": "stdout", "text": "an output of yesterday"}
    metadata = {"tags": list(tags)}
    return {"cell_type": "code", "metadata": metadata, "execution_count": 9, "outputs": [stored], "source": source}


def with_notebook(project, *cells: dict) -> Project:
    """Put a notebook into the navigation, as it was saved on a machine whose kernel has another name."""
    numbered = [{"id": f"cell{number}", **cell} for number, cell in enumerate(cells)]
    metadata = {"kernelspec": {"name": "thesis", "display_name": "Thesis", "language": "python"}}
    document = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": numbered}
    project.write(NOTEBOOK, json.dumps(document, indent=1))
    plugin = '  - linkindex\n  - mkdocs-jupyter: {include: ["*.ipynb"], ignore: ["*.md"]}\n'
    project.edit("mkdocs.yml", "  - linkindex\n", plugin)
    project.write("mkdocs.yml", project.read("mkdocs.yml") + "nav: [index.md, filter.md, steps.ipynb]\n")
    return project


def build(project):
    return build_site(read_config(project.root), project.root / "site")


def markdown(project) -> str:
    return as_markdown("steps.ipynb", read_config(project.root)).markdown


@pytest.fixture(scope="module")
def built(proved, tmp_path_factory):
    """A site with a notebook that has something of everything."""
    root = tmp_path_factory.mktemp("notebooks") / "project"
    shutil.copytree(proved.root, root)
    heading = prose("# Steps by hand", "", STATE, "", "## One step")
    cells = [code(STEP + "print(x)\nP"), code(QUOTES), code("1 / 0", "raises-exception"), code(MARKUP)]
    project = with_notebook(Project(root), heading, *cells)
    project.write("docs/.ipynb_checkpoints/steps-checkpoint.ipynb", "{")
    assert build(project) == ()
    return project


def elements(project) -> list:
    article = re.search(r"<article.*</article>", project.read(PAGE), re.DOTALL)[0]
    return list(parse(article).walk())


def printed(project) -> list[str]:
    return [element.text.strip() for element in elements(project) if "lx-output" in element.classes]


def test_the_page_shows_what_its_cells_print_now(built):
    assert printed(built)[:2] == ["[1. 1.]", "array([[2., 0.],\n       [0., 2.]])"]
    assert "yesterday" not in built.read(PAGE)


def test_formulas_of_prose_and_of_outputs_are_mathml(built):
    assert [element.text for element in elements(built) if element.tag == "math"] == ["x", "n<3", "P"]


def test_printed_text_and_code_are_shown_as_they_are(built):
    assert printed(built)[2] == "$y$ <b> *a* ```"
    assert QUOTES in [element.text.strip() for element in elements(built) if element.tag == "code"]


def test_an_error_that_is_meant_is_shown(built):
    assert printed(built)[3] == "ZeroDivisionError: division by zero"


def test_a_picture_is_a_file_with_a_text_for_those_who_do_not_see_it(built):
    pictures = [element.attributes for element in elements(built) if element.tag == "img"]
    assert [picture["alt"] for picture in pictures] == ["Drawn by the code above"]
    assert (built.root / PAGE).parent.joinpath(pictures[0]["src"]).read_text(encoding="utf-8") == DRAWN


def test_copies_that_jupyter_keeps_are_not_published(built):
    assert list((built.root / "site").rglob("*checkpoint*")) == []


def test_links_lead_to_pages_and_headings(built):
    links = [element.attributes["href"] for element in elements(built) if element.tag == "a"]
    assert links == ["../filter/", "#one-step"]


def test_the_notebook_is_found_by_the_search_without_tex(built):
    entries = json.loads(built.read("site/search/search_index.json"))["docs"]
    found = {entry["location"]: entry["text"] for entry in entries if entry["location"].startswith("steps/")}
    assert found.keys() == {"steps/", "steps/#one-step"}
    assert "The state x has n" in found["steps/"]


def test_nothing_of_the_notebook_plugin_is_loaded(built):
    assert loaded(built, PAGE) == loaded(built, "site/filter/index.html")


def loaded(project, path: str) -> set[str]:
    """Addresses of the scripts and style sheets of a page."""
    found = [element.attributes for element in parse(project.read(path)).walk() if element.tag in ("script", "link")]
    addresses = {attributes.get("src") or attributes.get("href", "") for attributes in found}
    return {address for address in addresses if address.endswith((".js", ".css"))}


def test_a_cell_that_raises_stops_the_build_and_is_named(project):
    with_notebook(project, prose("# Steps"), code("1 / 0"))
    found = [finding.message for finding in build(project) if NOTEBOOK in finding.message]
    assert len(found) == 1
    assert f"{NOTEBOOK}, cell 2 raised ZeroDivisionError: division by zero" in found[0]
    assert not (project.root / "site").exists()


def test_a_file_that_is_no_notebook_is_named(project):
    with_notebook(project)
    project.write(NOTEBOOK, "{")
    with pytest.raises(NotebookError, match=f"^{NOTEBOOK}: expected a notebook"):
        markdown(project)


def test_dead_links_and_left_over_tex_are_found_in_the_notebook_and_its_mathematics_is_plain(project):
    with_notebook(project, prose("# Steps", "", "[nowhere](nowhere.md), $ x$.", "", "$$", "x = x", "$$"))
    findings = check_site(read_config(project.root))[1]
    lines = {finding.code: finding.place.line for finding in findings if finding.place.path == NOTEBOOK}
    line = project.line_of(NOTEBOOK, "nowhere")
    assert lines == {"LI710": line, "LI714": line}
    assert [finding for finding in findings if finding.place.path == PAGE] == []


def test_a_notebook_is_run_again_when_the_package_changed_and_not_before(project):
    with_notebook(project, code(COUNTER))
    markdown(project)
    markdown(project)
    assert project.read("runs") == "once "
    project.edit("kalman/filter.py", "# (n,)", "# (n, )")
    markdown(project)
    assert project.read("runs") == "once once "
