"""What the stage ``resolve`` finds: the exact place of each thing that a record or a page names."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Span:
    """A piece of a file, with its text verbatim."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int
    code: str


RETURNED = "return"                                      # in the place of a variable: what the function returns


def key_of(span: Span, block: str | None = None) -> str:
    """The name of the probe at a place; one around statements has the variable that they leave their value in."""
    place = f"{span.file}:{span.line}:{span.col}-{span.end_line}:{span.end_col}"
    return f"{place} {block}" if block else place


@dataclass(frozen=True)
class Function:
    """A function or method as written: its ``def`` line, the decorator-inclusive span and its parameters."""

    module: str
    qualname: str
    span: Span                                           # from the first decorator to the last line of the body
    line: int                                            # of ``def``
    parameters: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.module}.{self.qualname}"


# The functions that choose, by the last part of their names.
SMALLEST, LARGEST = ("min", "minimum", "fmin"), ("max", "maximum", "fmax")
MAGNITUDES = ("abs", "absolute", "fabs")
CLIPPED = ("a", "a_min", "min", "a_max", "max")          # arguments of clip, which stand there in this order


@dataclass(frozen=True)
class Choice:
    """Code that takes one of several values, as ``min(a, b)`` or ``a if c else b``. ``sides``: name of a side -> its
    code, which is empty for the truth of a condition. ``plain``: the sides that are numbers of the code."""

    span: Span
    sides: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    plain: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return key_of(self.span)


@dataclass(frozen=True)
class Link:
    """equation + role + place; those of parts come last. ``key`` names the probe: equal for two equations that link the
    same expression."""

    equation: str
    role: str                                            # "computes", "calls"
    function: str                                        # module.qualname
    span: Span                                           # the linked expression
    statement: Span                                      # the statement that contains it
    target: str | None                                   # variable that the statement assigns it to
    element: int | None                                  # position, where one element of a tuple is assigned
    comment_shape: tuple[str, ...] | None                # the shape comment beside the statement, without "..."
    member: str | None = None                            # index value, where a family has one place for each member
    probe: bool = False                                  # whether the equation's symbols are read here
    gives: bool = False                                  # whether it must give the value of the probe, which calls it
    reads: tuple[str, ...] = ()                          # expressions of the numbers that may decide its value
    choices: tuple[Choice, ...] = ()                     # made on the way to it
    # Of statements in place of an expression: the variable that holds their value behind them, or RETURNED.
    block: str | None = None
    part: bool = False                                   # whether it is an expression of such statements
    is_value: bool = True                                # of a part: it is stored or returned, and does not only steer
    assigns: tuple[str, ...] = ()                        # what the statement assigns, names in standard layout
    rereads: tuple[str, ...] = ()                        # of these, what it reads before: x of ``x = 2 * x + b``
    only_names: bool = True                              # whether it changes nothing but the names that it assigns

    @property
    def key(self) -> str:
        return key_of(self.span, self.block)


@dataclass(frozen=True)
class TestPlace:
    """The test function of an equation: the whole function and its (last) assertion."""

    equation: str
    nodeid: str
    function: Span
    assertion: Span


@dataclass(frozen=True)
class Call:
    """``caller`` calls ``callee`` at a span; both are module.qualname, of documented packages, the caller without
    "<locals>". A caller that is a module calls it outside of functions."""

    caller: str
    callee: str
    span: Span


@dataclass(frozen=True)
class Mention:
    """A piece of code that a directive of a page names, beside the links of the equations."""

    function: str                                        # module.qualname
    span: Span
    statement: Span

    @property
    def key(self) -> str:
        return key_of(self.span)


@dataclass(frozen=True)
class Stored:
    """An expression whose value a function puts into a dictionary; ``name``: the code of its key there."""

    function: str
    name: str
    span: Span

    @property
    def key(self) -> str:
        return key_of(self.span)


@dataclass(frozen=True)
class Resolution:
    """Every record's exact place; an equation's probes stand first among its links."""

    links: Mapping[str, tuple[Link, ...]]
    tests: Mapping[str, TestPlace]
    functions: Mapping[str, Function]                    # linked or listed by pages, by module.qualname
    shapes: Mapping[str, Mapping[str, tuple[str, ...]]]  # function -> variable -> shape from its comment
    calls: tuple[Call, ...]                              # call sites of the linked functions
    sources: Mapping[str, str]                           # path -> text of the files that pages lead to; ends: "\n"
    formulas: Mapping[str, object] = field(default_factory=dict)  # equation id -> linkindex.formula.Formula
    mentions: Mapping[tuple[str, str], Mention] = field(default_factory=dict)  # (function, code), as a page names them
    stored: Mapping[str, tuple[Stored, ...]] = field(default_factory=dict)  # function -> what it stores
    # function -> variable, attribute or item -> first and last line of each statement that assigns it
    assigned: Mapping[str, Mapping[str, tuple[tuple[int, int], ...]]] = field(default_factory=dict)
