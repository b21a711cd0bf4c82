"""What a page shows, read back from its HTML."""

import pytest

from linkindex.directives import declaration, names
from linkindex.render.refs import look_up

from .small import (
    INPUTS, K, PRODUCT, Q, S, book, directive, exact, filled, find, html, page, pages, table, text_of, texts, value,
)  # fmt: skip


def numbers(root, ref):
    """The exact numbers of a matrix, row by row."""
    rows = [[cell for cell in row.walk() if "data-value" in cell.attributes] for row in find(table(root, ref), "tr")]
    return [[float(cell.attributes["data-value"]) for cell in row] for row in rows if row]


def headings(root, ref, scope):
    return [text_of(th) for th in find(table(root, ref), "th", scope=scope)]


def test_written_text_is_escaped():
    root = page(directive("matrices", show=["Q"], title="<b>&", note="<script>"))
    assert "Product <before> scaling" in root.text and "<b>&" in root.text and "<script>" in root.text
    assert not find(root, "script") and not find(root, "before")


def test_headings_have_ids_and_keep_their_characters():
    root = page()
    assert text_of(find(root, "h2", id="scores")[0]) == "Scores & more"
    assert text_of(find(root, "h3", id="scores-what-is-it")[0]) == "What is it?"


def test_a_matrix_reads_back_exactly_with_names_and_shape():
    root = page(directive("matrices", show=["Q", "K", "Q @ K.T", "S[1]"]))
    assert numbers(root, "Q") == Q and numbers(root, "K") == K and numbers(root, "Q @ K.T") == PRODUCT
    assert numbers(root, "S[1]") == [S[1]]
    assert headings(root, "Q", "row") == ["up", "down"]
    assert headings(root, "Q", "col") == ["0", "1"]
    (caption,) = find(table(root, "Q"), "caption")
    assert text_of(caption) == "Q (n, m) = (2, 2)"


ROWS = [{"quantity": "The scale", "show": "math.sqrt(m)"}]
NUMBERS = {  # a block for each directive that shows numbers of the example
    "matrices": {"show": ["Q"]}, "heatmap": {"show": "Q"}, "rowsums": {"of": "Q"}, "cells": {"rows": ROWS},
    "worked": {"of": "Q @ K.T", "at": ["0", "0"]}, "bound": {"of": "e", "limit": "1"},
    "compare": {"rows": [{"name": "Q", "formula": "Q", "measured": "Q"}]},
    "plot": {"of": ["e"], "x": "place", "y": "size"},
}  # fmt: skip


def test_the_blocks_of_numbers_are_all_here():
    assert {name for name in names() if declaration(name).shows_numbers} == set(NUMBERS)


@pytest.mark.parametrize("name", NUMBERS)
def test_the_first_numbers_of_a_section_are_its_example(name):
    first, after = directive(name, **NUMBERS[name]), directive("matrices", 50, show=["K"])
    root = page(directive("shapes", 30, of=["Q"]), first, after, inputs={"e": value([0.5, 0.25])})
    (example,) = find(root, id="scores-example")
    assert example is find(root, "figure", class_="lx-example")[0]
    assert not find(example, "table", data_ref="K") and find(root, "table", data_ref="K")


def test_each_shown_entry_says_which_one_it_is():
    cube = value([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]])
    shown = ["Q", "Q @ K.T", "S[1]", "C[1]", "m", "(Q @ K.T)[1, 2]"]
    blocks = directive("matrices", show=shown), directive("heatmap", show="C[0]")
    root = page(*blocks, inputs={"C": cube})
    shown = [e.attributes for e in root.walk() if "data-cell" in e.attributes]
    cells = {entry["data-cell"]: float(entry["data-value"]) for entry in shown}
    known = {**INPUTS, "C": cube}
    assert {ref: float(look_up(ref, known).data) for ref in cells} == cells
    assert {"Q[1, 0]", "(Q @ K.T)[0, 2]", "S[1, 2]", "C[1, 0, 1]", "C[0, 0, 1]", "m", "(Q @ K.T)[1, 2]"} <= set(cells)


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


def test_row_sums_are_made_before_rounding():
    root = page(directive("rowsums", of="A"), inputs={"A": value([[0.1] * 10, [1 / 3] * 10])})
    rows = [texts(row) for row in find(root, "tr") if "data-row" in row.attributes]
    assert rows == [["0", "1.0000", "1.0", "0"], ["1", "3.3333", "3.333333333333333", "0"]]
    over_numbers = [text_of(th) for th in find(root, "th", class_="lx-num")]
    assert over_numbers == ["Sum, rounded", "Float sum", "Masked cells"]


def test_a_cell_of_a_product_is_worked_out_from_its_operands():
    root = page(directive("worked", of="Q @ K.T", at=["1", "2"]))
    assert text_of(find(root, class_="lx-worked__sum")[0]) == "[0.25, 2] · [-0.125, 0]= 0.25 × -0.125 + 2 × 0 = -0.0312"
    assert "row 1 (down), column 2" in text_of(find(root, class_="lx-worked__place")[0])
    assert text_of(find(root, "figcaption", class_="lx-example__head")[0]) == "One entry, worked out"
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
    assert text_of(find(root, "figcaption", class_="lx-example__head")[0]) == "One row, worked out"
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
    root = page(directive("cells", rows=ROWS), directive("cells", 50, rows=ROWS, run="configuration"))
    assert [exact(cell) for cell in find(root, "td", data_ref="math.sqrt(m)")] == [2**0.5, 3**0.5]
    assert [text_of(th) for th in find(root, "th", class_="lx-num")] == ["Value"] * 2
    notes = [[text_of(note) for note in find(figure, class_="lx-note")] for figure in find(root, "figure")]
    assert notes == [[], ["Random inputs with the sizes of the configuration: n = 4, k = 5, m = 3."]]


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


def test_ids_are_unique_and_lower_case():
    blocks = [directive(name) for name in ("symbols", "code", "whatif", "dossier")]
    blocks += [directive("matrices", show=["Q"]), directive("heatmap", show="K"), directive("shapes", of=["Q"])]
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
