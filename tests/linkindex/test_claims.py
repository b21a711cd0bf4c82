"""What a page says without proof is found wherever it is typed, and what is no claim is left alone."""

import pytest
from linkindex.load import load
from linkindex.load.config import read_config
from linkindex.resolve.claims import claims
from linkindex.resolve.prose import doubtful_formulas
from linkindex.site.build import check_site

PAGE, RECORDS, SYMBOLS = "docs/filter.md", "docs/filter.yml", "docs/symbols.yml"

RELATIONS = {
    r"a formula in brackets \(x = P\) of LaTeX": "LI503",
    r"in a table" "\n\n" r"| a | \(x = P\) |" "\n|---|---|\n| b | c |": "LI503",
    "signs between $x$ = $P$ formulas": "LI504",
    "between $x$ ≤\n$P$ lines": "LI504",
    "as an entity, $x$ &le; $P$": "LI504",
    "*x* = *P*": "LI504",
    "<b>x</b> = <b>P</b>": "LI504",
    "x̄ = F·x": "LI504",
    "that x < P holds": "LI504",
    "`x` = `F @ x`": "LI504",
    "- an item\n\n    where x = P": "LI504",
    '!!! note "x = P"\n    text': "LI504",
    "<math><mi>x</mi></math>": "LI506",
    '<span class="arithmatex">x</span>': "LI506",
    '<div data-equation="filter.gain">x</div>': "LI506",
    '<span class="lx-number" data-value="7">7</span>': "LI506",
    "word{: .lx-step }": "LI506",
    "the rest <template>": "LI506",
    "the rest <span hidden>": "LI506",
    "</article>": "LI506",
    "> ::: code": "LI110",
    "   ::: code": "LI110",
    "words[^1]\n\n[^1]: where x = P": "LI504",
}
NUMBERS = [
    "The weight is 0.35.",
    "the weights .5 and 2",
    "the weight is $0.35$",
    "the weight is `0.35`",
    "the weight is **0.35**, _0.35_",
    "a gap of 1e-12",
    "a share of 35 %",
    "35% of the weight",
    "| a | 0.35 |\n|---|---|\n| b | c |",
    "### A weight of 0.35",
    "at most 0.35s long",
    "version 1.2 gives 0.35",
    "section 3.2 and 0.35",
]
HONEST = [
    "section 3.2.1, eq. 1.2 and 1.3 of the paper from 2017",
    "Sections 3.2, 3.3 and 4.1; §2.1; version 2.1 (version 2.2) with Python 3.11",
    "## 3.2 The update",
    "four rows of 16 columns, 1,024 in all, from 0 to 12; 100 % of them",
    "`gh` 2.99+ under Apache 2.0 (v. 1.7 and later)",
    "v1.2, 1.2.3 and x2.5; see [notes](https://example.org/0.35?a=b) and <https://example.org/1.5>",
    "the code `x = 0.35 * P` and `rate=0.1`",
    "```\nx = 0.35\n\nP = 0.5\n```",
    "- an item\n\n    ```python\n    x = 0.35\n\n    P < 1.5\n    ```",
    "text\n\n    x = 0.35\n\n    P = 1.5\n\nmore",
    "a <span title='x = 0.35'>word</span>, {#anchor} ![picture](a.png){: width=50% }",
    "> a quotation\n> of two lines\n\n- > of an item",
    '=== "Tab"\n\n    text ==marked== text',
    "a head\n======\n\n| a | b |\n|:--|--:|\n| 1 | 2 |",
    "<!-- x = 0.35 --> an arrow -> or => or --> here, 3:15, and A[0, 1]",
    "- a list\n\n    ```\n    ::: code\n    ```\n\ntext\n\n    ::: code\n\nand `<template>`, a:::b",
    "The symbols $x_{i}$ and $x$, $P$ in a row",
    "[r]: https://example.org/a=b 'x'\n\nA sum of $5",
]


