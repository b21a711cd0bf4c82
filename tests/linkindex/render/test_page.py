"""What a page shows, read back from its HTML."""

import pytest

from linkindex.model import Span, Step
from linkindex.permalink import Permalinks
from linkindex.render.book import Book
from linkindex.render.places import code_line, done_in

from .small import (
    CODES, FILE, INPUTS, K, PRODUCT, Q, S, TEST_FILE, book, directive, filled, find, html, page, pages, text_of, texts,
    value, verdict,
)  # fmt: skip

ANCHORS = "eq-pair-scaled", "eq-pair-product"


def table(root, ref):
    (found,) = find(root, "table", data_ref=ref)
    return found


def numbers(root, ref):
    """The exact numbers of a matrix, row by row."""
    rows = [[cell for cell in row.walk() if "data-value" in cell.attributes] for row in find(table(root, ref), "tr")]
    return [[float(cell.attributes["data-value"]) for cell in row] for row in rows if row]


def exact(element):
    """The exact value of the one number below an element."""
    (number,) = find(element, class_="lx-number")
    return float(number.attributes["data-value"])


def headings(root, ref, scope):
    return [text_of(th) for th in find(table(root, ref), "th", scope=scope)]


def test_an_equation_has_its_anchor_number_formula_and_links():
    (equation,) = find(page(), id="eq-pair-scaled")
    assert text_of(find(equation, class_="lx-equation__number")[0]) == "(1)"
    assert text_of(find(equation, class_="lx-equation__title")[0]) == "Scaled scores"
    (formula,) = find(equation, "math")
    assert [s.attributes["data-sym"] for s in find(formula, class_="sym")] == ["S", "Q", "K", "m"]
    links = {text_of(a): a.attributes["href"] for a in find(equation, "a")}
    assert links["mini/pair.py:7–9"] == "../source/mini/pair.py/#L7"
    assert "Computed in mini/pair.py:7–9" in text_of(equation)
    assert links["test_scores"] == "../source/tests/test_pair.py/#L2"
    assert links["section 2, eq. 1"] == "../equations/#ref-known2020"


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


def test_an_equation_says_what_kind_it_is():
    root = page()
    scaled, product = ([text_of(c) for c in find(find(root, id=e)[0], class_="lx-chip")] for e in ANCHORS)
    assert (scaled, product) == ([], ["Property", "Derived here"])


def test_an_equation_leads_to_the_example_of_its_concept():
    root = page(directive("example"))
    (link,) = [a for a in find(find(root, id="eq-pair-scaled")[0], "a") if text_of(a) == "with numbers"]
    (heading,) = find(root, "h3", id=link.attributes["href"].removeprefix("#"))
    assert text_of(heading) == "Tiny numerical example"


def test_written_text_is_escaped():
    root = page(directive("matrices", show=["Q"], title="<b>&", note="<script>"))
    assert "Product <before> scaling" in root.text and "<b>&" in root.text and "<script>" in root.text
    assert not find(root, "script") and not find(root, "before")


def test_headings_have_ids_and_keep_their_characters():
    root = page()
    assert text_of(find(root, "h2", id="scores")[0]) == "Scores & more"
    assert text_of(find(root, "h3", id="scores-what-is-it")[0]) == "What is it?"


def test_symbols_are_listed_with_meaning_code_and_shape():
    root = page(directive("symbols"))
    rows = [texts(row) for row in find(root, "tr", class_="lx-symbol")]
    assert rows[:2] == [["Q", "Queries", "Q", "(n, m)"], ["K", "Keys <all>", "K", "(k, m)"]]
    assert rows[3] == ["m", "Width", "m", "scalar"]


def test_a_matrix_reads_back_exactly_with_names_and_shape():
    root = page(directive("matrices", show=["Q", "K", "Q @ K.T", "S[1]"]))
    assert numbers(root, "Q") == Q and numbers(root, "K") == K and numbers(root, "Q @ K.T") == PRODUCT
    assert numbers(root, "S[1]") == [S[1]]
    assert headings(root, "Q", "row") == ["up", "down"]
    assert headings(root, "Q", "col") == ["0", "1"]
    assert "(n, m) = (2, 2)" in text_of(table(root, "Q"))
    assert [text_of(c) for c in find(root, class_="lx-chip") if "example" in c.text] == ["Illustrative example"]


