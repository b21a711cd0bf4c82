"""Curves, bars and histograms of recorded values, with their numbers as a table."""

import re

import numpy as np
import pytest

from linkindex.render.plot import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH

from .small import directive, filled, find, findings, page, rows, text_of, value

INPUTS = {
    "up": value([0.0, 1.0, 4.0]), "down": value([4.0, 2.0, -1.0]), "at": value([1.0, 10.0, 4.0]),
    "two": value([0.5, 1.5]), "many": value([0.0, 0.0, 1.0, 10.0]), "same": value([3.0, 3.0]),
    "none": value([0.0, float("inf")]),
}  # fmt: skip
AXES = {"x": "epoch", "y": "loss"}
PLANE = (LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM)


def plot(**options):
    return directive("plot", **(AXES | options))


def drawn(**options):
    (figure,) = find(page(plot(**options), inputs=INPUTS), "figure", class_="lx-plot")
    return figure


def table(figure):
    (box,) = find(figure, class_="lx-scroll")
    return rows(figure, box.attributes["data-label"])


def points(figure, number=0):
    """The corners of a series, as they stand in its path."""
    (path,) = [e for e in find(figure, "path", class_=f"lx-plot--{number}")]
    return [tuple(map(float, pair)) for pair in re.findall(r"[ML]?([-\d.]+) ([-\d.]+)", path.attributes["d"])]


def test_a_curve_goes_through_its_numbers():
    left, right, top, bottom = PLANE
    quarter = pytest.approx(bottom - (bottom - top) / 4, abs=0.1)
    assert points(drawn(of=["up"])) == [(left, bottom), ((left + right) / 2, quarter), (right, top)]


def test_the_numbers_of_all_series_stand_in_a_folded_table():
    figure = drawn(of={"rising": "up", "falling": "down"}, decimals="1")
    assert table(figure) == [
        ["epoch", "rising", "falling"], ["0", "0.0", "4.0"], ["1", "1.0", "2.0"], ["2", "4.0", "-1.0"],
    ]  # fmt: skip
    (fold,) = find(figure, "details")
    assert "open" not in fold.attributes and "data-search-exclude" in fold.attributes
    exact = [float(e.attributes["data-value"]) for e in find(fold, class_="lx-number")]
    assert exact == [0.0, 4.0, 1.0, 2.0, 4.0, -1.0]
    assert [e.attributes["data-ref"] for e in find(figure, "path") if "data-ref" in e.attributes] == ["up", "down"]


def test_a_legend_tells_several_series_apart_and_one_needs_none():
    keys = [text_of(key) for key in find(drawn(of={"rising": "up", "falling": "down"}), class_="lx-plot__key")]
    assert keys == ["rising", "falling"]
    assert text_of(find(drawn(of=["up"]), class_="lx-plot__legend")[0]) == "loss"


def test_the_picture_has_a_title_and_says_its_ends_in_words():
    figure = drawn(of={"rising": "up"}, title="Training", decimals="0")
    (svg,) = find(figure, "svg")
    title, desc = find(svg, "title")[0], find(svg, "desc")[0]
    assert svg.attributes["aria-labelledby"] == f"{title.attributes['id']} {desc.attributes['id']}"
    assert text_of(title) == "Training"
    assert text_of(desc) == "loss over epoch: rising from 0 at 0 to 4 at 2. All numbers stand in the table below."


def test_a_curve_may_stand_over_other_numbers_than_places():
    left, right, *_ = PLANE
    assert [x for x, _ in points(drawn(of=["up"], over="at"))] == pytest.approx(
        [left, right, left + (right - left) / 3], abs=0.1
    )


def test_bars_grow_from_zero_and_stand_side_by_side():
    figure = drawn(of={"rising": "up", "falling": "down"}, **{"as": "bars"})
    zero = float(find(figure, "path", class_="lx-plot__zero")[0].attributes["d"].split()[1].partition("H")[0])
    bars = [find(figure, "path", class_=f"lx-plot--{n}")[0].attributes["d"] for n in (0, 1)]
    shapes = [re.findall(r"M([\d.]+) ([\d.]+)V([\d.]+)H([\d.]+)V([\d.]+)z", bar) for bar in bars]
    assert [len(found) for found in shapes] == [3, 3]
    for found in shapes:
        assert {float(start) for _, start, *_ in found} == {zero} == {float(end) for *_, end in found}
    assert [float(first[3]) for first in shapes[0]] == [float(second[0]) for second in shapes[1]]  # they touch
    assert float(shapes[1][2][2]) > zero > float(shapes[0][2][2])  # below zero, and above it


