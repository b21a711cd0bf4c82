"""The local names of a function, and what each is bound to: a renamed variable is known by that."""

import ast
from collections import Counter
from functools import lru_cache

from linkindex.code import parse_code
from linkindex.resolve.assignments import Assignment, assignments
from linkindex.resolve.trees import own_nodes

Definition = ast.FunctionDef | ast.AsyncFunctionDef
PARAMETER = "parameter "  # no Python expression begins like this


@lru_cache(maxsize=2000)
def bindings(function: Definition) -> dict[str, str]:
    """Each name that is bound exactly once, with its value's code in standard layout, or its place as a parameter."""
    parameters = parameters_of(function)
    stores = Counter(
        node.id for node in own_nodes(function) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    bound = {name: f"{PARAMETER}{number} of {len(parameters)}" for number, name in enumerate(parameters, 1)}
    assigned = {one.target: code for one in assignments(function) if (code := _bound_code(one)) is not None}
    return {name: code for name, code in (bound | assigned).items() if stores[name] + (name in bound) == 1}


@lru_cache(maxsize=2000)
def mentioned(function: Definition) -> frozenset[str]:
    """All names that stand in the function, inner functions included."""
    nodes = list(ast.walk(function))
    return frozenset(
        {node.id for node in nodes if isinstance(node, ast.Name)}
        | {node.arg for node in nodes if isinstance(node, ast.arg)}
    )


def names_in(code: str) -> tuple[str, ...]:
    """The names in a piece of code, in the order of first use; none if it is no expression."""
    tree = tree_of(code)
    return tuple(dict.fromkeys(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))) if tree else ()


def tree_of(code: str) -> ast.expr | None:
    """None for what is no expression."""
    try:
        return parse_code(code)
    except (SyntaxError, ValueError):
        return None


def parameters_of(function: Definition) -> list[str]:
    arguments = function.args
    extra = [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
    return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra)]


def _bound_code(assignment: Assignment) -> str | None:
    if assignment.value is None:
        return None
    if assignment.element is None:
        return ast.unparse(assignment.value)
    return ast.unparse(ast.Subscript(assignment.value, ast.Constant(assignment.element)))
