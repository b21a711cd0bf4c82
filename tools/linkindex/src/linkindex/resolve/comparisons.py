"""What a test asserts: the two sides of each comparison, and whether a side still holds the values that it is about."""

import ast
from collections.abc import Iterator, Mapping

from linkindex.resolve.definitions import Definition
from linkindex.resolve.trees import dotted_name, own_nodes

COMPARING = ("allclose", "isclose", "array_equal", "array_equiv", "approx")
# Of a whole array: much can change unseen.
REDUCTIONS = ("sum", "mean", "prod", "std", "var", "median", "nansum", "nanmean")
PROPERTIES = (  # say nothing of the values
    "shape", "ndim", "size", "dtype", "len", "type", "isinstance", "result_type", "isfinite", "isnan", "isinf",
)  # fmt: skip


def comparisons(test: Definition) -> Iterator[tuple[ast.expr, ...]]:
    """The sides of everything that the test asserts; a bare claim is compared with the constant True."""
    for node in own_nodes(test):
        if isinstance(node, ast.Assert):
            yield from _compared(node.test)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and len(node.value.args) > 1:
            if (dotted_name(node.value.func) or "").rpartition(".")[2].startswith("assert"):
                yield tuple(node.value.args[:2])


def _compared(claim: ast.expr) -> Iterator[tuple[ast.expr, ...]]:
    found = False
    for node in ast.walk(claim):
        if (
            isinstance(node, ast.Call)
            and len(node.args) > 1
            and (dotted_name(node.func) or "").rpartition(".")[2] in COMPARING
        ):
            found = True
            yield tuple(node.args[:2])
        elif isinstance(node, ast.Compare):
            found = True
            yield _differences(node) or (node.left, *node.comparators)
    if not found:
        yield (claim, ast.Constant(True))


def _differences(compare: ast.Compare) -> tuple[ast.expr, ...] | None:
    """``abs(a - b) < tolerance`` compares a with b."""
    for node in ast.walk(compare.left):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Sub)
            and isinstance(compare.comparators[0], (ast.Constant, ast.Name))
        ):
            return node.left, node.right
    return None


def is_weak(side: ast.expr, test: Definition, depth: int = 4) -> bool:
    """Whether a side is only a shape, a type, or a sum of everything; looked up through names that the test assigns."""
    if isinstance(side, ast.Attribute):
        return side.attr in PROPERTIES
    if isinstance(side, ast.Subscript):
        return is_weak(side.value, test, depth)
    if isinstance(side, ast.Call):
        name = (dotted_name(side.func) or getattr(side.func, "attr", "")).rpartition(".")[2]
        whole = not any(keyword.arg == "axis" for keyword in side.keywords)
        if name in ("float", "int", "bool", "round", "abs", "tuple", "list", "all", "any") and side.args:
            return is_weak(side.args[0], test, depth)
        if name in ("all", "any") and isinstance(side.func, ast.Attribute):
            return is_weak(side.func.value, test, depth)
        return name in PROPERTIES or (name in REDUCTIONS and whole)
    if isinstance(side, ast.UnaryOp):
        return is_weak(side.operand, test, depth)
    if isinstance(side, ast.Name) and depth:
        values = [value for value in assigned(test).get(side.id, ()) if isinstance(value, ast.expr)]
        return bool(values) and all(is_weak(value, test, depth - 1) for value in values)
    return False


def assigned(function: Definition) -> Mapping[str, list[ast.AST]]:
    """Name -> everything assigned to it, or to an entry of it, anywhere in the function; local functions and classes
    whole. A variable's method that is called as a statement (``rows.append(x)``), and ``out=``, assign as well."""
    values: dict[str, list[ast.AST]] = {}
    changes: list[tuple[ast.expr, ast.AST]] = []
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                pairs = [(target, value) for target in targets]
            case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                pairs = [(target, value)]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pairs = [(target, value)]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                pairs = [(target, value)]
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if node is not function:
                values.setdefault(name, []).append(node)
                continue
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                pairs = [(target, value)]
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=target)) as value):
                changes.append((target, value))
                continue
            case ast.Call(keywords=keywords):
                pairs = [(keyword.value, node) for keyword in keywords if keyword.arg == "out"]
            case _:
                continue
        for target, value in pairs:
            for name in _names(target):
                values.setdefault(name, []).append(value)
    for target, value in changes:
        for name in _names(target):
            if name in values:  # not of a module
                values[name].append(value)
    return values


def _names(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=items) | ast.List(elts=items):
            for item in items:
                yield from _names(item)
        case ast.Starred(value=value) | ast.Subscript(value=value) | ast.Attribute(value=value):
            yield from _names(value)
