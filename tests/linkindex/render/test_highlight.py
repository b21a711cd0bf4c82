from linkindex.render.highlight import Mark, highlight, marks, symbol_marks, tokens
from linkindex.verify.html import parse

from .small import CODES, FILE, SOURCE, find, span

LINES = SOURCE.split("\n")


def shown(*wanted: Mark, text: str = SOURCE) -> dict[int, object]:
    return {n: parse(html) for n, html in highlight(text, FILE, wanted, range(1, text.count("\n") + 2)).items()}


def marked(lines: dict, name: str) -> str:
    """What the marks of an equation cover, line by line."""
    found = [
        "".join(mark.text for mark in find(line, "mark") if name in mark.attributes["data-eq"].split())
        for line in lines.values()
    ]
    return "\n".join(text for text in found if text)


def test_every_line_shows_its_text():
    assert [line.text for line in shown().values()] == LINES


def test_a_mark_covers_the_linked_code_exactly_also_across_lines():
    lines = shown(*marks((span(code), name) for name, code in CODES.items()))
    assert marked(lines, "pair.scaled") == CODES["pair.scaled"]
    assert marked(lines, "pair.product") == CODES["pair.product"]
    assert [line.text for line in lines.values()] == LINES


def test_a_mark_inside_another_is_nested_in_it():
    line = shown(*marks((span(code), name) for name, code in CODES.items()))[8]
    inner = find(line, "mark", data_eq="pair.product")[0]
    assert inner.text == "Q @ K.T"
    assert inner.parent.attributes["data-eq"] == "pair.scaled"


def test_marks_that_overlap_without_nesting_keep_their_text():
    lines = shown(Mark(8, 9, 8, 14, "link", ("a",)), Mark(8, 11, 8, 16, "link", ("b",)))
    assert (marked(lines, "a"), marked(lines, "b")) == ("Q @ K", "@ K.T")
    assert lines[8].text == LINES[7]


def test_two_equations_of_one_expression_share_a_mark():
    made = marks([(span("Q @ K.T"), "a"), (span("Q @ K.T"), "b"), (span("Q @ K.T"), "a")])
    assert made == (Mark(8, 9, 8, 16, "link", ("a", "b")),)


def test_columns_count_characters():
    lines = shown(*marks([(span('"θθ" if S is None else\tS.sum()'), "sum")]))
    assert marked(lines, "sum") == '"θθ" if S is None else\tS.sum()'


def test_a_tab_is_written_so_that_markdown_keeps_it():
    assert "\t" not in highlight(SOURCE, FILE, (), [10])[10]


def test_only_a_line_feed_ends_a_line():
    text = "a = 1\x0c\nb = '\u2028\x85'  # \x1c\nc = 3\n"
    assert [line.text for line in shown(text=text).values()] == text.split("\n")


def test_a_file_without_a_lexer_is_shown_plain():
    assert tokens("<x>\n", "notes.unknown")[0][0].text == "<x>"


def test_a_symbol_is_found_as_a_whole_token_and_not_inside_another():
    text = 'Q = Q_h @ x.Q + p["Q"]  # Q\n'
    found = symbol_marks(text, "a.py", [("Q", "Q"), ('p["Q"]', "W")], [1])
    assert [(mark.col, mark.names) for mark in found] == [(1, ("Q",)), (17, ("W",))]
