"""Shapes that the code states, in comments behind its steps and in docstrings, with an axis in place of their dots."""

import re
from collections.abc import Iterable, Iterator, Mapping

from linkindex.load.symbols import parse_shape
from linkindex.model import Symbol
from linkindex.resolve.expressions import assignments_of
from linkindex.resolve.functions import Found

Shape = tuple[str, ...]
STATED = re.compile(r"(\w+(?:, \w+)*): (\([^()]*\))")    # x: (..., d), gamma, beta: (d,)


def shapes_of(functions: Iterable[Found], symbols: Iterable[Symbol]) -> dict[str, Shape]:
    """The shapes of variables and parameters. Leading dots become one free size that no shape names, if there is one:
    with several rows, a formula that mixes up rows is noticed."""
    texts: dict[str, str] = {}
    for found in functions:
        for name, text in (*_in_docstring(found), *_in_comments(found)):
            texts.setdefault(name, text)
    shapes = {name: shape for name, text in texts.items() if (shape := parse_shape(text)) is not None}
    used = {axis for shape in shapes.values() for axis in shape}
    free = [symbol.latex for symbol in symbols if symbol.size == "free" and symbol.latex not in used]
    leading = tuple(free[:1])
    return {name: (*leading, *shape) if "..." in texts[name] else shape for name, shape in shapes.items()}


def axes_of(shapes: Mapping[str, Shape]) -> tuple[str, ...]:
    """The names of all axes, each once."""
    return tuple(dict.fromkeys(axis for shape in shapes.values() for axis in shape if not axis.isdigit()))


def written(shape: Shape) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(shape)})"


def _in_docstring(found: Found) -> Iterator[tuple[str, str]]:
    for match in STATED.finditer(" ".join((found.function.docstring or "").split())):
        yield from ((name, match[2]) for name in match[1].split(", "))


def _in_comments(found: Found) -> Iterator[tuple[str, str]]:
    for one in assignments_of(found):
        span = found.source.span(one.statement)
        rest = found.source.lines[span.end_line - 1][span.end_col - 1 :]
        if not one.element and (match := re.match(r"\s*#\s*(\([^()]*\))", rest)):
            yield one.target, match[1]
