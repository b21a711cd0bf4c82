"""The one import hook: compile modules with a probe around each linked expression, or with its mutants beside it.

A probe is ``__linkindex_value__(key, expression)``; behind its statement stands ``__linkindex_after__(key)``, where
names bound by the statement can be read. Positions stay those of the source, so tracebacks are unchanged.
"""

import ast
import builtins
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from types import CodeType, MappingProxyType

from linkindex.code import parse_code
from linkindex.model import Finding
from linkindex.run.sides import CHOOSERS
from linkindex.run.spans import Spans
from linkindex.sources import Source, read_source

VALUE, AFTER = "__linkindex_value__", "__linkindex_after__"
SIDE, CHOOSING = "__linkindex_side__", "__linkindex_choosing__"
MUTATED, UNCHANGED = "__linkindex_mutated__", "__linkindex_unchanged__"

Mutants = Mapping[str, Sequence[str]]  # key of an expression -> codes


class Replacer(ast.NodeTransformer):
    """Replaces the expressions at the given spans: (line, col, end line, end col) in characters -> key."""

    def __init__(self, source: Source, spans: Spans):
        self.source, self.spans = source, spans
        self.placed: list[str] = []

    def replacement(self, key: str, node: ast.expr) -> ast.expr:
        raise NotImplementedError

    def after(self, key: str) -> ast.stmt | None:
        """A statement to put behind the one that holds the expression."""
        return None

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
        return ast.fix_missing_locations(ast.copy_location(self.replacement(key, node), node))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        return node  # before Python 3.12 the parts of an f-string have positions that may be those of other code

    def _list(self, nodes: list) -> list:
        result = []
        for node in nodes:
            before = len(self.placed)
            result.append(self.visit(node) if isinstance(node, ast.AST) else node)
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)):
                behind = filter(None, map(self.after, self.placed[before:]))
                result.extend(ast.fix_missing_locations(ast.copy_location(inner, node)) for inner in behind)
        return result

    def _key(self, node: ast.AST) -> str | None:
        if not isinstance(node, ast.expr) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return None
        start = self.source.column(node.lineno, node.col_offset)
        end = self.source.column(node.end_lineno, node.end_col_offset)
        return self.spans.get((node.lineno, start, node.end_lineno, end))


class Probes(Replacer):
    """Puts a probe around each expression, and its mutants, if there are any, beside it. ``choices``: those that are
    watched for the sides that they take -> whether their value is asked for as well."""

    def __init__(
        self, source: Source, spans: Spans, mutants: Mutants = MappingProxyType({}),
        choices: Mapping[str, bool] = MappingProxyType({}),
    ):  # fmt: skip
        super().__init__(source, spans)
        self.mutants, self.choices = mutants, choices

    def replacement(self, key: str, node: ast.expr) -> ast.expr:
        choice = _choice(key, self.mutants.get(key, ()), node, watched(key, node) if key in self.choices else node)
        return _call(VALUE, key, choice) if self.choices.get(key, True) else choice

    def after(self, key: str) -> ast.stmt | None:
        if not self.choices.get(key, True):
            return None
        return ast.Expr(ast.Call(ast.Name(AFTER, ast.Load()), [ast.Constant(key)], []))


def watched(key: str, node: ast.expr) -> ast.expr:
    """A choice that says which sides it takes: by the truth of its condition, or by what it is called with."""
    match node:
        case ast.IfExp(test=test):
            node.test = _call(SIDE, key, test)
        case ast.Call(func=ast.Name(id="where") | ast.Attribute(attr="where"), args=[test, *rest]):
            node.args = [_call(SIDE, key, test), *rest]
        case ast.Call(func=function) if _last_name(function) in CHOOSERS:
            node.func = _call(CHOOSING, key, function)
        case _:
            return _call(SIDE, key, node)
    return node


def _last_name(function: ast.expr) -> str:
    return getattr(function, "id", getattr(function, "attr", ""))


def _call(name: str, key: str, node: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [ast.Constant(key), node], [])


