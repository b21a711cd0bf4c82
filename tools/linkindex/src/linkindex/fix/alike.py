"""Compare two pieces of code up to the names in them."""

import ast
from collections.abc import Mapping

from linkindex.fix.names import tree_of
from linkindex.resolve.trees import IGNORED

Pairs = list[tuple[str, str]]


def name_pairs(old: object, new: object, functions: Mapping[str, str]) -> Pairs | None:
    """The names that stand at the same positions of two trees; None if the trees differ in more than names.

    ``functions``: old to new name of functions that were renamed, also where they are called as ``module.function``.
    """
    if type(old) is not type(new):
        return None
    if isinstance(old, ast.Name):
        return [(old.id, new.id)]
    if isinstance(old, ast.arg):
        return [(old.arg, new.arg)]
    if isinstance(old, ast.Attribute) and functions.get(old.attr) == new.attr:
        return name_pairs(old.value, new.value, functions)
    if isinstance(old, ast.AST):
        fields = [name for name in old._fields if name not in IGNORED]
        return _together([(getattr(old, name, None), getattr(new, name, None)) for name in fields], functions)
    if isinstance(old, list):
        return _together(list(zip(old, new)), functions) if len(old) == len(new) else None
    return [] if old == new else None


def _together(parts: list[tuple[object, object]], functions: Mapping[str, str]) -> Pairs | None:
    pairs: Pairs = []
    for old, new in parts:
        inner = name_pairs(old, new, functions)
        if inner is None:
            return None
        pairs.extend(inner)
    return pairs


def inner_names(tree: ast.AST) -> frozenset[str]:
    """Names that an expression binds itself: in comprehensions and lambdas."""
    nodes = list(ast.walk(tree))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return frozenset(stored | {node.arg for node in nodes if isinstance(node, ast.arg)})


def renamed(code: str, names: Mapping[str, str], functions: Mapping[str, str]) -> str:
    """The code with names exchanged, layout and all else as it was; names of functions also behind a dot."""
    tree = tree_of(code)
    if tree is None:
        return code
    lines = f"({code}\n)".split("\n")
    for node in sorted(ast.walk(tree), key=_end, reverse=True):  # from the end, so that what is left keeps its place
        match node:
            case ast.Name(id=old):
                new = names.get(old) or functions.get(old)
            case ast.Attribute(attr=old):
                new = functions.get(old)
            case _:
                continue
        line, end = lines[node.end_lineno - 1].encode(), node.end_col_offset
        start = end - len(old.encode())
        if new and line[start:end].decode(errors="replace") == old:
            lines[node.end_lineno - 1] = (line[:start] + new.encode() + line[end:]).decode()
    return "\n".join(lines)[1:-2]


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)