@pytest.mark.parametrize("text", RELATIONS)
def test_a_relation_or_a_mark_that_is_typed_is_found(project, text):
    project.edit(PAGE, "and grows.", f"and grows.\n\n{text}\n")
    found = {(finding.code, finding.place.path) for finding in project.fast()}
    assert (RELATIONS[text], PAGE) in found


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_that_is_typed_is_found_once(text):
    found = [message for _, code, message in claims(text) if code == "LI505"]
    assert len(found) == (2 if "_0.35_" in text else 1)


@pytest.mark.parametrize("text", HONEST)
def test_what_claims_nothing_is_left_alone(text):
    assert list(claims(text)) == []


def test_the_place_is_that_of_the_number(project):
    project.edit(PAGE, "and grows.", "and grows\nto 0.35.")
    assert [(one.code, one.place.line, one.place.col) for one in project.fast()] == [
        ("LI505", project.line_of(PAGE, "0.35"), 4)
    ]


TEXTS = {
    "title of an equation": (RECORDS, "title: Innovation\n", "title: '{}'\n"),
    "meaning of a symbol": (SYMBOLS, "The state: mean of the estimate", "{}"),
    "title of a directive": (PAGE, "title: One step ahead", "title: '{}'"),
    "note of a directive": (PAGE, "title: One step ahead", "title: One\n    note: '{}'"),
    "title of a section": (PAGE, "## Update {#update}", "## {} {{#update}}"),
}


@pytest.mark.parametrize("code, words", [("LI116", "$x$ alone"), ("LI504", "where x = P"), ("LI505", "near 0.35")])
@pytest.mark.parametrize("where", TEXTS)
def test_texts_that_are_shown_as_they_are_claim_nothing(project, where, code, words):
    path, old, new = TEXTS[where]
    project.edit(path, old, new.format(words))
    found = [finding for finding in project.fast() if finding.code == code]
    assert [finding.place.path for finding in found] == [path]
    assert abs(found[0].place.line - project.line_of(path, words)) <= 3  # a directive's options have its own place


@pytest.mark.parametrize("text", [r"\`$\bar y$\`", "``a\n\n$\\bar y$\n\nb``", r"an open ` mark, $\bar y$"])
def test_a_formula_is_read_where_backticks_make_no_code(project, text):
    project.edit(PAGE, "and grows.", f"and grows. {text}")
    assert [warning.code for warning in doubtful_formulas(load(read_config(project.root))[0])] == ["LI502"]


def built(project):
    return [(finding.code, finding.place.path) for finding in check_site(read_config(project.root))[1]]


def test_what_an_included_file_says_is_read_in_the_html(project):
    project.write("words.txt", "The weight is 0.35, and x&nbsp;= P. It holds in section 3.2 that `a = 0.5`.\n")
    folder = f"  - linkindex_math\n  - pymdownx.snippets: {{base_path: '{project.root}'}}\n"
    project.edit("mkdocs.yml", "  - linkindex_math\n", folder)
    project.edit(PAGE, "and grows.", 'and grows.\n\n--8<-- "words.txt"\n')
    assert project.fast() == ()
    assert built(project) == [("LI504", PAGE), ("LI505", PAGE)]


def test_what_is_typed_is_reported_once(project):
    project.edit(PAGE, "and grows.", "and grows to 0.35.")
    assert built(project) == [("LI505", PAGE)]


def test_a_number_that_a_hook_changes_is_found(project):
    change = "def on_page_content(html, **_):\n    return html.replace('0.5', '0.7')\n"
    project.write("hook.py", change)
    project.edit("mkdocs.yml", "plugins:", "hooks: [hook.py]\nplugins:")
    assert built(project) == [("LI725", PAGE)]


FORMS = [r"\(x = P\)", "<math><mi>x</mi><mo>=</mo></math>", "$$x = P$$", r"\begin{gather}x = P\end{gather}"]


@pytest.mark.parametrize("text", FORMS)
def test_a_formula_of_another_form_is_reported_once(project, text):
    project.edit(PAGE, "and grows.", f"and grows {text} now.")
    assert len(project.fast()) == 1
