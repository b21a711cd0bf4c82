"""What is said once for the whole page, and where a section stands among its steps."""

from dataclasses import replace

import pytest

from linkindex.model import Concept, Place
from linkindex.render import rendered
from linkindex.render.book import Book

from .small import book, directive, find, findings, html, page, pages, prose, text_of


def notes(*blocks):
    """The first words of each note of the key, with the whole."""
    (key,) = find(page(*blocks), "ul", class_="lx-key")
    return {text_of(find(note, "b")[0]): text_of(note) for note in find(key, "li")}


def test_the_key_says_where_numbers_come_from_and_what_a_check_is():
    said = notes(directive("key"))
    assert list(said) == ["Blue was recorded", "✓ 6 of 6", "Numbers", "Shapes beside code"]
    assert "docs/pair.py, an illustrative example" in said["Blue was recorded"]
    assert "chosen by hand, not learned" in said["Blue was recorded"]
    assert "halves to the even digit" in said["Numbers"]
    (link,) = find(find(page(directive("key")), class_="lx-key")[0], "a")
    assert link.attributes["href"] == "../evidence/pair/"


def test_the_key_explains_only_the_colours_that_the_page_has():
    assert "Amber is wrong on purpose" in notes(directive("key"), directive("whatif", 50))
    assert not any(words.startswith(("Amber", "Teal")) for words in notes(directive("key")))


def test_a_page_adds_notes_of_its_own():
    assert notes(directive("key", also={"In a block": "the input is <normalised>"}))["In a block"] == (
        "In a block the input is <normalised>"
    )


def stepped(*concepts, of):
    """The small page with more sections, and steps."""
    small = book(directive("steps", of=of))
    page = small.index.pages[0]
    more = tuple(Concept(title, anchor, (prose("Words."),), (), Place(page.path, 60)) for title, anchor in concepts)
    made = Book(replace(small.index, pages=(replace(page, blocks=(*page.blocks, *more)),)),
                small.resolution, small.runs, small.evidence)  # fmt: skip
    return html(pages(made)["pair.md"])


def test_each_section_begins_with_its_place_among_the_steps():
    root = stepped(("Masks", "mask"), of={"S": "scores", "mask": "mask"})
    strips = find(root, "nav", class_="lx-strip")
    assert [strip.attributes["aria-label"] for strip in strips] == ["Step 1 of 2", "Step 2 of 2"]
    links = [[(text_of(a), a.attributes["href"], a.attributes.get("aria-current")) for a in find(strip, "a")]
             for strip in strips]  # fmt: skip
    assert links == [
        [("S", "#scores", "step"), ("mask", "#mask", None)], [("S", "#scores", None), ("mask", "#mask", "step")],
    ]  # fmt: skip
    elements = list(root.walk())
    places = {e.attributes["id"]: n for n, e in enumerate(elements) if e.tag == "h2"}
    at = [n for n, e in enumerate(elements) if e in strips]
    assert places["scores"] < at[0] < places["mask"] < at[1]
    assert not [e for e in elements[places["scores"] : at[0]] if e.tag == "div"]  # before all else of the section


def test_the_strip_costs_no_tab_stop_since_the_contents_have_the_same_links():
    root = stepped(of={"S": "scores", "mask": "mask"})
    assert {a.attributes["tabindex"] for a in find(find(root, class_="lx-strip")[0], "a")} == {"-1"}


def test_a_section_that_is_no_step_has_no_strip():
    root = stepped(("Masks", "mask"), ("Sources", "sources"), of={"mask": "mask"})
    (strip,) = find(root, "nav", class_="lx-strip")
    assert strip.attributes["aria-label"] == "Step 1 of 1"


def test_steps_are_told_apart_from_words():
    made, _ = rendered(book(directive("steps", of="scores")))
    assert not find(html(made["pair.md"]), "nav")


@pytest.mark.parametrize("of", ["scores", ["scores"], {}, {"S": ["scores"]}])
def test_steps_without_anchors_are_refused(of):
    (found,) = findings(directive("steps", of=of))
    assert found.code == "LI604" and "option 'of'" in found.message
