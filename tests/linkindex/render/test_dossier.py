"""Links and proof, the folded tail of a section."""

from dataclasses import replace

from linkindex.model import Concept, Place, Step
from linkindex.render.book import Book

from .small import (
    CODES, S, book, directive, find, html, page, pages, prose, ran, rows, table, text_of, verdict,
)  # fmt: skip

NEGATED = [[-x for x in row] for row in S]


def test_the_dossier_connects_code_tests_papers_callers_and_evidence():
    steps = {"formula": Step(False, "differs by 2"), "defended": Step(False, "exempt", "survivor is equivalent")}
    root = page(directive("dossier"), steps=steps)
    links, checked, about = (rows(root, f"{name} of Scores & more")
                             for name in ("Links", "Checks", "Source, papers and callers"))  # fmt: skip
    assertion = "assert near(scores(Q, K, 2), loops(Q, K))"
    assert links[1:] == [
        ["1", "Computes it", "mini/pair.py:7–9", "mini.pair.scores", "S = ( Q @ K.T ) / math.sqrt(m)"],
        ["Tests it", "tests/test_pair.py:2", "test_scores passed", assertion],
        ["2", "Computes it", "mini/pair.py:8", "mini.pair.scores", "S = ( Q @ K.T ) / math.sqrt(m)"],
        ["Tests it", "tests/test_pair.py:2", "test_product passed", assertion],
    ]
    assert checked[1:] == [
        [number, *["✓ done"] * 4, "✗ failed differs by 2", "! exception survivor is equivalent"] for number in "12"
    ]
    assert about == [
        ["Source", "mini/pair.py, lines 5–11: mini.pair.scores"],
        ["Papers", "A. Known, On pairs: section 2, eq. 1 for 1"],
        ["mini.pair.scores called by", "mini.model.forward (line 12)"],
    ]


def test_each_line_of_the_dossier_leads_to_its_place():
    (details,) = find(page(directive("dossier")), "details", class_="lx-links")
    links = {(text_of(a), a.attributes["href"]) for a in find(details, "a")}
    assert links == {
        ("1", "#eq-pair-scaled"), ("2", "#eq-pair-product"),
        ("mini/pair.py:7–9", "../source/mini/pair.py/#L7"), ("mini/pair.py:8", "../source/mini/pair.py/#L8"),
        ("tests/test_pair.py:2", "../source/tests/test_pair.py/#L2"),
        ("test_scores", "../source/tests/test_pair.py/#L1"), ("test_product", "../source/tests/test_pair.py/#L1"),
        ("figures, and every mutant", "../evidence/pair/"),
        ("mini/pair.py, lines 5–11", "../source/mini/pair.py/#L5"),
        ("A. Known, On pairs", "../equations/#ref-known2020"),
    }  # fmt: skip
    titles = {text_of(a): a.attributes.get("title") for a in find(details, "a")}
    assert (titles["1"], titles["2"]) == ("Scaled scores", "Product <before> scaling")


def test_formula_and_mutants_are_told_in_numbers():
    steps = {"formula": Step(True, max_error=3.1e-16, tolerance=1e-10, trials=3), "defended": Step(True, trials=3)}
    outcomes = [("a", "assertion"), ("b", "exception"), ("c", "survived"), ("Q @ K.T / math.sqrt(m)", "survived")]
    root = page(directive("dossier"), steps=steps, verdicts={"pair.scaled": [verdict(*pair) for pair in outcomes]})
    formula, defended = [text_of(cell) for cell in find(root, "td", class_="lx-step")][4:6]
    assert formula == "✓ done: largest error ≤ 4e-16 tolerance 1e-10 3 trials"
    assert defended == "✓ done: 2 of 4 caught 1 by an assertion 1 survived 1 equivalent"


def test_marks_of_a_statement_cover_the_linked_code():
    root = page(directive("dossier"))
    (code, *_) = find(root, "code", class_="lx-statement")
    assert "\n".join(mark.text for mark in find(code, "mark")).split() == CODES["pair.scaled"].split()


def fold(*blocks, **changes):
    (found,) = find(page(directive("dossier"), *blocks, **changes), "details", class_="lx-links")
    return found


def test_it_is_folded_and_not_searched_and_says_how_much_it_holds():
    closed = fold(**ran(("sign", "-Q", "assertion", NEGATED)))
    assert "open" not in closed.attributes and "data-search-exclude" in closed.attributes
    assert text_of(find(closed, "summary")[0]) == (
        "Links and proof 2 equations, 2 links, 2 tests, 1 mutant, checks, source, papers, callers"
    )
    assert "mutant," not in text_of(find(fold(), "summary")[0])


