"""The one import hook: compile modules with a probe around each linked expression, or with its mutants beside it.

A probe is ``__linkindex_value__(key, __linkindex_before__(key), expression)``: what stands before the statement is read
first. Behind the statement stands ``__linkindex_after__(key)``, where what it assigned can be read. A probe around
statements is ``__linkindex_before__(key)``, the statements, and the value of the variable that holds what they compute.
Positions stay those of the source, so tracebacks are unchanged.
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
from linkindex.model import RETURNED, Finding
from linkindex.run.sides import CHOOSERS
from linkindex.run.spans import Spans
from linkindex.sources import Source, read_source

BEFORE, VALUE, AFTER = "__linkindex_before__", "__linkindex_value__", "__linkindex_after__"
SIDE, CHOOSING = "__linkindex_side__", "__linkindex_choosing__"
MUTATED, UNCHANGED = "__linkindex_mutated__", "__linkindex_unchanged__"

Mutants = Mapping[str, Sequence[str]]  # key of an expression -> codes


class Replacer(ast.NodeTransformer):
    """Replaces the expressions at the given spans: (line, col, end line, end col) in characters -> key."""

    def __init__(self, source: Source, spans: Spans):
        self.source, self.spans = source, spans
        self.blocks = {span: key for span, key in spans.items() if len(span) > 4}
        self.returning: list[str] = []  # the keys of probes around the function that is visited
        self.placed: list[str] = []

    def replacement(self, key: str, node: ast.expr) -> ast.expr:
        raise NotImplementedError

    def before(self, key: str) -> ast.expr:
        """A call to put in front of statements, behind which the replacement of their variable stands."""
        raise NotImplementedError

    def after(self, key: str) -> ast.expr | None:
        """A call to put behind the statement that holds the expression."""
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

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> ast.AST:
        outer, self.returning = self.returning, []
        found = self.generic_visit(node)
        self.returning = outer
        return found

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def visit_Return(self, node: ast.Return) -> ast.Return:
        self.generic_visit(node)
        for key in self.returning:
            value = node.value or ast.copy_location(ast.Constant(None), node)
            node.value = ast.fix_missing_locations(ast.copy_location(self.replacement(key, value), node))
        return node

    def _list(self, nodes: list) -> list:
        result = []
        first, last = self._blocks_in(nodes) if self.blocks else ({}, {})
        for number, node in enumerate(nodes):
            before = len(self.placed)
            result.extend(_placed_at(node, self.before(key)) for key, _ in first.get(number, ()))
            self.returning += [key for key, held in first.get(number, ()) if held == RETURNED]
            result.append(self.visit(node) if isinstance(node, ast.AST) else node)
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)):
                behind = filter(None, map(self.after, self.placed[before:]))
                result.extend(_placed_at(node, call) for call in behind)
            self.placed += [key for key, _ in last.get(number, ())]
            values = ((key, parse_code(held)) for key, held in last.get(number, ()) if held != RETURNED)
            result.extend(_placed_at(node, self.replacement(key, value)) for key, value in values)
        return result

    def _blocks_in(self, nodes: list) -> tuple[dict[int, list[tuple[str, str]]], ...]:
        """By the number of a statement, the probes that begin in front of it and those that end behind it."""
        places = [self._place(node) if isinstance(node, ast.stmt) else () for node in nodes]
        starts = {place[:2]: number for number, place in enumerate(places) if place}
        ends = {place[2:]: number for number, place in enumerate(places) if place}
        first: dict[int, list[tuple[str, str]]] = {}
        last: dict[int, list[tuple[str, str]]] = {}
        for span, key in self.blocks.items():
            if span[:2] in starts and span[2:4] in ends:
                first.setdefault(starts[span[:2]], []).append((key, span[4]))
                last.setdefault(ends[span[2:4]], []).append((key, span[4]))
        return first, last

    def _place(self, node: ast.AST) -> tuple[int, int, int, int]:
        start = self.source.column(node.lineno, node.col_offset)
        return node.lineno, start, node.end_lineno, self.source.column(node.end_lineno, node.end_col_offset)

    def _key(self, node: ast.AST) -> str | None:
        if not isinstance(node, ast.expr) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return None
        return self.spans.get(self._place(node))


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
        if not self.choices.get(key, True):
            return choice
        before = ast.Constant(None) if key in self.blocks.values() else self.before(key)
        return _call(VALUE, ast.Constant(key), before, choice)

    def before(self, key: str) -> ast.expr:
        return _call(BEFORE, ast.Constant(key))

    def after(self, key: str) -> ast.expr | None:
        silent = key in self.blocks.values() or not self.choices.get(key, True)
        return None if silent else _call(AFTER, ast.Constant(key))


def watched(key: str, node: ast.expr) -> ast.expr:
    """A choice that says which sides it takes: by the truth of its condition, or by what it is called with."""
    match node:
        case ast.IfExp(test=test):
            node.test = _call(SIDE, ast.Constant(key), test)
        case ast.Call(func=ast.Name(id="where") | ast.Attribute(attr="where"), args=[test, *rest]):
            node.args = [_call(SIDE, ast.Constant(key), test), *rest]
        case ast.Call(func=function) if _last_name(function) in CHOOSERS:
            node.func = _call(CHOOSING, ast.Constant(key), function)
        case _:
            return _call(SIDE, ast.Constant(key), node)
    return node


def _last_name(function: ast.expr) -> str:
    return getattr(function, "id", getattr(function, "attr", ""))


class Switches(Replacer):
    """Puts each expression's mutants beside it.

    ``mutant 1 if on(key, 1) else mutant 0 if on(key, 0) else unchanged(key, original)``
    """

    def __init__(self, source: Source, spans: Spans, mutants: Mutants):
        super().__init__(source, spans)
        self.mutants = mutants

    def replacement(self, key: str, node: ast.expr) -> ast.expr:
        unchanged = _call(UNCHANGED, ast.Constant(key), node)
        return _choice(key, self.mutants.get(key, ()), node, unchanged)


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _placed_at(node: ast.AST, call: ast.expr) -> ast.stmt:
    """The call as a statement at the place of another; what was parsed has places of its own."""
    statement = ast.Expr(call)
    for inner in ast.walk(statement):
        ast.copy_location(inner, node)
    return statement


def _choice(key: str, codes: Sequence[str], node: ast.expr, otherwise: ast.expr) -> ast.expr:
    """The mutant that is on, or else ``otherwise``."""
    for number, code in enumerate(codes):
        test = _call(MUTATED, ast.Constant(key), ast.Constant(number))
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
    """Put the hook first on the import path, and the probes' functions where every module finds them.

    ``active(key, number)`` says which mutant is on.
    """
    setattr(builtins, BEFORE, recorder.before)
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
