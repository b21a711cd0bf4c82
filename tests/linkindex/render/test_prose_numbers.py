"""Recorded numbers in sentences: ``{{ Q[0, 1] }}`` is what the run gave, wherever prose may stand."""

import pytest

from linkindex.refs import page_refs
from linkindex.render import rendered

from .small import Q, S, book, find, html, page, prose, text_of, value


def shown(text, **changes):
    numbers = find(page(prose(text), **changes), "span", class_="lx-value")
    return [(text_of(e), e.attributes["data-ref"]) for e in numbers]


def test_a_number_is_rounded_and_carries_its_value_and_its_name():
    root = page(prose("“up” gets {{ S[0, 1] }}, or {{S[0,1]|5}}, of {{ (Q @ K.T)[1, 2] | 2 }}."))
    assert "“up” gets 1.414, or 1.41421, of -0.03." in text_of(root)
    numbers = find(root, "span", class_="lx-value")
    assert [e.attributes["data-ref"] for e in numbers] == ["S[0, 1]", "S[0,1]", "(Q @ K.T)[1, 2]"]
    assert float(numbers[0].attributes["data-value"]) == S[0][1]


def test_whole_numbers_stay_whole():
    assert shown("{{ m }} wide") == [("2", "m")]


def test_a_number_may_be_the_result_of_a_call_of_the_example():
    assert shown('{{ spread()["raw"][1] | 1 }}', shown={"spread()['raw']": value([1.0, 8.06])}) == [
        ("8.1", 'spread()["raw"][1]')
    ]


@pytest.mark.parametrize("text", [
    "- of {{ Q[0, 1] }}", "> {{ Q[0, 1] }}", "**{{ Q[0, 1] }}**", "#### Of {{ Q[0, 1] }}",
    '??? question "Why?"\n\n    Since {{ Q[0, 1] }} is\n    negative.', "a | b\n--|--\n1 | {{ Q[0, 1] }}",
])  # fmt: skip
def test_a_number_may_stand_wherever_prose_does(text):
    assert shown(text) == [("-0.500", "Q[0, 1]")]


@pytest.mark.parametrize("text", [
    "`{{ nothing[0] }}`", "``{{ nothing[0] }} ` ``", "```\n{{ nothing[0] }}\n```", "~~~ jinja\n{{ nothing[0] }}\n~~~",
    r"$Q_{{m}}$", r"$\mathbf{{Q}}$",
])  # fmt: skip
def test_code_and_formulas_name_no_number(text):
    made, found = rendered(book(prose(text)))
    assert not found and text.splitlines()[0][:3] in made["pair.md"]
    assert not find(html(made["pair.md"]), class_="lx-value")


def test_a_symbol_of_a_formula_beside_a_number_is_still_marked():
    root = page(prose("$Q$ holds {{ Q[0, 1] }} and $K$ does not."))
    marks = [e.attributes["data-sym"] for p in find(root, "p") for e in find(p, class_="sym")]
    assert marks == ["Q", "K"] and len(find(root, class_="lx-value")) == 1


@pytest.mark.parametrize(("text", "found"), [
    ("{{ Qq[0, 1] }}", [("LI603", "nearest: Q")]), ("{{ Q + }}", [("LI603", "is not an expression")]),
    ("{{ Q }}", [("LI606", "'Q' in a sentence has shape (2, 2): add indices until one number is left")]),
    ("{{ Q[0] | 2 }}", [("LI606", "has shape (2,)")]), ("{{ Q[0, 7] }}", [("LI606", "use 0 to 1")]),
    ("{{ Qq[0] }}, {{ Q[0, 0] }} and {{ Q }}", [("LI603", "nearest: Q"), ("LI606", "has shape (2, 2)")]),
])  # fmt: skip
def test_what_cannot_be_shown_is_a_finding_at_its_paragraph(text, found):
    made, wrong = rendered(book(prose(text, 70)))
    assert [(one.code, one.place.line) for one in wrong] == [(code, 70) for code, _ in found]
    assert all(says in one.message for one, (_, says) in zip(wrong, found))
    assert "{{" not in made["pair.md"].replace("&#123;", "{") or text in made["pair.md"]


def test_a_number_in_prose_is_asked_for_when_the_example_runs():
    (page,) = book(prose('{{ spread()["raw"][1] }} of `{{ other()[0] }}` and {{ Q[0, 1] | 2 }}')).index.pages
    assert [(ref.base, ref.index, ref.call) for ref in page_refs(page)] == [
        ("spread()['raw']", (1,), "spread"), ("Q", (0, 1), None),
    ]  # fmt: skip


def test_a_value_of_another_section_of_the_page_can_be_named():
    assert shown("{{ Q[1, 1] | 0 }}") == [(f"{Q[1][1]:.0f}", "Q[1, 1]")]
