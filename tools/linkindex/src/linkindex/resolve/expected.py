"""Where a test's expected value comes from: not from the code under test, or the test compares the code with itself.

Each comparison of a test has two sides. A side is traced back through the test's assignments, through helpers of the
test files and into the package. The test is circular if no comparison has one side that reaches the linked functions
and another that is free of them, and of all that they call. A function counts wherever it is named, called or not, and
not where a variable has its name; a method counts where its class is named and an attribute of its name is used. A
module that is named by itself may give any of its functions, and so may what looks names up while the test runs.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

from linkindex.model import TestPlace
from linkindex.resolve.comparisons import assigned, comparisons, is_weak
from linkindex.resolve.definitions import Definition, definitions, last_name
from linkindex.resolve.functions import Library, NotFound
from linkindex.resolve.imports import imported_names
from linkindex.resolve.naming import ATTRIBUTES, attributes_in, bound_in, is_looking_up, named_in, parameters
from linkindex.resolve.trees import FUNCTIONS, dotted_name, own_nodes
from linkindex.sources import Source

ANY = "(...)"  # behind the name of what may give any function
Helper = tuple[str, str]  # file, and the name of a function, class or value in it


class Used(NamedTuple):
    """Package functions; what may be helpers; methods of these, which are asked for by the names of attributes."""

    functions: frozenset[str] = frozenset()
    helpers: frozenset[Helper] = frozenset()
    methods: frozenset[Helper] = frozenset()
    attributes: frozenset[str] = frozenset()

    @property
    def asked(self) -> frozenset[Helper]:
        names = ((method, method[1].rpartition(".")[2]) for method in self.methods)
        return frozenset(method for method, name in names if name in self.attributes or name.startswith("__"))


class Origins:
    """Traces expressions of tests back to functions of the project."""

    def __init__(self, library: Library, read, packages: tuple[str, ...]):
        self.library, self.read = library, read
        self.packages = tuple(f"{package}." for package in packages)
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

    def _packaged(self, name: str | None, source: Source, module: str) -> str | None:
        """The package function that a name means in a module; None for others."""
        full = next(iter(imported_names(source.tree, module, source.path, name or "")), f"{module}.{name}")
        return self.function(full) if full.startswith(self.packages) else None

    def _function(self, name: str) -> str | None:
        try:
            return _without_role(self.library.find(name).function.name)
        except NotFound as error:
            return name if error.code == "LI203" else None  # one of several of this name: any of them may be meant

    def _origins(self, expression: ast.expr, test: Definition, source: Source) -> frozenset[str]:
        """Package functions that the value of an expression of a test comes from, through helpers of the test files."""
        found = self._named(list(_slice(expression, test, source)), source, test, parameters(test.args))
        seen: set[Helper] = set()
        while waiting := (found.helpers | found.asked) - seen:
            seen |= waiting
            parts = [found, *(self.helper_calls(*helper) for helper in waiting)]
            found = Used(*(frozenset().union(*each) for each in zip(*parts)))
        return found.functions

    def _helper_calls(self, path: str, name: str) -> Used:
        """What a function, class or value outside of functions uses; of a class, without its methods."""
        source = self.read(path)
        helper = _helper_in(source, name) if source else None
        if helper is None:  # it may be from another file
            imported = imported_names(source.tree, _module(source), path, name) if source else ()
            return Used(helpers=frozenset(filter(None, map(self._file_of, imported))))
        module = _module(source)
        if isinstance(helper, ast.ClassDef):
            methods = [node for node in helper.body if isinstance(node, FUNCTIONS)]
            others = [node for node in ast.iter_child_nodes(helper) if node not in methods]
            found = self._named(others, source, helper, frozenset())
            return found._replace(methods=frozenset((path, f"{name}.{method.name}") for method in methods))
        found = self._named([helper], source, helper, parameters(helper.args) if _is_fixture(helper) else frozenset())
        is_packaged = isinstance(helper, FUNCTIONS) and f"{module}.".startswith(self.packages)
        return found._replace(functions=found.functions | {f"{module}.{name}"}) if is_packaged else found

    def _named(self, nodes: Iterable[ast.AST], source: Source, scope: ast.AST, injected: frozenset[str]) -> Used:
        """What code uses. ``scope``: the test or helper that it is in, which may import names; ``injected``: names of
        fixtures."""
        attributes = {name for node in nodes for name in attributes_in(node)}
        own = bound_in(scope) - injected if isinstance(scope, FUNCTIONS) else frozenset()
        scopes = [inner for inner in ast.walk(scope) if isinstance(inner, FUNCTIONS)]
        module = _module(source)
        functions, helpers = {word + ANY for word in attributes & ATTRIBUTES}, set()
        for name in named_in(nodes, own, injected):
            if name in injected:
                helpers.add((source.path, name))
                continue
            imported = [full for one in scopes for full in imported_names(one, module, source.path, name)]
            imported = imported or imported_names(source.tree, module, source.path, name)
            if any(is_looking_up(full, True) for full in imported) or (not imported and is_looking_up(name, False)):
                functions.add(name.rpartition(".")[2] + ANY)
            for full in imported or [f"{module}.{name}"]:
                if packaged := self._of_package(full):
                    functions.add(packaged)
                elif helper := self._file_of(full) if imported else (source.path, name):
                    helpers.add(helper)
        return Used(frozenset(functions), frozenset(helpers), frozenset(), frozenset(attributes))

    def _of_package(self, full: str) -> str | None:
        """The package function with a full name, or a whole module."""
        if not f"{full}.".startswith(self.packages):
            return None
        if self.library.module_path(full) or ".__" in full:
            return full.partition(".__")[0] + ANY
        return self.function(full)

    def _file_of(self, full: str) -> Helper | None:
        """Where something with a full name may be defined."""
        home, _, inner = full.rpartition(".")
        path = self.library.module_path(home)
        return (path, inner) if path else None


def _helper_in(source: Source, name: str) -> ast.AST | None:
    """What a file defines under a name, or assigns to it outside of its functions."""
    found = (named.node for named in definitions(source) if named.name == name)
    values = assigned_outside(source).get(name, ())
    return next(found, None) or (ast.Module([ast.Expr(value) for value in values], []) if values else None)


def _is_fixture(helper: ast.AST) -> bool:
    return isinstance(helper, FUNCTIONS) and any(last_name(one) == "fixture" for one in helper.decorator_list)


def _without_role(function: str) -> str:
    """``m.f[branch:if]`` is called as ``f`` wherever it is called."""
    return function.partition("[")[0]


def _module(source: Source) -> str:
    return source.path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _slice(expression: ast.expr, function: Definition, source: Source) -> Iterator[ast.AST]:
    """The code that the value of an expression is made of: its own, and what is assigned to the names in it, by the
    test, by its decorators or by its module."""
    values = {**assigned(function), **_parametrized(function)}
    outer = assigned_outside(source)
    seen: set[str] = set()
    waiting: list[ast.AST] = [expression]
    while waiting:
        root = waiting.pop()
        yield root
        for node in ast.walk(root):
            if isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                waiting.extend(values.get(node.id) or outer.get(node.id, ()))


def _parametrized(test: Definition) -> Mapping[str, list[ast.AST]]:
    """What ``pytest.mark.parametrize`` gives to a test's parameters, as far as it is written out."""
    found: dict[str, list[ast.AST]] = {}
    for decorator in test.decorator_list:
        match decorator:
            case ast.Call(args=[names, values, *_]) if last_name(decorator) == "parametrize":
                names = re.findall(r"\w+", ast.unparse(names))
                rows = [_row(value) for value in getattr(values, "elts", ())]
                if len(names) == 1:
                    found[names[0]] = [values]
                elif all(len(row) == len(names) for row in rows):
                    found |= {name: list(column) for name, column in zip(names, zip(*rows))}
    return found


def _row(value: ast.expr) -> list[ast.expr]:
    return value.args if isinstance(value, ast.Call) else getattr(value, "elts", [])


@lru_cache(maxsize=200)
def assigned_outside(source: Source) -> Mapping[str, list[ast.AST]]:
    """What a module assigns to its names, outside of its definitions."""
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    body = [node for node in source.tree.body if not isinstance(node, scopes)]
    return assigned(ast.FunctionDef("", None, body, []))


def _definition(source: Source, name: str) -> Definition | None:
    found = (named.node for named in definitions(source) if named.name == name)
    return next((node for node in found if not isinstance(node, ast.ClassDef)), None)
