"""Where a test's expected value comes from: not from the code under test, or the test compares the code with itself.

Each comparison of a test has two sides. A side is traced back through the test's assignments, through helpers of the
test files and into the package. The test is circular if no comparison has one side that reaches the linked functions
and another that is free of them.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from linkindex.model import TestPlace
from linkindex.resolve.comparisons import assigned, comparisons, is_weak
from linkindex.resolve.definitions import Definition, definitions
from linkindex.resolve.functions import Library, NotFound
from linkindex.resolve.imports import imported_names
from linkindex.resolve.trees import dotted_name, own_nodes
from linkindex.sources import Source


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
            hits = [
                sorted(name for name in found if name in barred or linked & self.reached(name)) for found in origins
            ]
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
        """The package function that a called name means in a module; None for others. ``scope`` may import names."""
        trees = [ast.Module(scope.body, []), source.tree] if scope else [source.tree]
        imported = [full for tree in trees for full in imported_names(tree, module, source.path, name or "")]
        full = next(iter(imported), f"{module}.{name}")
        return self.function(full) if full.partition(".")[0] in self.packages else None

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
        for node in _slice(expression, function):
            if isinstance(node, ast.Name) and node.id in fixtures:
                found |= self._through_helpers(node.id, source)
            elif isinstance(node, ast.Call) and (name := dotted_name(node.func)):
                packaged = self._packaged(name, source, module, function)
                found |= {packaged} if packaged else self._through_helpers(name, source)
        return frozenset(found)

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
        called = [node.func for node in ast.walk(helper) if isinstance(node, ast.Call)] if helper else []
        calls = set(map(dotted_name, called)) - {None}
        packaged = {called: self._packaged(called, home, _module(home)) for called in calls}
        return (
            frozenset(filter(None, packaged.values())),
            frozenset((home.path, called) for called, package in packaged.items() if package is None),
        )

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


def _without_role(function: str) -> str:
    """``m.f[branch:if]`` is called as ``f`` wherever it is called."""
    return function.partition("[")[0]


def _module(source: Source) -> str:
    return source.path.removesuffix(".py").replace("/", ".")


def _slice(expression: ast.expr, function: Definition) -> Iterator[ast.AST]:
    """The nodes that the value of an expression is made of: its own, and those assigned to the names in it."""
    values = assigned(function)
    seen: set[str] = set()
    waiting: list[ast.AST] = [expression]
    while waiting:
        for node in ast.walk(waiting.pop()):
            yield node
            if isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                waiting.extend(values.get(node.id, ()))


def _definition(source: Source, name: str) -> Definition | None:
    found = (named.node for named in definitions(source) if named.name == name)
    return next((node for node in found if not isinstance(node, ast.ClassDef)), None)
