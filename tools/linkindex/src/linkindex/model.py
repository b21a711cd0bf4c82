"""The vocabulary: the plain data that the stages hand on, in the order in which they arise.

load -> resolve -> run -> evidence -> render -> verify. Everything here is frozen; nothing here computes anything but
views of its own fields. Lines and columns are 1-based and count characters; an end line is inclusive, an end column is
one past the last character.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

# --- findings ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, order=True)
class Place:
    """A position in a file; ``path`` is relative to the project's root, with forward slashes."""

    path: str
    line: int = 1
    col: int = 1


@dataclass(frozen=True, order=True)
class Finding:
    """Something that is wrong: where, which kind (``LI...``), and a message with expectation, finding and remedy."""

    place: Place
    code: str
    message: str


# --- load ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Config:
    """``[tool.linkindex]`` of the project's pyproject.toml, with defaults filled in."""

    root: Path
    docs: str = "docs"                                   # folder of the pages
    packages: tuple[str, ...] = ()                       # import names of the documented packages
    tests: str = "tests"                                 # folder of the tests
    batch_axes: tuple[str, ...] = ("B", "H")             # axes that a formula is evaluated over, one by one
    sizes: tuple[Mapping[str, int], ...] = ()            # size sets for samples: free sizes only
    configuration: Mapping[str, int] = field(default_factory=dict)  # sizes of pages: "with the configuration"
    policy: tuple[str, ...] = ("resolved", "ran", "tested", "symbols", "formula", "defended")  # steps that must hold
    repository: str | None = None                        # address of the hosted repository, for permalinks


@dataclass(frozen=True)
class Symbol:
    """One row of a page's notation table."""

    latex: str
    meaning: str
    code: str | None                                     # expression of the linked function
    family: Mapping[str, str] = field(default_factory=dict)  # index value -> expression, in place of ``code``
    shape: tuple[str, ...] | None = None                 # claimed, in size symbols; None: the code's shape comment says
    size: str | None = None                              # "free", or an expression in other sizes; None: not a size
    place: Place = Place("")


@dataclass(frozen=True)
class CodeName:
    """What a record says of a piece of code: function, expression (or assigned name), and lines it passes through."""

    function: str                                        # module.qualname
    code: str | None                                     # None: what is assigned to the variable of the left side
    via: tuple[str, ...] = ()
    place: Place = Place("")


@dataclass(frozen=True)
class Equation:
    """One record of a page's YAML file."""

    id: str
    title: str
    page: str                                            # stem of the page
    latex: str
    probe: CodeName                                      # where the symbols are read
    test: str                                            # node id without parameters
    place: Place
    computes: CodeName | None = None                     # callee's expression; then the probe is a call site
    paper: str | None = None                             # "key, section ..., eq. ..."; None: derived from the code
    per: tuple[str, ...] | None = None
    indices: Mapping[str, str] = field(default_factory=dict)
    where: str | None = None
    free: tuple[str, ...] = ()
    defines: str | None = None                           # "softmax(x)": other formulas evaluate it by this one
    is_property: bool = False                            # a sum is 1, an implication: it must hold on recorded values
    exceptions: Mapping[str, str] = field(default_factory=dict)  # evidence step -> reason
    equivalent: Mapping[str, str] = field(default_factory=dict)  # mutant's code -> why it computes the same
    keys: Mapping[str, Place] = field(default_factory=dict)      # place of each key's value
    latex_lines: tuple[tuple[int, Place], ...] = ()              # where the lines of the formula start: (offset, place)
    also: CodeName | None = None                         # code elsewhere that shares in the result, such as a mask's

    @property
    def anchor(self) -> str:
        return "eq-" + self.id.replace(".", "-")

    def latex_place(self, offset: int) -> Place:
        """The place of a character of the formula in the YAML file."""
        start, place = max(((o, p) for o, p in self.latex_lines if o <= offset), default=(offset, self.place))
        return Place(place.path, place.line, place.col + offset - start)


@dataclass(frozen=True)
class Directive:
    """``::: name argument ...`` of a page, with its indented YAML options."""

    name: str
    arguments: tuple[str, ...]
    options: Mapping[str, object]
    place: Place


@dataclass(frozen=True)
class Prose:
    """Markdown between directives, as written."""

    text: str
    place: Place


@dataclass(frozen=True)
class Concept:
    """A section (``## Title {#anchor}``) of a page that shows at least one equation."""

    title: str
    anchor: str
    blocks: tuple[Prose | Directive, ...]                # without the heading itself
    equations: tuple[str, ...]                           # ids, in the order shown
    place: Place


