"""The evidence as the built site shows it, against what the link index and the package say."""

import importlib.util
import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import places_for
from linkindex.verify.html import Element, parse
from tests.pages import EQUATIONS

ROOT = Path(__file__).parents[2]
PAGES = list(EQUATIONS)


def read(site: Path, page: str) -> Element:
    return parse((site / page / "index.html").read_text(encoding="utf-8"))


def find(root: Element, tag: str | None = None, class_name: str | None = None) -> list[Element]:
    return [e for e in root.walk() if tag in (None, e.tag) and (class_name is None or class_name in e.classes)]


def text_of(element: Element) -> str:
    return " ".join(element.text.split())


def of_all_pages(site: Path) -> list[dict]:
    return json.loads((site / "link-index.json").read_text(encoding="utf-8"))["equations"]


@pytest.fixture(params=PAGES)
def name(request) -> str:
    return request.param


@pytest.fixture
def equations(site, name) -> list[dict]:
    """Those of one page, in its order."""
    return [equation for equation in of_all_pages(site) if equation["page"] == f"{name}/"]


@pytest.fixture
def page(site, name) -> Element:
    return read(site, name)


@pytest.fixture
def report(site, name) -> Element:
    return read(site, f"evidence/{name}")


def by_section(page: Element, tag: str, class_name: str) -> dict[str, list[Element]]:
    """Elements by the anchor of the section that they stand in."""
    found: dict[str, list[Element]] = {}
    section = None
    for element in page.walk():
        if element.tag == "h2":
            section = element.attributes.get("id")
        if element.tag == tag and class_name in element.classes:
            found.setdefault(section, []).append(element)
    return found


def test_every_concept_shows_one_mutant_and_the_test_that_catches_it(page, equations):
    nodeids: dict[str, set[str]] = {}
    for equation in equations:
        nodeids.setdefault(equation["concept"], set()).add(equation["tests"][0]["nodeid"].rpartition("::")[2])
    shown = by_section(page, "aside", "lx-whatif")
    assert set(shown) == set(nodeids)
    for concept, (aside,) in shown.items():
        assert text_of(find(aside, "p", "lx-whatif__ask")[0]).endswith("?")
        before, after = (code.text for code in find(find(aside, "pre", "lx-diff")[0], "code"))
        assert before != after and (find(aside, "del") or find(aside, "ins"))
        assert any(name in text_of(aside) for name in nodeids[concept])
        rows = [[cell.text for cell in find(row, "td") if "data-value" in cell.attributes] for row in find(aside, "tr")]
        assert len(rows[-2]) == len(rows[-1]) > 0 and rows[-2] != rows[-1]


def test_the_fold_of_every_concept_holds_its_links_its_checks_and_a_few_mutants(page, equations):
    folds = {section: fold for section, (fold, *_) in by_section(page, "details", "lx-links").items()}
    for concept in {equation["concept"] for equation in equations}:
        fold, own = folds[concept], [equation for equation in equations if equation["concept"] == concept]
        assert "open" not in fold.attributes
        hrefs = {a.attributes["href"] for a in find(fold, "a")}
        assert {f"../{link['url']}" for equation in own for link in equation["links"]} <= hrefs
        assert {f"#{equation['anchor']}" for equation in own} <= hrefs
        tables = {text_of(find(table, "caption")[0]): table for table in find(fold, "table") if find(table, "caption")}
        (checks,) = [table for caption, table in tables.items() if caption.startswith("Six checks")]
        assert len(find(checks, "td", "lx-step")) == 6 * len(own)
        (mutants,) = [table for caption, table in tables.items() if re.match(r"\w+ of \d+ mutants", caption)]
        assert 2 <= len(find(mutants, "tr")[1:]) <= 4


def test_the_line_as_it_is_stands_in_the_source(page):
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "transformer").glob("*.py"))
    lines = [find(aside, "code")[0].text for aside in find(page, "aside", "lx-whatif")]
    assert lines and [line for line in lines if line not in sources] == []


MUTANTS = {  # page, anchor of the section -> the right row and the wrong one, computed here with NumPy alone
    ("attention", "scores"): lambda v: (v.Q[0, 2] @ v.K[0].T, v.K[0, 2] @ v.K[0].T),
    ("attention", "scaling"): lambda v: (v.Q[0, 2] @ v.K[0].T / np.sqrt(2), v.Q[0, 2] @ v.K[0].T),
    ("attention-backward", "value-gradients"): lambda v: ((v.A[0].T @ v.dO[0])[0], (v.A[0] @ v.dO[0])[0]),
}


