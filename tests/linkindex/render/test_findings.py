"""What a page says of a directive that it cannot show: where, what was expected, what was found, what to do."""

from dataclasses import replace

import pytest

from linkindex.model import Page, Place, Prose
from linkindex.render import rendered
from linkindex.render.book import Book

from .small import SYMBOLS, book, directive, filled, find, findings, html, value

CUBE = {"C": filled(2, 2, 2)}


@pytest.mark.parametrize("block, code, says", [
    (directive("heatmaps", show="Q"), "LI602", "nearest: heatmap"),
    (directive("matrices", show=["Qq"]), "LI603", "nearest: Q"),
    (directive("matrices", show=["Q +"]), "LI603", "is not an expression"),
    (directive("matrices", show=["Q"], titel="T"), "LI604", "no option 'titel'; nearest: title"),
    (directive("matrices"), "LI604", "needs the option 'show'"),
    (directive("matrices", show=[]), "LI604", "at least one"),
    (directive("matrices", show=["Q"], decimals="many"), "LI604", "expected a whole number, found 'many'"),
    (directive("matrices", show=["Q"], decimals="40"), "LI604", "at most 17"),
    (directive("matrices Q", show=["Q"]), "LI604", "takes 0 arguments, found Q"),
    (directive("cells", rows=[{"quantity": "x"}]), "LI604", "expected a list of rows {quantity, show}"),
    (directive("cells", rows=[{"quantity": "x", "show": "m"}], run="fast"), "LI604", "inputs or configuration"),
    (directive("cells", rows=[{"quantity": "x", "show": "Q[0]"}]), "LI606", "until one number is left"),
    (directive("matrices", show=["C"]), "LI606", "until two axes are left, such as C[0]"),
    (directive("matrices", show=["Q[2]"]), "LI606", "use 0 to 1"),
    (directive("matrices", show=["Q[0, 0, 0]"]), "LI606", "has 3 indices"),
    (directive("compare", rows=[{"name": "x", "formula": "Q", "measured": "K"}]), "LI606", "give values of one shape"),
    (directive("worked", of="Q", at=["0", "0"]), "LI607", "expected a matrix product"),
    (directive("worked", of="Q @ K.T", at=["5", "0"]), "LI607", "must pick a cell or a row"),
    (directive("equation"), "LI604", "found none"),
    (directive("listing nowhere"), "LI612", "found 0"),
    (directive("bound", of="Q", limit="1e-12"), "LI617", "the largest is 2.0"),
])  # fmt: skip
def test_a_directive_that_cannot_be_shown_is_a_finding_at_its_place(block, code, says):
    (found,) = findings(block, inputs=CUBE)
    assert (found.code, found.place) == (code, Place("docs/pair.md", 40))
    assert says in found.message


def test_every_fault_of_a_directive_is_reported():
    assert [f.code for f in findings(directive("matrices", show=["Q", "nope", "Q[7]"]))] == ["LI603", "LI606"]


def test_the_rest_of_the_page_is_shown_and_the_fault_is_on_it():
    pages, _ = rendered(book(directive("heatmaps"), directive("matrices", 44, show=["Q"])))
    root = html(pages["pair.md"])
    assert "docs/pair.md:40:1: LI602" in find(root, class_="lx-fault")[0].text
    assert find(root, "table", data_ref="Q")


def test_where_the_numbers_of_a_section_cannot_be_shown_its_anchor_stays():
    pages, _ = rendered(book(directive("matrices", show=["nothing"]), directive("matrices", 44, show=["Q"])))
    (example,) = find(html(pages["pair.md"]), id="scores-example")
    assert "lx-fault" in example.classes


def test_a_worked_sum_that_does_not_give_the_recorded_result_is_refused():
    (found,) = findings(directive("worked", of="Q @ K.T", at=["0", "0"]), inputs={"Q": value([[9.0, 9.0], [9.0, 9.0]])})
    assert found.code == "LI607" and "but the code computed" in found.message


def test_a_shape_that_the_symbol_claims_and_the_code_does_not_make_is_a_finding():
    wrong = tuple(replace(s, shape=("k", "n")) if s.latex == "Q" else s for s in SYMBOLS)
    small = book(directive("shapes", of=["Q"]))
    page = replace(small.index.pages[0], notation=wrong)
    (found,) = rendered(Book(replace(small.index, pages=(page,)), small.resolution, small.runs, small.evidence))[1]
    assert found.code == "LI601"
    assert "(k, n), which is (5, 4) with the configuration, but the code made (4, 3)" in found.message


def test_a_page_that_takes_the_name_of_a_generated_one_does_not_replace_it():
    small = book()
    own = Page("Equations", "docs/Equations.md", "Mine", (Prose("# Mine", Place("docs/Equations.md")),))
    pages, _ = rendered(Book(replace(small.index, pages=(*small.index.pages, own)), *_rest(small)))
    assert "Equations.md" not in pages and "Scaled scores" in pages["equations.md"]


@pytest.mark.parametrize("heading, found", [
    ("## Again { #Scores-Example }", ["LI613"]),         # against a generated id
    ("## Again {#Scores}", []),                          # two written ones: reported when the page is read
])
def test_an_anchor_that_repeats_a_generated_one_is_a_finding(heading, found):
    small = book(directive("matrices", show=["Q"]))
    page = small.index.pages[0]
    again = replace(page, blocks=(*page.blocks, Prose(heading, Place("docs/pair.md", 90))))
    findings = rendered(Book(replace(small.index, pages=(again,)), *_rest(small)))[1]
    assert [finding.code for finding in findings] == found


def test_symbols_of_inline_formulas_are_marked_and_code_is_left_alone():
    small = book()
    page = small.index.pages[0]
    prose = Prose("`$Q$` is $Q K^\\top$, costs \\$5, and $Q = K$ holds.", Place("docs/pair.md", 90))
    pages, _ = rendered(Book(replace(small.index, pages=(replace(page, blocks=(*page.blocks, prose)),)), *_rest(small)))
    assert r"`$Q$` is $\sym{Q}{Q} \sym{K}{K}^\top$, costs \$5, and $\sym{Q}{Q} = \sym{K}{K}$ holds." in pages["pair.md"]


@pytest.mark.parametrize("stem, says", [("pair", "stands in no section"), ("other", "recorded beside the page pair")])
def test_an_equation_outside_of_its_page_or_of_a_section_is_a_finding(stem, says):
    small = book()
    page = replace(small.index.pages[0], blocks=(directive("equation pair.scaled"),))
    other = Page("other", "docs/other.md", "Other", (directive("equation pair.scaled"),))
    pages = (page,) if stem == "pair" else (small.index.pages[0], other)
    (found,) = rendered(Book(replace(small.index, pages=pages), *_rest(small)))[1]
    assert found.code == "LI605" and says in found.message


def test_a_page_without_an_example_cannot_show_one():
    small = book(directive("key"))
    page = replace(small.index.pages[0], example=None)
    _, found = rendered(Book(replace(small.index, pages=(page,)), *_rest(small)))
    assert [f.code for f in found] == ["LI609"]


def test_a_concept_whose_code_was_not_found_has_none_to_show():
    small = book(directive("code"))
    lost = replace(small.resolution, links={})
    (found,) = rendered(Book(small.index, lost, small.runs, small.evidence))[1]
    assert (found.code, found.place) == ("LI614", Place("docs/pair.md", 40))
    assert found.message == "no equation of this concept has a code link that was found: correct the records first"


def _rest(small):
    return small.resolution, small.runs, small.evidence