@dataclass(frozen=True)
class Page:
    """One Markdown file; ``equations`` and ``notation`` come from its YAML sibling, ``example`` is its Python one."""

    stem: str                                            # docs/attention.md -> "attention"
    path: str
    title: str
    blocks: tuple[Prose | Directive | Concept, ...]
    notation: tuple[Symbol, ...] = ()
    equations: tuple[Equation, ...] = ()
    example: str | None = None                           # path of the example file

    @property
    def concepts(self) -> tuple[Concept, ...]:
        return tuple(block for block in self.blocks if isinstance(block, Concept))


@dataclass(frozen=True)
class LockedCode:
    """A linked piece of code as it was when it was locked, so that it can be recognised elsewhere."""

    function: str                                        # module.qualname
    name: str | None                                     # variable by which the record means it; None: the code itself
    code: str                                            # in standard layout


@dataclass(frozen=True)
class LockEntry:
    """What `linkindex fix --write` noted of an equation: content hashes of formula and code, and the names linked.

    The last three fields only serve to find the code again; lines of an older lock file do not have them.
    """

    latex: str
    code: str
    function: str
    test: str
    line: int = 0                                        # in links.lock
    links: tuple[LockedCode, ...] = ()                   # in the order of the equation's links
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # function -> variable -> what it is bound to
    body: str = ""                                       # hash of the test function without its name


@dataclass(frozen=True)
class Index:
    """Everything that people wrote: configuration, pages with equations, symbols, references, lock."""

    config: Config
    pages: tuple[Page, ...]
    symbols: tuple[Symbol, ...]                          # the registry
    references: Mapping[str, Mapping[str, str]]
    lock: Mapping[str, LockEntry] | None                 # equation id -> what was locked; None: no lock file

    @property
    def equations(self) -> tuple[Equation, ...]:
        return tuple(equation for page in self.pages for equation in page.equations)


# --- resolve -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, order=True)
class Span:
    """A piece of a file, with its text verbatim."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int
    code: str


def key_of(span: Span) -> str:
    """The name of the probe at a place."""
    return f"{span.file}:{span.line}:{span.col}-{span.end_line}:{span.end_col}"


@dataclass(frozen=True)
class Function:
    """A function or method as written: its ``def`` line, the decorator-inclusive span, its signature and docstring."""

    module: str
    qualname: str
    span: Span                                           # from the first decorator to the last line of the body
    line: int                                            # of ``def``
    parameters: tuple[str, ...]
    docstring: str | None

    @property
    def name(self) -> str:
        return f"{self.module}.{self.qualname}"


GIVES, SHARES = "gives", "shares"                        # the callee's code under `computes`; the code under `also`


@dataclass(frozen=True)
class Link:
    """equation + role + place. ``key`` names the probe: equal for two equations that link the same expression."""

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
    part: str = ""                                       # GIVES, SHARES: how its value belongs to that of the probe
    read: tuple[str, ...] = ()                           # variables one of which must hold its value, if it SHARES

    @property
    def key(self) -> str:
        return key_of(self.span)


@dataclass(frozen=True)
class TestPlace:
    """The test function of an equation: the whole function and its (last) assertion."""

    equation: str
    nodeid: str
    function: Span
    assertion: Span
    circular: str | None = None                          # a linked function that all sides of comparisons come from
    weak: str | None = None                              # code of the value of which only shapes or sums are compared
    compares: bool = True                                # whether a compared value comes from the linked code


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


# --- run -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Value:
    """A recorded array or number: dtype and shape as they were, entries as nested lists of Python numbers."""

    dtype: str
    shape: tuple[int, ...]
    data: object

    def array(self) -> np.ndarray:
        return np.array(self.data, dtype=self.dtype).reshape(self.shape)


@dataclass(frozen=True)
class Visit:
    """One execution of a probe: the value of the linked expression and of each expression asked for in its frame."""

    key: str                                             # of the probe
    value: Value | None                                  # element already taken
    names: Mapping[str, Value]                           # expression -> value; missing: not bound, or not a number
    # link key -> how its values in this run are to that of the probe: "equal", "as large" (of its shape), "other"
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Held:
    """A value in the frame of a probe: its shape (None: not a number or an array) and a digest of its content."""

    shape: tuple[int, ...] | None
    digest: str
    elements: int = 0                                    # of a tuple


@dataclass(frozen=True)
class Summary:
    """What a page says of a large array without showing it."""

    dtype: str
    shape: tuple[int, ...]
    digest: str                                          # of its content and dtype
    least: float
    greatest: float


@dataclass(frozen=True)
class Called:
    """A call of a function of the example file, with the inputs of the run."""

    arrays: Mapping[str, Summary]                        # returned, by name
    stored: tuple[tuple[str, str, str], ...]             # (key of the expression, name, digest) in order
    executed: tuple[str, ...]                            # keys of all probes that ran, by when they first ended


@dataclass(frozen=True)
class ExampleRun:
    """One run of a page's example. ``kind``: "inputs", "configuration" or "sample 0", "sample 1", ..."""

    page: str
    kind: str
    sizes: Mapping[str, int]                             # all size symbols; empty for "inputs"
    visits: Mapping[str, tuple[Visit, ...]]              # equation id -> visits of its probe
    executed: Mapping[str, int]                          # link key -> number of executions
    shown: Mapping[str, Value]                           # "function(...)" calls of the example -> values, flattened
    labels: Mapping[str, tuple[str, ...]]                # size symbol -> names of its rows or columns
    # link key -> name -> value; "": the expression
    frames: Mapping[str, Mapping[str, Held]] = field(default_factory=dict)
    called: Mapping[str, Called] = field(default_factory=dict)  # function -> its call; of the configuration only


