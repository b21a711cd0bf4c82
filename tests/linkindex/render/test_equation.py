"""The card of an equation: its number, its formula, and one line of what it leads to."""

import pytest

from linkindex.model import NOT_RUN, STEPS, Span, Step
from linkindex.permalink import Permalinks
from linkindex.render.book import Book
from linkindex.render.places import code_line, done_in

from .small import FILE, TEST_FILE, book, find, html, page, pages, text_of, texts, verdict

ANCHORS = "eq-pair-scaled", "eq-pair-product"


def test_an_equation_has_its_anchor_number_formula_and_links():
    (equation,) = find(page(), id="eq-pair-scaled")
    (number,) = find(equation, "a", class_="lx-eq__no")
    assert (text_of(number), number.attributes["href"]) == ("Pairs 1", "#eq-pair-scaled")
    assert text_of(find(equation, class_="lx-eq__title")[0]) == "Scaled scores"
    (formula,) = find(equation, "math")
    assert [s.attributes["data-sym"] for s in find(formula, class_="sym")] == ["S", "Q", "K", "m"]
    (proof,) = find(equation, "p", class_="lx-proof")
    links = {text_of(a): (a.attributes["href"], a.attributes.get("title")) for a in find(proof, "a")}
    assert links == {
        "– 4 of 6 checks: 4 of 6 steps done, 2 not run, not defended": (
            "../evidence/pair/#evidence-pair-scaled", "4 of 6 steps done, 2 not run, not defended",
        ),
        "pair.py:7–9": ("../source/mini/pair.py/#L7", "Computed in mini/pair.py:7–9"),
        "test_scores": ("../source/tests/test_pair.py/#L2", None),
        "2020, section 2, eq. 1": ("../equations/#ref-known2020", "A. Known, On pairs"),
    }  # fmt: skip


def proof_of(root, anchor="eq-pair-scaled"):
    """What the line of proof of an equation says, part by part."""
    (line,) = find(find(root, id=anchor)[0], "p", class_="lx-proof")
    return texts(line)


def test_the_line_of_proof_counts_checks_and_mutants():
    done = {name: Step(True) for name in STEPS}
    outcomes = [("a", "assertion"), ("b", "exception"), ("Q @ K.T / math.sqrt(m)", "survived")]
    verdicts = {"pair.scaled": [verdict(*pair) for pair in outcomes]}
    assert proof_of(page(steps=done, verdicts=verdicts)) == [
        "✓ 6 of 6 checks: 6 of 6 steps done", "pair.py:7–9", "test_scores", "2 of 3 mutants, 1 equivalent",
        "2020, section 2, eq. 1",
    ]  # fmt: skip
    assert proof_of(page(steps=done, verdicts={"pair.scaled": [verdict("a", "assertion")]}))[3] == "1 of 1 mutant"


@pytest.mark.parametrize("step, sign", [
    (Step(False, "differs by 2"), "✗ 5 of 6"), (Step(False, "differs", "a written reason"), "! 5 of 6"),
    (NOT_RUN, "– 5 of 6"),
])  # fmt: skip
def test_a_step_that_does_not_hold_shows_in_the_line_of_proof(step, sign):
    steps = {name: Step(True) for name in STEPS} | {"formula": step}
    assert proof_of(page(steps=steps))[0].startswith(f"{sign} checks: ")


def test_an_equation_says_what_kind_it_is():
    root = page()
    scaled, product = ([text_of(c) for c in find(find(root, id=e)[0], class_="lx-chip")] for e in ANCHORS)
    assert (scaled, product) == ([], ["Property"])
    assert [proof_of(root, anchor)[-1] for anchor in ANCHORS] == ["2020, section 2, eq. 1", "not in the paper"]


def spoken_of(*places: tuple[str, str, int, int, str | None]) -> list[tuple[str, list[tuple[str, str]]]]:
    """What the card of an equation says of places (role, file, first line, last line, member): texts and addresses."""
    book_of = book()
    lines = [code_line(book_of, role, Span(file, first, 1, last, 2, "x"), "f", "pair/", member)
             for role, file, first, last, member in places]  # fmt: skip
    found = done_in(book_of, lines, "pair/")
    return [(role, [(line.label, line.member or "", line.href) for line in made]) for role, made in found.items()]


def test_places_of_one_file_are_told_once_sorted_and_neighbours_joined():
    source = "../source/mini/pair.py/#L"
    lines = [("computes", FILE, n, last, None) for n, last in ((9, 9), (5, 6), (7, 7), (11, 12), (5, 5))]
    assert spoken_of(*lines) == [("Computed in", [
        (f"{FILE}:5–7", "", f"{source}5"), (f"{FILE}:9", "", f"{source}9"), (f"{FILE}:11–12", "", f"{source}11"),
    ])]  # fmt: skip


def test_members_of_a_family_are_named_beside_their_places_and_roles_and_files_apart():
    family = [("computes", FILE, n, n, member) for n, member in ((6, "k"), (5, "q"), (9, "v"))]
    others = [("calls", FILE, 6, 6, None), ("computes", TEST_FILE, 7, 7, None)]
    assert [(role, [place[:2] for place in places]) for role, places in spoken_of(*family, *others)] == [
        ("Computed in", [(f"{FILE}:5–6", "q, k"), (f"{FILE}:9", "v"), (f"{TEST_FILE}:7", "")]),
        ("Called in", [(f"{FILE}:6", "")]),
    ]


class Published(Book):
    """The small project where a commit holds the code, but not the tests."""

    permalinks = Permalinks("https://example.org/me/mini", "a" * 40, "", frozenset({FILE}))


def test_a_permalink_stands_beside_code_that_the_commit_holds():
    small = book()
    published = Published(small.index, small.resolution, small.runs, small.evidence)
    links = [a.attributes["href"] for a in find(html(pages(published)["pair.md"]), "a", class_="lx-permalink")]
    assert links == [f"https://example.org/me/mini/blob/{'a' * 40}/mini/pair.py#{lines}" for lines in ("L7-L9", "L8")]
    assert not find(page(), "a", class_="lx-permalink")