def test_it_holds_what_follows_it_in_its_section():
    before, after = directive("matrices", 30, show=["K"]), directive("shapes", 50, of=["Q"])
    root = page(before, directive("dossier"), after, prose("*The last words.*"))
    (closed,) = find(root, "details", class_="lx-links")
    assert rows(closed, "Tensor shapes of Scores & more, line 50")[1][0] == "Q"
    assert text_of(find(closed, "em")[0]) == "The last words."
    assert table(root, "K") not in closed.walk()


def test_it_ends_with_its_section():
    small = book(directive("dossier"), prose("Inside."))
    page = small.index.pages[0]
    after = Concept("Masks", "mask", (prose("Outside."),), (), Place(page.path, 60))
    blocks = (*page.blocks, after, prose("Far outside."))
    longer = replace(small.index, pages=(replace(page, blocks=blocks),))
    made = Book(longer, small.resolution, small.runs, small.evidence)
    root = html(pages(made)["pair.md"])
    (closed,) = find(root, "details")
    assert "Inside." in text_of(closed) and "outside" not in text_of(closed).lower()
    assert find(root, "h2", id="mask") and not find(closed, "h2")
    assert text_of(root).endswith("Masks Outside. Far outside.")


def test_a_section_on_one_equation_speaks_of_one():
    small = book(directive("dossier"))
    page = small.index.pages[0]
    concept = page.blocks[1]
    one = replace(concept, equations=("pair.scaled",), blocks=tuple(
        directive("equation pair.scaled") if getattr(block, "name", "") == "equation" else block
        for block in concept.blocks))  # fmt: skip
    made = Book(replace(small.index, pages=(replace(page, blocks=(page.blocks[0], one)),)),
                small.resolution, small.runs, small.evidence)  # fmt: skip
    captions = [text_of(caption) for caption in find(html(pages(made)["pair.md"]), "caption")]
    assert captions[:2] == [
        "Where the formula is computed and tested", "Six checks (figures, and every mutant)",
    ]  # fmt: skip


MUTANTS = [("sign", f"-Q * {n}", "assertion", NEGATED) for n in range(6)]


def test_a_few_mutants_stand_in_it_with_what_they_do_and_all_are_counted():
    closed = fold(**ran(("sign", "-Q", "assertion", NEGATED), ("key", "Q @ Q.T", "exception", "ValueError: no")))
    assert "Two of 2 mutants (all of them)" in [text_of(caption) for caption in find(closed, "caption")]
    assert rows(closed, "Mutants of Scores & more")[1:] == [
        ["1", "7–9", "-Q", "the sign were dropped", "changes 5 of 6 numbers", "fails an assertion"],
        ["1", "7–9", "Q @ Q.T", "another entry were taken", "raises ValueError: no", "stops with an exception"],
    ]
    many = fold(**ran(*MUTANTS))
    assert len(rows(many, "Mutants of Scores & more")) == 1 + 4
    assert "Four of 6 mutants (all of them)" in text_of(many)


def test_where_mutants_were_not_run_there_is_no_table_of_them():
    assert not find(fold(), class_="lx-scroll", data_label="Mutants of Scores & more")


def stops(*blocks, **changes):
    """The links outside of the fold that the Tab key stops at."""
    root = page(*blocks, **changes)
    folded = {id(a) for fold in find(root, "details") for a in find(fold, "a")}
    return [text_of(a) for a in find(root, "a") if id(a) not in folded and a.attributes.get("tabindex") != "-1"]


def test_a_link_that_the_fold_holds_as_well_is_no_second_tab_stop():
    blocks = directive("code"), directive("whatif")
    mutants = ran(("sign", "-Q", "assertion", NEGATED))
    proof = ["– 4 of 6 checks: 4 of 6 steps done, 2 not run, not defended", "pair.py:7–9", "test_scores"]
    product = [proof[0], "pair.py:8", "test_product"]
    assert stops(*blocks, directive("dossier", 90), **mutants) == [*proof, *product]
    paper, listing, what_if = "2020, section 2, eq. 1", "mini/pair.py", ["pair.py:7–9", "test_scores"]
    assert stops(*blocks, **mutants) == [*proof, paper, *product, listing, *what_if]


def test_every_link_that_is_no_stop_is_in_the_fold_of_its_section():
    blocks = directive("code"), directive("whatif"), directive("dossier", 90)
    root = page(*blocks, **ran(("sign", "-Q", "assertion", NEGATED)))
    (closed,) = find(root, "details")
    inside = {a.attributes["href"] for a in find(closed, "a")}
    lines = {a.attributes["href"] for a in find(root, "a", class_="lx-line__no")}
    quiet = {a.attributes["href"] for a in find(root, "a") if a.attributes.get("tabindex") == "-1"} - lines
    assert quiet <= inside | {"../source/mini/pair.py/#L7"} and len(quiet) >= 4
