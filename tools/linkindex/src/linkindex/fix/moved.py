"""Find a function that was moved or renamed: the one other function that holds all the code linked in it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from linkindex.fix.names import tree_of
from linkindex.fix.renaming import Followed, Memory, Names, follow
from linkindex.model import Config
from linkindex.resolve.definitions import definitions
from linkindex.resolve.functions import Found, Library, NotFound
from linkindex.resolve.trees import own_nodes, same

TELLING = (ast.BinOp, ast.Call, ast.Compare, ast.Subscript, ast.IfExp)


@dataclass(frozen=True)
class Search:
    """Where a function went: ``found``, or else the candidates, each with what speaks for it."""

    found: Found | None
    followed: Followed | None
    candidates: tuple[str, ...]


def all_functions(config: Config, library: Library) -> Iterator[Found]:
    """Every function of the documented packages."""
    for package in config.packages:
        for base in ("", "src/"):
            folder = config.root / base / package.replace(".", "/")
            for path in sorted(folder.rglob("*.py")) if folder.is_dir() else ():
                relative = path.relative_to(config.root)
                parts = relative.with_suffix("").parts[1 if base else 0 :]
                yield from _functions_in(relative.as_posix(), ".".join(parts).removesuffix(".__init__"), library)


def _functions_in(path: str, module: str, library: Library) -> Iterator[Found]:
    source = library.read(path)
    for named in definitions(source) if source else ():
        for name in (f"{module}.{named.name}", f"{module}.{named.name}[{named.role}]"):
            try:
                found = library.find(name)
            except NotFound:
                continue
            if found.node is named.node:
                yield found
                break


def search(memory: Memory, functions: tuple[Found, ...], renamed: Names) -> Search:
    """The function that holds what is remembered, word for word if one does, else up to consistently renamed names."""
    if not any(_telling(link.code) for link in memory.links):
        return Search(None, None, ())
    complete = [(found, followed) for found in functions if (followed := follow(memory, found, renamed)).complete]
    best = [pair for pair in complete if pair[1].exact] or complete
    if len(best) == 1:
        return Search(*best[0], ())
    if best:
        return Search(None, None, tuple(f"{place_of(found)} holds all of it" for found, _ in best))
    return Search(None, None, tuple(_nearest(memory, functions)))


def _telling(code: str) -> bool:
    """Whether a piece of code is more than a name, an attribute or a number: these stand everywhere."""
    tree = tree_of(code)
    return tree is not None and any(isinstance(node, TELLING) for node in ast.walk(tree))


def _nearest(memory: Memory, functions: tuple[Found, ...]) -> list[str]:
    wanted = [tree_of(link.code) for link in memory.links]
    counted = []
    for found in functions:
        nodes = list(own_nodes(found.node))
        count = sum(any(same(node, one) for node in nodes) for one in wanted)
        counted.append((count, found))
    best = sorted((pair for pair in counted if pair[0]), key=lambda pair: (-pair[0], pair[1].function.name))[:3]
    return [f"{place_of(found)} holds {count} of {len(wanted)} linked pieces" for count, found in best]


def place_of(found: Found) -> str:
    return f"{found.function.name} ({found.source.path}:{found.function.line})"
