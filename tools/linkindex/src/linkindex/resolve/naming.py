"""The names that code uses, called or not, and those that it binds."""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from linkindex.resolve.trees import FUNCTIONS, SCOPES, dotted_name

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def named_in(nodes: Iterable[ast.AST]) -> set[str]:
    """The dotted names that are used, each at its longest: ``np.linalg.solve``, not ``np.linalg`` as well.

    Without those that a function or a comprehension in the code binds.
    """
    found: set[str] = set()
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset()) for node in nodes]
    while waiting:
        node, bound = waiting.pop()
        if isinstance(node, (ast.Name, ast.Attribute)) and (name := dotted_name(node)):
            found |= {name} if name.partition(".")[0] not in bound else set()
            continue
        inside = bound
        if isinstance(node, COMPREHENSIONS):
            inside = bound | bound_by(tuple(one.target for one in node.generators))
            waiting.append((node.generators[0].iter, bound))
        elif isinstance(node, (*FUNCTIONS, ast.Lambda)):
            inside = bound | bound_in(node)
            around = (*getattr(node, "decorator_list", ()), *node.args.defaults, *filter(None, node.args.kw_defaults))
            waiting.extend((part, bound) for part in around)
        waiting.extend((part, inside) for part in ast.iter_child_nodes(node))
    return found


@lru_cache(maxsize=2000)
def bound_in(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """The parameters and variables of a function: without what it imports, and what belongs to functions in it."""
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    return (bound_by(body) | parameters(function.args)) - _elsewhere(body)


def parameters(arguments: ast.arguments) -> frozenset[str]:
    return frozenset(node.arg for node in ast.walk(arguments) if isinstance(node, ast.arg))


def bound_by(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """What statements bind, without imports, and without what belongs to functions in them."""
    found = set()
    for node in _own(nodes):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name) | ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                found.add(name)
    return frozenset(found)


def _elsewhere(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Names that statements say to be those of others."""
    found = set()
    for node in _own(nodes):
        match node:
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                found.update(alias.asname or alias.name.partition(".")[0] for alias in aliases)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
    return frozenset(found)


def _own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes but those in scopes of their own."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*SCOPES, *COMPREHENSIONS)):
            waiting.extend(ast.iter_child_nodes(node))
