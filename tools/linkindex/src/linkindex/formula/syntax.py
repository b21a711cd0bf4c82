"""The syntax tree of a formula. Spans are offsets in its LaTeX; two trees are equal if they differ only in spans."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace


@dataclass(frozen=True, slots=True)
class Node:
    span: tuple[int, int] = field(compare=False, kw_only=True, default=(0, 0))


@dataclass(frozen=True, slots=True)
class Number(Node):
    text: str


@dataclass(frozen=True, slots=True)
class Constant(Node):
    name: str  # e, pi, infinity


@dataclass(frozen=True, slots=True)
class Ones(Node):
    r"""``\mathbf{1}``: a column of ones, as long as its place asks for."""


@dataclass(frozen=True, slots=True)
class Symbol(Node):
    latex: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    """A bare letter. Bound ones are renamed apart: the letter, "·" and a number."""

    name: str


@dataclass(frozen=True, slots=True)
class Label(Node):
    """A letter that names a member of a family, in a set."""

    text: str


@dataclass(frozen=True, slots=True)
class Subscript(Node):
    base: Node
    indices: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Pick(Node):
    """``M^{(h)}``: one entry of the leading axis."""

    base: Node
    index: Node


@dataclass(frozen=True, slots=True)
class Transpose(Node):
    base: Node


@dataclass(frozen=True, slots=True)
class Power(Node):
    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Negative(Node):
    operand: Node


@dataclass(frozen=True, slots=True)
class Sum(Node):
    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product(Node):
    """Factors side by side."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Binary(Node):
    r"""``operator``: cdot, times, odot or bmod."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Fraction(Node):
    numerator: Node
    denominator: Node


@dataclass(frozen=True, slots=True)
class Root(Node):
    radicand: Node
    degree: Node | None


@dataclass(frozen=True, slots=True)
class Bound(Node):
    """An index that a reduction runs over; without limits, over the whole axis that it picks from."""

    name: str
    lower: Node | None
    upper: Node | None


@dataclass(frozen=True, slots=True)
class Reduce(Node):
    """``operator``: sum, prod, max, min, argmax, argmin, mean or var."""

    operator: str
    bounds: tuple[Bound, ...]
    conditions: tuple["Chain", ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A known function: exp, log, norm, floor, max of several arguments, ..."""

    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Operator(Node):
    r"""``\operatorname{name}(...)``, evaluated from the formula that defines it."""

    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Indicator(Node):
    conditions: tuple["Chain", ...]


@dataclass(frozen=True, slots=True)
class Case(Node):
    value: Node
    conditions: tuple["Chain", ...]  # empty: otherwise


@dataclass(frozen=True, slots=True)
class Cases(Node):
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Run(Node):
    r"""Entries of a matrix around ``\cdots``: ``body`` for each value of ``index`` from ``lower`` to ``upper``."""

    body: Node
    index: str
    lower: Node
    upper: Node


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Joined(Node):
    r"""``[u ; w]``, of matrices one below the other; ``\operatorname{Concat}``, side by side. Vectors end to end."""

    parts: tuple[Node, ...]
    below: bool


@dataclass(frozen=True, slots=True)
class SetOf(Node):
    elements: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SetBuilder(Node):
    r"""``\{o_r : b_r < c\}``: the values of ``element`` where all conditions hold."""

    element: Node
    bounds: tuple[Bound, ...]
    conditions: tuple["Chain", ...]


@dataclass(frozen=True, slots=True)
class Chain(Node):
    """Members joined by relations; a member is a list of expressions, of one as a rule."""

    members: tuple[tuple[Node, ...], ...]
    relations: tuple[str, ...]  # =, !=, <, >, <=, >=, in


@dataclass(frozen=True, slots=True)
class Statement(Node):
    """``premises`` imply ``chain``, for all index values that meet ``conditions``."""

    chain: Chain
    premises: tuple[Chain, ...] = ()
    conditions: tuple[Chain, ...] = ()


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside ``node``, in the order written."""
    for part in fields(node):
        yield from _nodes(getattr(node, part.name))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)


def walk(node: Node) -> Iterator[Node]:
    """``node`` and everything inside it, outermost first."""
    yield node
    for child in children(node):
        yield from walk(child)


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """``node`` with ``change`` of each node directly inside it."""

    def changed(value: object) -> object:
        if isinstance(value, Node):
            return change(value)
        return tuple(changed(item) for item in value) if isinstance(value, tuple) else value

    return type(node)(**{part.name: changed(getattr(node, part.name)) for part in fields(node)})


def places(node: Node) -> Iterator[tuple[Node, Callable[[Node], Node]]]:
    """Every node inside, with the function that puts another one in its place."""
    yield node, lambda other: other
    for part in fields(node):
        if part.name != "span":
            for inner, put in _places_in(getattr(node, part.name)):
                yield inner, lambda other, part=part, put=put: replace(node, **{part.name: put(other)})


def _places_in(value: object) -> Iterator[tuple[Node, Callable[[Node], object]]]:
    if isinstance(value, Node):
        yield from places(value)
    elif isinstance(value, tuple):
        for k, item in enumerate(value):
            for inner, put in _places_in(item):
                yield inner, lambda other, k=k, put=put: (*value[:k], put(other), *value[k + 1 :])


def symbols_in(*nodes: Node) -> frozenset[str]:
    return frozenset(inner.latex for node in nodes for inner in walk(node) if isinstance(inner, Symbol))


def letter(index: str) -> str:
    """An index as it was written."""
    return index.partition("·")[0]
