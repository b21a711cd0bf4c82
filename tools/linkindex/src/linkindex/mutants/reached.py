"""A hash of everything that the verdicts of an equation depend on: code by function, not by line or layout."""

import ast
import copy
import hashlib
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

from linkindex.model import Finding, Reached
from linkindex.mutants.plan import Target
from linkindex.resolve.functions import definitions
from linkindex.resolve.sources import Source, read_source
from linkindex.resolve.trees import fingerprint


class Dependencies:
    """Hashes functions and files of one project; each file is read once."""

    def __init__(self, root: Path):
        self.root = root
        self._source = cache(self._read)
        self._function = cache(self._hash_function)
        self._skeleton = cache(self._hash_skeleton)
        self._file = cache(self._hash_file)

    def key(self, targets: list[Target], reached: Reached) -> str:
        """Equal keys, equal verdicts. ``targets``: of one equation."""
        parts = [platform.python_version(), version("numpy"), version("pytest"), _own_code(), targets[0].test]
        for target in targets:
            parts += [target.equation, target.link.function, target.link.span.code, *(m.code for m in target.mutants)]
        parts += [self._function(file, name) for file, name in reached.functions]
        parts += [f"{file} {self._skeleton(file)}" for file in reached.modules]
        parts += [f"{file} {self._file(file)}" for file in reached.files]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _read(self, file: str) -> Source | None:
        if not (self.root / file).is_file():
            return None
        source = read_source(self.root, file)
        return None if isinstance(source, Finding) else source

    def _hash_function(self, file: str, name: str) -> str:
        """The function's code; the whole file where the name is not found (a lambda, generated code)."""
        source = self._source(file)
        outer = name
        while outer.endswith(">"):  # f.<locals>.<listcomp> belongs to f
            outer = outer.rpartition(".")[0].removesuffix(".<locals>")
        found = [named.node for named in definitions(source) if named.name == outer] if source else []
        return f"{file} {name} {fingerprint(found[0]) if len(found) == 1 else self._file(file)}"

    def _hash_skeleton(self, file: str) -> str:
        """The module without the bodies of its functions: imports, constants, classes, signatures, decorators."""
        source = self._source(file)
        return fingerprint(_Skeleton().visit(copy.deepcopy(source.tree))) if source else self._file(file)

    def _hash_file(self, file: str) -> str:
        path = self.root / file
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "missing"


class _Skeleton(ast.NodeTransformer):
    def visit_FunctionDef(self, node):
        node.body = []
        return node

    visit_AsyncFunctionDef = visit_FunctionDef


@cache
def _own_code() -> str:
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
