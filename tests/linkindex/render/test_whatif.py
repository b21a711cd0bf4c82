"""What the page says of mutants: what changed, what it does to the example, and what caught it."""

import ast

import pytest

from linkindex.model import Effect, Link, Mutant, Value
from linkindex.render.changes import change
from linkindex.render.effects import outcome
from linkindex.render.telling import telling

from .small import CODES, S, book, directive, find, findings, html, page, pages, ran, span, text_of, texts, value

NEGATED = [[-x for x in row] for row in S]
FIRST_ROW = [[-x for x in S[0]], S[1]]
SIGN = ("sign", "-(Q @ K.T) / math.sqrt(m)", "assertion", FIRST_ROW)
DROPPED = ("transpose dropped", "Q @ K / math.sqrt(m)", "exception", "ValueError: matmul: mismatch")
ROOT = ("call dropped", "Q @ K.T / m", "assertion", [[x / 2**0.5 for x in row] for row in S])
SWAPPED = ("operands swapped", "math.sqrt(m) / (Q @ K.T)", "assertion", [[1.0, 2.0]])
TINY = ("value times 1.001", "Q @ K.T / math.sqrt(m) * 1.001", "assertion", [[x * 1.001 for x in row] for row in S])


def figures(*mutants, **options):
    return find(page(directive("whatif", **options), **ran(*mutants)), class_="lx-whatif")


def asked(*mutants, **options):
    return [text_of(find(figure, class_="lx-whatif__ask")[0]) for figure in figures(*mutants, **options)]


def chosen(*mutants, most):
    shown = book(directive("whatif"), **ran(*mutants))
    return [one.verdict.mutant.kind for one in telling(shown, tuple(shown.entries.values()), most)]


def test_only_what_changed_is_marked_in_the_statement():
    statement = span("S = (\n        Q @ K.T\n    ) / math.sqrt(m)")
    link = Link("pair.product", "computes", "mini.pair.scores", span("Q @ K.T"), statement, "S", None, None)
    changed = change(link, "Q @ K")
    assert "".join(piece.text for piece in changed.before) == "S = (\n    Q @ K.T\n) / math.sqrt(m)"
    assert [piece.text for piece in changed.before if piece.changed] == [".T"]
    assert not any(piece.changed for piece in changed.after)
    assert "".join(piece.text for piece in changed.after) == "S = (\n    Q @ K\n) / math.sqrt(m)"


@pytest.mark.parametrize(("linked", "mutant", "shown"), [
    ("a @ b", "a + b", "S = (a + b) * c"), ("a @ b * c", "a + b * c", "S = a + b * c"),
])  # fmt: skip
def test_a_part_of_a_line_keeps_its_meaning_in_brackets(linked, mutant, shown):
    line = "S = a @ b * c"
    link = Link("pair.product", "computes", "f", span(linked, line), span(line, line), "S", None, None)
    assert "".join(piece.text for piece in change(link, mutant).after) == shown


def test_a_mutant_is_shown_with_its_line_its_numbers_and_the_test_that_fails():
    (figure,) = figures(SIGN)
    assert text_of(find(figure, class_="lx-whatif__ask")[0]) == "What if the sign were dropped?"
    assert [code.text for code in find(figure, "code")[:2]] == [
        "S = (\n    Q @ K.T\n) / math.sqrt(m)", "S = -(Q @ K.T) / math.sqrt(m)",
    ]  # fmt: skip
    assert [ins.text for ins in find(figure, "ins")] == ["-"]
    rows = [texts(row) for row in find(figure, "tr")]
    assert rows[0] == ["row of up", "0", "1", "2"]
    assert rows[1:] == [["as it is", "0", "1.4142", "-0.0884"], ["changed", "0", "-1.4142", "0.0884"]]
    changed = [float(c.attributes["data-value"]) for c in find(figure, "td", class_="lx-changed")]
    assert changed == [S[0][1], S[0][2], -S[0][1], -S[0][2]]
    assert "pair.py:7–9: the change changes 2 of 6 numbers; shown is S[0]." in text_of(figure)
    assert "Caught: test_scores fails an assertion." in text_of(figure)
    assert {"../source/tests/test_pair.py/#L1", "../source/mini/pair.py/#L7"} == {
        a.attributes["href"] for a in find(figure, "a")
    }


