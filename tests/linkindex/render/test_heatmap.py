"""A matrix coloured by its entries, with its legend."""

import pytest

from .small import S, directive, exact, find, findings, page, table, text_of, texts, value


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


def test_the_corner_says_what_rows_and_columns_do():
    root = page(directive("heatmap", show="S", axes=["reads", "is read"]))
    (corner,) = find(table(root, "S"), "td", class_="lx-corner")
    assert [text_of(part) for part in find(corner, "span")] == ["is read →", "reads ↓"]
    (corner,) = find(table(page(directive("heatmap", show="S")), "S"), "td", class_="lx-corner")
    assert text_of(corner) == "n \\ k"


def test_one_cell_is_framed_and_its_row_followed():
    root = page(directive("heatmap", show="S", frame=["1", "0"]))
    (row,) = find(table(root, "S"), "tr", class_="lx-followed")
    assert texts(row)[0] == "down"
    (cell,) = find(table(root, "S"), "td", class_="lx-framed")
    assert (cell.attributes["data-cell"], float(cell.attributes["data-value"])) == ("S[1, 0]", S[1][0])
    assert cell in row.walk() and "lx-heat--plus" in cell.classes
    assert not find(page(directive("heatmap", show="S")), class_="lx-followed")


def test_a_cell_without_a_colour_can_be_framed():
    root = page(directive("heatmap", show="Z", frame=["0", "1"]), inputs={"Z": value([[2.0, 0.0]])})
    (cell,) = find(table(root, "Z"), "td", class_="lx-framed")
    assert cell.classes == ["lx-framed"] or set(cell.classes) == {"lx-framed"}


@pytest.mark.parametrize(("options", "says"), [
    ({"axes": ["reads"]}, "expected two words under `axes`, for rows and for columns, found 1"),
    ({"axes": ["a", "b", "c"]}, "found 3"),
    ({"frame": ["2", "0"]}, "'S' is shown in 2 rows of 3: `frame` needs a row and a column"),
    ({"frame": ["0", "3"]}, "`frame` needs a row and a column"), ({"frame": ["1"]}, "`frame` needs a row and a column"),
    ({"frame": ["0", "1", "1"]}, "`frame` needs a row and a column"),
])  # fmt: skip
def test_axes_and_frame_must_be_those_of_the_matrix(options, says):
    (found,) = findings(directive("heatmap", show="S", **options))
    assert found.code == "LI606" and says in found.message
