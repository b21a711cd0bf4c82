"""The code on a page: linked statements and whole functions, each line with the shape of what it made."""

from .small import directive, find, page, text_of


def test_code_shows_the_linked_statements_with_their_real_lines():
    root = page(directive("code"))
    lines = find(find(root, class_="lx-listing")[0], class_="lx-line")
    assert [(text_of(find(line, class_="lx-line__no")[0]), find(line, "code")[0].text) for line in lines] == [
        ("7", "    S = ("), ("8", "        Q @ K.T"), ("9", "    ) / math.sqrt(m)  # (n, k)"),
    ]  # fmt: skip
    assert [a.attributes["href"] for a in find(lines[1], "a")] == [
        "../source/mini/pair.py/#L8", "#eq-pair-scaled", "#eq-pair-product",
    ]  # fmt: skip
    assert [s.text for s in find(lines[1], class_="lx-sym")] == ["Q", "K"]


def test_a_listing_shows_the_whole_function_from_its_decorator():
    lines = find(page(directive("listing mini.pair.scores")), class_="lx-line")
    assert [text_of(find(line, class_="lx-line__no")[0]) for line in lines] == [str(n) for n in range(4, 12)]