@dataclass(frozen=True)
class TestRun:
    """All cases of one linked test."""

    nodeid: str                                          # as in the record
    cases: tuple[str, ...]                               # collected node ids
    outcome: str                                         # passed, failed, skipped, xfailed, xpassed, error, missing
    why: str | None
    executed: Mapping[str, int]                          # link key -> executions in the call phase
    collected: Mapping[str, int]                         # link key -> executions during collection
    reached: Mapping[str, Sequence] = field(default_factory=dict)  # "functions", "files": as run.reach notes them
    evasions: tuple[str, ...] = ()                       # how code ran where no probe sees it, in words


@dataclass(frozen=True, order=True)
class Mutant:
    """A changed expression; ``kind`` says how it was changed."""

    kind: str
    code: str


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: killed by an assertion, by an exception, by the clock or a crash; or it survived."""

    equation: str
    key: str                                             # of the linked expression
    mutant: Mutant
    outcome: str                                         # assertion, exception, timeout, crash, survived, invalid
    test: str                                            # the case that noticed it, or the linked test


@dataclass(frozen=True)
class Effect:
    """What a mutant does to the example: the value of its expression at the first visit, on the inputs of the page."""

    key: str                                             # of the linked expression
    mutant: Mutant
    before: Value | None                                 # as the code is; None: neither a number nor an array
    after: Value | None                                  # with the mutant in its place; None: likewise, or an error
    error: str | None = None                             # "ValueError: ...", where the mutant cannot be computed


@dataclass(frozen=True)
class Runs:
    examples: Mapping[str, tuple[ExampleRun, ...]]       # page -> runs
    tests: Mapping[str, TestRun]                         # node id as in the record -> run
    versions: Mapping[str, str]                          # python, numpy, pytest
    # equation -> its mutants, and what they do to the example; missing: not run
    verdicts: Mapping[str, tuple[Verdict, ...]] = field(default_factory=dict)
    effects: Mapping[str, tuple[Effect, ...]] = field(default_factory=dict)
    # equation -> mutant declared equivalent -> how the linked value differs with it; None: it does not
    differing: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)


# --- evidence ------------------------------------------------------------------------------------------------------

STEPS = ("resolved", "ran", "tested", "symbols", "formula", "defended")


@dataclass(frozen=True)
class Step:
    ok: bool
    why: str | None = None
    exception: str | None = None
    max_error: float | None = None
    tolerance: float | None = None
    trials: int = 0


NOT_RUN = Step(ok=False, why="not run")


@dataclass(frozen=True)
class SymbolRow:
    """One symbol of an equation, with what was recorded for it."""

    latex: str
    meaning: str
    code: str
    shape: tuple[str, ...]                               # symbolic
    runtime_shape: tuple[int, ...] | None                # in the run with the configuration
    dtype: str | None


@dataclass(frozen=True)
class Proof:
    """What is known of one equation."""

    equation: str
    steps: Mapping[str, Step]                            # one for each of STEPS
    symbols: tuple[SymbolRow, ...]
    marked: str                                          # the formula with \sym{latex}{latex} around each symbol


@dataclass(frozen=True)
class Evidence:
    proofs: Mapping[str, Proof]
    commit: str | None                                   # None: unknown, or the work tree differs from it