def test_a_shape_comes_from_the_symbol_the_comment_or_the_sizes():
    root = page(directive("shapes", of=["Q", "S", "K.T", "S[0]", "m"]))
    shapes = {
        row.attributes["data-ref"]: [text_of(c) for c in find(row, class_="lx-shape")]
        for row in find(root, "tr") if "data-ref" in row.attributes
    }  # fmt: skip
    assert shapes == {
        "Q": ["(n, m)", "(4, 3)", "(4, 3)"], "S": ["(n, k)", "(4, 5)", "(4, 5)"], "K.T": ["(m, k)", "(3, 5)", "(3, 5)"],
        "S[0]": ["(k,)", "(5,)", "(5,)"], "m": ["scalar", "scalar", "scalar"],
    }  # fmt: skip


def test_a_size_that_an_array_has_twice_is_said_to_hide_an_exchanged_axis():
    different = "The sizes are all different, so that a wrong axis shows in the shape."
    twice = "Where an array has one size twice, as (n, n), only formula and test tell the two apart."
    root = page(directive("shapes", of=["Q"]))
    assert different in text_of(root) and "twice" not in text_of(root)
    root = page(directive("shapes", of=["Q", "Q @ K.T"]), configured={"Q @ K.T": filled(4, 4)})
    assert different in text_of(root) and twice in text_of(root)


def test_a_heat_map_shows_levels_ends_and_masked_cells():
    masked = [[S[0][0], float("-inf"), float("-inf")], [S[1][0], S[1][1], float("-inf")]]
    root = page(directive("heatmap", show="M", decimals="2"), inputs={"M": value(masked)})
    cells = [cell for cell in table(root, "M").walk() if cell.tag == "td" and "data-value" in cell.attributes]
    assert [float(cell.attributes["data-value"]) for cell in cells] == [x for row in masked for x in row]
    assert [text_of(cell) for cell in cells if "lx-masked" in cell.classes] == ["−∞ masked"] * 3
    assert not [cell for cell in cells if "lx-masked" in cell.classes and "lx-heat" in cell.classes]
    ends = {e.attributes["data-end"]: exact(e) for e in find(root, "span") if "data-end" in e.attributes}
    open_cells = [x for row in masked for x in row if x != float("-inf")]
    assert ends == {"low": min(open_cells), "high": max(open_cells)}


def test_the_colour_of_a_cell_follows_its_size():
    root = page(directive("heatmap", show="Z"), inputs={"Z": value([[-2.0, -1.0, 0.0], [0.1, 1.0, 4.0]])})
    cells = [cell for cell in table(root, "Z").walk() if cell.tag == "td" and "data-value" in cell.attributes]
    assert [sorted(cell.classes) for cell in cells] == [
        ["lx-heat", "lx-heat--4", "lx-heat--minus"], ["lx-heat", "lx-heat--2", "lx-heat--minus"], [],
        [], ["lx-heat", "lx-heat--2", "lx-heat--plus"], ["lx-heat", "lx-heat--8", "lx-heat--plus"],
    ]  # fmt: skip


@pytest.mark.parametrize(("rows", "levels"), [
    ([[-3.0, -1.0, 0.0], [0.1, 1.0, 1.5]], [-8, 0, 8]), ([[0.5, 0.0, 2.0]], [0, 8]), ([[-0.5, -0.25]], [-8, 0, 8]),
])  # fmt: skip
def test_each_label_of_a_legend_stands_at_the_colour_that_its_value_has(rows, levels):
    root = page(directive("heatmap", show="Z"), inputs={"Z": value(rows)})
    labels = {int(e.attributes["data-level"]): e for e in find(root, "span") if "data-level" in e.attributes}
    top = max(abs(x) for row in rows for x in row)
    assert list(labels) == levels
    assert {level: round(8 * exact(label) / top) for level, label in labels.items()} == {n: n for n in levels}
    assert text_of(labels[8]) == f"{top:.2f}"
    assert text_of(find(root, class_="lx-heat-legend__scale")[0]).startswith("Colours: ")
    assert len(find(root, class_="lx-heat-legend__bar--minus")) == levels.count(-8)


def test_a_heat_map_of_zeros_has_no_scale():
    root = page(directive("heatmap", show="Z"), inputs={"Z": value([[0.0, 0.0]])})
    assert not find(root, class_="lx-heat-legend__scale")
    assert text_of(find(root, class_="lx-heat-legend")[0]) == "cells from 0.00 to 0.00"


def test_a_zero_is_masked_only_where_a_value_of_its_shape_is_minus_infinity():
    inputs = {"A": value([[1.0, 0.0], [0.0, 1.0]]), "M": value([[1.0, float("-inf")], [0.5, 1.0]])}
    root = page(directive("rowsums", of="A"), directive("heatmap", show="A"), inputs=inputs)
    assert [text_of(cell) for cell in find(root, "td", class_="lx-masked")] == ["0.00 masked"]
    rows = [texts(row) for row in find(root, "tr") if "data-row" in row.attributes]
    assert [row[-1] for row in rows] == ["1", "0"]