class Switches(Replacer):
    """Puts each expression's mutants beside it.

    ``mutant 1 if on(key, 1) else mutant 0 if on(key, 0) else unchanged(key, original)``
    """

    def __init__(self, source: Source, spans: Spans, mutants: Mutants):
        super().__init__(source, spans)
        self.mutants = mutants

    def replacement(self, key: str, node: ast.expr) -> ast.expr:
        unchanged = ast.Call(ast.Name(UNCHANGED, ast.Load()), [ast.Constant(key), node], [])
        return _choice(key, self.mutants.get(key, ()), node, unchanged)


def _choice(key: str, codes: Sequence[str], node: ast.expr, otherwise: ast.expr) -> ast.expr:
    """The mutant that is on, or else ``otherwise``."""
    for number, code in enumerate(codes):
        test = ast.Call(ast.Name(MUTATED, ast.Load()), [ast.Constant(key), ast.Constant(number)], [])
        otherwise = ast.IfExp(test, _placed(code, node), otherwise)
    return otherwise


def _placed(code: str, node: ast.expr) -> ast.expr:
    """A mutant at the place of the original."""
    mutant = parse_code(code)
    for inner in ast.walk(mutant):
        ast.copy_location(inner, node)
    return mutant


def instrumented(replacer: Replacer) -> ast.Module:
    """The module's tree with its replacements. Raises LookupError if a span is no expression of the file any more."""
    tree = replacer.visit(ast.parse(replacer.source.text))  # which is changed
    lost = set(replacer.spans.values()) - set(replacer.placed)
    if lost:
        where = ", ".join(sorted(lost))
        raise LookupError(f"no expression at {where}: the file changed while it was being checked; run again")
    return tree


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, code: Callable[[], CodeType]):
        super().__init__(fullname, path)
        self.code = code

    def get_code(self, fullname: str):
        return self.code()


class Hook(importlib.abc.MetaPathFinder):
    """Loads the files that hold probes through the instrumenting loader; leaves all others alone."""

    def __init__(self, root: Path, files: Mapping[str, Callable[[Source], Replacer]]):
        self.root = root
        self.files = {str((root / path).resolve()): (path, replacer) for path, replacer in files.items()}
        self._code = cache(self._compile)

    def prepare(self) -> None:
        """Compile all files now, for the copies that are forked later. What is wrong with a file is said when it is
        imported."""
        for path in self.files:
            with suppress(OSError, SyntaxError, LookupError, ValueError):
                self._code(path)

    def find_spec(self, fullname, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        file = str(Path(spec.origin).resolve()) if spec.has_location else None
        if file not in self.files:
            return None
        spec.loader = _Loader(fullname, spec.origin, partial(self._code, file))
        return spec

    def _compile(self, file: str) -> CodeType:
        path, replacer = self.files[file]
        source = read_source(self.root, path)
        if isinstance(source, Finding):
            raise SyntaxError(source.message)
        # Under the name that the project has for it, though its folder may be a link to another place.
        return compile(instrumented(replacer(source)), self.root / path, "exec", dont_inherit=True)


def install_probes(
    root: Path, spans: Mapping[str, Spans], recorder, mutants: Mutants = MappingProxyType({}), active=None,
    choices: Mapping[str, bool] = MappingProxyType({}),
) -> None:
    """Put the hook first on the import path, and the probes' two functions where every module finds them.

    ``active(key, number)`` says which mutant is on.
    """
    setattr(builtins, VALUE, recorder.value)
    setattr(builtins, AFTER, recorder.after)
    if choices:
        setattr(builtins, SIDE, recorder.side)
        setattr(builtins, CHOOSING, recorder.choosing)
    setattr(builtins, MUTATED, active)
    made = lambda inner: lambda source: Probes(source, inner, mutants, choices)  # noqa: E731
    _install(root, {path: made(inner) for path, inner in spans.items()})


def install_switches(root: Path, spans: Mapping[str, Spans], mutants: Mutants, active) -> None:
    """The same hook with every mutant compiled in.

    ``active(key, number)`` says which one is on, and ``active.unchanged`` is given what the original yields where none
    is.
    """
    setattr(builtins, MUTATED, active)
    setattr(builtins, UNCHANGED, active.unchanged)
    files = {path: lambda source, inner=inner: Switches(source, inner, mutants) for path, inner in spans.items()}
    _install(root, files)


def _install(root: Path, files: Mapping[str, Callable[[Source], Replacer]]) -> None:
    hook = Hook(root, files)
    hook.prepare()
    sys.meta_path.insert(0, hook)
