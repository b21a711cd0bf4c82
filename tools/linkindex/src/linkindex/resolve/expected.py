"""Where a test's expected value comes from: not from the code under test, or the test compares the code with itself.

Each comparison of a test has two sides. A side is traced back through the test's assignments, through helpers of the
test files and into the package. The test is circular if no comparison has one side that reaches the linked functions
and another that is free of them, and of all that they call. A function counts wherever it is named, called or not; a
module that is named by itself may give any of its functions, and so may what looks names up while the test runs.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from linkindex.model import TestPlace
from linkindex.resolve.comparisons import assigned, comparisons, is_weak
from linkindex.resolve.naming import looks_up, named_in
from linkindex.resolve.definitions import Definition, definitions
from linkindex.resolve.functions import Library, NotFound
from linkindex.resolve.imports import imported_names
from linkindex.resolve.trees import dotted_name, own_nodes
from linkindex.sources import Source


ANY = "(...)"  # behind the name of what may give any function


class Origins:
    """Traces expressions of tests back to functions of the project."""

    def __init__(self, library: Library, read, packages: tuple[str, ...]):
        self.library, self.read, self.packages = library, read, packages
        self.function = cache(self._function)
        self.callees = cache(self._callees)
        self.reached = cache(self._reached)
        self.helper_calls = cache(self._helper_calls)

    def judged(self, place: TestPlace, linked: frozenset[str]) -> TestPlace:
        """The place with what is wrong with all of the test's comparisons: they are circular, or weak."""
        path, _, name = place.nodeid.partition("::")
        source = self.read(path)
        test = _definition(source, name.replace("::", "."))
        barred = linked | frozenset(inner for function in linked for inner in self.reached(function))
        linked, barred = frozenset(map(_without_role, linked)), frozenset(map(_without_role, barred))
        circular, weak, compared = None, None, False
        for sides in comparisons(test):
            origins = [self._origins(side, test, source) for side in sides]
            hits = [sorted(name for name in found if self._is_barred(name, barred)) for found in origins]
            if not any(hits):
                continue
            compared = True
            if all(hits):
                circular = circular or hits[-1][0]
            elif any(is_weak(side, test) for side, hit in zip(sides, hits) if hit):
                weak = weak or " ".join(ast.unparse(sides[0]).split())
            else:
                return place
        return replace(place, circular=circular, weak=None if circular else weak, compares=compared)

    def _is_barred(self, name: str, barred: frozenset[str]) -> bool:
        return name.endswith(ANY) or name in barred or bool(barred & self.reached(name))

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
        names = (self._packaged(dotted_name(call.func), found.source, found.function.module) for call in calls)
        return frozenset(names) - {None}

    def _packaged(self, name: str | None, source: Source, module: str, scope: Definition | None = None) -> str | None:
        """The package function that a name means in a module, or a whole module; None for others. ``scope`` may import
        names."""
        scopes = [scope, source.tree] if scope else [source.tree]
        imported = [full for one in scopes for full in imported_names(one, module, source.path, name or "")]
        full = next(iter(imported), f"{module}.{name}")
        if full.partition(".")[0] not in self.packages:
            return None
        if self.library.module_path(full) or "__" in full:
            return full.partition(".__")[0] + ANY
        return self.function(full)

    def _function(self, name: str) -> str | None:
        try:
            return _without_role(self.library.find(name).function.name)
        except NotFound as error:
            return name if error.code == "LI203" else None  # one of several of this name: any of them may be meant

    def _origins(self, expression: ast.expr, function: Definition, source: Source) -> frozenset[str]:
        """Package functions that the value of an expression of a test comes from."""
        found: set[str] = set()
        module = _module(source)
        fixtures = {argument.arg for argument in function.args.args}
        nodes = list(_slice(expression, function, source))
        for name in named_in(nodes):
            if name in fixtures:
                found |= self._through_helpers(name, source)
            else:
                packaged = self._packaged(name, source, module, function)
                found |= {packaged} if packaged else self._through_helpers(name, source)
        return frozenset(found | {word + ANY for word in looks_up(nodes)})

    def _through_helpers(self, name: str, source: Source) -> set[str]:
        """Package functions that a helper of the test files calls, directly or through other helpers."""
        found: set[str] = set()
        seen: set[tuple[str, str]] = set()
        waiting = [(source.path, name)]
        while waiting:
            path, called = waiting.pop()
            if (path, called) not in seen:
                seen.add((path, called))
                packaged, helpers = self.helper_calls(path, called)
                found |= packaged
                waiting.extend(helpers)
        return found

    def _helper_calls(self, path: str, name: str) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
        """What the helper that ``name`` means in a file calls: package functions, and names that may be helpers."""
        source = self.read(path)
        helper, home = self._helper(name, source, _module(source))
        nodes = list(ast.walk(helper)) if helper else []
        calls = set(named_in(nodes)) - {name}
        scope = helper if isinstance(helper, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
        packaged = {called: self._packaged(called, home, _module(home), scope) for called in calls}
        return (
            frozenset(filter(None, packaged.values())) | {word + ANY for word in looks_up(nodes)},
            frozenset((home.path, called) for called, package in packaged.items() if package is None),
        )

    def _helper(self, name: str, source: Source, module: str) -> tuple[ast.AST | None, Source]:
        """The function, class or value of a test file that a name means: of this file, or imported from another."""
        if own := _helper_in(source, name):
            return own, source
        for full in imported_names(source.tree, module, source.path, name):
            home, _, inner = full.rpartition(".")
            path = self.library.module_path(home)
            other = self.read(path) if path else None
            if other and (found := _helper_in(other, inner)):
                return found, other
        return None, source


def _helper_in(source: Source, name: str) -> ast.AST | None:
    """What a file defines under a name, or assigns to it outside of its functions."""
    found = (named.node for named in definitions(source) if named.name == name)
    values = assigned_outside(source).get(name, ())
    return next(found, None) or (ast.Module([ast.Expr(value) for value in values], []) if values else None)


def _without_role(function: str) -> str:
    """``m.f[branch:if]`` is called as ``f`` wherever it is called."""
    return function.partition("[")[0]


def _module(source: Source) -> str:
    return source.path.removesuffix(".py").replace("/", ".")


def _slice(expression: ast.expr, function: Definition, source: Source) -> Iterator[ast.AST]:
    """The nodes that the value of an expression is made of: its own, and those assigned to the names in it, by the test
    or by its module."""
    values = assigned(function)
    outer = assigned_outside(source)
    seen: set[str] = set()
    waiting: list[ast.AST] = [expression]
    while waiting:
        for node in ast.walk(waiting.pop()):
            yield node
            if isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                waiting.extend(values.get(node.id) or outer.get(node.id, ()))


@lru_cache(maxsize=200)
def assigned_outside(source: Source) -> Mapping[str, list[ast.AST]]:
    """What a module assigns to its names, outside of its definitions."""
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    body = [node for node in source.tree.body if not isinstance(node, scopes)]
    return assigned(ast.FunctionDef("", None, body, []))


def _definition(source: Source, name: str) -> Definition | None:
    found = (named.node for named in definitions(source) if named.name == name)
    return next((node for node in found if not isinstance(node, ast.ClassDef)), None)
