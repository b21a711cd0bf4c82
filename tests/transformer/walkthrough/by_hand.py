"""Sums and products written out term by term, as the walkthrough prints them."""

import math

import numpy as np


def terms(row, column):
    """The pairs of factors of a dot product: (n, 2)."""
    return np.stack([row, column], axis=1)


def sum_of_products(pairs, entry):
    """An entry of an array of the package, after adding up its products one by one: both must be the same number."""
    total = 0.0
    for left, right in pairs:
        total += float(left) * float(right)
    assert math.isclose(total, entry, rel_tol=1e-12, abs_tol=1e-14), f"by hand {total}, in the array {entry}"
    return entry


def total_of(numbers, entry):
    """The same for a plain sum."""
    return sum_of_products([(number, 1.0) for number in numbers], entry)


def product(prefix, X, W, Y):
    """A matrix product Y = X W as the walkthrough shows it: the entry (0, 0) worked out term by term."""
    pairs = terms(X[0], W[:, 0])
    return {f"{prefix}_worked_row0": X[0], f"{prefix}_worked_col0": W[:, 0], f"{prefix}_worked_terms": pairs,
            f"{prefix}_worked_00": sum_of_products(pairs, Y[0, 0])}


def mean_std(x):
    return [x.mean(), x.std()]
