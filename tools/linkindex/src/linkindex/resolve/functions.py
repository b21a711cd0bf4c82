"""Find the definition that a dotted name means, by reading syntax trees; nothing is imported."""

import ast
import os
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path

from linkindex.model import Function, Span
from linkindex.resolve.definitions import Named, definitions, first_line
from linkindex.resolve.imports import exports, imported_names, star_imports
from linkindex.sources import Source


NOTED = ""  # the code of what was reported where it was read


class NotFound(Exception):
    """The message says what was looked for, what is there, and what to do. ``code`` is the finding's.

    A message that takes a search is a function: most that ask whether something is there never read it.
    """

    def __init__(self, code: str, message: str | Callable[[], str]):
        super().__init__(message)
        self.code, self.message = code, message

    def __str__(self) -> str:
        return self.message if isinstance(self.message, str) else self.message()


@dataclass(frozen=True)
class Found:
    source: Source
    function: Function
    node: ast.FunctionDef | ast.AsyncFunctionDef
    files: tuple[str, ...]  # that were read to find it: re-exporting modules, then its own


class Library:
    """Reads the project's modules on demand: package folders in the root, or in ``src``."""

    def __init__(self, root: Path, read):
        self.root, self.read = root, read  # read: path -> Source | None
        self.files: set[str] = set()  # through which anything was found; whoever wants to know empties it before
        self._found = cache(self._find)
        self.module_path = cache(self._module_path)

    def _module_path(self, module: str) -> str | None:
        """The file of a module, relative to the root; as for Python, a package hides a module of the same name."""
        relative = module.replace(".", "/")
        for base in ("", "src/"):
            for candidate in (f"{base}{relative}/__init__.py", f"{base}{relative}.py"):
                if exact_file(self.root, candidate):
                    return candidate
        return None

    def find(self, name: str, _chain: tuple[str, ...] = ()) -> Found:
        """The function that ``module.qualname`` names, through re-exports. Raises NotFound."""
        found = self._found(name, _chain)
        self.files.update(found.files)
        return found

    def _find(self, name: str, _chain: tuple[str, ...]) -> Found:
        name = unicodedata.normalize("NFKC", name)  # as Python does with every identifier
        if name in _chain:
            circle = " -> ".join((*_chain, name))
            raise NotFound("LI209", f"the name goes round in a circle: {circle}: import it from where it is defined")
        if path := self.module_path(name):
            raise NotFound("LI202", f"{name} is a module ({path}){_through(_chain, name)}: name one of its functions")
        module, qualname = self._split(name, _chain)
        path = self.module_path(module)
        source = self.read(path)
        if source is None:
            raise NotFound("LI204", f"{name} is in {path}, which does not parse: correct that file first")
        matches = [named for named in definitions(source) if _matches(named, qualname)]
        if len(matches) > 1:
            places = ", ".join(f"{path}:{named.node.lineno} ({named.name}[{named.role}])" for named in matches)
            raise NotFound(
                "LI203", f"{name} is defined {len(matches)} times: {places}: name one with its role in brackets"
            )
        if matches:
            return _found(source, module, matches[0])
        return self._imported(name, module, qualname, source, _chain)

    def _imported(self, name: str, module: str, qualname: str, source: Source, chain: tuple[str, ...]) -> Found:
        """The function behind an import, an alias or a star import of a module."""
        targets = imported_names(source.tree, module, source.path, qualname)
        if len(targets) > 1:
            raise NotFound(
                "LI203", f"{source.path} takes {qualname} from {', or '.join(targets)}: name the one that is meant"
            )
        if targets:
            found = self.find(targets[0], (*chain, name))
            return replace(found, files=(source.path, *found.files))
        read = [source.path]
        for base in star_imports(source.tree, module, source.path):
            path = self.module_path(base)
            inner = self.read(path) if path else None
            if inner is None or not exports(inner.tree, qualname):
                continue
            read.append(path)
            try:
                found = self.find(f"{base}.{qualname}", (*chain, name))
            except NotFound:
                continue
            return replace(found, files=(*read, *found.files))
        raise NotFound("LI202", partial(self._missing, name, qualname, source, chain))

    def _split(self, name: str, chain: tuple[str, ...]) -> tuple[str, str]:
        """The longest module that the name begins with, and the qualified name in it."""
        parts = name.split(".")
        for count in range(len(parts) - 1, 0, -1):
            if self.module_path(".".join(parts[:count])):
                return ".".join(parts[:count]), ".".join(parts[count:])
        near = nearest(parts[0], self._modules(""))
        hint = f"nearest: {', '.join(near)}" if near else "the file must stand below the root or src/"
        raise NotFound(
            "LI201", f"no module of this project begins {name}{_through(chain, name)}; {hint}: expected module.function"
        )

    def _missing(self, name: str, qualname: str, source: Source, chain: tuple[str, ...]) -> str:
        if line := _lambda_line(source.tree, qualname):
            return f"{qualname} is a lambda ({source.path}:{line}): write it as a function with def"
        known = [named.name for named in definitions(source) if not isinstance(named.node, ast.ClassDef)]
        near = nearest(qualname, known)
        if source.path.endswith("__init__.py"):
            near += nearest(qualname.partition(".")[0], self._modules(source.path.removesuffix("__init__.py")))
        near += [f"{path}:{line}" for path, line in self._elsewhere(qualname, source.path)]
        hint = f"nearest: {', '.join(near)}" if near else f"it defines {', '.join(known[:8]) or 'no function'}"
        missing = f"{source.path} has no function {qualname!r}{_through(chain, name)}"
        return f"{missing}; {hint}: correct the name, or restore the function"

    def _modules(self, folder: str) -> list[str]:
        """Names of the modules and packages in a folder, ``""`` for the top level."""
        folders = [self.root / folder] if folder else [self.root, self.root / "src"]
        paths = [path for base in folders if base.is_dir() for path in sorted(base.iterdir())]
        return [
            path.stem
            for path in paths
            if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file()
        ]

    def _elsewhere(self, qualname: str, path: str) -> list[tuple[str, int]]:
        """Where other modules of the package define this name: the function may have been moved."""
        top = path.split("/")[: 2 if path.startswith("src/") else 1]
        files = sorted(self.root.joinpath(*top).rglob("*.py")) if len(top) < len(path.split("/")) else []
        word = qualname.rpartition(".")[2].partition("[")[0].encode()
        others = [file.relative_to(self.root).as_posix() for file in files if word in file.read_bytes()]
        sources = [source for other in others if other != path and (source := self.read(other))]
        return [
            (source.path, named.node.lineno)
            for source in sources
            for named in definitions(source)
            if _matches(named, qualname)
        ]


