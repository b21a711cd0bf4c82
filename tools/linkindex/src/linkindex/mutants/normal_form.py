"""The normal form of a piece of code: where two have the same one, no test could tell them apart.

Terms, factors and arguments of symmetric functions are sorted. Where code reads the shape or the dtype of a variable,
these stand in its place. An axis of length 1 has one entry, and every reduction over it gives that entry.
"""

import ast
from collections.abc import Mapping

from linkindex.code import parse_code
from linkindex.model import Held

Frame = Mapping[str, Held]  # name or name["key"] -> what it held

COMMUTING = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
SYMMETRIC = (  # in their first two arguments
    "maximum", "minimum", "fmax", "fmin", "add", "multiply", "hypot", "isclose", "gcd", "lcm", "logaddexp",
    "logical_and", "logical_or", "logical_xor", "clip",
)  # fmt: skip
OF_VECTORS = ("dot", "inner", "vdot")  # likewise, if both are vectors
LIKE = ("zeros_like", "ones_like", "empty_like", "full_like")
REDUCTIONS = ("sum", "mean", "max", "min", "prod")
MODULES = ("np", "numpy", "math", "scipy", "torch")


def normal_form(code: str, frame: Frame) -> str:
    return ast.unparse(ast.fix_missing_locations(_Normal(frame).visit(parse_code(code))))


def is_module(node: ast.expr) -> bool:
    """Whether a name reads like a module: np.exp is a function, x.sum a method."""
    return isinstance(node, ast.Name) and node.id in MODULES or (
        isinstance(node, ast.Attribute) and is_module(node.value)
    )


class _Normal(ast.NodeTransformer):
    def __init__(self, frame: Frame):
        self.frame = frame

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        node = self.generic_visit(node)
        if isinstance(node.op, COMMUTING):
            first, *others = _sorted(_operands(node, type(node.op)))
            for other in others:
                first = ast.BinOp(first, node.op, other)
            return first
        if isinstance(node.op, ast.MatMult) and self._are_vectors(node.left, node.right):
            node.left, node.right = _sorted([node.left, node.right])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        held = self._held(node.value)
        if held and node.attr in ("shape", "size", "ndim"):
            return _read(node.attr, held.shape)
        if held and node.attr == "dtype":
            return _read("dtype", held.dtype)
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        node = self.generic_visit(node)
        match node.value:
            case ast.Call(func=ast.Name(id="<shape>"), args=[ast.Constant(value=shape)]):
                position = _whole_number(node.slice)
                if position in _axes(shape):
                    return _read("length", (shape, _first_alike(shape, position)))
        if held := self._held(node.value):
            node.slice = _index(node.slice, held.shape)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        is_attribute = isinstance(node.func, ast.Attribute)
        name = node.func.attr if is_attribute else getattr(node.func, "id", "")
        is_method = is_attribute and not is_module(node.func.value)
        of = node.func.value if is_method else node.args[0] if node.args else None
        if held := self._held(of):
            if name == "len" and held.shape:
                return _read("length", (held.shape, 0))
            if name in LIKE:
                node.args[0] = _read("like", (held.shape, held.dtype))
            if name in REDUCTIONS and is_attribute and _reduced(node, is_method, held.shape) == 1:
                node.func.attr = REDUCTIONS[0]
        node = self.generic_visit(node)
        arguments = node.args
        if any(isinstance(argument, ast.Starred) for argument in arguments):
            return node
        if name in ("max", "min") and not is_attribute:
            node.args = _sorted(arguments)
        elif name == "swapaxes":
            node.args = [*arguments[: not is_method], *_sorted(arguments[not is_method :])]
        elif not is_method and (name in SYMMETRIC or name in OF_VECTORS and self._are_vectors(*arguments[:2])):
            node.args = [*_sorted(arguments[:2]), *arguments[2:]]
        return node

    def _held(self, node: ast.expr | None) -> Held | None:
        """What a variable held, or an entry of a dictionary, if that is a number or an array."""
        if not isinstance(node, (ast.Name, ast.Subscript)):
            return None
        held = self.frame.get(ast.unparse(node))
        return held if held and held.shape is not None else None

    def _are_vectors(self, *nodes: ast.expr) -> bool:
        return all((held := self._held(node)) is not None and len(held.shape) == 1 for node in nodes)


def _operands(node: ast.expr, operator: type) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, operator):
        return [*_operands(node.left, operator), *_operands(node.right, operator)]
    return [node]


def _sorted(nodes: list[ast.expr]) -> list[ast.expr]:
    return sorted(nodes, key=ast.unparse)


def _read(what: str, value: object) -> ast.expr:
    return ast.Call(ast.Name(f"<{what}>", ast.Load()), [ast.Constant(value)], [])


def _whole_number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
            return -number
    return None


def _axes(shape: tuple[int, ...]) -> range:
    return range(-len(shape), len(shape))


def _first_alike(shape: tuple[int, ...], position: int) -> int:
    """The first axis of the same length, counted from the same end: another test may have further leading axes."""
    axes = range(-1, -len(shape) - 1, -1) if position < 0 else range(len(shape))
    return next(axis for axis in axes if shape[axis] == shape[position])


def _index(node: ast.expr, shape: tuple[int, ...]) -> ast.expr:
    """The index of an array, with 0 and : for what is the same on an axis of length 1."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    dots = next((place for place, part in enumerate(parts) if _is_dots(part)), len(parts))
    if not all(isinstance(part, ast.Slice) or _is_dots(part) or _whole_number(part) is not None for part in parts):
        return node
    axes = [place if place < dots else place - len(parts) for place in range(len(parts))]
    made = [
        _only_entry(part) if axis in _axes(shape) and shape[axis] == 1 else part for axis, part in zip(axes, parts)
    ]
    return ast.Tuple(made, ast.Load()) if isinstance(node, ast.Tuple) else made[0]


def _is_dots(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and part.value is ...


def _only_entry(part: ast.expr) -> ast.expr:
    if isinstance(part, ast.Slice) and part.lower is None and part.upper is None:
        return ast.Slice()
    return ast.Constant(0) if _whole_number(part) in (0, -1) else part


def _reduced(node: ast.Call, is_method: bool, shape: tuple[int, ...]) -> int | None:
    """The length of the axis over which a call reduces."""
    given = [*(keyword.value for keyword in node.keywords if keyword.arg == "axis"), *node.args[not is_method :]]
    axis = _whole_number(given[0]) if given else None
    return shape[axis] if axis in _axes(shape) else None
