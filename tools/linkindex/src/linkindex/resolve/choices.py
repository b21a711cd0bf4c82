"""The choices on the way to the value of a linked expression: of which the trials may take one side only."""

import ast
from collections.abc import Iterator, Sequence

from linkindex.model import CLIPPED, LARGEST, MAGNITUDES, SMALLEST, Choice
from linkindex.resolve.behind import Binding, names_in
from linkindex.resolve.functions import Found
from linkindex.resolve.trees import SCOPES, dotted_name

CALLS = (("where", 3), *((name, 1) for name in MAGNITUDES))  # with how many arguments
KINDS = ("isinstance", "callable", "hasattr")


def choices(found: Found, node: ast.expr, behind: Sequence[Binding]) -> tuple[Choice, ...]:
    pieces = [node, *(value for binding in behind for value in binding.values)]
    inside = [one for piece in pieces for inner in _outermost(piece) for one in _choice(found, inner)]
    around = [_truth(found, test) for binding in behind for test in binding.tests if not _is_of_kind(test)]
    return tuple(dict.fromkeys([*inside, *around]))


def _outermost(node: ast.AST) -> Iterator[ast.expr]:
    """The choices in an expression; not the comparisons that others hold, which say the same."""
    inside = list(ast.iter_child_nodes(node))
    match node:
        case ast.IfExp(test=test, body=body, orelse=other):
            if not _is_of_kind(test):
                yield node
            inside = [body, other]
        case ast.Call() if parts := _clip(node):
            yield node
            inside = parts
        case ast.Call(func=function, args=arguments) if not any(isinstance(one, ast.Starred) for one in arguments):
            name, count = (dotted_name(function) or "").rpartition(".")[2], len(arguments)
            if (name in (*SMALLEST, *LARGEST) and count > 1) or (name, count) in CALLS:
                yield node
                inside = arguments[1:] if name == "where" else arguments
        case ast.Compare() if not _is_of_kind(node):
            yield node
    for inner in inside if not isinstance(node, (*SCOPES, ast.JoinedStr)) else ():
        yield from _outermost(inner)


def _clip(call: ast.Call) -> list[ast.expr]:
    """Value, lower and upper bound of ``np.clip(x, 0, 1)`` or ``x.clip(0, 1)``, with names or without; else nothing."""
    function, named = call.func, {one.arg: one.value for one in call.keywords}
    if getattr(function, "attr", getattr(function, "id", "")) != "clip":
        return []
    given = [*call.args, *(named[key] for key in CLIPPED if key in named)]
    of_module = isinstance(function, ast.Name) or dotted_name(function) in ("np.clip", "numpy.clip")
    given = given if of_module or len(given) == 3 else [function.value, *given]
    return given if len(given) == 3 and not any(isinstance(one, ast.Starred) for one in given) else []


def _is_of_kind(test: ast.expr) -> bool:
    """Whether a test asks what something is, as ``x is None``: not a choice between formulas."""
    match test:
        case ast.UnaryOp(operand=inner):
            return _is_of_kind(inner)
        case ast.Call(func=function):
            return dotted_name(function) in KINDS
        case ast.Compare(ops=operators):
            return all(isinstance(one, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for one in operators)
    return False


def _choice(found: Found, node: ast.expr) -> Iterator[Choice]:
    names = tuple(sorted(names_in(node)))

    def code(one: ast.expr) -> str:
        return " ".join(found.source.span(one).code.split())

    match node:
        case ast.IfExp(body=body, orelse=other):
            sides = {"true": body, "false": other}
        case ast.Call() if parts := _clip(node):
            sides = {side: one for side, one in zip("012", parts) if ast.unparse(one) != "None"}
        case ast.Call(args=[_, yes, no]) if dotted_name(node.func).endswith("where"):
            sides = {"true": yes, "false": no}
        case ast.Call(args=[value]):
            yield Choice(found.source.span(node), (("0", code(value)), ("1", f"-({code(value)})")), names)
            return
        case ast.Call(args=arguments):
            sides = {str(number): argument for number, argument in enumerate(arguments)}
        case _:
            yield _truth(found, node)
            return
    texts = {side: code(one) for side, one in sides.items()}
    plain = tuple(side for side, one in sides.items() if not any(isinstance(part, ast.Name) for part in ast.walk(one)))
    yield Choice(found.source.span(node), tuple(texts.items()), names, plain)


def _truth(found: Found, node: ast.expr) -> Choice:
    """A condition, which is to be true somewhere and false somewhere."""
    return Choice(found.source.span(node), (("true", ""), ("false", "")), tuple(sorted(names_in(node))))
