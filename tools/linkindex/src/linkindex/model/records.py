"""What the YAML files hold: symbols, equations with the code that they name, and statements, which name none."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from linkindex.model.findings import Place


@dataclass(frozen=True)
class Symbol:
    """One row of a page's notation table."""

    latex: str
    meaning: str
    code: str | None                                     # expression of the linked function
    family: Mapping[str, str] = field(default_factory=dict)  # index value -> expression, in place of ``code``
    by_function: Mapping[str, str] = field(default_factory=dict)  # end of a function's name -> expression there
    shape: tuple[str, ...] | None = None                 # claimed, in size symbols; None: the code's shape comment says
    size: str | None = None                              # "free", or an expression in other sizes; None: not a size
    place: Place = Place("")

    @property
    def codes(self) -> tuple[str, ...]:
        """The expressions that hold it: one, or one for each member of a family; or one for each function."""
        several = self.family or self.by_function
        return tuple(several.values()) or ((self.code,) if self.code else ())

    def at(self, function: str) -> "Symbol":
        """What it is in one function."""
        if not self.by_function:
            return self
        name = function.partition("[")[0].replace(".<locals>", "")
        found = (code for key, code in self.by_function.items() if f".{name}".endswith(f".{key}"))
        return replace(self, code=next(found, None), by_function={})


@dataclass(frozen=True)
class CodeName:
    """What a record says of a piece of code: function, expression (or assigned name), and lines it passes through."""

    function: str                                        # module.qualname
    code: str | None                                     # None: what is assigned to the variable of the left side
    via: tuple[str, ...] = ()
    place: Place = Place("")


@dataclass(frozen=True, kw_only=True)
class Record:
    """One record of a page's YAML file: a displayed formula."""

    id: str
    title: str
    page: str                                            # stem of the page
    latex: str
    place: Place
    paper: str | None = None                             # "key, section ..., eq. ..."; None: in none
    keys: Mapping[str, Place] = field(default_factory=dict)      # place of each key's value
    latex_lines: tuple[tuple[int, Place], ...] = ()              # where the lines of the formula start: (offset, place)

    @property
    def anchor(self) -> str:
        return "eq-" + self.id.replace(".", "-")

    def latex_place(self, offset: int) -> Place:
        """The place of a character of the formula in the YAML file."""
        start, place = max(((o, p) for o, p in self.latex_lines if o <= offset), default=(offset, self.place))
        return Place(place.path, place.line, place.col + offset - start)


@dataclass(frozen=True, kw_only=True)
class Statement(Record):
    """A formula without code of the project behind it, of which nothing is checked but its LaTeX."""

    because: str | None = None                           # why it holds, where no work is cited
    case: str | None = None                              # id of the equation that computes a finite case of it

    @property
    def kind(self) -> str:
        return "statement"


@dataclass(frozen=True, kw_only=True)
class Equation(Record):
    """A formula with the code that computes it."""

    probe: CodeName                                      # where the symbols are read
    test: str                                            # node id without parameters; empty if it was left out
    computes: CodeName | None = None                     # callee's expression; then the probe is a call site
    per: tuple[str, ...] | None = None
    indices: Mapping[str, str] = field(default_factory=dict)
    where: str | None = None
    free: tuple[str, ...] = ()
    defines: str | None = None                           # "softmax(x)": other formulas evaluate it by this one
    is_property: bool = False                            # a sum is 1, an implication: it must hold on recorded values
    exceptions: Mapping[str, str] = field(default_factory=dict)  # evidence step -> reason
    equivalent: Mapping[str, str] = field(default_factory=dict)  # mutant's code -> why it computes the same
    at: str | None = None                                # "return", "return[0]": the value is what the function returns
    also: CodeName | None = None                         # code elsewhere that shares in the result, such as a mask's

    @property
    def kind(self) -> str:
        return "property" if self.is_property else "equation"
