"""Statements in the place of an expression: those that change a variable in place, a range of them, a function."""

import ast
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkindex.model import RETURNED
from linkindex.resolve.assignments import VARIABLES, Effect, assignments_of, is_part, related
from linkindex.resolve.expressions import Expression, find_expression
from linkindex.resolve.functions import Found, NotFound
from linkindex.resolve.trees import lists_of, own_nodes, same, statements_in

# What makes an array that is filled later: whether its entries are 0 or 1 then is nothing that a test could notice.
ALLOCATIONS = ("empty", "empty_like", "zeros", "zeros_like")


@dataclass(frozen=True)
class Block:
    """Statements that follow each other; ``target``: what holds their value behind them, or RETURNED. An array whose
    items they assign holds it as well."""

    statements: tuple[ast.stmt, ...]
    target: str
    element: int | None = None


@dataclass(frozen=True)
class Part:
    """An expression of a block that is mutated; ``is_value``: it is stored or returned, and does not only steer."""

    expression: Expression
    is_value: bool


def find_code(found: Found, code: str, left: Sequence[str] = ()) -> Expression | Block:
    """What ``code`` means: what is assigned to a variable, an expression, or statements. Raises NotFound.

    ``left``: the variables of the left side, one of which holds the value of the statements.
    """
    try:
        pattern = ast.parse(code.strip(), mode="eval").body
    except SyntaxError:
        try:
            wanted = ast.parse(textwrap.dedent(code).strip()).body
        except SyntaxError:
            return find_expression(found, code)  # which says what is wrong
        return _find_statements(found, code, wanted, left)
    if isinstance(pattern, VARIABLES):
        name = ast.unparse(pattern)
        if run := _changed_in_place(found, name):
            return Block(run, name)
    return find_expression(found, code)


def _changed_in_place(found: Found, name: str) -> tuple[ast.stmt, ...]:
    """All statements that assign a variable, where they follow each other and all but the first change it in place.
    One that only gives a name to what is there, ``m = state["m"]``, is none of them."""
    every = [one for one in assignments_of(found) if one.target == name]
    if not every or every[-1].value is not None or any(one.value is not None for one in every[1:]):
        return ()
    if every[0].value is not None and isinstance(every[0].value, VARIABLES):
        every = every[1:]
    return _run(found, [one.statement for one in every])


def _run(found: Found, wanted: Sequence[ast.stmt]) -> tuple[ast.stmt, ...]:
    for body in lists_of(found.node):
        if wanted[0] in body:
            first = body.index(wanted[0])
            return tuple(wanted) if body[first : first + len(wanted)] == wanted else ()
    return ()


def _find_statements(found: Found, code: str, wanted: list[ast.stmt], left: Sequence[str]) -> Block:
    runs = [
        tuple(body[first : first + len(wanted)])
        for body in lists_of(found.node)
        for first in range(len(body) - len(wanted) + 1)
        if all(map(same, body[first : first + len(wanted)], wanted))
    ]
    where = f"{found.function.name} ({found.source.path}:{found.function.line})"
    if not runs:
        message = f"the statements {code.strip()!r} do not follow each other in {where}: copy them as they stand"
        raise NotFound("LI207", message)
    if len(runs) > 1:
        lines = ", ".join(str(run[0].lineno) for run in runs)
        raise NotFound("LI208", f"{code.strip()!r} stands {len(runs)} times in {where}, in lines {lines}: add the next")
    inside = {id(statement) for one in runs[0] for statement in statements_in(one)}
    targets = [one.target for one in assignments_of(found) if id(one.statement) in inside]
    if not targets:
        raise NotFound("LI213", f"{code.strip()!r} assigns nothing in {where}: add the statement that does")
    meant = (name for name in left if any(is_part(one, name) for one in targets))
    return Block(runs[0], next(meant, targets[-1]))


def whole_function(found: Found, element: int | None, left: Sequence[str]) -> Block:
    """A function from its first statement on; of one that returns nothing, what it leaves in the left variable."""
    body = found.node.body
    is_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    run = tuple(body[1:] if is_text and len(body) > 1 else body)
    returns = [node.value for node in own_nodes(found.node) if isinstance(node, ast.Return)]
    if any(value is not None and not (isinstance(value, ast.Constant) and value.value is None) for value in returns):
        return Block(run, RETURNED, element)
    if not left:
        message = (
            f"{found.function.name} returns nothing, and the left side of the formula has no variable: give its symbol "
            "the variable that the function fills, `code: VARIABLE`"
        )
        raise NotFound("LI213", message)
    return Block(run, left[0], element)


def parts(found: Found, block: Block) -> Iterator[Part]:
    """What is mutated of a block: what its statements assign, return, hand to calls and loop over, and conditions, as
    far as the value of the block depends on them by the names that they read and assign."""
    targets = {id(one.value): one for one in assignments_of(found)}
    inner = [statement for one in block.statements for statement in statements_in(one)]
    needed = _needed(block, inner)
    for statement in (one for one in inner if _matters(one, needed)):
        for value, is_value in _expressions(statement, block.element):
            one = targets.get(id(value))
            changed = ast.unparse(statement.target) if isinstance(statement, ast.AugAssign) else None
            target, element = (one.target, one.element) if one else (changed, None)
            yield Part(Expression(value, statement, target, element), is_value)


def _needed(block: Block, inner: Sequence[ast.stmt]) -> set[str]:
    """The variables on which the value depends: RETURNED, or its own, and what is read to make those."""
    needed, before = {block.target}, 0
    while len(needed) > before:
        before = len(needed)
        for statement in (one for one in inner if _matters(one, needed)):
            heads = [value for value, _ in _expressions(statement, block.element, every=True)]
            needed.update(Effect.of(heads).read)
    return needed


def _matters(statement: ast.stmt, needed: set[str]) -> bool:
    match statement:
        case ast.Return():
            return RETURNED in needed
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return any(related(name, one) for name in Effect.of([statement]).assigned for one in needed)
        case ast.Expr():  # a call may change what it is given, or the object whose method it is
            read = Effect.of([statement]).read
            changed = {*read, *(name.rpartition(".")[0] for name in read if "." in name)}
            return any(related(name, one) for name in changed for one in needed)
        case ast.Break() | ast.Continue():
            return True
    inside = (inner for inner in statements_in(statement) if inner is not statement)
    return any(_matters(inner, needed) for inner in inside)


def _expressions(statement: ast.stmt, element: int | None, every: bool = False) -> Iterator[tuple[ast.expr, bool]]:
    """Those of the statement itself, with whether they are a value. Unless ``every`` is wanted, without those of which
    no change could be noticed, or which are changed elsewhere."""
    match statement:
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) if every or not _allocates(value):
            yield value, True
        case ast.AugAssign(value=value):
            yield value, True
        case ast.Return(value=ast.expr() as value):
            if element is not None and isinstance(value, ast.Tuple) and element < len(value.elts):
                value = value.elts[element]
            if every or not isinstance(value, (ast.Name, ast.Constant)):
                yield value, True
        case ast.If(test=value) | ast.While(test=value) if every or not isinstance(value, (ast.Name, ast.Constant)):
            yield value, False
        case ast.For(iter=value) if every or not isinstance(value, ast.Name):
            yield value, False
        case ast.Expr(value=ast.Call() as value):
            yield value, False


def _allocates(value: ast.expr) -> bool:
    if isinstance(value, (ast.List, ast.Dict)) and not ast.unparse(value).strip("[]{}"):
        return True
    function = value.func if isinstance(value, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", None)) in ALLOCATIONS
