"""Source pages, indexes, the files on disk, and link-index.json."""

import json
from urllib.parse import urljoin

import jsonschema
import pytest
import yaml

from linkindex.link_index import link_index, to_json
from linkindex.model import Step
from linkindex.render import render, sources, urls
from linkindex.render.book import Book
from linkindex.render.html import breakable
from linkindex.render.sources import source_page
from linkindex.schema import schema
from linkindex.verify.landings import characters

from .small import (
    ASSERTION, CODES, FILE, SOURCE, TEST, TEST_FILE, book, directive, find, html, pages, text_of, texts,
)  # fmt: skip


def source(file):
    return html(pages(book())[f"source/{file}.md"])


def test_a_source_page_shows_every_line_at_its_anchor():
    root = source(FILE)
    shown = {line.attributes["id"]: find(line, "code")[0].text for line in find(root, class_="lx-line")}
    assert shown == {f"L{n}": text for n, text in enumerate(SOURCE.rstrip("\n").split("\n"), 1)}


def test_marks_of_a_source_page_cover_the_linked_code_of_each_equation():
    lines = [find(line, "code")[0] for line in find(source(FILE), class_="lx-line")]
    for name, code in CODES.items():
        texts = ["".join(c.text for c in characters(line) if name in c.equations) for line in lines]
        assert "\n".join(text for text in texts if text) == code


def test_beside_a_linked_line_stand_the_equations_it_serves():
    (line,) = find(source(FILE), id="L8")
    assert [text_of(note) for note in find(line, class_="lx-note-of")] == [
        "computes Pairs 1: Scaled scores", "computes Pairs 2: Product <before> scaling",
    ]  # fmt: skip
    links = [a.attributes["href"] for a in find(line, "a")]
    assert links == ["#L8", "../../../pair/#eq-pair-scaled", "../../../pair/#eq-pair-product"]


def test_a_test_file_says_what_its_assertions_test():
    (line,) = find(source(TEST_FILE), id="L2")
    assert "tests Pairs 1: Scaled scores" in text_of(line)
    assert find(line, "mark")[0].text == ASSERTION


def test_source_pages_are_not_searched():
    front = pages(book())[f"source/{FILE}.md"].split("---\n")[1]
    assert yaml.safe_load(front)["search"] == {"exclude": True}


def test_the_equation_index_has_one_row_for_each_equation():
    root = html(pages(book())["equations.md"])
    rows = {row.attributes["data-equation"]: row for row in find(root, "tr") if "data-equation" in row.attributes}
    assert list(rows) == ["pair.scaled", "pair.product"]
    first = rows["pair.scaled"]
    assert [a.attributes["href"] for a in find(first, "a")] == [
        "../pair/#eq-pair-scaled", "../source/mini/pair.py/#L7", "../source/tests/test_pair.py/#L2",
    ]  # fmt: skip
    (ladder,) = find(first, class_="lx-ladder")
    said = "Evidence: 4 of 6 steps done, 2 not run, not defended"
    assert find(first, "math") and ladder.attributes["aria-label"] == said


def test_a_work_is_listed_with_the_equations_that_refer_to_it():
    root = html(pages(book())["equations.md"])
    assert text_of(find(root, "dt", id="ref-known2020")[0]) == "On pairs"
    assert "Referred to by Pairs 1: Scaled scores: section 2, eq. 1." in text_of(root)


def test_the_symbol_index_says_where_each_symbol_is_used():
    root = html(pages(book())["symbols.md"])
    rows = {row.attributes["data-sym"]: texts(row) for row in find(root, "tr", class_="lx-symbol")}
    assert rows["S"] == ["S", "Scaled scores", "S", "(n, k)", "Pairs 1, Pairs 2"]
    assert rows["n"][-1] == "in shapes"


def test_links_of_the_generated_pages_lead_somewhere():
    blocks = [directive(name) for name in ("key", "symbols", "code", "whatif", "dossier")]
    written = pages(book(*blocks, directive("matrices", show=["Q"])))
    roots = {f"/{path.removesuffix('.md')}/": html(text) for path, text in written.items()}
    ids = {here: {e.attributes.get("id") for e in root.walk()} for here, root in roots.items()}
    for here, root in roots.items():
        for link in find(root, "a"):
            page, _, anchor = urljoin(here, link.attributes["href"]).partition("#")
            assert page in ids and (not anchor or anchor in ids[page]), f"{here}: {link.attributes['href']}"


@pytest.mark.parametrize("here, there, link", [
    ("attention/", "source/a/b.py/#L8", "../source/a/b.py/#L8"), ("", "attention/#eq", "attention/#eq"),
    ("attention/", "attention/#eq", "#eq"), ("a/b/", "", "../../"), ("a/", "", "../"), ("a/b/", "a/", "../"),
])  # fmt: skip
def test_addresses_are_relative_to_the_page(here, there, link):
    assert urls.relative(here, there) == link