def test_row_sums_are_made_before_rounding():
    root = page(directive("rowsums", of="A"), inputs={"A": value([[0.1] * 10, [1 / 3] * 10])})
    rows = [texts(row) for row in find(root, "tr") if "data-row" in row.attributes]
    assert rows == [["0", "1.0000", "1.0", "0"], ["1", "3.3333", "3.333333333333333", "0"]]
    over_numbers = [text_of(th) for th in find(root, "th", class_="lx-num")]
    assert over_numbers == ["Sum, rounded", "Sum, exact", "Masked cells"]


def test_a_cell_of_a_product_is_worked_out_from_its_operands():
    root = page(directive("worked", of="Q @ K.T", at=["1", "2"]))
    assert text_of(find(root, class_="lx-worked__sum")[0]) == "[0.25, 2] · [-0.125, 0]= 0.25 × -0.125 + 2 × 0 = -0.0312"
    assert "row 1 (down), column 2" in text_of(find(root, class_="lx-worked__place")[0])
    assert text_of(find(root, class_="lx-example__title")[0]) == "One entry, worked out"
    operands = {
        e.attributes["data-ref"]: [float(n.attributes["data-value"]) for n in find(e, class_="lx-number")]
        for e in find(root, class_="lx-operand")
    }
    assert operands == {
        "Q[1]": Q[1], "K[2]": K[2], "Q[1, 0]": [0.25], "K[2, 0]": [-0.125], "Q[1, 1]": [2.0], "K[2, 1]": [0.0],
        "(Q @ K.T)[1, 2]": [PRODUCT[1][2]],
    }  # fmt: skip


def test_a_row_of_a_product_leaves_out_zero_weights():
    weights, rows = [[1.0, 0.0], [0.5, 0.5]], [[2.0, 4.0, 6.0], [1.0, 1.0, 1.0]]
    inputs = {"Q": value(weights), "K.T": value(rows), "Q @ K.T": value([rows[0], [1.5, 2.5, 3.5]])}
    root = page(directive("worked", of="Q @ K.T", at=["0"]), inputs=inputs)
    assert text_of(find(root, class_="lx-worked__sum")[0]) == "1 × [2, 4, 6] = [2, 4, 6]"
    assert text_of(find(root, class_="lx-example__title")[0]) == "One row, worked out"
    assert "1 term with a factor of exactly 0 left out." in root.text


def test_a_leading_axis_is_named_by_the_word_of_its_entry():
    one = value([[[2.0]], [[3.0]]])
    inputs = {"Q": one, "K.T": one, "Q @ K.T": value([[[4.0]], [[9.0]]])}
    block = directive("worked", of="Q @ K.T", at=["1", "0", "0"])
    root = page(block, inputs=inputs, configured={"Q @ K.T": filled(4, 5, 3)})
    assert text_of(find(root, class_="lx-worked__place")[0]) == "Q @ K.T, down, row 0, column 0:"
    assert "entry 1 of axis 2, row 0" in text_of(page(block, inputs=inputs))


def test_a_quotient_is_worked_out_from_the_linked_expression():
    root = page(directive("worked", of="S", at=["0", "1"]))
    (result,) = find(root, class_="lx-operand", data_ref="S[0, 1]")
    assert exact(result) == S[0][1]
    assert text_of(find(root, class_="lx-worked__sum")[0]) == "2 / 1.4142 = 1.4142"


def test_single_numbers_and_the_configuration_are_told_apart():
    rows = [{"quantity": "The scale", "show": "math.sqrt(m)"}]
    root = page(directive("cells", rows=rows), directive("cells", 50, rows=rows, run="configuration"))
    assert [exact(cell) for cell in find(root, "td", data_ref="math.sqrt(m)")] == [2**0.5, 3**0.5]
    assert [text_of(th) for th in find(root, "th", class_="lx-num")] == ["Value"] * 2
    chips = [text_of(chip) for chip in find(root, class_="lx-chip--example")]
    assert chips == ["Illustrative example", "Sizes of the configuration, random inputs"]


def test_a_comparison_bounds_the_largest_gap():
    measured = [[x + 3e-11 for x in row] for row in S]
    rows = [{"name": "S", "formula": "S", "measured": 'measured()["S"]'}]
    root = page(directive("compare", rows=rows), shown={"measured()['S']": value(measured)})
    assert numbers(root, "S") == S and numbers(root, 'measured()["S"]') == measured
    assert headings(root, 'measured()["S"]', "row") == ["up", "down"]
    assert float(find(root, class_="lx-number", data_gap_of="S")[0].attributes["data-value"]) == 4e-11


