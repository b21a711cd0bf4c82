"""The symbols of a page, found in a formula by the longest match on tokens."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from linkindex.formula.errors import FormulaError
from linkindex.formula.tokens import Token, gradient_halves, tokenize
from linkindex.model import Symbol

NEAREST = "nearest in the notation: "  # begins what a message says of symbols that may have been meant


@dataclass(frozen=True)
class Match:
    """A notation found in a formula. ``indexed`` is the symbol that a superscript in parentheses turns it into."""

    length: int  # in tokens
    symbol: Symbol | None
    indexed: Symbol | None  # registered as "M^{(h)}"


@dataclass
class _Branch:
    """One step of the tree of token sequences; filled while a notation is made, only read afterwards."""

    next: dict[str, "_Branch"] = field(default_factory=dict)
    symbol: Symbol | None = None
    indexed: Symbol | None = None


@dataclass(frozen=True)
class Notation:
    """The registered symbols of a page, by their LaTeX. Blanks and needless braces do not matter."""

    symbols: Mapping[str, Symbol]
    _root: _Branch
    _names: Mapping[tuple[str, ...], Symbol]
    gradients: Sequence[tuple[Symbol, Sequence[str], Sequence[str]]] = ()  # with the names above and below the line

    @classmethod
    def of(cls, symbols: Iterable[Symbol]) -> "Notation":
        """Raises FormulaError where a key is no notation, or where two keys are the same notation."""
        root, names, gradients = _Branch(), {}, []
        for symbol in symbols:
            tokens = tokenize(symbol.latex)
            key = tuple(token.text for token in tokens)
            if not key:
                raise FormulaError(0, "a notation without LaTeX: write the symbol as the formulas show it")
            if any(token.kind == "text" for token in tokens):
                raise FormulaError(
                    0, f"{symbol.latex} is no notation of a symbol: set names upright with \\mathrm{{...}}"
                )
            if key in names:
                raise FormulaError(0, f"{symbol.latex} is the same notation as {names[key].latex}: keep one of them")
            names[key] = symbol
            if halves := gradient_halves(tokens):
                above, below, end = halves
                gradients.append((symbol, key[above + 1 : below - 1], key[below + 1 : end - 1]))
                continue
            branch, base = root, _base_of_indexed(tokens)
            for token in base or tokens:
                branch = branch.next.setdefault(token.text, _Branch())
            if base:
                branch.indexed = symbol
            else:
                branch.symbol = symbol
        gradients.sort(key=lambda gradient: -len(gradient[1]) - len(gradient[2]))
        return cls({symbol.latex: symbol for symbol in names.values()}, root, names, tuple(gradients))

    def match(self, tokens: Sequence[Token], position: int) -> Match | None:
        """The longest notation that starts at ``position``."""
        branch, found, start = self._root, None, position
        while position < len(tokens):
            branch = branch.next.get(tokens[position].text)
            if branch is None:
                break
            position += 1
            if branch.symbol or branch.indexed:
                found = Match(position - start, branch.symbol, branch.indexed)
        return found

    def named(self, tokens: Sequence[Token]) -> Symbol | None:
        r"""The symbol of which ``tokens`` are the whole name, as in the first group of ``\sym{name}{tex}``."""
        return self._names.get(tuple(token.text for token in tokens))

    def shown(self, latex: str) -> Sequence[Token]:
        """The tokens that stand for a symbol in a formula; of ``M^{(h)}`` those before its index."""
        tokens = tokenize(latex)
        return _base_of_indexed(tokens) or tokens

    def nearest(self, latex: str) -> str:
        """The closest entries, for a message: "nearest: Q_h, Q" or a remark that there are none."""
        near = difflib.get_close_matches(latex, self.symbols, n=3, cutoff=0.5)
        near += [key for key in self.symbols if latex in key and key not in near]
        return NEAREST + ", ".join(near[:3]) if near else "the notation has nothing like it"


def _base_of_indexed(tokens: Sequence[Token]) -> Sequence[Token] | None:
    """The part before a closing ``^{(letter)}``, or None."""
    if len(tokens) < 7 or [token.text for token in tokens[-6:-3]] != ["^", "{", "("]:
        return None
    is_letter = tokens[-3].kind == "letter"
    return tokens[:-6] if is_letter and [token.text for token in tokens[-2:]] == [")", "}"] else None
