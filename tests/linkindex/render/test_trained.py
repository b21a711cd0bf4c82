"""What a trained model makes of real input, and one equation followed from a front page."""

from dataclasses import replace

import pytest

from linkindex.model import STEPS, Page, Place, Step
from linkindex.render import rendered
from linkindex.render.book import Book

from .small import S, book, directive, find, html, page, pages, ran, text_of, value

LABELS = {"n": ("up", "down"), "tokens": ("The", " old", "\n"), "model": ("language", "commit 1234567", "2 layers")}
WEIGHTS = value([[[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.5, 0.125, 0.375]]], "float32")
SHOWN = {"weights()": WEIGHTS}


def labelled(small, **changes):
    runs = tuple(replace(run, labels={**LABELS, **changes}) for run in small.runs.examples["pair"])
    return Book(small.index, small.resolution, replace(small.runs, examples={"pair": runs}), small.evidence)


def actual(**options):
    given = {"show": "weights()", "at": ["0", "1"], "tokens": "tokens", "from": "model"}
    return directive("actual", **(given | options))


def panel(*blocks, shown=SHOWN, **changes):
    made, wrong = rendered(labelled(book(*blocks, shown=shown, **changes)))
    assert not wrong, wrong
    (found,) = find(html(made["pair.md"]), "aside", class_="lx-model")
    return found


def test_a_row_of_a_trained_model_stands_beside_its_tokens_with_visible_blanks():
    found = panel(actual(decimals="2"))
    tokens = find(found, "li")
    assert [text_of(token) for token in tokens] == ["The 0.25", "·old 0.75", "⏎ 0"]
    assert [token.attributes.get("class") for token in tokens] == [None, "lx-here", "lx-later"]
    assert [float(find(token, class_="lx-number")[0].attributes["data-value"]) for token in tokens] == [0.25, 0.75, 0.0]
    assert find(found, "ol")[0].attributes["data-ref"] == "weights()"


def test_the_panel_says_whose_numbers_they_are_and_what_was_checked():
    found = panel(actual(title="head 1", note="One row of one head."))
    assert text_of(find(found, class_="lx-model__label")[0]) == "From the trained model: head 1"
    note = text_of(find(found, class_="lx-note")[0])
    assert note.startswith("Row 0, 1 of weights(): its sum is 1.000, and all 1 later tokens have exactly 0. ")
    assert "language, commit 1234567, 2 layers, float32" in note
    assert "One row of one head." in text_of(found)


def test_the_strongest_is_marked_and_a_number_that_is_not_hidden_is_said():
    found = panel(actual(at=["0", "2"]))
    assert [token.attributes.get("class") for token in find(found, "li")] == ["lx-strong", None, "lx-here"]
    leaks = panel(actual(at=["0", "0"]), shown={"weights()": value([[[0.5, 0.5, 0.0]]])})
    assert "and not all 2 later tokens have exactly 0" in text_of(leaks)
    assert [token.attributes.get("class") for token in find(leaks, "li")] == ["lx-here", "lx-later", "lx-later"]


@pytest.mark.parametrize(("options", "code", "says"), [
    ({"at": ["0"]}, "LI606", "'weights()' has shape (1, 3, 3): give the indices of all its axes but the last"),
    ({"at": ["0", "3"]}, "LI606", "give the indices of all its axes"),
    ({"tokens": "n"}, "LI606", "a row of 3 numbers stands beside 2 tokens: correct labels()"),
    ({"tokens": "token"}, "LI603", "has nothing under 'token'; it has n, tokens, model: add it"),
    ({"from": "checkpoint"}, "LI603", "has nothing under 'checkpoint'"),
    ({"show": "weight()"}, "LI603", "nearest: weights()"),
])  # fmt: skip
def test_what_the_model_did_not_make_is_a_finding(options, code, says):
    _, (found,) = rendered(labelled(book(actual(**options), shown=SHOWN)))
    assert (found.code, found.place) == (code, Place("docs/pair.md", 40)) and says in found.message


def test_a_text_of_the_model_stands_in_the_panel_with_where_it_comes_from():
    found = panel(directive("written", text="tokens", note="Made at build.", **{"from": "model"}))
    assert text_of(find(found, class_="lx-said-text")[0]) == "The old"
    assert text_of(find(found, class_="lx-note")[0]) == "Made at build. language, commit 1234567, 2 layers."


# --- one equation followed -------------------------------------------------------------------------------------------


def chain(identity="pair.scaled", **options):
    given = {"show": "S[0, 1]", "formula": "all of <it>", "number": "up reads"}
    return directive(f"chain {identity}", **(given | options))


def home(block, **changes):
    small = book(directive("matrices", show=["Q"]), **changes)
    front = Page("index", "docs/index.md", "Home", (block,))
    return Book(replace(small.index, pages=(*small.index.pages, front)), small.resolution, small.runs, small.evidence)


def followed(block, **changes):
    (found,) = find(html(pages(home(block, **changes))["index.md"]), "ol", class_="lx-chain")
    return find(found, "li")


def test_an_equation_is_followed_to_its_line_a_number_and_its_test():
    steps = {name: Step(True) for name in STEPS}
    mutants = ran(("sign", "-Q", "assertion", [[-x for x in row] for row in S]))
    formula, line, number, test = followed(chain(), steps=steps, **mutants)
    assert find(formula, "math") and "Pairs 1: all of <it>" in text_of(formula)
    assert "S = ( Q @ K.T ) / math.sqrt(m)" in text_of(line) and "pair.py:7–9" in text_of(line)
    assert text_of(number) == "1.414a number it made: up reads"
    assert float(find(number, "span")[0].attributes["data-value"]) == S[0][1]
    assert "it noticed 1 of 1 mutant, which are planted faults. ✓ 6 of 6 checks" in text_of(test)


def test_each_of_its_steps_is_a_link_from_where_it_stands():
    links = [[a.attributes["href"] for a in find(step, "a")] for step in followed(chain())]
    assert links == [
        ["pair/#eq-pair-scaled"], ["source/mini/pair.py/#L7"], ["pair/#scores-example"],
        ["source/tests/test_pair.py/#L2", "evidence/pair/#evidence-pair-scaled"],
    ]  # fmt: skip


@pytest.mark.parametrize(("block", "code", "says"), [
    (chain("pair.scale"), "LI605", "no page shows the equation 'pair.scale'; nearest: pair.scaled"),
    (chain(show="S[0]"), "LI606", "'S[0]' has shape (3,): add indices until one number is left"),
    (chain(show="T"), "LI603", "recorded no value for 'T'"),
    (chain("pair.scaled pair.product"), "LI604", "one argument"),
])  # fmt: skip
def test_an_equation_that_cannot_be_followed_is_a_finding(block, code, says):
    _, (found,) = rendered(home(block))
    assert (found.code, found.place) == (code, Place("docs/pair.md", 40)) and says in found.message


@pytest.mark.parametrize("lost", ["links", "tests"])
def test_an_equation_without_a_line_or_a_test_is_not_followed(lost):
    whole = home(chain())
    without = Book(whole.index, replace(whole.resolution, **{lost: {}}), whole.runs, whole.evidence)
    assert [(found.code, found.place.path) for found in rendered(without)[1]] == [("LI605", "docs/pair.md")]


def test_a_page_of_its_own_may_follow_an_equation_too():
    assert find(page(directive("matrices", show=["Q"]), chain()), "ol", class_="lx-chain")
