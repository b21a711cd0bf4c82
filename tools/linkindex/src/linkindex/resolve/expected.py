"""Where a test's expected value comes from: not from the code under test, or the test compares the code with itself.

Each comparison of a test has two sides. A side is traced back through the test's assignments, through helpers of the
test files and into the package. The test is circular if no comparison has one side that reaches the linked functions
and another that is free of them.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from linkindex.resolve.definitions import Definition, definitions
from linkindex.resolve.functions import Library, NotFound
from linkindex.resolve.imports import imported_names
from linkindex.resolve.sources import Source
from linkindex.resolve.trees import dotted_name, own_nodes

COMPARING = ("allclose", "isclose", "array_equal", "array_equiv", "approx")


class Origins:
    """Traces expressions of tests back to functions of the project."""

    def __init__(self, library: Library, read, packages: tuple[str, ...]):
        self.library, self.read, self.packages = library, read, packages
        self.callees = cache(self._callees)
        self.reached = cache(self._reached)

    def circular(self, nodeid: str, linked: frozenset[str]) -> str | None:
        """The linked function, or helper of one, that both sides of every comparison come from; None if all is well."""
        path, _, name = nodeid.partition("::")
        source = self.read(path)
        test = _definition(source, name.replace("::", ".")) if source else None
        if test is None:
            return None
        barred = linked | frozenset(inner for function in linked for inner in self.reached(function))
        tainted = None
        for sides in comparisons(test):
            origins = [self._origins(side, test, source) for side in sides]
            hits = [sorted(name for name in found if name in barred or linked & self.reached(name)) for found in origins]
            if any(hits) and not all(hits):
                return None
            if all(hits):
                tainted = tainted or hits[-1][0]
        return tainted

    def _reached(self, function: str) -> frozenset[str]:
        """Package functions that a function calls, directly or through others."""
        found: set[str] = set()
        waiting = [function]
        while waiting:
            for callee in self.callees(waiting.pop()) - found:
                found.add(callee)
                waiting.append(callee)
        return frozenset(found)

    def _callees(self, function: str) -> frozenset[str]:
        try:
            found = self.library.find(function)
        except NotFound:
            return frozenset()
        calls = (node for node in own_nodes(found.node) if isinstance(node, ast.Call))
        return frozenset(self._packaged(dotted_name(call.func), found.source, found.function.module) for call in calls) - {None}

    def _packaged(self, name: str | None, source: Source, module: str, scope: Definition | None = None) -> str | None:
        """The package function that a called name means in a module, if it is one. ``scope`` may import names itself."""
        trees = [ast.Module(scope.body, []), source.tree] if scope else [source.tree]
        imported = [full for tree in trees for full in imported_names(tree, module, source.path, name or "")]
        for full in imported or [f"{module}.{name}"]:
            if full.partition(".")[0] in self.packages:
                try:
                    return self.library.find(full).function.name
                except NotFound:
                    return None
        return None

    def _origins(self, expression: ast.expr, function: Definition, source: Source) -> frozenset[str]:
        """Package functions that the value of an expression of a test comes from."""
        found: set[str] = set()
        module = source.path.removesuffix(".py").replace("/", ".")
        fixtures = {argument.arg for argument in function.args.args}
        for node in _slice(expression, function):
            if isinstance(node, ast.Name) and node.id in fixtures:
                found |= self._through_helper(node.id, source, module)
            elif isinstance(node, ast.Call) and (name := dotted_name(node.func)):
                packaged = self._packaged(name, source, module, function)
                found |= {packaged} if packaged else self._through_helper(name, source, module)
        return frozenset(found)

    def _through_helper(self, name: str, source: Source, module: str, seen: frozenset[str] = frozenset()) -> set[str]:
        """Package functions that a helper of the test files calls."""
        helper, home = self._helper(name, source, module)
        if helper is None or f"{home.path}:{helper.name}" in seen:
            return set()
        seen |= {f"{home.path}:{helper.name}"}
        found: set[str] = set()
        inner = home.path.removesuffix(".py").replace("/", ".")
        for node in ast.walk(helper):
            if isinstance(node, ast.Call) and (called := dotted_name(node.func)):
                packaged = self._packaged(called, home, inner)
                found |= {packaged} if packaged else self._through_helper(called, home, inner, seen)
        return found

    def _helper(self, name: str, source: Source, module: str) -> tuple[Definition | None, Source]:
        """The function of a test file that a name means: of this file, or imported from another."""
        if own := _definition(source, name):
            return own, source
        for full in imported_names(source.tree, module, source.path, name):
            home, _, inner = full.rpartition(".")
            path = self.library.module_path(home)
            other = self.read(path) if path else None
            if other and (found := _definition(other, inner)):
                return found, other
        return None, source


def comparisons(test: Definition) -> Iterator[tuple[ast.expr, ...]]:
    """The sides of everything that the test asserts; a bare claim is compared with the constant True."""
    for node in own_nodes(test):
        if isinstance(node, ast.Assert):
            yield from _compared(node.test)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and len(node.value.args) > 1:
            if (dotted_name(node.value.func) or "").rpartition(".")[2].startswith("assert"):
                yield tuple(node.value.args[:2])


def _compared(claim: ast.expr) -> Iterator[tuple[ast.expr, ...]]:
    found = False
    for node in ast.walk(claim):
        if isinstance(node, ast.Call) and len(node.args) > 1 and (dotted_name(node.func) or "").rpartition(".")[2] in COMPARING:
            found = True
            yield tuple(node.args[:2])
        elif isinstance(node, ast.Compare):
            found = True
            yield _differences(node) or (node.left, *node.comparators)
    if not found:
        yield (claim, ast.Constant(True))


def _differences(compare: ast.Compare) -> tuple[ast.expr, ...] | None:
    """``abs(a - b) < tolerance`` compares a with b."""
    for node in ast.walk(compare.left):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and isinstance(compare.comparators[0], (ast.Constant, ast.Name)):
            return node.left, node.right
    return None


def _slice(expression: ast.expr, function: Definition) -> Iterator[ast.AST]:
    """The nodes that the value of an expression is made of: its own, and those assigned to the names in it."""
    values = _assigned(function)
    seen: set[str] = set()
    waiting: list[ast.AST] = [expression]
    while waiting:
        for node in ast.walk(waiting.pop()):
            yield node
            if isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                waiting.extend(values.get(node.id, ()))


def _assigned(function: Definition) -> Mapping[str, list[ast.AST]]:
    """Name -> everything assigned to it, or to an entry of it, anywhere in the function; local functions whole."""
    values: dict[str, list[ast.AST]] = {}
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
            case ast.FunctionDef(name=name) if node is not function:
                values.setdefault(name, []).append(node)
                continue
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            for name in _names(target):
                values.setdefault(name, []).append(value)
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


def _definition(source: Source, name: str) -> Definition | None:
    return next((named.node for named in definitions(source) if named.name == name and not isinstance(named.node, ast.ClassDef)), None)
