"""Shapes that the code states, in comments behind its steps and in docstrings, with an axis in place of their dots."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from linkindex.load.symbols import parse_shape
from linkindex.model import Symbol
from linkindex.resolve.assignments import assignments_of
from linkindex.resolve.functions import Found

Shape = tuple[str, ...]
STATED = re.compile(r"(\w+(?:, \w+)*): (\([^()]*\))")    # x: (..., d), gamma, beta: (d,)


def shapes_of(functions: Iterable[Found], symbols: Iterable[Symbol]) -> tuple[dict[str, Shape], set[str]]:
    """The shapes of variables and parameters. Leading dots become one free size that no shape names, if there is one:
    with several rows, a formula that mixes up rows is noticed. Also the names of those that have dots."""
    texts: dict[str, str] = {}
    for found in functions:
        for name, text in (*_in_docstring(found), *_in_comments(found)):
            texts.setdefault(name, text)
    shapes = {name: shape for name, text in texts.items() if (shape := parse_shape(text)) is not None}
    used = {axis for shape in shapes.values() for axis in shape}
    free = [symbol.latex for symbol in symbols if symbol.size == "free" and symbol.latex not in used]
    leading = tuple(free[:1])
    dotted = {name for name in shapes if "..." in texts[name]}
    return {name: (*leading, *shape) if name in dotted else shape for name, shape in shapes.items()}, dotted


def axes_of(shapes: Mapping[str, Shape]) -> tuple[str, ...]:
    """The names of all axes, each once."""
    return tuple(dict.fromkeys(axis for shape in shapes.values() for axis in shape if not axis.isdigit()))


def code_of(axis: str, functions: Iterable[Found], shapes: Mapping[str, Shape]) -> str | None:
    """Code that gives an axis its length in all of the functions, from what they have before their first step."""
    given = [dict.fromkeys([*found.function.parameters, *_taken_apart(found)]) for found in functions]
    for name in given[0]:
        if axis in shapes.get(name, ()) and all(name in names for names in given):
            return f"{name}.shape[{shapes[name].index(axis) - len(shapes[name])}]"
    return None


def _taken_apart(found: Found) -> Iterator[str]:
    """The names to which the elements of a parameter are given: ``x_hat, sigma, gamma = cache``."""
    for one in assignments_of(found):
        if isinstance(one.value, ast.Name) and one.value.id in found.function.parameters:
            yield one.target


def written(shape: Shape) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(shape)})"


def _in_docstring(found: Found) -> Iterator[tuple[str, str]]:
    for match in STATED.finditer(" ".join((ast.get_docstring(found.node) or "").split())):
        yield from ((name, match[2]) for name in match[1].split(", "))


def _in_comments(found: Found) -> Iterator[tuple[str, str]]:
    for one in assignments_of(found):
        span = found.source.span(one.statement)
        rest = found.source.lines[span.end_line - 1][span.end_col - 1 :]
        if not one.element and (match := re.match(r"\s*#\s*(\([^()]*\))", rest)):
            yield one.target, match[1]
