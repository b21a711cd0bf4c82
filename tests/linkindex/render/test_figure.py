"""Pictures out of figures/NAME.svg: what they are filled with, and what is said where they cannot be."""

from pathlib import Path

import pytest

from linkindex.model import Page, Place
from linkindex.render import rendered
from linkindex.render.book import Book

from .small import S, book, directive, find, findings, html, page, pages, text_of, value

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 90" role="img">{inside}</svg>\n'
SAID = '<title id="t">What up reads</title><desc id="d">0 and 1.41.</desc>'


@pytest.fixture
def picture(tmp_path, monkeypatch):
    """``picture(text)`` is figures/one.svg of the small project."""
    monkeypatch.chdir(tmp_path)

    def write(inside: str | bytes, width: int = 476) -> None:
        path = Path("docs/figures/one.svg")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(inside if isinstance(inside, bytes) else SVG.format(width=width, inside=inside).encode())

    return write


def figure(**options):
    return directive("figure one", **({"of": ["S", "Q"]} | options))


def drawn(**options):
    (found,) = find(page(figure(**options)), "figure", class_="lx-picture")
    return found


def test_text_and_strokes_are_filled_from_recorded_values(picture):
    picture(SAID + '<text>{{ S[0, 1] | f(2) }} {{ Q[0, 1] | f(1) }} {{ shape(S) }}</text>'
            '<path d="M0 {{ (10 * S[0, 1]) | px }}V{{ Q[1, 1] | px }}" '
            'stroke-width="{{ (84 * S[0, 1]) | px }}"/>')  # fmt: skip
    (text,), (path,) = find(drawn(), "text"), find(drawn(), "path")
    assert text_of(text) == "1.41 -0.5 (2, 3)"
    assert path.attributes == {"d": "M0 14.1V2", "stroke-width": "118.8"}


def test_a_picture_may_loop_over_labels_and_values_and_names_are_escaped(picture):
    picture(SAID + '{% for word in labels["n"] %}<text>{{ word }} {{ row[loop.index0] | f(0) }}</text>{% endfor %}')
    block = figure(of={"row": "Q[1]"})
    small = book(block)
    run = small.runs.examples["pair"][0]
    named = type(run)(**{**vars(run), "labels": {"n": ("a<b", "&")}})
    made, wrong = rendered(Book(small.index, small.resolution, type(small.runs)(
        {"pair": (named,)}, small.runs.tests, {}), small.evidence))
    assert not wrong
    assert [text_of(one) for one in find(html(made["pair.md"]), "text")] == ["a<b 0", "& 2"]


def test_a_call_of_the_example_and_an_expression_have_names_of_their_own(picture):
    picture(SAID + "<text>{{ low[1] | f(1) }} {{ product[0, 0] | f(0) }}</text>")
    named = {"low": 'spread()["low"]', "product": "Q @ K.T"}
    root = page(figure(of=named), shown={"spread()['low']": value([1.0, 2.5])})
    assert text_of(find(root, "text")[0]) == "2.5 0"


def test_the_figure_says_which_values_it_shows_and_what_it_is(picture):
    picture(SAID)
    found = drawn(of={"a": "S", "b": "Q @ K.T"}, caption="Arrows are weights, <b>all</b> of them.")
    assert found.attributes["data-refs"] == "S; Q @ K.T"
    assert text_of(find(found, "figcaption")[0]) == "Arrows are weights, <b>all</b> of them."
    assert [text_of(find(found, tag)[0]) for tag in ("title", "desc")] == ["What up reads", "0 and 1.41."]


@pytest.mark.parametrize(("width", "scrolls"), [(476, False), (500, False), (808, True)])
def test_what_is_too_wide_for_a_phone_scrolls_under_its_name(picture, width, scrolls):
    picture(SAID, width)
    boxes = find(drawn(), class_="scroll")
    assert [box.attributes["data-label"] for box in boxes] == ["one"] * scrolls
    assert [bool(find(box, "svg")) for box in boxes] == [True] * scrolls


def test_blank_lines_and_indents_of_a_picture_are_no_markdown(picture):
    picture(SAID + "\n\n    <g>\n\n        <text>*one*</text>\n    </g>\n")
    assert text_of(find(drawn(), "text")[0]) == "*one*"
    assert not find(drawn(), "em") and not find(drawn(), "pre")


