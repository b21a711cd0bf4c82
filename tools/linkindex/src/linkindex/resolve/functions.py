"""Find the definition that a dotted name means, by reading syntax trees; nothing is imported."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path

from linkindex.model import Function, Span
from linkindex.resolve.sources import Source

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class NotFound(Exception):
    """The message says what was looked for, what is there, and what to do. ``code`` is the finding's."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Found:
    source: Source
    function: Function
    node: ast.FunctionDef | ast.AsyncFunctionDef
    files: tuple[str, ...]  # that were read to find it: re-exporting modules, then its own


@dataclass(frozen=True)
class Named:
    """A definition, its name within the module, and its role where several share the name."""

    name: str
    role: str
    node: Definition


class Library:
    """Reads the project's modules on demand: package folders in the root, or in ``src``."""

    def __init__(self, root: Path, read):
        self.root, self.read = root, read  # read: path -> Source | None
        self.find = cache(self._find)
        self.module_path = cache(self._module_path)

    def _module_path(self, module: str) -> str | None:
        """The file of a module, relative to the root; case counts on every system."""
        relative = module.replace(".", "/")
        for base in ("", "src/"):
            for candidate in (f"{base}{relative}.py", f"{base}{relative}/__init__.py"):
                if _exact_file(self.root, candidate):
                    return candidate
        return None

    def _find(self, name: str, _chain: tuple[str, ...] = ()) -> Found:
        """The function that ``module.qualname`` names, through re-exports. Raises NotFound."""
        if name in _chain:
            raise NotFound("LI209", f"the name goes round in a circle: {' -> '.join((*_chain, name))}")
        module, qualname = self._split(name)
        path = self.module_path(module)
        source = self.read(path)
        if source is None:
            raise NotFound("LI204", f"{name} is in {path}, which does not parse: correct that file first")
        matches = [named for named in definitions(source) if _matches(named, qualname)]
        functions = [named for named in matches if not isinstance(named.node, ast.ClassDef)]
        if len(functions) == 1:
            return _found(source, module, functions[0])
        if functions:
            places = ", ".join(f"{path}:{named.node.lineno} ({named.name}[{named.role}])" for named in functions)
            raise NotFound("LI203", f"{name} is defined {len(functions)} times: {places}: name one with its role in brackets")
        if matches:
            raise NotFound("LI202", f"{name} is a class ({path}:{matches[0].node.lineno}): name one of its methods")
        target = imported_name(source.tree, module, path, qualname)
        if target:
            found = self.find(target, (*_chain, name))
            return replace(found, files=(path, *found.files))
        raise NotFound("LI202", self._missing(name, qualname, path, source, _chain))

    def _split(self, name: str) -> tuple[str, str]:
        parts = name.split(".")
        for count in range(len(parts) - 1, 0, -1):
            if self.module_path(".".join(parts[:count])):
                return ".".join(parts[:count]), ".".join(parts[count:])
        raise NotFound("LI201", f"no module of this project begins {name}: expected module.function, with the file below the root or src/")

    def _missing(self, name: str, qualname: str, path: str, source: Source, chain: tuple[str, ...]) -> str:
        known = [named.name for named in definitions(source) if not isinstance(named.node, ast.ClassDef)]
        near = get_close_matches(qualname, known, 3, 0.5) or get_close_matches(qualname.lower(), known, 3, 0.5)
        hint = f"nearest: {', '.join(near)}" if near else f"it defines {', '.join(known[:8]) or 'no function'}"
        through = f" (reached through {' -> '.join((*chain, name))})" if chain else ""
        return f"{path} has no function {qualname!r}{through}; {hint}: correct the name, or restore the function"


def _exact_file(root: Path, relative: str) -> bool:
    """Whether the file exists under exactly this name, also where the file system does not tell case apart."""
    if not (root / relative).is_file():
        return False
    resolved = (root / relative).resolve()
    return resolved.as_posix().endswith("/" + relative) or (root / relative).is_symlink() or _listed(root, relative)


def _listed(root: Path, relative: str) -> bool:
    folder = root
    for part in relative.split("/"):
        if part not in {entry.name for entry in folder.iterdir()}:
            return False
        folder = folder / part
    return True


@lru_cache(maxsize=2000)
def definitions(source: Source) -> tuple[Named, ...]:
    """All functions and classes with their qualified names, in source order; overload stubs are left out."""
    return tuple(_definitions(source.tree.body, "", ""))


def _definitions(body: list[ast.stmt], prefix: str, role: str) -> Iterator[Named]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if not any(_last_name(decorator) == "overload" for decorator in node.decorator_list):
                    yield Named(prefix + node.name, _role(node) or role or f"line:{node.lineno}", node)
                    yield from _definitions(node.body, f"{prefix}{node.name}.<locals>.", role)
            case ast.ClassDef():
                yield Named(prefix + node.name, role or f"line:{node.lineno}", node)
                yield from _definitions(node.body, f"{prefix}{node.name}.", role)
            case ast.If():
                yield from _definitions(node.body, prefix, "branch:if")
                yield from _definitions(node.orelse, prefix, "branch:else")
            case ast.Try() | ast.TryStar():
                yield from _definitions(node.body, prefix, "branch:try")
                for handler in node.handlers:
                    yield from _definitions(handler.body, prefix, "branch:except")
                yield from _definitions(node.orelse, prefix, "branch:else")
                yield from _definitions(node.finalbody, prefix, "branch:finally")
            case ast.With() | ast.AsyncWith() | ast.For() | ast.While():
                yield from _definitions(node.body, prefix, role)


def _role(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    for decorator in node.decorator_list:
        name = _last_name(decorator)
        if name in ("setter", "deleter", "getter"):
            return name
        if name in ("property", "cached_property"):
            return "getter"
    return None


def _last_name(node: ast.expr) -> str | None:
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def _matches(named: Named, qualname: str) -> bool:
    name, _, role = qualname.removesuffix("]").partition("[")
    plain = named.name.replace(".<locals>", "")
    return name in (named.name, plain) and role in ("", named.role)


def imported_name(tree: ast.Module, module: str, path: str, name: str) -> str | None:
    """The dotted name that ``name`` stands for in a module, by its import statements and plain aliases."""
    head, _, rest = name.partition(".")
    package = module if path.endswith("__init__.py") else module.rpartition(".")[0]
    for node in tree.body:
        match node:
            case ast.ImportFrom():
                base = _absolute(node, package)
                for alias in node.names:
                    if (alias.asname or alias.name) == head:
                        return ".".join(filter(None, (base, alias.name, rest)))
            case ast.Import():
                for alias in node.names:
                    if alias.asname == head:
                        return ".".join(filter(None, (alias.name, rest)))
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=other)) if target == head and other != head:
                return ".".join(filter(None, (module, other, rest)))
    return None


def _absolute(node: ast.ImportFrom, package: str) -> str:
    parents = package.split(".")
    base = ".".join(parents[: len(parents) - node.level + 1]) if node.level else ""
    return ".".join(filter(None, (base, node.module)))


def _found(source: Source, module: str, named: Named) -> Found:
    node = named.node
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    end_col = source.column(node.end_lineno, node.end_col_offset)
    span = Span(source.path, first, 1, node.end_lineno, end_col, source.between(first, 1, node.end_lineno, end_col))
    arguments = node.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    extra = [a.arg for a in (arguments.vararg, arguments.kwarg) if a]
    function = Function(module, named.name, span, node.lineno, (*names, *extra), ast.get_docstring(node))
    return Found(source, function, node, (source.path,))