def test_a_mutant_that_only_raises_is_shown_if_the_page_names_it():
    assert figures(DROPPED) == []
    (figure,) = figures(DROPPED, mutant="Q @ K / math.sqrt(m)")
    assert "raises ValueError: matmul: mismatch" in text_of(figure) and not find(figure, "table")
    assert "test_scores stops with an exception" in text_of(figure)


def test_one_mutant_is_shown_and_a_likely_mistake_that_changes_numbers_first():
    assert asked(TINY, ROOT, SIGN, DROPPED) == ["What if the sign were dropped?"]
    assert chosen(TINY, ROOT, ("sign", "-Q", "assertion", NEGATED), SIGN, DROPPED, most=3) == [
        "transpose dropped", "sign", "call dropped",
    ]  # fmt: skip


def test_mechanical_mutants_are_shown_only_where_there_are_no_others():
    assert asked(TINY) == ["What if the value were 0.1 % larger?"]
    assert asked(TINY, ROOT) == ["What if the call were dropped?"]


def test_a_page_may_name_the_mutant_its_question_the_row_and_what_it_does():
    options = {"mutant": "(Q @ K.T) / m", "ask": "No root?", "at": [1], "note": "All grow."}
    (figure,) = figures(SIGN, ROOT, **options)
    assert text_of(find(figure, class_="lx-whatif__ask")[0]) == "No root?" and "All grow." in text_of(figure)
    assert "shown is S[1]" in text_of(figure)


@pytest.mark.parametrize(("options", "says"), [
    ({"mutant": "Q + K"}, "no mutant of this section is 'Q + K'"), ({"at": [0, 1]}, "has no row [0, 1]"),
    ({"at": [7]}, "has no row [7]"),
])  # fmt: skip
def test_a_mutant_or_a_row_that_there_is_not_is_reported(options, says):
    (finding,) = findings(directive("whatif", **options), **ran(SIGN))
    assert finding.code == "LI606" and says in finding.message


@pytest.mark.parametrize("mutant", [
    ("sign", "-Q", "survived", NEGATED), ("sign", "-Q", "unclean", NEGATED), ("sign", "-Q", "assertion", S),
])  # fmt: skip
def test_mutants_that_are_not_caught_or_do_not_show_are_left_out(mutant):
    assert figures(mutant) == []


def test_without_results_the_section_says_that_it_is_not_computed():
    assert "Not computed yet" in text_of(page(directive("whatif")))


def effect(before, after, error=None):
    return Effect("", Mutant("", ""), before, after, error)


@pytest.mark.parametrize("before, after, words", [
    (value(2, "int"), value(4, "int"), "gives another number"),
    (value([1.0, 2.0]), value([1.0, 3.0]), "changes 1 of 2 numbers"),
    (value([[1.0, 2.0]]), value([1.0, 2.0]), "gives shape (2,) instead of shape (1, 2)"),
    (value([1.0]), value(1.0), "gives a single number instead of shape (1,)"),
    (value([float("nan"), 1.0]), value([float("nan"), 1.0]), "gives the same numbers on this example"),
    (value([1.0]), None, "the value is neither a number nor an array"),
])  # fmt: skip
def test_what_a_mutant_does_is_told_in_words(before, after, words):
    assert outcome(effect(before, after)).words == words


def test_numbers_that_differ_little_are_told_apart():
    row = outcome(effect(value([1.0, 2.0]), value([1.0, 2.0000001]))).row
    assert [cell.text for cell in row.before] == ["1", "2"] and row.after[1].text == "2.0000001"


def test_of_a_long_row_the_part_around_the_first_difference_is_shown():
    data = [float(i) for i in range(40)]
    row = outcome(effect(value(data), value([*data[:30], -1.0, *data[31:]]))).row
    assert row.first == 28 and len(row.before) == 8 and row.changed.index(True) == 2
    assert outcome(effect(Value("float64", (0,), []), Value("float64", (0,), []))).differs is False


def test_two_renderings_with_mutants_are_equal():
    made = [pages(book(directive("whatif"), **ran(SIGN, DROPPED, SWAPPED))) for _ in range(2)]
    assert made[0] == made[1]
    ids = [e.attributes["id"] for e in html(made[0]["pair.md"]).walk() if "id" in e.attributes]
    assert len(ids) == len(set(ids))


def test_fixture_codes_are_mutants_of_the_linked_code():
    assert ast.unparse(ast.parse(f"({CODES['pair.scaled']})")) == "Q @ K.T / math.sqrt(m)"
