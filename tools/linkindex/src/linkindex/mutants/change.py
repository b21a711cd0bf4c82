"""Every small change of an expression that keeps it an expression: operators, operands, constants, names, calls, value.

Left out are changes that no test could notice: those with the normal form of the original, another variable of the same
value, a reversed axis of length 1.
"""

import ast
import copy
from collections.abc import Iterator

from linkindex.code import parse_code
from linkindex.model import Held, Mutant
from linkindex.mutants.normal_form import Frame, is_module, normal_form

OPERATORS = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div,), ast.Div: (ast.Mult,), ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,), ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
}  # fmt: skip
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
PAIRS = (
    ("max", "min"), ("maximum", "minimum"), ("argmax", "argmin"), ("sum", "mean"), ("triu", "tril"), ("sin", "cos"),
    ("exp", "expm1"), ("log", "log1p"), ("floor", "ceil"), ("zeros", "ones"), ("cumsum", "cumprod"),
)  # fmt: skip
PAIRED = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}
TRANSPOSES = ("T", "mT")


def mutants_of(code: str, frame: Frame, value: Held | None) -> tuple[Mutant, ...]:
    """All mutants of a piece of code, each once. ``frame`` and ``value`` say what the code saw and gave when it ran.
    Without ``value`` it only steers what happens, as a condition does: the value as a whole is left as it is."""
    node = parse_code(code)
    found: dict[str, Mutant] = {}  # by normal form
    for kind, changed in [*_everywhere(node, frame), *(_whole_value(node, value) if value else ())]:
        text = ast.unparse(ast.fix_missing_locations(changed))
        found.setdefault(normal_form(text, frame), Mutant(kind, text))
    found.pop(normal_form(code, frame), None)
    return tuple(found.values())


def _everywhere(node: ast.expr, frame: Frame) -> Iterator[tuple[str, ast.expr]]:
    """Changes at this node, then at every expression below it."""
    yield from _here(node, frame)
    for name, child in ast.iter_fields(node):
        if isinstance(node, ast.NamedExpr) and name == "target":
            continue  # under another name, the value is where nobody looks for it
        if isinstance(child, ast.AST):
            for kind, changed in _below(child, frame):
                yield kind, _with(node, name, changed)
        elif isinstance(child, list):
            for position, item in enumerate(child):
                if isinstance(item, ast.AST):
                    for kind, changed in _below(item, frame):
                        yield kind, _with(node, name, [*child[:position], changed, *child[position + 1 :]])


def _below(node: ast.AST, frame: Frame) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, (ast.expr, ast.keyword, ast.Slice)):
        yield from _everywhere(node, frame)


def _with(node: ast.AST, name: str, value: object) -> ast.AST:
    changed = copy.copy(node)
    setattr(changed, name, value)
    return changed


def _here(node: ast.AST, frame: Frame) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            for other in OPERATORS.get(type(op), ()):
                yield "operator", ast.BinOp(left, other(), right)
            yield "operand dropped", left
            yield "operand dropped", right
            yield "operands swapped", ast.BinOp(right, op, left)
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
            yield "sign", operand
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            for other in COMPARISONS.get(type(op), ()):
                yield "comparison", ast.Compare(left, [other()], [right])
        case ast.BoolOp(op=op, values=values):
            yield "operator", ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield "branches swapped", ast.IfExp(test, orelse, body)
        case ast.Constant(value=bool() as value):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            for other in (value + 1, value - 1, value * 2, value / 2 if isinstance(value, float) else value):
                yield "constant", _number(other)
        case ast.Attribute(value=value, attr=attr):
            if attr in TRANSPOSES:
                yield "transpose dropped", value
            elif attr == "inf":
                yield "infinity", ast.Constant(0.0)
            elif attr in PAIRED:
                yield "function", ast.Attribute(value, PAIRED[attr], ast.Load())
        case ast.Call():
            yield from _calls(node)
        case ast.Name(id=name):
            if name in PAIRED:
                yield "function", ast.Name(PAIRED[name], ast.Load())
            for other in _alike(name, frame):
                yield "variable", ast.parse(other, mode="eval").body
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key)):
            for other in _alike(f"{name}[{key!r}]", frame):
                yield "key", ast.parse(other, mode="eval").body


def _number(value: int | float) -> ast.expr:
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    arguments = node.args
    is_method = isinstance(node.func, ast.Attribute) and not is_module(node.func.value)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if is_method:
        yield ("transpose dropped" if name in ("swapaxes", "transpose") else "call dropped"), node.func.value
    elif arguments and not isinstance(arguments[0], ast.Starred):
        yield "call dropped", arguments[0]
    if name == "where" and len(arguments) == 3:
        yield "branches swapped", _with(node, "args", [arguments[0], arguments[2], arguments[1]])
    elif len(arguments) > 1 and name != "swapaxes":
        for first in range(len(arguments) - 1):
            swapped = [*arguments[:first], arguments[first + 1], arguments[first], *arguments[first + 2 :]]
            yield "arguments swapped", _with(node, "args", swapped)


def _alike(name: str, frame: Frame) -> list[str]:
    """Other names (or other keys of the same mapping) with a value of the same shape and other content."""
    if name not in frame or frame[name].shape is None:
        return []
    base = name.partition("[")[0] + "[" if "[" in name else None
    seen: dict[str, str] = {}
    for other, held in frame.items():
        fits = other.startswith(base) if base else "[" not in other
        if fits and held.shape == frame[name].shape and held.digest != frame[name].digest:
            seen.setdefault(held.digest, other)
    return sorted(seen.values())


def _whole_value(node: ast.expr, value: Held) -> Iterator[tuple[str, ast.expr]]:
    """Changes of the value that keep its shape: a test that looks at the shape alone does not see them."""
    changes = {"value negated": "-({})", "value times 1.001": "({}) * 1.001"}
    if value.shape and value.shape[-1] > 1:
        changes["last axis reversed"] = "({})[..., ::-1]"
    if value.shape and len(value.shape) > 1 and value.shape[0] > 1:
        changes["first axis reversed"] = "({})[::-1]"
    text = ast.unparse(node)
    for kind, template in changes.items():
        for element in range(value.elements):
            picked = template.format(f"whole[{element}]")
            code = f"(lambda whole: (*whole[:{element}], {picked}, *whole[{element + 1}:]))({text})"
            yield f"{kind}, element {element}", ast.parse(code, mode="eval").body
        if not value.elements:
            yield kind, ast.parse(template.format(text), mode="eval").body