def test_a_picture_of_another_page_shows_the_run_of_that_page(picture):
    picture(SAID + "<text>{{ S[0, 1] | f(3) }}</text>")
    small = book()
    home = Page("index", "docs/index.md", "Home", (figure(page="pair"),))
    made = Book(type(small.index)(**{**vars(small.index), "pages": (*small.index.pages, home)}),
                small.resolution, small.runs, small.evidence)  # fmt: skip
    assert text_of(find(html(pages(made)["index.md"]), "text")[0]) == f"{S[0][1]:.3f}"


FAULTS = {
    "an unknown name": (SAID + "{{ A[0] }}", "docs/figures/one.svg: 'A' is undefined; it may name S, Q, labels"),
    "an unknown label": (SAID + '{{ labels["m"][0] }}', "has no attribute 'm'"),
    "an unknown filter": (SAID + "\n{{ S | bold }}", "docs/figures/one.svg, line 2: No filter named 'bold'"),
    "a tag left open": (SAID + "{% for x in S %}", "Unexpected end of template"),
    "an index outside": (SAID + "{{ S[0, 9] }}", "has no element (0, 9)"),
    "a row where a number is due": (SAID + "{{ S[0] | f(2) }}", "docs/figures/one.svg: "),
    "a word where a number is due": (SAID + '{{ "x" | px }}', "could not convert string to float"),
    "a product without brackets": (SAID + "{{ 84 * S[0, 1] | px }}", "here 1.4: put brackets around the product"),
    "a difference without brackets": (SAID + "{{ 84 - S[0, 1] | px }}", "unsupported operand"),
    "a division by zero": (SAID + "{{ 1 / 0 }}", "docs/figures/one.svg: division by zero"),
    "a shape of a number": (SAID + "{{ shape(3) }}", "has no attribute 'shape'"),
    "no title": ("<desc>0 and 1.</desc>", "found without one of them"),
    "no description": ("<title>What up reads</title>", "found without one of them"),
    "an empty description": ("<title>What up reads</title><desc> </desc>", "found without one of them"),
    "an element left open": (SAID + "<g>", "ParseError: mismatched tag"),
    "no size": (b'<svg xmlns="http://www.w3.org/2000/svg">' + SAID.encode() + b"</svg>", "KeyError: 'viewBox'"),
    "a size of two numbers": (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0">' + SAID.encode() + b"</svg>",
                              "IndexError"),
    "another format": (b"\x89PNG", "cannot be read (UnicodeDecodeError): add it"),
    "something else": (b"<p>no picture</p>", "expected <svg xmlns="),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_picture_with(picture, fault):
    text, says = FAULTS[fault]
    picture(text)
    (found,) = findings(figure())
    assert (found.code, found.place) == ("LI616", Place("docs/pair.md", 40))
    assert says in found.message, found.message


def test_a_picture_that_is_not_there_is_named(picture):
    picture(SAID)
    (found,) = findings(directive("figure two", of=["S"]))
    assert (found.code, found.place) == ("LI616", Place("docs/pair.md", 40))
    assert found.message == "the picture docs/figures/two.svg cannot be read (FileNotFoundError): add it"


@pytest.mark.parametrize(("options", "code", "says"), [
    ({"of": ["Qq"]}, "LI603", "nearest: Q"), ({"of": {"q": "Q[7]"}}, "LI606", "use 0 to 1"),
    ({"of": ["Q[0]"]}, "LI604", "expected a list of names"), ({"of": {"no name": "Q"}}, "LI604", "a list of names"),
    ({"of": ["S"], "page": "pairs"}, "LI604", "there is no page 'pairs' whose values could be shown; nearest: pair"),
])  # fmt: skip
def test_values_that_a_picture_cannot_have_are_reported(picture, options, code, says):
    picture(SAID)
    (found,) = findings(directive("figure one", **options))
    assert found.code == code and says in found.message


def test_a_picture_that_stands_twice_on_a_page_has_its_anchors_twice(picture):
    picture(SAID)
    assert [found.code for found in findings(figure(), directive("figure one", 50, of=["S"]))] == ["LI613", "LI613"]
