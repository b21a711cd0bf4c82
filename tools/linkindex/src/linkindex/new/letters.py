"""The symbols of a new page: those of the registry that stand for its variables, and new ones made from their names."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from linkindex.formula import FormulaError
from linkindex.formula.names import name_of
from linkindex.model import Symbol
from linkindex.new.shapes import Shape

GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
).split()
LETTERS = {name: f"\\{name}" for name in GREEK} | {"eps": "\\epsilon", "lambda_": "\\lambda", "lam": "\\lambda"}
ACCENTS = {"hat": "hat", "bar": "bar", "tilde": "tilde", "dot": "dot"}


@dataclass(frozen=True)
class Letter:
    """A symbol of the page. ``registered``: the entry that the registry has; then the page narrows what differs.
    ``stated``: whether the shape stands in full in the code, without dots for leading axes."""

    latex: str
    code: str
    shape: Shape | None
    registered: Symbol | None
    stated: bool

    @property
    def narrows(self) -> bool:
        return self.registered.code != self.code or self.narrows_shape

    @property
    def narrows_shape(self) -> bool:
        """A shape that the comment beside the code states in full need not be said again."""
        known = self.registered.shape or (self.shape if self.stated else None)
        return self.shape is not None and self.shape != known


def letters_for(
    variables: Collection[str], shapes: Mapping[str, Shape], dotted: Collection[str], registry: Iterable[Symbol]
) -> list[Letter]:
    """One symbol for each variable."""
    registry = list(registry)
    by_code = {symbol.code: symbol for symbol in reversed(registry) if symbol.code}
    by_name = {name_of(symbol.latex): symbol for symbol in registry}
    found: dict[tuple[str, ...], Letter] = {}
    for variable in variables:
        symbol = by_code.get(variable)
        for latex in (symbol.latex,) if symbol else (_latex(variable, variables), _upright(variable)):
            if (name := _name(latex)) and name not in found:
                shape, stated = shapes.get(variable), variable not in dotted
                found[name] = Letter(latex, variable, shape, symbol or by_name.get(name), stated)
                break
    return list(found.values())


def _latex(variable: str, known: Collection[str]) -> str:
    """``x_hat`` is a hat, ``dx`` the gradient of an ``x``, ``Qh`` and ``W1`` have an index."""
    if variable in LETTERS or len(variable) == 1:
        return LETTERS.get(variable, variable)
    rest = variable[1:]
    if variable[0] == "d" and rest[0] != "_" and (rest in known or rest in LETTERS or rest[0].isupper()):
        return f"d{_latex(rest, known)}"
    base, _, last = variable.rstrip("_").rpartition("_")
    if base and last in ACCENTS:
        return f"\\{ACCENTS[last]} {_latex(base, known)}"
    if base and "_" not in base:
        return f"{_latex(base, known)}_{{{last if len(last) == 1 else _upright(last)}}}"
    if len(variable) == 2 and (variable[0].isupper() or rest.isdigit()):
        return f"{variable[0]}_{rest}"
    return _upright(variable)


def _upright(variable: str) -> str:
    return f"\\mathrm{{{variable.replace('_', '')}}}"


def _name(latex: str) -> tuple[str, ...] | None:
    try:
        return name_of(latex)
    except FormulaError:
        return None
