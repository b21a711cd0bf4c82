"""Links and proof, the folded tail of a section."""

from linkindex.model import Step

from .small import CODES, directive, find, page, rows, text_of, verdict


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
        ("mini/pair.py, lines 5–11", "../source/mini/pair.py/#L5"), ("A. Known, On pairs", "../equations/#ref-known2020"),
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
