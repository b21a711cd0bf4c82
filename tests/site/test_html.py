"""The files of the built site, read back."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from linkindex.verify.html import Element, parse
from tests.pages import EQUATIONS

ROOT = Path(__file__).parents[2]
PAGES = [
    "index.html",
    "source/transformer/attention.py/index.html",
    "equations/index.html",
    "symbols/index.html",
    "evidence/index.html",
    *(f"{folder}{page}/index.html" for page in EQUATIONS for folder in ("", "evidence/")),
]
# Latin, Greek, punctuation, currencies, arrows, operators, technical signs, boxes and shapes, ✓ and ✗
PLAIN = (
    range(0xA0, 0x180), range(0x370, 0x400), range(0x2010, 0x2040), range(0x20A0, 0x20C0), range(0x2190, 0x2400),
    range(0x2500, 0x2600), range(0x2713, 0x2718),
)  # fmt: skip
BUDGET = 250_000  # bytes of a first visit, compressed


def read(site: Path, path: str) -> Element:
    return parse((site / path).read_text(encoding="utf-8"))


def address_of(page: str, reference: str) -> Path:
    return Path(os.path.normpath(Path(page).parent / reference.partition("?")[0].partition("#")[0]))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_title_description_language_and_one_first_heading(site, page):
    elements = list(read(site, page).walk())
    assert [e.attributes.get("lang") for e in elements if e.tag == "html"] == ["en"]
    assert [e.text for e in elements if e.tag == "title"][0].strip()
    metadata = {e.attributes.get("name"): e.attributes.get("content") for e in elements if e.tag == "meta"}
    assert metadata["description"]
    assert sum(e.tag == "h1" for e in elements) == 1


@pytest.mark.parametrize("page", PAGES)
def test_the_first_visit_stays_in_its_budget(site, page):
    needed = {page}
    for element in read(site, page).walk():
        if element.tag in ("script", "img") and "src" in element.attributes:
            needed.add(str(address_of(page, element.attributes["src"])))
        if element.tag == "link" and element.attributes.get("rel") in ("stylesheet", "preload"):
            needed.add(str(address_of(page, element.attributes["href"])))
    sizes = {path: len(gzip.compress((site / path).read_bytes())) for path in needed}
    assert sum(sizes.values()) <= BUDGET, sizes


def test_records_examples_and_sources_are_not_published_as_files(site):
    published = {path.suffix for path in site.rglob("*") if path.is_file()}
    assert published.isdisjoint({".md", ".yml", ".yaml", ".py", ".lock"})


def test_every_equation_is_found_by_the_search_by_its_name(site):
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    found = " ".join(entry["title"] + " " + entry["text"] for entry in entries).lower()
    index = json.loads((site / "link-index.json").read_text(encoding="utf-8"))
    titles = [equation["title"] for equation in index["equations"]]
    assert titles
    assert [title for title in titles if parse(title).text.lower() not in parse(found).text] == []


def test_no_two_results_of_a_search_on_a_page_have_one_title(site):
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    titles = [(entry["location"].partition("#")[0], entry["title"]) for entry in entries]
    assert len(titles) == len(set(titles))
    assert {("attention/", "Causal mask"), ("evidence/attention/", "Attention 9: Causal mask")} <= set(titles)


def test_the_search_finds_the_words_at_both_ends_of_a_cell(site):
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    text = next(parse(entry["text"]).text for entry in entries if entry["location"] == "equations/")
    assert {"Evidence", "Query", "projection", "test_query_projection"} <= set(text.split())
    assert "Query projection Q=" in text


def test_source_pages_are_not_in_the_search_index(site):
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    assert [entry["location"] for entry in entries if entry["location"].startswith("source/")] == []


def test_every_character_of_mathematics_is_in_the_shipped_font(site):
    font = TTFont(site / "assets/linkindex/fonts/latinmodern-math-subset.woff2")
    assert "MATH" in font
    pages = [page.relative_to(site).as_posix() for page in site.rglob("*.html")]
    used = {character for page in pages for e in read(site, page).walk() if e.tag == "math" for character in e.text}
    # Browsers draw mathematical letters, such as an italic x, by themselves from the plain ones: both must be there.
    missing = {character for character in used if ord(character) not in font.getBestCmap() and not character.isspace()}
    assert missing == set()


def test_every_character_of_text_is_one_that_plain_fonts_have(site):
    """Letters of Latin and Greek, punctuation, arrows, operators, and the signs of the evidence."""
    pages = sorted(site.rglob("*.html"))
    used = {character: page.name for page in pages for character in own_text(parse(page.read_text(encoding="utf-8")))}
    plain = {character for character in used if any(ord(character) in block for block in PLAIN)}
    assert {character: page for character, page in used.items() if character not in plain and character > "~"} == {}


def own_text(element: Element) -> str:
    """What stands outside of formulas, scripts and styles."""
    if element.tag in ("math", "script", "style"):
        return ""
    return "".join(own_text(child) if isinstance(child, Element) else child for child in element.children)


def test_the_licence_of_the_font_is_shipped_beside_it(site):
    assert (site / "assets/linkindex/fonts/GUST-FONT-LICENSE.txt").is_file()


def test_two_builds_are_equal_byte_for_byte(site, build_into, tmp_path):
    # Another hash seed and another folder: neither may show in the files.
    second = build_into(tmp_path / "second", PYTHONHASHSEED="7")
    assert tree(second) == tree(site)


def test_a_site_built_by_mkdocs_alone_is_the_same_site(site, tmp_path):
    target = tmp_path / "by-mkdocs"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stdout + result.stderr
    assert tree(target) == tree(site)


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
