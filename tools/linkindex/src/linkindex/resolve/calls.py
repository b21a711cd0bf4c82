"""Who calls the linked functions: call sites in the documented packages, found through their imports."""

import ast
from collections.abc import Iterable, Iterator

from linkindex.model import Call
from linkindex.resolve.definitions import definitions
from linkindex.resolve.functions import Library, NotFound
from linkindex.resolve.imports import imported_names
from linkindex.resolve.sources import Source
from linkindex.resolve.trees import dotted_name, own_nodes


def find_calls(sources: Iterable[tuple[str, Source]], functions: set[str], library: Library) -> Iterator[Call]:
    """Calls of ``functions`` (module.qualname) in the given (module, source) pairs."""
    names = {function.rpartition(".")[2].partition("[")[0] for function in functions}
    canonical: dict[str, str | None] = {}
    for module, source in sources:
        for named in definitions(source):
            if isinstance(named.node, ast.ClassDef):
                continue
            for node, anchor in _calls(named.node):
                if (name := dotted_name(node.func)) and name.rpartition(".")[2] in names:
                    full = next(iter(imported_names(source.tree, module, source.path, name)), f"{module}.{name}")
                    if full not in canonical:
                        canonical[full] = _canonical(full, library)
                    if canonical[full] in functions:
                        yield Call(f"{module}.{named.name}", canonical[full], source.span(anchor))


def _calls(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[ast.Call, ast.AST]]:
    """Each call, and the node whose place it has: for a call inside an f-string, the f-string."""
    for node in own_nodes(function):
        if isinstance(node, ast.Call):
            yield node, node
        elif isinstance(node, ast.JoinedStr):
            yield from ((inner, node) for inner in ast.walk(node) if isinstance(inner, ast.Call))


def _canonical(name: str, library: Library) -> str | None:
    try:
        return library.find(name).function.name
    except NotFound:
        return None