@pytest.mark.parametrize("stem, url", [
    ("index", ""), ("attention", "attention/"), ("deep/index", "deep/"), ("deep/a b", "deep/a%20b/"),
])  # fmt: skip
def test_a_page_has_a_directory_address(stem, url):
    assert urls.page_url(stem) == url


def test_an_unchanged_file_is_not_written_again_and_a_stale_one_goes(tmp_path):
    small = book()
    stages = small.index, small.resolution, small.runs, small.evidence
    render(*stages, tmp_path)
    (tmp_path / "mine.md").write_text("kept")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    render(*stages, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == before

    fewer = Book(small.index, type(small.resolution)({}, {}, {}, {}, (), {}), small.runs, small.evidence)
    render(fewer.index, fewer.resolution, fewer.runs, fewer.evidence, tmp_path)
    assert not (tmp_path / "source").exists()
    assert (tmp_path / "mine.md").read_text() == "kept"


def test_a_damaged_list_of_files_deletes_nothing_outside(tmp_path):
    outside = tmp_path / "precious.md"
    outside.write_text("kept")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".rendered").write_text(f"../precious.md\n{outside}\n")
    small = book()
    render(small.index, small.resolution, small.runs, small.evidence, tmp_path / "out")
    assert outside.read_text() == "kept"


def test_the_link_index_agrees_with_its_schema_and_with_the_sources():
    steps = {"formula": Step(True, max_error=1e-16, tolerance=1e-10, trials=3)}
    small = book(directive("matrices", show=["Q"]), steps=steps, commit="b" * 40)
    document = link_index(small.index, small.resolution, small.runs, small.evidence)
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.Draft202012Validator(schema()).validate(document)
    first = document["equations"][0]
    assert (first["page"], first["anchor"], first["concept"]) == ("pair/", "eq-pair-scaled", "scores")
    assert first["example"] == {"id": "pair", "anchor": "scores-example"}
    assert [link["role"] for link in first["links"]] == ["computes", "tests"]
    assert first["evidence"]["formula"] == {
        "ok": True, "why": None, "exception": None, "max_error": 1e-16, "tolerance": 1e-10, "trials": 3,
    }  # fmt: skip
    assert first["evidence"]["defended"] == {"ok": False, "why": "not run", "exception": None}
    assert first["tests"][0]["executes"] and first["tests"][0]["outcome"] == "passed"
    texts = {FILE: SOURCE.split("\n"), TEST_FILE: TEST.split("\n")}
    for link in (link for equation in document["equations"] for link in equation["links"]):
        lines = texts[link["file"]][link["line"] - 1 : link["end_line"]]
        lines[-1] = lines[-1][: link["end_col"] - 1]
        lines[0] = lines[0][link["col"] - 1 :]
        assert "\n".join(lines) == link["code"]


def test_the_schema_refuses_an_equation_without_a_link_role_and_a_leading_slash():
    small = book()
    document = link_index(small.index, small.resolution, small.runs, small.evidence)
    validator = jsonschema.Draft202012Validator(schema())
    for change in (
        {"page": "/pair/"}, {"anchor": "#eq-pair-scaled"}, {"latex": r"\sym{Q}{Q}"}, {"links": [{"role": "computes"}]},
    ):  # fmt: skip
        damaged = {**document, "equations": [{**document["equations"][0], **change}]}
        assert not validator.is_valid(damaged), change


def test_the_link_index_is_the_same_text_each_time():
    small = book()
    stages = small.index, small.resolution, small.runs, small.evidence
    assert to_json(link_index(*stages)) == to_json(link_index(*stages))
    assert json.loads(to_json(link_index(*stages)))["schema"] == 2


def test_source_pages_are_made_anew_when_their_template_changes(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    small = book()
    before = source_page(small, FILE, SOURCE)
    assert source_page(small, FILE, SOURCE) == before
    monkeypatch.setattr(sources, "text_of", lambda template: "another text")
    monkeypatch.setattr(sources, "fill", lambda template, **values: "made anew")
    assert "made anew" in source_page(small, FILE, SOURCE)


@pytest.mark.parametrize(("name", "pieces"), [
    ("test_x", ["test_x"]), ("test_query_projection", ["test_query_projection"]),
    ("transformer/attention.py:65", ["transformer/", "attention.py:65"]),
    ("mini.pair.scores", ["mini.pair.scores"]), ("a" * 30, ["a" * 30]),
    ("test_weights_are_the_softmax_of_each_row", ["test_weights_", "are_the_softmax_", "of_each_row"]),
])  # fmt: skip
def test_a_long_name_may_be_broken_at_a_few_of_its_separators(name, pieces):
    assert breakable(name).split("<wbr>") == pieces
