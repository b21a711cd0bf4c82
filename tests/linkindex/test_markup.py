"""The scanner of HTML finds what the standard library's parser finds."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkindex.markup import scan

NAMES = st.sampled_from(["p", "a", "DIV", "h1", "br", "svg", "mi", "custom-tag"])
KEYS = st.sampled_from(["href", "CLASS", "data-eq", "aria-label", "@x", "xlink:href"])
TEXTS = st.text(st.sampled_from("ab c\n=/&;#1é𝐖'\"-"), max_size=8)
BARE = st.text(st.sampled_from("ab1/é#&;=-"), min_size=1, max_size=6)
VALUES = st.one_of(
    st.just(""),
    TEXTS.map(lambda text: '="' + text.replace('"', "") + '"'),
    TEXTS.map(lambda text: " = '" + text.replace("'", "") + "'"),
    BARE.map(lambda text: f"={text}"),
)
ATTRIBUTES = st.lists(st.tuples(KEYS, VALUES).map("".join), max_size=3).map(
    lambda found: "".join(f" {one}" for one in found)
)
PIECES = st.one_of(
    TEXTS,
    st.tuples(NAMES, ATTRIBUTES, st.sampled_from(["", " ", " /"])).map(lambda parts: "<{}{}{}>".format(*parts)),
    NAMES.map(lambda name: f"</{name}>"),
    TEXTS.map(lambda text: f"<!-- {text.replace('--', '')} <b> -->"),
    TEXTS.map(lambda text: f"<script>if (a < b) {{ '<p>{text}' }}</script>"),
    st.sampled_from(
        ["<!doctype html>", "a < b", "&lt;p&gt;", "<style media=x>p > a {}</style>", "<SCRIPT src=x></SCRIPT>"]
    ),
)


class Expected(HTMLParser):
    """(name, attributes, line, column) of start tags, with whether they close themselves; names of end tags."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, attrs, *self.getpos(), False))

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, attrs, *self.getpos(), True))

    def handle_endtag(self, tag):
        if tag not in ("script", "style"):
            self.found.append(tag)


def expected(html):
    parser = Expected()
    parser.feed(html)
    parser.close()
    return parser.found


def found(html):
    def of(markup):
        if markup.is_end:
            return markup.name
        line, column = html.count("\n", 0, markup.start) + 1, markup.start - html.rfind("\n", 0, markup.start) - 1
        return markup.name, markup.attributes(), line, column, markup.is_closed()

    return [of(markup) for markup in scan(html) if markup.name]


@given(st.lists(PIECES, max_size=8).map("".join))
def test_tags_and_attributes_are_those_of_the_standard_parser(html):
    assert found(html) == expected(html)


@pytest.mark.parametrize(
    "html",
    [
        "<a href=x/>", "<br/>", "<br />", "<p a=1 a=2>", "<p a>", "<p a=>", "<p title='>'>", '<p title="<b>">',
        "<td class='a' / id=b>",
        "<p\n\ta = 'x'\n>", "<!-- a -- b > <i> -->x", "<script>'</scriptx>'</script >", "<p &amp=1>",
    ],
)  # fmt: skip
def test_odd_tags_are_read_as_the_standard_parser_reads_them(html):
    assert found(html) == expected(html)


def test_the_text_of_a_script_is_given_with_its_end():
    html = "<script>a<b</script><p>"
    script, paragraph = scan(html)
    assert (script.inner, html[: script.close], paragraph.start) == ("a<b", "<script>a<b</script>", script.close)
