"""The evidence as the built site shows it, against what the link index and the package say."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import places_for
from linkindex.verify.html import Element, parse

ROOT = Path(__file__).parents[2]


def read(site: Path, page: str) -> Element:
    return parse((site / page / "index.html").read_text(encoding="utf-8"))


def find(root: Element, tag: str | None = None, class_name: str | None = None) -> list[Element]:
    return [e for e in root.walk() if tag in (None, e.tag) and (class_name is None or class_name in e.classes)]


def text_of(element: Element) -> str:
    return " ".join(element.text.split())


def of_all_pages(site: Path) -> list[dict]:
    return json.loads((site / "link-index.json").read_text(encoding="utf-8"))["equations"]


@pytest.fixture(scope="module")
def equations(site) -> list[dict]:
    """Those of the attention page, in its order."""
    return [equation for equation in of_all_pages(site) if equation["page"] == "attention/"]


@pytest.fixture(scope="module")
def page(site) -> Element:
    return read(site, "attention")


@pytest.fixture(scope="module")
def report(site) -> Element:
    return read(site, "evidence/attention")


def test_every_concept_shows_a_few_mutants_and_the_test_that_catches_each(page, equations):
    concepts = {equation["concept"] for equation in equations}
    of_concept: dict[str, list[Element]] = {}
    section = None
    for element in page.walk():
        if element.tag == "h3":
            section = element.attributes.get("id")
        if element.tag == "figure" and "lx-whatif" in element.classes:
            of_concept.setdefault(section.removesuffix("-whatif"), []).append(element)
    assert set(of_concept) == concepts
    nodeids = {equation["anchor"]: equation["tests"][0]["nodeid"] for equation in equations}
    for figures in of_concept.values():
        assert 2 <= len(figures) <= 4
        for figure in figures:
            anchor = next(a.attributes["href"] for a in find(figure, "a") if a.attributes["href"].startswith("#eq-"))
            assert nodeids[anchor[1:]].rpartition("::")[2] in text_of(figure)
            before, after = (code.text for code in find(figure, "code")[:2])
            assert before != after and (find(figure, "del") or find(figure, "ins"))


def test_the_line_as_it_is_stands_in_the_source(page):
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "transformer").glob("*.py"))
    lines = [find(figure, "code")[0].text for figure in find(page, "figure", "lx-whatif")]
    assert [line for line in lines if line not in sources] == []


def test_the_numbers_of_a_mutant_are_those_that_its_code_gives(page):
    """The gradient through the output projection, without the transpose: computed here with NumPy alone."""
    (figure,) = [f for f in find(page, "figure", "lx-whatif") if 'dO = dot(dOut, params["wo"])' in f.text]
    spec = importlib.util.spec_from_file_location("attention_example", ROOT / "docs" / "attention.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    given = example.inputs()
    rows = [[float(cell.attributes["data-value"]) for cell in find(row, "td") if "data-value" in cell.attributes]
            for row in find(figure, "tr")[1:]]  # fmt: skip
    wo = given["params"]["wo"]
    np.testing.assert_allclose(rows, [given["dOut"][0] @ wo.T, given["dOut"][0] @ wo], rtol=1e-12)


def test_the_evidence_page_lists_every_mutant(report, equations):
    listed = {}
    for details in find(report, "details", "lx-mutants"):
        name = next((e.attributes["data-label"] for e in details.walk() if "data-label" in e.attributes), "")
        if name.startswith("Mutants of equation"):
            number = int(name.split()[3].rstrip(","))
            listed[number] = len(find(details, "td", "lx-outcome"))
    assert listed == {n: equation["tests"][0]["mutants"]["total"] for n, equation in enumerate(equations, 1)}


def test_the_report_counts_what_the_link_index_says(site):
    equations = of_all_pages(site)
    (counts,) = find(read(site, "evidence"), class_name="lx-tally")
    shown = {text_of(find(box, "dt")[0]): int(text_of(find(box, "dd")[0])) for box in find(counts, "div")}
    mutants = [equation["tests"][0]["mutants"] for equation in equations]
    assert shown == {
        "equations": len(equations),
        "proved in all 6 steps": sum(
            all(step["ok"] and not step["exception"] for step in equation["evidence"].values())
            for equation in equations
        ),
        "written exceptions": sum(bool(step["exception"]) for e in equations for step in e["evidence"].values()),
        "mutants tried": sum(counts["total"] for counts in mutants),
        "mutants caught by a test": sum(counts["killed"] for counts in mutants),
    }


def test_the_table_of_uses_names_every_equation_once_and_the_uses_that_a_reader_expects(report, equations):
    (table,) = [one for one in find(report, "table") if "Used by" in text_of(find(one, "tr")[0])]
    rows = find(table, "tr")[1:]
    anchors = [find(row, "a")[0].attributes["href"].partition("#")[2] for row in rows]
    assert sorted(anchors) == sorted("evidence-" + equation["anchor"].removeprefix("eq-") for equation in equations)
    uses = {text_of(find(row, "a")[0]): [text_of(e) for e in find(find(row, "td")[0], "span")] for row in rows}
    assert uses["(9) Causal mask"] == ["(8) Scaled scores"]
    assert [name.partition(" ")[0] for name in uses["(10) Weights, one row at a time"]] == ["(9)", "(11)"]
    assert [name.partition(" ")[0] for name in uses["(4) Split each matrix into heads"]] == ["(1)", "(2)", "(3)", "(6)"]


def test_every_equation_leads_to_its_evidence(page, report, equations):
    anchors = {e.attributes["id"] for e in report.walk() if "id" in e.attributes}
    links = [a.attributes["href"] for a in find(page, "a", "lx-ladder-link")]
    assert len(links) == len(equations)
    assert all(link.startswith("../evidence/attention/#") and link.partition("#")[2] in anchors for link in links)


def test_functions_listed_as_unlinked_are_linked_from_no_equation(site):
    linked = {link["function"] for equation in of_all_pages(site) for link in equation["links"]}
    shown = text_of(read(site, "evidence"))
    index, resolution, _ = places_for(read_config(ROOT))
    assert index.equations and linked & set(resolution.functions)
    assert f"{len({link for link in linked if link.startswith('transformer.')})} of " in shown
    assert "numerical_gradient" in shown
