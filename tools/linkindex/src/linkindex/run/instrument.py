"""The one import hook: compile modules with a probe around each linked expression.

A probe is ``__linkindex_value__(key, expression)``; behind its statement stands ``__linkindex_after__(key)``, where
names bound by the statement can be read. Positions stay those of the source, so tracebacks are unchanged.
"""

import ast
import builtins
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Mapping
from pathlib import Path

from linkindex.model import Finding
from linkindex.resolve.sources import Source, read_source

VALUE, AFTER = "__linkindex_value__", "__linkindex_after__"


class Probes(ast.NodeTransformer):
    """Wraps the expressions at the given spans: (line, col, end line, end col) in characters -> key."""

    def __init__(self, source: Source, spans: Mapping[tuple[int, int, int, int], str]):
        self.source, self.spans = source, spans
        self.placed: list[str] = []

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                value[:] = self._list(value)
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        key = self._key(node)
        if key is None:
            return node
        self.placed.append(key)
        call = ast.Call(ast.Name(VALUE, ast.Load()), [ast.Constant(key), node], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def _list(self, nodes: list) -> list:
        result = []
        for node in nodes:
            before = len(self.placed)
            result.append(self.visit(node) if isinstance(node, ast.AST) else node)
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)):
                result.extend(self._after(key, node) for key in self.placed[before:])
        return result

    @staticmethod
    def _after(key: str, statement: ast.stmt) -> ast.stmt:
        call = ast.Expr(ast.Call(ast.Name(AFTER, ast.Load()), [ast.Constant(key)], []))
        return ast.fix_missing_locations(ast.copy_location(call, statement))

    def _key(self, node: ast.AST) -> str | None:
        if not isinstance(node, ast.expr) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return None
        start = self.source.column(node.lineno, node.col_offset)
        end = self.source.column(node.end_lineno, node.end_col_offset)
        return self.spans.get((node.lineno, start, node.end_lineno, end))


def instrumented(source: Source, spans: Mapping[tuple[int, int, int, int], str]) -> ast.Module:
    """The module's tree with its probes. Raises LookupError if a span is no expression of this file any more."""
    probes = Probes(source, spans)
    tree = probes.visit(source.tree)
    lost = set(spans.values()) - set(probes.placed)
    if lost:
        raise LookupError(f"no expression at {', '.join(sorted(lost))}: the file changed while it was being checked; run again")
    return tree


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, root: Path, relative: str, spans: Mapping):
        super().__init__(fullname, path)
        self.root, self.relative, self.spans = root, relative, spans

    def get_code(self, fullname: str):
        source = read_source(self.root, self.relative)
        if isinstance(source, Finding):
            raise SyntaxError(source.message)
        return compile(instrumented(source, self.spans), self.path, "exec", dont_inherit=True)


class Hook(importlib.abc.MetaPathFinder):
    """Loads the files that hold probes through the instrumenting loader; leaves all others alone."""

    def __init__(self, root: Path, spans: Mapping[str, Mapping[tuple[int, int, int, int], str]]):
        self.root = root
        self.files = {str((root / path).resolve()): (path, inner) for path, inner in spans.items()}

    def find_spec(self, fullname, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        found = self.files.get(str(Path(spec.origin).resolve())) if spec.has_location else None
        if found is None:
            return None
        relative, spans = found
        spec.loader = _Loader(fullname, spec.origin, self.root, relative, spans)
        return spec


def install(root: Path, spans: Mapping[str, Mapping[tuple[int, int, int, int], str]], recorder) -> None:
    """Put the hook first on the import path, and the probes' two functions where every module finds them."""
    setattr(builtins, VALUE, recorder.value)
    setattr(builtins, AFTER, recorder.after)
    sys.meta_path.insert(0, Hook(root, spans))