def nearest(name: str, known: Collection[str], cutoff: float = 0.5) -> list[str]:
    """Names that differ in case only, or else the most similar ones."""
    return [other for other in known if other.casefold() == name.casefold()] or get_close_matches(
        name, known, 3, cutoff
    )


def _through(chain: tuple[str, ...], name: str) -> str:
    return f" (reached through {' -> '.join((*chain, name))})" if chain else ""


def _lambda_line(tree: ast.Module, name: str) -> int | None:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Lambda()) if target == name:
                return node.lineno
    return None


def _matches(named: Named, qualname: str) -> bool:
    name, _, role = qualname.removesuffix("]").partition("[")
    plain = named.name.replace(".<locals>", "")
    return name in (named.name, plain) and role in ("", named.role)


def _found(source: Source, module: str, named: Named) -> Found:
    """A name that is defined more than once keeps its role in brackets, so that it can be found again."""
    node = named.node
    if isinstance(node, ast.ClassDef):
        raise NotFound(
            "LI202", f"{module}.{named.name} is a class ({source.path}:{node.lineno}): name one of its methods"
        )
    first = first_line(source, node)
    end_col = source.column(node.end_lineno, node.end_col_offset)
    span = Span(source.path, first, 1, node.end_lineno, end_col, source.between(first, 1, node.end_lineno, end_col))
    arguments = node.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    extra = [a.arg for a in (arguments.vararg, arguments.kwarg) if a]
    alone = sum(other.name == named.name for other in definitions(source)) == 1
    qualname = named.name if alone else f"{named.name}[{named.role}]"
    function = Function(module, qualname, span, node.lineno, (*names, *extra))
    return Found(source, function, node, (source.path,))


def exact_file(root: Path, relative: str) -> bool:
    """Whether ``relative`` (with forward slashes) is a file below ``root``, spelt exactly like this, also where the
    file system does not tell upper from lower case."""
    folder = root
    if not (root / relative).is_file():
        return False
    for part in relative.split("/"):
        if part not in os.listdir(folder):
            return False
        folder = folder / part
    return True
