"""The example of a new page: inputs drawn at random, of the stated shapes, and the calls in order."""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from linkindex.model import Symbol
from linkindex.new.shapes import Shape, written
from linkindex.new.steps import returned
from linkindex.resolve.functions import Found
from linkindex.sizes import all_sizes, names_in

LENGTHS = (3, 4, 2, 5, 6, 7, 8, 9, 10, 11)               # of axes in the inputs that the page shows


@dataclass(frozen=True)
class Input:
    """A parameter that the example makes. ``code`` makes it of given sizes; it is empty where nobody knows how."""

    name: str
    code: str = ""


@dataclass(frozen=True)
class Call:
    """``results``: names for the elements of the result, where a later call takes one of them."""

    function: str
    arguments: tuple[str, ...]
    results: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        return f"{self.function}({', '.join(self.arguments)})"


def calls_of(functions: list[Found]) -> tuple[list[Call], list[str]]:
    """The calls, each after those whose results it takes, and the parameters that are left to be made."""
    needed: list[str] = []
    calls: list[Call] = []
    for place, found in enumerate(functions):
        arguments = dict(_arguments(found))
        for name in arguments:
            if name not in needed and all(_gives(earlier, found, name) is None for earlier in functions[:place]):
                needed.append(name)
        calls.append(Call(found.node.name, tuple(arguments.values()), _results(found, functions[place + 1 :])))
    return calls, needed


def inputs_for(
    names: Iterable[str], functions: list[Found], shapes: Mapping[str, Shape], axes: Collection[str]
) -> list[Input]:
    """How each parameter is made."""
    defaults = {name: value for found in reversed(functions) for name, value in _defaults(found).items()}
    return [Input(name, _code(name, defaults.get(name), shapes.get(name), axes)) for name in names]


def numbers_in(functions: Iterable[Found]) -> list[str]:
    """The parameters that are plain numbers, as their defaults show."""
    return [name for found in functions for name, value in _defaults(found).items() if _number(value) is not None]


def _number(default: ast.expr | None) -> int | float | None:
    value = getattr(default, "value", None)
    return value if type(value) in (int, float) else None


def lengths_for(axes: Iterable[str], symbols: Iterable[Symbol]) -> dict[str, int]:
    """A small length for each axis; sizes that are computed from others of the page are computed."""
    axes, symbols = list(axes), list(symbols)
    computed = {one.latex: names_in(one.size) for one in symbols if one.size not in (None, "free")}
    free = [axis for axis in axes if not computed.get(axis, {""}) <= set(axes)]
    every = all_sizes(symbols, dict(zip(free, LENGTHS)))
    return {axis: every[axis] for axis in axes}


def _code(name: str, default: ast.expr | None, shape: Shape | None, axes: Collection[str]) -> str:
    if name == "rng" or (shape is None and name in axes):
        return name
    if (number := _number(default)) is not None:  # a fraction that never varied would not be compared
        return repr(number) if isinstance(number, int) else "rng.uniform(0.1, 0.9)"
    if not shape:
        return "" if shape is None else "rng.normal()"
    return f"rng.normal(size={shape[0] if len(shape) == 1 else written(shape)})"


def _arguments(found: Found) -> Iterator[tuple[str, str]]:
    """The parameters that a call gives, each with how. What has a default that is no number keeps it."""
    arguments, defaults = found.node.args, _defaults(found)
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        name = argument.arg
        if name in defaults and _number(defaults[name]) is None:
            continue
        yield name, f"{name}={name}" if name in defaults or argument in arguments.kwonlyargs else name


def _defaults(found: Found) -> dict[str, ast.expr]:
    arguments = found.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    named = [(one.arg, value) for one, value in zip(reversed(positional), reversed(arguments.defaults))]
    named += [(one.arg, value) for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults) if value]
    return dict(named)


def _results(found: Found, later: list[Found]) -> tuple[str, ...]:
    """A name for each element that the function returns, ``_`` for those that nobody takes; none if all are."""
    taken = {_gives(found, other, name): name for other in later for name in other.function.parameters}
    elements = returned(found)
    return tuple(taken.get(place, "_") for place in range(len(elements))) if taken.keys() - {None} else ()


def _gives(found: Found, other: Found, parameter: str) -> int | None:
    """Which element of what a function returns is the parameter of another: the tuple that the other takes apart into
    the same names, or one that has its name."""
    for place, element in enumerate(returned(found)):
        if ast.unparse(element) in (parameter, *_parts(other, parameter)):
            return place
    return None


def _parts(found: Found, parameter: str) -> Iterator[str]:
    for node in ast.walk(found.node):
        match node:
            case ast.Assign(targets=[ast.Tuple() as names], value=ast.Name(id=name)) if name == parameter:
                yield ast.unparse(names)
