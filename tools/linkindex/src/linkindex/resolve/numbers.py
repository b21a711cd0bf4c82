"""Which numbers may decide the value of a linked expression: what it reads itself, and what comes from outside."""

import ast
from collections.abc import Collection, Iterator, Sequence

from linkindex.resolve.behind import Binding, bindings, bindings_behind, names_in
from linkindex.resolve.functions import Found
from linkindex.resolve.trees import FUNCTIONS, SCOPES

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FORM = ("ndim", "dtype", "T", "mT")  # attributes of arrays that are no numbers of theirs
AXES = ("axis", "axes", "dim", "keepdims")  # arguments that say which axes are meant, as shapes do


def numbers(found: Found, node: ast.expr, behind: Sequence[Binding], shared: Collection[str]) -> tuple[str, ...]:
    """Expressions, as code. A local value that depends on nothing from outside is a constant of the code; so is what
    other linked code gives (``shared``)."""
    given = (_given(found) | {binding.name for binding in behind if binding.counts}).difference(shared)
    local = {binding.name for binding in behind}
    direct = list(chains(node))
    inner = [chain for binding in behind for value in binding.values for chain in chains(value)]
    outside = {chain for chain in (*direct, *inner) if _base(chain) in given}
    depending = {chain for chain in direct if _base(chain) in local and _depends(found, node, chain, given)}
    return tuple(sorted(outside | depending))


def _given(found: Found) -> set[str]:
    """Parameters, and the names of a function around this one."""
    around = [
        function
        for function in ast.walk(found.source.tree)
        if isinstance(function, FUNCTIONS)
        if function.lineno <= found.node.lineno and found.node.end_lineno <= function.end_lineno
    ]
    parameters = {one.arg for function in around for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    outer = {one.name for function in around if function is not found.node for one in bindings(function)}
    return parameters | outer


def _depends(found: Found, node: ast.expr, chain: str, given: set[str]) -> bool:
    behind = bindings_behind(found.node, ast.parse(chain, mode="eval").body, node.lineno)
    return any(given & names_in(value) for binding in behind for value in (*binding.values, *binding.tests))


def chains(node: ast.AST) -> Iterator[str]:
    """The names of an expression with the attributes and places that follow, as ``self.rate`` or ``state["t"]``."""
    match node:
        case ast.Call(func=function, args=arguments, keywords=named):
            if isinstance(function, ast.Attribute):
                yield from chains(function.value)
            for one in (*arguments, *(keyword.value for keyword in named if keyword.arg not in AXES)):
                yield from chains(one)
        case ast.Name() | ast.Attribute() | ast.Subscript() if _is_chain(node):
            if not (isinstance(node, ast.Attribute) and node.attr in FORM):
                yield ast.unparse(node)
            for inner in ast.walk(node):
                if isinstance(inner, ast.Subscript):
                    yield from chains(inner.slice)
        case _ if isinstance(node, COMPREHENSIONS):
            bound = {name for one in node.generators for name in names_in(one.target)}
            parts = [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.comprehension)]
            parts += [part for one in node.generators for part in (one.iter, *one.ifs)]
            yield from (chain for part in parts for chain in chains(part) if not bound & names_in(ast.parse(chain)))
        case _ if not isinstance(node, (*SCOPES, ast.JoinedStr)):
            for inner in ast.iter_child_nodes(node):
                yield from chains(inner)


def _is_chain(node: ast.expr) -> bool:
    match node:
        case ast.Name():
            return True
        case ast.Attribute(value=value):
            return _is_chain(value)
        case ast.Subscript(value=value, slice=place):
            plain = (ast.Constant, ast.Name, ast.UnaryOp, ast.USub)
            return _is_chain(value) and all(isinstance(one, (*plain, ast.expr_context)) for one in ast.walk(place))
    return False


def _base(chain: str) -> str:
    node = ast.parse(chain, mode="eval").body
    while not isinstance(node, ast.Name):
        node = node.value
    return node.id
