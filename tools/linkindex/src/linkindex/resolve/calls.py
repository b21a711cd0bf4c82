"""Who calls the linked functions: call sites in the documented packages, found through their imports and scopes.

A name that a function binds itself hides the module's: a parameter called ``update`` is not the function of that name.
"""

import ast
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from linkindex.model import Call
from linkindex.resolve.definitions import definitions
from linkindex.resolve.functions import Library, NotFound
from linkindex.resolve.imports import bindings, imported_names, star_imports
from linkindex.resolve.trees import dotted_name, own_nodes
from linkindex.sources import Source

Scope = Mapping[str, str | None]  # name bound in a function -> the dotted name it stands for; None: some value


def find_calls(sources: Iterable[tuple[str, Source]], functions: Collection[str], library: Library) -> Iterator[Call]:
    """Calls of ``functions`` (module.qualname) in the given (module, source) pairs; the caller of a call outside of
    functions is the module."""
    sources = list(sources)
    packages = {module.partition(".")[0] for module, _ in sources}
    names = _names_anywhere(functions, sources)
    for module, source in sources:
        text = unicodedata.normalize("NFKC", source.text)  # as Python does with every identifier
        if not any(name in text for name in names):  # most modules call none, which takes long to find out
            continue
        resolver = _Resolver(module, source, library, packages)
        visitor = _Visitor(module, source.path, module)
        visitor.visit(source.tree)
        for site in visitor.sites:
            callee = resolver.function(site.name, site.scopes)
            if callee in functions:
                yield Call(site.caller, callee, source.span(site.anchor))


def _names_anywhere(functions: Iterable[str], sources: Iterable[tuple[str, Source]]) -> set[str]:
    """What the functions are called: their own names, and those that a module gives them."""
    names = {function.partition("[")[0].rpartition(".")[2] for function in functions}
    given = [pair for module, source in sources for pair in bindings(source.tree, module, source.path)]
    while more := {name for name, target in given if target.rpartition(".")[2] in names} - names:
        names |= more
    return names


@dataclass(frozen=True)
class _Site:
    """A call of a dotted name; ``scopes``: of the functions around it, the innermost last."""

    caller: str
    name: str
    anchor: ast.AST                                      # whose place it has: the f-string, for a call inside of one
    scopes: tuple[Scope, ...]


class _Resolver:
    """What the names of one module stand for."""

    def __init__(self, module: str, source: Source, library: Library, packages: Collection[str]):
        self.module, self.source, self.library, self.packages = module, source, library, packages
        self.defined = {named.name for named in definitions(source)}
        self.stars = bool(star_imports(source.tree, module, source.path))
        self.known: dict[str, str | None] = {}

    def function(self, name: str, scopes: tuple[Scope, ...]) -> str | None:
        """The documented function that a name means at a place; None for any other callable."""
        head, dot, rest = name.partition(".")
        for scope in reversed(scopes):
            if head in scope:
                return self.full(scope[head] + dot + rest) if scope[head] else None
        return self.in_module(name)

    def in_module(self, name: str) -> str | None:
        if name not in self.known:
            targets = imported_names(self.source.tree, self.module, self.source.path, name)
            here = self.stars or name in self.defined
            full = targets[0] if targets else f"{self.module}.{name}" if here else None
            self.known[name] = self.full(full) if full else None
        return self.known[name]

    def full(self, name: str) -> str | None:
        if name.partition(".")[0] not in self.packages:  # another distribution's
            return None
        try:
            return self.library.find(name).function.name
        except NotFound:
            return None


@dataclass
class _Visitor(ast.NodeVisitor):
    """Notes the calls of a module, each with the function that it is in."""

    module: str
    path: str
    caller: str
    scopes: tuple[Scope, ...] = ()
    string: ast.JoinedStr | None = None
    sites: list[_Site] = field(default_factory=list)

    def visit_Call(self, node: ast.Call) -> None:
        if name := dotted_name(node.func):
            self.sites.append(_Site(self.caller, name, self.string or node, self.scopes))
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        outer, self.string = self.string, self.string or node
        self.generic_visit(node)
        self.string = outer

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (*node.decorator_list, node.args):   # run where the function is defined
            self.visit(part)
        self._inside(node.body, f"{self.caller}.{node.name}", self._bound(node))

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(part)
        self._inside(node.body, f"{self.caller}.{node.name}", {})

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.args)
        self._inside([node.body], self.caller, dict.fromkeys(_parameters(node.args)))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        names = {name.id for part in node.generators for name in ast.walk(part.target) if isinstance(name, ast.Name)}
        self._inside(ast.iter_child_nodes(node), self.caller, dict.fromkeys(names))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _inside(self, nodes: Iterable[ast.AST], caller: str, scope: Scope) -> None:
        outer = self.caller, self.scopes
        self.caller, self.scopes = caller, (*self.scopes, scope)
        for node in nodes:
            self.visit(node)
        self.caller, self.scopes = outer

    def _bound(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Scope:
        """What a function binds: parameters, variables, functions in it; what it only imports has a target."""
        imports, values, outside = set(), set(_parameters(function.args)), set()
        for node in own_nodes(function):
            match node:
                case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                    imports.update(alias.asname or alias.name.partition(".")[0] for alias in aliases)
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    outside.update(names)
                case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    values.add(name)
                case ast.ClassDef(name=name) | ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                    values.add(name)
        targets = {name: imported_names(function, self.module, self.path, name) for name in imports - values}
        return dict.fromkeys(values - outside) | {name: found[0] for name, found in targets.items() if found}


def _parameters(arguments: ast.arguments) -> list[str]:
    named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    return [argument.arg for argument in named if argument]
