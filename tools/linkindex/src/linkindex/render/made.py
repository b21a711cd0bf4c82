"""The shape of what each line of a function made, in the run that the page shows."""

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from linkindex.model import Function
from linkindex.render.book import Context
from linkindex.render.refs import canonical


def shapes_made(context: Context, function: Function) -> Mapping[int, str]:
    """Line -> shape of the variable that the statement ending there assigns, for variables that were recorded."""
    book, run = context.book, context.book.run(context.page, "inputs")
    source = book.resolution.sources.get(function.span.file)
    if run is None or source is None:
        return {}
    keys = {link.key for _, link in book.links if link.function == function.name}
    recorded = {
        canonical(code) or code: value.shape
        for visits in run.visits.values() for visit in visits if visit.key in keys
        for code, value in visit.names.items()
    }
    lines = _assigned(source, function.line)
    return {line: str(recorded[name]) for name, line in lines.items() if name in recorded}


@lru_cache(maxsize=64)
def _assigned(source: str, line: int) -> Mapping[str, int]:
    """Variables that the function whose ``def`` stands here assigns once, with the last line of the statement."""
    found: dict[str, list[int]] = {}
    for name, end in _assignments(source, line):
        found.setdefault(name, []).append(end)
    return {name: ends[0] for name, ends in found.items() if len(ends) == 1}


def _assignments(source: str, line: int) -> Iterator[tuple[str, int]]:
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and function.lineno == line:
            for node in ast.walk(function):
                targets = node.targets if isinstance(node, ast.Assign) else ()
                yield from ((ast.unparse(target), node.end_lineno) for target in targets)
