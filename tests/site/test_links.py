"""Every link of the built site's index is followed: to the file, to the line and column, to the source page."""

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from linkindex.schema import schema
from linkindex.verify.html import parse
from tests.pages import DOCS, EQUATIONS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def index(site):
    return json.loads((site / "link-index.json").read_text(encoding="utf-8"))


def text_at(link):
    """The text of a file from one place to another: 1-based, in characters, the last line inclusive."""
    lines = (ROOT / link["file"]).read_text(encoding="utf-8-sig").split("\n")[link["line"] - 1 : link["end_line"]]
    lines[-1] = lines[-1][: link["end_col"] - 1]
    lines[0] = lines[0][link["col"] - 1 :]
    return "\n".join(lines)


def test_every_link_opens_the_code_that_is_shown(index):
    links = [link for equation in index["equations"] for link in equation["links"]]
    assert len(links) >= 2 * len(index["equations"]) > 0  # each has code and a test, several have more
    for link in links:
        assert text_at(link) == link["code"], link


def test_every_link_lands_on_its_line_of_the_source_page(index, site):
    for equation in index["equations"]:
        for link in equation["links"]:
            page, _, anchor = link["url"].partition("#")
            assert anchor == f"L{link['line']}"
            tree = parse((site / page / "index.html").read_text(encoding="utf-8"))
            line = next(element for element in tree.walk() if element.attributes.get("id") == anchor)
            marked = [
                e for e in line.walk() if e.tag == "mark" and equation["id"] in e.attributes.get("data-eq", "").split()
            ]
            first = link["code"].split("\n")[0]
            assert any(first in mark.text for mark in marked), (equation["id"], link["url"])


def test_every_record_is_in_the_index_with_code_a_test_and_an_example(index, site):
    names = [equation["id"] for equation in index["equations"]]
    assert sorted(names) == sorted(name for names in EQUATIONS.values() for name in names)
    for equation in index["equations"]:
        assert {"computes", "tests"} <= {link["role"] for link in equation["links"]}
        assert all(test["outcome"] == "passed" and test["executes"] for test in equation["tests"])
        page = parse((site / equation["page"] / "index.html").read_text(encoding="utf-8"))
        anchors = {element.attributes.get("id") for element in page.walk()}
        assert {equation["anchor"], equation["example"]["anchor"]} <= anchors


def test_the_index_is_valid_by_its_schema(index):
    assert list(Draft202012Validator(schema()).iter_errors(index)) == []


def test_every_step_of_every_equation_holds(index):
    for equation in index["equations"]:
        assert all(step["ok"] for step in equation["evidence"].values()), equation["id"]
        assert equation["tests"][0]["mutants"]["survived"] == 0
        assert equation["tests"][0]["mutants"]["killed"] > 0


@pytest.mark.parametrize("page", EQUATIONS)
def test_an_equation_costs_few_lines_to_write(page):
    """The median record of a page has at most six lines, the longest fifteen."""
    text = (DOCS / f"{page}.yml").read_text(encoding="utf-8")
    lines_of = {}
    for key, value in yaml.compose(text).value:
        if key.value not in ("notation", "shares"):
            lines = text.split("\n")[key.start_mark.line : value.end_mark.line]
            lines_of[key.value] = len([line for line in lines if line.strip() and not line.lstrip().startswith("#")])
    costs = sorted(lines_of.values())
    assert len(costs) == len(EQUATIONS[page])
    assert costs[len(costs) // 2] <= 6
    assert costs[-1] <= 15, max(lines_of, key=lines_of.get)
