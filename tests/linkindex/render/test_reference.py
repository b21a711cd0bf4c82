"""The reference: everything that can be written, and everything that is reported, from the tables of the code."""

import pytest

from linkindex.codes import registered
from linkindex.directives import declaration, names
from linkindex.load import config, records, references, symbols

from .small import book, directive, find, html, pages, text_of, texts


@pytest.fixture(scope="module")
def reference():
    return html(pages(book(directive("reference")))["pair.md"])


def rows(page, title):
    """The rows of the table below a heading, each by its name."""
    (table,) = [one for one in find(page, class_="lx-scroll") if one.attributes.get("data-label") == title]
    return {text_of(cells[0]): cells for row in find(table, "tr")[1:] if (cells := list(row.children))}


TABLES = [
    ("Keys of a record", records.KEYS), ("Keys of a symbol", symbols.KEYS), ("Keys of a cited work", references.KEYS),
    ("Keys of the configuration", config.KEYS), ("Directives", dict.fromkeys(names())),
]  # fmt: skip


@pytest.mark.parametrize(("title", "known"), TABLES, ids=[title for title, _ in TABLES])
def test_every_name_that_can_be_written_has_a_row(reference, title, known):
    assert list(rows(reference, title)) == list(known)


def test_every_code_has_a_row_that_can_be_linked_to(reference):
    found = {code: texts(row) for code in registered() for row in find(reference, "tr", id=code)}
    assert found.keys() == registered().keys()
    assert found["LI119"] == [
        "LI119", "There are no equations, so nothing would be checked.", "Write a record beside a page.",
    ]  # fmt: skip


def test_code_in_a_sentence_is_shown_as_code(reference):
    (row,) = find(reference, "tr", id="LI113")
    assert [text_of(code) for code in find(row, "code")] == ["LI113", "::: equation ID"]


@pytest.mark.parametrize("name", names())
def test_a_directive_is_shown_with_its_options(reference, name):
    (row,) = find(reference, "tr", id=f"directives-{name}")
    assert set(declaration(name).options) <= {text_of(code) for code in find(row, "code")}
