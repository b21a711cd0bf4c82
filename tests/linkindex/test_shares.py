"""Pages that share notation and example of another page, instead of repeating them."""

import pytest

from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for
from linkindex.site.build import check_site

SECOND = """shares: filter
notation: [S]

second.spread:
  title: Spread of the innovation again
  in: kalman.filter.update
  code: S
  latex: S = H P H^\\top + R
  test: tests/test_filter.py::test_innovation_covariance
"""
PAGE = """# Seen again

## Spread {#spread}

The innovation $y$ spreads by $S$: {{ S[0, 0] | 2 }}.

::: equation second.spread

::: symbols

::: matrices
    show: [S, H]

::: code

::: dossier
"""


@pytest.fixture
def sharing(project):
    project.write("docs/second.yml", SECOND)
    project.write("docs/second.md", PAGE)
    project.lock()
    return project


def second(project):
    index, *_ = project.result()
    return next(page for page in index.pages if page.stem == "second")


def test_the_other_page_lends_its_notation_and_its_example(sharing):
    page = second(sharing)
    assert page.example == "docs/filter.py"
    assert [symbol.latex for symbol in page.notation][0] == "S"      # its own come first
    filter_page = next(page for page in sharing.result()[0].pages if page.stem == "filter")
    assert {symbol.latex for symbol in page.notation} == {symbol.latex for symbol in filter_page.notation}


def test_its_equations_hold_in_the_run_of_that_example(sharing):
    index, resolution, runs, evidence, findings = sharing.result()
    assert findings == ()
    assert all(evidence.proofs["second.spread"].steps[step].ok for step in ("ran", "tested", "symbols", "formula"))
    assert {run.kind for run in runs.examples["second"]} == {run.kind for run in runs.examples["filter"]}


def test_the_site_with_both_pages_is_clean(sharing):
    assert check_site(read_config(sharing.root))[1] == ()


def test_symbols_of_its_own_are_added_and_win(sharing):
    sharing.edit("docs/second.yml", "notation: [S]", "notation: [S: {meaning: How far measurements stray}]")
    meanings = {symbol.latex: symbol.meaning for symbol in second(sharing).notation}
    assert meanings["S"] == "How far measurements stray" and "F" in meanings
    others = next(page for page in sharing.result()[0].pages if page.stem == "filter")
    assert "How far measurements stray" not in {symbol.meaning for symbol in others.notation}


def test_a_page_may_share_and_have_no_notation_of_its_own(sharing):
    sharing.edit("docs/second.yml", "notation: [S]\n", "")
    assert "S" in {symbol.latex for symbol in second(sharing).notation}
    assert sharing.check() == ()


def test_an_example_of_its_own_comes_before_the_shared_one(sharing):
    sharing.write("docs/second.py", sharing.read("docs/filter.py"))
    assert second(sharing).example == "docs/second.py"


def test_a_change_of_the_shared_example_shows_on_both_pages(sharing):
    def value(stem):
        run = sharing.result()[2].examples[stem][0]
        return next(visit.after["S"].data for visits in run.visits.values() for visit in visits if "S" in visit.after)

    before = value("second")
    assert before == value("filter")
    example = sharing.read("docs/filter.py")
    start = example.index("def inputs")
    number = next(word for word in ("0.5", "1.0", "2.0", "0.1") if word in example[start:])
    sharing.write("docs/filter.py", example[:start] + example[start:].replace(number, "7.25"))
    assert value("second") == value("filter") != before


def test_a_change_of_the_shared_notation_is_seen_by_the_page_that_shares_it(sharing):
    sharing.edit("docs/filter.yml", " H, ", " H: {meaning: What is measured}, ")
    assert {s.latex: s.meaning for s in second(sharing).notation}["H"] == "What is measured"


@pytest.mark.parametrize(("shares", "says"), [
    ("nowhere", "expected the name of a page with records, such as attention, found 'nowhere'"),
    ("index", "found 'index'"), ("filter.yml", "found 'filter.yml'"), ("[filter]", "found 'no text'"),
    ("{filter: true}", "found 'no text'"), ("", "found 'no text'"),
])  # fmt: skip
def test_a_page_that_is_not_there_cannot_be_shared(sharing, shares, says):
    sharing.edit("docs/second.yml", "shares: filter", f"shares: {shares}")
    found = [finding for finding in sharing.fast() if finding.code == "LI107"]
    assert [finding.place.path for finding in found] == ["docs/second.yml"]
    assert found[0].place.line == 1 and says in found[0].message


def test_shares_is_no_record(sharing):
    assert [equation.id for equation in second(sharing).equations] == ["second.spread"]
    assert evidence_for(read_config(sharing.root))[0].equations
