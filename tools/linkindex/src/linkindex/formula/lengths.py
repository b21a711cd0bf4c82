"""Axis lengths in the trials of a formula, and the one that is left when the others are known."""

from collections.abc import Mapping

from linkindex import sizes
from linkindex.formula.errors import EvaluationError


def length(expression: str, known: Mapping[str, int]) -> int:
    """Raises EvaluationError where it is no whole number from 1, or names an unknown size."""
    try:
        return sizes.length(expression, known)
    except ValueError as error:
        raise EvaluationError(str(error)) from None


def solved(given: Mapping[str, int], relations: Mapping[str, str]) -> dict[str, int]:
    """The sizes ``given``, and what follows by ``relations`` such as ``d: H * d_h``: a size, or a part of it."""
    known, found = dict(given), True
    while found:
        found = False
        for name, expression in relations.items():
            unknown = [part for part in {name, *sizes.names_in(expression)} if part not in known]
            if unknown == [name]:
                known[name], found = length(expression, known), True
            elif len(unknown) == 1:
                known[unknown[0]], found = _part(unknown[0], expression, known, name), True
    return known


def _part(unknown: str, expression: str, known: Mapping[str, int], name: str) -> int:
    for candidate in range(1, known[name] + 1):
        if length(expression, {**known, unknown: candidate}) == known[name]:
            return candidate
    raise EvaluationError(f"no whole number {unknown} makes {expression} equal to {name} = {known[name]}")
