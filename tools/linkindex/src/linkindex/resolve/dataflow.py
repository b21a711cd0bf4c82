"""From which code of its function a value is made: what lies between the symbols of a formula and its left side.

A value is made of the expression that gives it and, through the assignments of its function, of the values of the names
in it. Where a formula takes a value as given, by one of its symbols, the way ends: how that value came about is none of
the formula's.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from linkindex.formula import Formula
from linkindex.model import Symbol
from linkindex.resolve.definitions import Definition
from linkindex.resolve.functions import Found
from linkindex.resolve.trees import own_nodes, same


def made_of(starts: Iterable[ast.expr], found: Found, given: Sequence[ast.expr] = ()) -> Iterator[ast.AST]:
    """The nodes of a function that the values of some of its expressions are made of, up to what is ``given``."""
    values = assigned(found.node)
    seen: set[str] = set()
    waiting: list[ast.AST] = list(starts)
    begun = set(map(id, waiting))
    while waiting:
        node = waiting.pop()
        if id(node) not in begun and any(same(node, one) for one in given):
            continue
        yield node
        waiting.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Name) and node.id not in seen:
            seen.add(node.id)
            waiting.extend(values.get(node.id, ()))


def given_by(formula: Formula, symbols: dict[str, Symbol]) -> list[ast.expr]:
    """The code of the symbols that a formula takes as given: of all but those of its left side."""
    used = [symbols[latex] for latex in formula.symbols if latex not in formula.target and latex in symbols]
    codes = [code for symbol in used for code in (symbol.code, *symbol.family.values()) if code]
    return [tree for code in codes if (tree := _parsed(code)) is not None]


def returned(found: Found) -> list[ast.expr]:
    """What the return statements of a function give."""
    return [node.value for node in own_nodes(found.node) if isinstance(node, ast.Return) and node.value]


def read_by(nodes: Iterable[ast.AST], variables: Collection[str]) -> tuple[str, ...]:
    """The code of a function's variables among nodes: names, attributes and entries; none of what is left out there."""
    every = list(nodes)
    inside = set(map(id, every))
    return tuple(sorted({ast.unparse(node) for node in every if _is_of(node, variables, inside)}))


def _is_of(node: ast.AST, variables: Collection[str], inside: Collection[int]) -> bool:
    match node:
        case ast.Name(id=name):
            return id(node) in inside and name in variables
        case ast.Attribute(value=inner) | ast.Subscript(value=inner):
            return _is_of(inner, variables, inside)
    return False


def _parsed(code: str) -> ast.expr | None:
    try:
        return ast.parse(code.strip(), mode="eval").body
    except SyntaxError:
        return None


def assigned(function: Definition) -> Mapping[str, list[ast.AST]]:
    """By name, everything that is assigned to it, or to an entry of it, anywhere in the function; local functions and
    classes whole. A variable's method that is called as a statement (``rows.append(x)``), and ``out=``, assign too."""
    values: dict[str, list[ast.AST]] = {}
    changes: list[tuple[ast.expr, ast.AST]] = []
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                pairs = [(target, value) for target in targets]
            case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                pairs = [(target, value)]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pairs = [(target, value)]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                pairs = [(target, value)]
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if node is not function:
                values.setdefault(name, []).append(node)
                continue
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                pairs = [(target, value)]
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=target)) as value):
                changes.append((target, value))
                continue
            case ast.Call(keywords=keywords):
                pairs = [(keyword.value, node) for keyword in keywords if keyword.arg == "out"]
            case _:
                continue
        for target, value in pairs:
            for name in _names(target):
                values.setdefault(name, []).append(value)
    for target, value in changes:
        for name in _names(target):
            if name in values:  # not of a module
                values[name].append(value)
    return values


def _names(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=items) | ast.List(elts=items):
            for item in items:
                yield from _names(item)
        case ast.Starred(value=value) | ast.Subscript(value=value) | ast.Attribute(value=value):
            yield from _names(value)
