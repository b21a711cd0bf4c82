"""Texts that a page shows as they are hold no formula; prose may hold numbers and relations."""

import pytest
from linkindex.load import load
from linkindex.load.config import read_config
from linkindex.resolve.prose import doubtful_formulas
from linkindex.site.build import check_site

PAGE, RECORDS, SYMBOLS = "docs/filter.md", "docs/filter.yml", "docs/symbols.yml"

HONEST = [
    "GPT-2 has 1.5 billion parameters, and BLEU is 28.4 at a rate of 0.1.",
    "It needs numpy>=1.4, and 35 % of the time; A -> B => C.",
    "*x* = *P*, and x̄ = F·x with x < P in a row.",
    "| a | 0.35 |\n|---|---|\n| b | c = 2 |",
    "<b>x</b> = <b>P</b>, as an entity $x$ &le; $P$.",
    "### A weight of 0.35\n\nwith `x = 0.35 * P`",
]


@pytest.mark.parametrize("text", HONEST)
def test_numbers_and_relations_in_prose_are_no_findings(project, text):
    project.edit(PAGE, "and grows.", f"and grows.\n\n{text}\n")
    assert project.fast() == ()
    assert check_site(read_config(project.root))[1] == ()


TEXTS = {
    "title of an equation": (RECORDS, "title: Innovation\n", "title: '{}'\n"),
    "meaning of a symbol": (SYMBOLS, "The state: mean of the estimate", "{}"),
    "title of a directive": (PAGE, "title: One step ahead", "title: '{}'"),
    "note of a directive": (PAGE, "title: One step ahead", "title: One\n    note: '{}'"),
    "title of a section": (PAGE, "## Update {#update}", "## {} {{#update}}"),
}


@pytest.mark.parametrize("where", TEXTS)
def test_texts_that_are_shown_as_they_are_hold_no_formula(project, where):
    path, old, new = TEXTS[where]
    project.edit(path, old, new.format("$x$ alone"))
    found = [finding for finding in project.fast() if finding.code == "LI116"]
    assert [finding.place.path for finding in found] == [path]
    assert abs(found[0].place.line - project.line_of(path, "$x$ alone")) <= 3  # options have their directive's place


NO_CODE = [r"\`$x$ and $\bar z$\`", "``a\n\n$x$ and $\\bar z$\n\nb``", r"an open ` mark, $x$ and $\bar z$"]


@pytest.mark.parametrize("text", NO_CODE)
def test_a_formula_is_read_where_backticks_make_no_code(project, text):
    """It warns, since what is like a symbol and is none may be a slip, and it proves nothing."""
    project.edit(PAGE, "and grows.", f"and grows. {text}")
    assert [finding.code for finding in doubtful_formulas(load(read_config(project.root))[0])] == ["LI502"]