def test_bars_have_the_names_of_their_places():
    figure = drawn(of=["two"], names="n", **{"as": "bars"})
    assert [row[0] for row in table(figure)[1:]] == ["up", "down"]
    assert {"up", "down"} <= {text_of(text) for text in find(figure, "text")}


def test_a_histogram_counts_every_number_once():
    figure = drawn(of=["many"], decimals="2", **{"as": "histogram"})
    counts = [(float(place), float(count)) for place, count in table(figure)[1:]]
    assert sum(count for _, count in counts) == 4
    assert [(place, count) for place, count in counts if count] == [(0.25, 2), (1.25, 1), (9.75, 1)]


def test_histograms_of_two_rows_have_the_same_bins():
    rows_of = table(drawn(of=["many", "up"], **{"as": "histogram"}))[1:]
    assert sum(float(row[1]) for row in rows_of) == 4 and sum(float(row[2]) for row in rows_of) == 3


@pytest.mark.parametrize("way", ["lines", "bars", "histogram"])
@pytest.mark.parametrize("of", [["same"], ["two"], ["up", "down"]])
def test_all_that_is_drawn_is_inside_of_the_plane(way, of):
    figure = drawn(of=of, **{"as": way})
    left, right, top, bottom = PLANE
    for number in range(len(of)):
        (path,) = find(figure, "path", class_=f"lx-plot--{number}")
        assert "nan" not in path.attributes["d"] and "inf" not in path.attributes["d"]
        for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", path.attributes["d"]):
            assert left <= float(x) <= right and top <= float(y) <= bottom
    texts = [float(text_of(text)) for text in find(find(figure, class_="lx-plot__text")[0], "text")]
    assert texts == sorted(texts) and len(texts) >= 2


def test_ticks_are_round_and_stand_where_their_numbers_are():
    figure = drawn(of=["up"])
    _, _, top, bottom = PLANE
    texts = find(find(figure, class_="lx-plot__text")[0], "text")
    ticks = {text_of(text): float(text.attributes["y"]) for text in texts}
    assert list(ticks) == ["0", "1", "2", "3", "4"]
    assert list(ticks.values()) == pytest.approx(np.linspace(bottom, top, 5), abs=0.1)


@pytest.mark.parametrize(("options", "code", "says"), [
    ({"of": ["up", "two"]}, "LI606", "the rows of one plot have 3 and (two) 2 numbers"),
    ({"of": ["up"], "over": "two"}, "LI606", "(over) 2 numbers"),
    ({"of": ["none"]}, "LI606", "'none' is not finite: a plot needs rows of finite numbers"),
    ({"of": {"all": "Q"}}, "LI606", "'Q' has shape (2, 2): a plot needs rows of finite numbers"),
    ({"of": {"one": "m"}}, "LI606", "'m' has shape ()"),
    ({"of": {f"s{n}": "up" for n in range(5)}}, "LI606", "5 series in one plot cannot be told apart: draw at most 4"),
    ({"of": ["up"], "names": "n"}, "LI606", "2 names stand beside 3 places: correct labels()"),
    ({"of": ["up"], "names": "words"}, "LI603", "labels() of docs/pair.py has nothing under 'words'; it has n: add it"),
    ({"of": ["upp"]}, "LI603", "nearest: up"), ({"of": ["up"], "as": "pie"}, "LI604", "lines or bars or histogram"),
    ({"of": ["up"], "page": "pears"}, "LI604", "nearest: pair"), ({"of": ["up"], "x": ["a"]}, "LI604", "expected text"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_a_finding(options, code, says):
    (found,) = findings(plot(**options), inputs=INPUTS)
    assert found.code == code and says in found.message


def test_a_long_row_is_drawn_with_few_elements():
    figure = find(page(plot(of=["long"]), inputs={"long": filled(500)}), "figure", class_="lx-plot")[0]
    (svg,) = find(figure, "svg")
    assert len(list(svg.walk())) < 60
