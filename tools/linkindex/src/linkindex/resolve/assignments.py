"""What statements assign, and what they read before: names, attributes, items, each by its code in standard layout."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from linkindex.resolve.functions import Found
from linkindex.resolve.trees import SCOPES, own_nodes, statement_around, statements

VARIABLES = (ast.Name, ast.Attribute, ast.Subscript)


@dataclass(frozen=True)
class Assignment:
    """A binding of a variable; ``value`` is None where it is changed in place: no expression holds what it is."""

    target: str
    element: int | None
    value: ast.expr | None
    statement: ast.stmt


def assignments_of(found: Found) -> tuple[Assignment, ...]:
    """The bindings of a function whose text is known: only where it holds a := are its expressions searched."""
    return assignments(found.node, ":=" in found.function.span.code)


@lru_cache(maxsize=2000)
def assignments(function: ast.FunctionDef | ast.AsyncFunctionDef, inside: bool = True) -> tuple[Assignment, ...]:
    """Every binding by an assignment statement or, ``inside`` of expressions, a :=, in source order."""
    result: list[Assignment] = []
    for statement in statements(function):
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    result.extend(_bound(target, value, statement))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                result.extend(_bound(target, value, statement))
            case ast.AugAssign(target=target):
                result.append(Assignment(ast.unparse(target), None, None, statement))
    for node in own_nodes(function) if inside else ():
        if isinstance(node, ast.NamedExpr):
            result.append(Assignment(node.target.id, None, node.value, statement_around(function, node)))
    return tuple(sorted(result, key=lambda one: (one.statement.lineno, one.statement.col_offset)))


def _bound(target: ast.expr, value: ast.expr, statement: ast.stmt) -> list[Assignment]:
    if isinstance(target, VARIABLES):
        return [Assignment(ast.unparse(target), None, value, statement)]
    if not isinstance(target, (ast.Tuple, ast.List)):
        return []
    stars = (position for position, item in enumerate(target.elts) if isinstance(item, ast.Starred))
    starred = next(stars, len(target.elts))
    names = [  # behind a star, counted from the end
        (position if position < starred else position - len(target.elts), ast.unparse(item))
        for position, item in enumerate(target.elts)
        if isinstance(item, VARIABLES)
    ]
    paired = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
    if paired and not any(isinstance(item, ast.Starred) for item in (*target.elts, *value.elts)):
        return [Assignment(name, None, value.elts[position], statement) for position, name in names]
    return [Assignment(name, position, value, statement) for position, name in names]


@dataclass
class Effect(ast.NodeVisitor):
    """What statements do to variables, in the order in which they run.

    ``rereads``: of what they assign, what they read before. ``only_names``: nothing but names is assigned, so that no
    other name of an object can show a change.
    """

    assigned: dict[str, None] = field(default_factory=dict)
    read: dict[str, None] = field(default_factory=dict)
    only_names: bool = True

    @classmethod
    def of(cls, statements: Iterable[ast.stmt]) -> "Effect":
        effect = cls()
        for statement in statements:
            effect.visit(statement)
        return effect

    @property
    def rereads(self) -> tuple[str, ...]:
        return tuple(name for name in self.assigned if any(related(name, read) for read in self.read))

    def visit(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                self._all(value, *targets)
            case ast.AugAssign(target=target, value=value):
                self.only_names = False                       # an array is changed in place, whoever else holds it
                self._read(target)
                self._all(value, target)
            case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                self._all(*([value, target] if value else []))
            case ast.For(target=target, iter=values) | ast.AsyncFor(target=target, iter=values):
                self._all(values, target, *node.body, *node.orelse)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                self._indices(node)
                if isinstance(node.ctx, ast.Load):
                    self._read(node)
                else:
                    self.assigned[ast.unparse(node)] = None
                    self.only_names &= isinstance(node, ast.Name)
            case _ if not isinstance(node, SCOPES):
                self.only_names &= not isinstance(node, ast.Expr)
                self.generic_visit(node)

    def _all(self, *nodes: ast.AST) -> None:
        for node in nodes:
            self.visit(node)

    def _indices(self, node: ast.expr) -> None:
        """What is read beside the variable itself: ``i`` of ``x[i]``, ``f(x)`` of ``f(x).T``."""
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            if isinstance(node, ast.Subscript):
                self.visit(node.slice)
            node = node.value
        if not isinstance(node, ast.Name):
            self.visit(node)

    def _read(self, node: ast.expr) -> None:
        name = ast.unparse(node)
        if not any(is_part(name, whole) for whole in self.assigned):
            self.read[name] = None


def is_part(name: str, whole: str) -> bool:
    """Whether a variable is another one, or an item or an attribute of it."""
    return name == whole or name.startswith((f"{whole}.", f"{whole}["))


def related(a: str, b: str) -> bool:
    return is_part(a, b) or is_part(b, a)
