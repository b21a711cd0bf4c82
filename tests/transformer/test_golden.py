"""The package gives the numbers of the page "Attention" (tests/data/README.md says where they come from)."""

import json
import math
import runpy
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.page_numbers import ATTENTION, DATA, attention_page_legends, attention_page_numbers
from tests.transformer.recording import variables_of
from transformer.attention import (attention_backward, attention_forward, scaled_dot_product_backward,
                                   scaled_dot_product_forward)
from transformer.masks import causal_mask

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "attention.py"))


@pytest.fixture(scope="module")
def names():
    """What the refs of the page mean: the variables of the functions on the page's example, and what they call."""
    inputs = EXAMPLE["inputs"]()
    mask = causal_mask(len(inputs["Xn"]))
    (_, cache), forward = variables_of(attention_forward, inputs["Xn"], inputs["params"], inputs["H"], mask)
    (_, grads), backward = variables_of(attention_backward, inputs["dOut"], cache)
    _, inner_forward = variables_of(scaled_dot_product_forward, forward["Qh"], forward["Kh"], forward["Vh"], mask)
    _, inner_backward = variables_of(scaled_dot_product_backward, backward["dOh"], backward["cache_Oh"])
    measured = EXAMPLE["central_differences"](**inputs)
    return {**inner_backward, **backward, **inner_forward, **forward, "grads": grads, "math": math,
            "central_differences": lambda: measured}


def value_of(number, names):
    """What the code computes for a printed number."""
    if number.d_h:
        names = {**names, "dh": number.d_h}
    whole = eval(number.ref, {}, names)  # refs are expressions of the package's own functions
    match number.kind:
        case "row sum":
            return math.fsum(whole[number.index])
        case "masked cells":
            return np.count_nonzero(whole[number.index] == 0)
        case "legend":
            open_cells = whole[np.isfinite(whole) & (whole != 0)]
            return (open_cells.min(), open_cells.max())[number.index[0]]
        case _:
            return whole[number.index] if number.index else whole


def is_tie(value, decimals):
    """Half way between two numbers of so many decimals, up to the round-off of float64."""
    if not math.isfinite(value):
        return False
    units = abs(value) * 10 ** decimals
    return abs(units - math.floor(units) - 0.5) < 1e-9


def test_the_page_has_906_numbers():
    numbers = attention_page_numbers()
    kinds = {kind: sum(number.kind == kind for number in numbers) for kind in dict.fromkeys(n.kind for n in numbers)}
    assert kinds == {"table": 692, "worked": 26, "row sum": 6, "masked cells": 6, "formula": 88, "measured": 88}
    assert len(numbers) == 906
    assert len(ATTENTION["tables"]) == 32 and len(attention_page_legends()) == 10


def test_every_printed_number_is_what_the_package_computes(names):
    wrong = [(number, value) for number in attention_page_numbers() + attention_page_legends()
             if not number.matches(value := value_of(number, names))]
    assert not wrong, f"{len(wrong)} of 916 differ, first {wrong[0]}"


def test_only_ties_can_round_to_another_number_and_one_of_them_did(names):
    """905 numbers equal the rounded value. dA[0, 0, 2] is 0.15895, a tie: printed 0.159, in float64 below the half."""
    values = [(number, value_of(number, names)) for number in attention_page_numbers()]
    other = [(number, value) for number, value in values if float(f"{value:.{number.decimals}f}") != number.value]
    ties = [number for number, value in values if is_tie(value, number.decimals)]
    named = ATTENTION["tie"]
    assert all(number in ties for number, _ in other)
    assert (named["ref"], tuple(named["index"]), named["printed"]) in [(n.ref, n.index, n.text) for n in ties]
    assert len(ties) == 14


def test_a_changed_number_is_noticed(names):
    number = next(n for n in attention_page_numbers() if n.ref == "O" and n.index == (2, 3))
    assert number.matches(value_of(number, names))
    assert not number.matches(value_of(number, names) + 1e-4)


def test_every_matrix_agrees_with_a_second_implementation(names):
    golden = json.loads((DATA / "attention_full_precision.json").read_text(encoding="utf-8"))
    matrices = {**golden["forward"], **golden["backward"], **{f'grads["{k}"]': v for k, v in golden["grads"].items()}}
    assert len(matrices) == 30
    for ref, matrix in matrices.items():
        expected = np.array(matrix, dtype=float)
        expected[np.isnan(expected)] = -np.inf  # JSON has no infinity: null stands for minus infinity
        assert_allclose(eval(ref, {}, names), expected, rtol=1e-12, atol=1e-15, err_msg=ref)


def test_round_off_is_bounded(names):
    """The gradient of the key bias is 0, and central differences agree with every gradient."""
    bounds = ATTENTION["bounds"]
    assert np.abs(names["grads"]["bk"]).max() < bounds["key_bias_gradient"]
    for row in ATTENTION["comparisons"]["rows"]:
        gap = np.abs(names[row["formula"]] - eval(row["measured"], {}, names)).max()
        assert gap < bounds["largest_gap"], f"{row['formula']}: {gap:.1e}"
