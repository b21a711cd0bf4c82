"""A place in a token sequence: what the layers of the parser share."""

from dataclasses import dataclass

from linkindex.formula.errors import FormulaError
from linkindex.formula.lines import unrolled
from linkindex.formula.notation import Match, Notation
from linkindex.formula.syntax import Statement
from linkindex.formula.tokens import Token, tokenize

RELATIONS = {
    "=": "=", ":=": "=", "\\leftarrow": "=", "\\ne": "!=", "\\neq": "!=", "<": "<", ">": ">", "\\lt": "<",
    "\\gt": ">", "\\le": "<=", "\\leq": "<=", "\\ge": ">=", "\\geq": ">=", "\\in": "in",
}  # fmt: skip
END = Token("end", "", 0, 0)


@dataclass(frozen=True)
class Mark:
    r"""A symbol as it stands in the source. By hand: ``\sym{name}{tex}``, whose ``tex`` is source[body[0]:body[1]]."""

    span: tuple[int, int]
    body: tuple[int, int]
    latex: str


class Cursor:
    """Tokens of one formula, the position reached, and what has been met so far."""

    def __init__(self, latex: str, notation: Notation):
        self.latex = latex
        self.notation = notation
        self.tokens = unrolled(tokenize(latex), frozenset(RELATIONS))
        self.position = 0
        self.marks: list[Mark] = []
        self.indexed_by: dict[str, str] = {}  # symbol -> what an index in parentheses turns it into
        self.operators: list[str] = []
        self.functions: set[str] = set()  # letters that stand for functions: always before a bracket
        self.beside: list[Statement] = []  # what is claimed inside of a statement, as at an \underbrace
        self.consumed: list[Token] = []
        self.scopes: list[dict[str, str]] = []  # letter -> bound index, innermost last
        self.bound_count = 0
        self.depth = 0  # of the factor that is being read: how many stand around it
        self.index_depth = 0  # > 0 inside a subscript, a bound or a condition
        self.index_letters: set[str] = set()
        self.bare_letters: dict[str, Token] = {}  # first use of each letter outside of those

    # --- tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.position] if self.position < len(self.tokens) else END

    @property
    def text(self) -> str:
        return self.tokens[self.position].text if self.position < len(self.tokens) else ""

    def ahead(self, steps: int) -> str:
        position = self.position + steps
        return self.tokens[position].text if position < len(self.tokens) else ""

    def take(self) -> Token:
        token = self.tokens[self.position]
        self.consumed.append(token)
        self.position += 1
        return token

    def accept(self, text: str) -> bool:
        if self.text != text:
            return False
        self.take()
        return True

    def expect(self, text: str, remedy: str) -> Token:
        if self.text != text:
            raise self.error(f"expected {text}, found {self.found}: {remedy}")
        return self.take()

    @property
    def start(self) -> int:
        """Where the next token begins."""
        return self.tokens[self.position].start if self.position < len(self.tokens) else len(self.latex)

    def span(self, start: int) -> tuple[int, int]:
        """From ``start`` to the end of the last token taken, with the braces around it that opened since."""
        last = self.tokens[self.position - 1]
        return start, last.braces[1] if last.braces and last.braces[0] >= start else last.end

    def closing(self, position: int) -> int:
        """Position of the brace that closes the one at ``position``."""
        depth = 0
        for at in range(position, len(self.tokens)):
            depth += {"{": 1, "}": -1}.get(self.tokens[at].text, 0)
            if depth == 0:
                return at
        raise FormulaError(self.tokens[position].start, "this brace is never closed: add }")

    # --- errors

    @property
    def found(self) -> str:
        token = self.token
        return self.latex[token.start : token.end] if token is not END else "the end of the formula"

    def error(self, message: str, at: int | None = None) -> FormulaError:
        return FormulaError(self.start if at is None else at, message)

    def too_deep(self) -> FormulaError:
        return self.error("too many brackets, roots, fractions or dots inside one another: split the formula")

    # --- symbols and indices

    def match(self) -> Match | None:
        return self.notation.match(self.tokens, self.position)

    def is_bare_letter(self, steps: int = 0) -> bool:
        position = self.position + steps
        if position >= len(self.tokens) or self.tokens[position].kind != "letter":
            return False
        return self.notation.match(self.tokens, position) is None

    def bind(self, letters: list[str]) -> dict[str, str]:
        """Fresh names for the indices of a reduction."""
        self.bound_count += 1
        return {name: f"{name}·{self.bound_count}" for name in letters}

    def resolve(self, name: str) -> str:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return name

    def use_as_index(self, name: str) -> None:
        self.index_letters.add(name)