def with_numpy_alone():
    """Queries, keys, attention weights and the gradient of the heads for the inputs of the example."""
    spec = importlib.util.spec_from_file_location("attention_example", ROOT / "docs" / "attention.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    given = example.inputs()
    params = given["params"]
    wide = [given["Xn"] @ params["w" + n] + params["b" + n] for n in "qk"] + [given["dOut"] @ params["wo"].T]
    Q, K, dO = (M.reshape(*M.shape[:-1], given["H"], -1).swapaxes(0, 1) for M in wide)
    powers = np.exp(Q @ K.mT / np.sqrt(Q.shape[-1])) * np.tri(Q.shape[1])
    return SimpleNamespace(Q=Q, K=K, dO=dO, A=powers / powers.sum(-1, keepdims=True))


@pytest.mark.parametrize(("name", "section"), MUTANTS)
def test_the_numbers_of_a_mutant_are_those_that_its_code_gives(site, name, section):
    (aside,) = by_section(read(site, name), "aside", "lx-whatif")[section]
    rows = [[float(cell.attributes["data-value"]) for cell in find(row, "td") if "data-value" in cell.attributes]
            for row in find(aside, "tr")[1:]]  # fmt: skip
    np.testing.assert_allclose(rows, MUTANTS[name, section](with_numpy_alone()), rtol=1e-12)


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
        "checked in all 6 ways": sum(
            all(step["ok"] and not step["exception"] for step in equation["evidence"].values())
            for equation in equations
        ),
        "written exceptions": sum(bool(step["exception"]) for e in equations for step in e["evidence"].values()),
        "planted faults, or mutants": sum(counts["total"] for counts in mutants),
        "noticed by a test": sum(counts["killed"] for counts in mutants),
    }


def uses_of(report: Element) -> tuple[list[str], dict[str, list[str]]]:
    """Anchors, and the names of the equations that each one uses, by its label."""
    (table,) = [one for one in find(report, "table") if "Used by" in text_of(find(one, "tr")[0])]
    rows = find(table, "tr")[1:]
    anchors = [find(row, "a")[0].attributes["href"].partition("#")[2] for row in rows]
    return anchors, {
        text_of(find(row, "a")[0]): [text_of(e).partition(":")[0] for e in find(find(row, "td")[0], "span")]
        for row in rows
    }


def test_the_table_of_uses_names_every_equation_once(report, equations):
    anchors, _ = uses_of(report)
    assert sorted(anchors) == sorted("evidence-" + equation["anchor"].removeprefix("eq-") for equation in equations)


def test_the_table_of_uses_has_those_that_a_reader_expects(site):
    _, uses = uses_of(read(site, "evidence/attention"))
    assert uses["Attention 9: Causal mask"] == ["Attention 8"]
    assert uses["Attention 10: Attention weights, one row at a time"] == ["Attention 9", "Attention 11"]
    assert uses["Attention 4: Split each matrix into heads"] == [f"Attention {n}" for n in (1, 2, 3, 6)]


def test_every_equation_leads_to_its_evidence(page, report, name, equations):
    anchors = {e.attributes["id"] for e in report.walk() if "id" in e.attributes}
    for equation in equations:
        (card,) = [e for e in page.walk() if e.attributes.get("id") == equation["anchor"]]
        (proof,) = find(card, "p", "lx-proof")
        first = find(proof, "a")[0]
        assert text_of(first).startswith("✓ 6 of 6 checks")
        assert first.attributes["href"] == f"../evidence/{name}/#evidence-{equation['anchor'].removeprefix('eq-')}"
        assert first.attributes["href"].partition("#")[2] in anchors


def test_the_line_of_proof_names_every_place_the_test_and_its_mutants(page, equations):
    for equation in equations:
        (card,) = [e for e in page.walk() if e.attributes.get("id") == equation["anchor"]]
        (proof,) = find(card, "p", "lx-proof")
        hrefs = [a.attributes["href"] for a in find(proof, "a")]
        test = equation["tests"][0]
        code = [link["url"] for link in equation["links"] if link["role"] in ("computes", "calls")]
        assert {f"../{url}" for url in code} <= set(hrefs) or len(code) > 1  # neighbours are told as one
        assert test["nodeid"].rpartition("::")[2] in text_of(proof)
        assert f"{test['mutants']['killed']} of {test['mutants']['total']} mutant" in text_of(proof)


def test_functions_listed_as_unlinked_are_linked_from_no_equation(site):
    linked = {link["function"] for equation in of_all_pages(site) for link in equation["links"]}
    shown = text_of(read(site, "evidence"))
    index, resolution, _ = places_for(read_config(ROOT))
    assert index.equations and linked & set(resolution.functions)
    assert f"{len({link for link in linked if link.startswith('transformer.')})} of " in shown
    assert "numerical_gradient" in shown