def test_round_off_is_bounded_and_its_digits_are_not_shown():
    root = page(directive("bound", of="e", limit="1e-12"), inputs={"e": value([3e-17, -2e-17])})
    assert "Each of the 2 entries of e is at most 1e-12 in magnitude" in text_of(root)
    assert "3e-17" not in root.text


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


def test_the_dossier_connects_code_tests_papers_callers_and_evidence():
    steps = {"formula": Step(False, "differs by 2"), "defended": Step(False, "exempt", "survivor is equivalent")}
    root = page(directive("dossier"), steps=steps)
    titles = [text_of(h) for h in find(root, "h3")][-4:]
    assert titles == ["Code and math connection", "Where is it used?", "Implemented in", "Evidence"]
    statements = [text_of(code) for code in find(root, "code", class_="lx-statement")]
    assert statements[0] == "S = ( Q @ K.T ) / math.sqrt(m)" and statements[1].startswith("assert near(")
    assert "mini.pair.scores by mini.model.forward (line 12)" in text_of(root)
    assert "A. Known, On pairs: section 2, eq. 1 for (1)" in text_of(root)
    assert "tests/test_pair.py::test_scores passed" in text_of(root)
    cells = [text_of(cell) for cell in find(root, "td", class_="lx-step")][:6]
    assert cells == ["✓ done"] * 4 + ["✗ failed differs by 2", "! exception survivor is equivalent"]


def test_formula_and_mutants_are_told_in_numbers():
    steps = {"formula": Step(True, max_error=3.1e-16, tolerance=1e-10, trials=3), "defended": Step(True, trials=3)}
    outcomes = [("a", "assertion"), ("b", "exception"), ("c", "survived"), ("Q @ K.T / math.sqrt(m)", "survived")]
    root = page(directive("dossier"), steps=steps, verdicts={"pair.scaled": [verdict(*pair) for pair in outcomes]})
    formula, defended = [text_of(cell) for cell in find(root, "td", class_="lx-step")][4:6]
    assert formula == "✓ done largest error ≤ 4e-16 tolerance 1e-10 3 trials"
    assert defended == "✓ done 2 of 4 caught 1 by an assertion 1 survived 1 equivalent"


def test_marks_of_a_statement_cover_the_linked_code():
    root = page(directive("dossier"))
    (code, *_) = find(root, "code", class_="lx-statement")
    assert "\n".join(mark.text for mark in find(code, "mark")).split() == CODES["pair.scaled"].split()


class Published(Book):
    """The small project where a commit holds the code, but not the tests."""

    permalinks = Permalinks("https://example.org/me/mini", "a" * 40, "", frozenset({FILE}))


def test_a_permalink_stands_beside_code_that_the_commit_holds():
    small = book()
    published = Published(small.index, small.resolution, small.runs, small.evidence)
    links = [a.attributes["href"] for a in find(html(pages(published)["pair.md"]), "a", class_="lx-permalink")]
    assert links == [f"https://example.org/me/mini/blob/{'a' * 40}/mini/pair.py#{lines}" for lines in ("L7-L9", "L8")]
    assert not find(page(), "a", class_="lx-permalink")


def test_ids_are_unique_and_lower_case():
    blocks = [directive(name) for name in ("symbols", "example", "code", "dossier")] + [directive("shapes", of=["Q"])]
    ids = [element.attributes["id"] for element in page(*blocks).walk() if "id" in element.attributes]
    assert len(ids) == len(set(ids)) and all(name == name.lower() for name in ids)


def test_nothing_needs_a_style_attribute_or_a_script():
    root = page(directive("heatmap", show="S"), directive("dossier"))
    assert not [element for element in root.walk() if "style" in element.attributes or element.tag == "script"]


@pytest.mark.parametrize("ref", ["Q", "S"])
def test_a_matrix_of_any_size_is_shown_with_indices_where_names_do_not_fit(ref):
    root = page(directive("matrices", show=[ref]), inputs={ref: filled(3, 2)})
    assert headings(root, ref, "row") == ["0", "1", "2"]


def test_two_renderings_are_equal():
    blocks = directive("matrices", show=["Q"]), directive("dossier")
    assert pages(book(*blocks)) == pages(book(*blocks))


def test_inputs_of_the_fixture_agree_with_each_other():
    assert INPUTS["Q @ K.T"].array().tolist() == (INPUTS["Q"].array() @ INPUTS["K"].array().T).tolist()
    assert html("# x").text.strip() == "x"
