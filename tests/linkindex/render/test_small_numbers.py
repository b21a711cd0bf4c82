"""Numbers that their decimals would show as 0 have significant digits, wherever a page shows numbers."""

import pytest

from tests.linkindex.render.small import directive, find, page, text_of, value

TINY = [[1e-5, 2.5e-5], [0.0, -4e-6]]
Q_TINY = {"Q": value(TINY), "K": value([[1.0, 0.0]]), "Q @ K.T": value([[1e-5], [0.0]])}


def cells(root):
    return [text_of(cell) for cell in find(root, "td") if "data-value" in cell.attributes]


def numbers(root):
    return [text_of(one) for one in find(root, class_="lx-number")]


def test_a_single_number():
    shown = page(directive("cells", rows=[{"quantity": "eps", "show": "m"}]), inputs={"m": value(1e-5, "float")})
    assert numbers(shown) == ["1e-5"]


def test_a_matrix_that_would_be_all_zeros():
    shown = page(directive("matrices", show=["Q"]), inputs=Q_TINY)
    assert cells(shown) == ["1e-5", "2.5e-5", "0", "-0.4e-5"]


def test_a_matrix_of_which_one_entry_is_small_is_rounded_as_ever():
    shown = page(directive("matrices", show=["Q"]), inputs={"Q": value([[1.0, 4.9e-7]])})
    assert cells(shown) == ["1", "0"]


def test_each_matrix_has_its_own_power_of_ten():
    shown = page(directive("matrices", show=["Q", "K"]), inputs=Q_TINY)
    assert cells(shown) == ["1e-5", "2.5e-5", "0", "-0.4e-5", "1", "0"]


def test_a_coloured_matrix_and_its_legend():
    shown = page(directive("heatmap", show="Q"), inputs=Q_TINY)
    assert cells(shown) == ["1.00e-5", "2.50e-5", "0.00", "-0.40e-5"]
    assert numbers(shown) == ["-2.50e-5", "0", "2.50e-5", "-0.40e-5", "2.50e-5"]


def test_two_matrices_that_are_compared_have_the_same_power_of_ten():
    inputs = Q_TINY | {"K": value([[1e-7, 0.0], [0.0, 0.0]])}
    rows = [{"name": "pair", "formula": "Q", "measured": "K"}]
    assert cells(page(directive("compare", rows=rows), inputs=inputs)) == [
        "1.00e-5", "2.50e-5", "0.00", "-0.40e-5", "0.01e-5", "0.00", "0.00", "0.00",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "sums"),
    [
        ([[0.1, 0.2, -0.3], [0.5, 0.25, 0.25]], ["0.0000", "1.0000"]),  # the first leaves 2.8e-17
        ([[1e-5, 2e-5], [1e-5, -1e-5]], ["3.00e-5", "0.00"]),
        ([[0.99999, 1e-5], [1e-5, 0.0]], ["1.0000", "0.0000"]),
    ],
)
def test_sums_are_rounded_like_what_they_add_up(rows, sums):
    shown = page(directive("rowsums", of="Q"), inputs={"Q": value(rows)})
    assert numbers(shown) == sums


def worked(q, k, product):
    inputs = {"Q": value([q]), "K": value([k]), "K.T": value([[x] for x in k]), "Q @ K.T": value([[product]])}
    return numbers(page(directive("worked", of="Q @ K.T", at=[0, 0]), inputs=inputs))


def test_a_worked_entry_that_is_small():
    assert worked([1e-5, 0.0], [2.0, 1.0], 2e-5) == ["1e-5", "0", "2", "1", "1e-5", "2", "0", "1", "2e-5"]


def test_a_worked_entry_that_is_round_off_is_0():
    assert worked([0.1, 0.3], [3.0, -1.0], 0.1 * 3.0 - 0.3)[-1] == "0"


def test_a_worked_entry_that_is_small_beside_its_terms():
    assert worked([1.0, 1.0], [1.0, -0.99999], 1.0 - 0.99999)[-1] == "1e-5"
