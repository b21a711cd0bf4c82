"""A displayed formula, read once: statements, symbols, marks. The same text goes to MathML."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from linkindex.formula.atoms import AtomParser
from linkindex.formula.cursor import Mark
from linkindex.formula.expressions import RELATIONS, base_symbol
from linkindex.formula.notation import Notation
from linkindex.formula.syntax import Chain, Index, Node, Statement
from linkindex.formula.tokens import FONTS, Token, tokenize

_GREEK_PREFIXES = ("\\delta", "\\Delta")


@dataclass(frozen=True)
class Formula:
    r"""A formula and what it says. ``latex`` is as displayed, without ``\sym``; spans count in ``source``."""

    source: str
    latex: str
    marked: str  # \sym{latex}{tex} around each symbol
    statements: tuple[Statement, ...]
    symbols: tuple[str, ...]  # in the order of first use
    target: tuple[str, ...]  # symbols of the left side of the first statement
    operators: tuple[str, ...]
    tokens: tuple[Token, ...]  # all that were consumed


def parse(latex: str, notation: Notation) -> Formula:
    """Raises FormulaError, with the offset in ``latex``, where the formula breaks a rule of the notation."""
    parser = Parser(latex, notation)
    try:
        statements = parser.formula()
    except RecursionError:
        raise parser.too_deep() from None
    marks = sorted(parser.marks, key=lambda mark: mark.span)
    return Formula(
        source=latex,
        latex=_with_marks(latex, marks, "{tex}"),
        marked=_with_marks(latex, marks, "\\sym{{{name}}}{{{tex}}}"),
        statements=statements,
        symbols=tuple(dict.fromkeys(mark.latex for mark in marks)),
        target=_target(statements[0]),
        operators=tuple(parser.operators),
        tokens=tuple(parser.consumed),
    )


class Parser(AtomParser):
    """The outermost layer: statements, and what can only be judged when all of them are read."""

    def formula(self) -> tuple[Statement, ...]:
        statements = [self.statement()]
        while self.text:
            self.separator()
            statements.append(self.statement())
        self.refuse_unregistered_letters()
        self.refuse_two_notations_of_one_variable(_target(statements[0]))
        self.refuse_wholes()
        return tuple(statements)

    def separator(self) -> None:
        if self.text == "," and self.ahead(1) == "\\qquad":
            self.take()
        if self.text != "\\qquad":
            remedy = "write , \\qquad between statements" if self.text == "\\quad" else "remove it"
            raise self.error(f"expected the end of the statement, found {self.found}: {remedy}")
        self.take()

    def statement(self) -> Statement:
        start = self.start
        chains = [self.chain()]
        while self.is_implication():
            if not chains[-1].relations:
                raise self.error("nothing is claimed before \\Rightarrow: write a premise such as j > i", start)
            self.accept("\\quad")
            self.take()
            self.accept("\\quad")
            start_of_last = self.start
            chains.append(self.chain())
            if not chains[-1].relations:
                raise self.error("nothing is claimed after \\Rightarrow: write an equation", start_of_last)
        conditions = self.trailing_conditions()
        return Statement(chains[-1], tuple(chains[:-1]), conditions, span=self.span(start))

    def is_implication(self) -> bool:
        return self.text == "\\Rightarrow" or self.text == "\\quad" and self.ahead(1) == "\\Rightarrow"

    def trailing_conditions(self):
        if self.text in ("\\quad", ",") and self.tokens[self.position + 1 :][:1] and self.ahead(1) == "\\text":
            self.take()
        if self.text != "\\text":
            return ()
        if self.token.argument not in ("for", "for all", "if", "when"):
            raise self.error(f"found the words {self.token.argument!r}: write \\text{{for}} and a condition")
        self.take()
        return self.conditions()

    def chain(self) -> Chain:
        start = self.start
        members, relations = [self.member()], []
        while self.text in RELATIONS:
            relations.append(RELATIONS[self.take().text])
            at = self.start
            members.append(self.member())
            self.require_a_set(relations[-1], members[-1], at)
            if relations[-1] == "in" and isinstance(members[-2][0], Index):
                self.use_as_index(members[-2][0].name)
        if self.text in ("\\approx", "\\sim", "\\equiv", "\\propto", "\\to", "\\rightarrow"):
            raise self.error(f"found {self.found}: state an equality or an inequality that holds exactly")
        if len({len(member) for member in members}) > 1:
            raise self.error(
                "lists of different lengths are related: separate statements by , \\qquad and conditions by"
                " \\text{for}",
                start,
            )
        return Chain(tuple(members), tuple(relations), span=self.span(start))

    def member(self) -> tuple[Node, ...]:
        """A list of expressions. A comma before \\qquad or words belongs to the sentence, not to the list."""
        expressions = [self.expression()]
        while self.text == "," and self.ahead(1) not in ("\\qquad", "\\quad", "\\text"):
            self.take()
            expressions.append(self.expression())
        return tuple(expressions)

    def refuse_unregistered_letters(self) -> None:
        for letter, token in self.bare_letters.items():
            if letter not in self.index_letters:
                raise self.error(
                    f"{letter} is not registered and is no index ({self.notation.nearest(letter)}): add it to"
                    " the page's notation",
                    token.start,
                )

    def refuse_two_notations_of_one_variable(self, left: tuple[str, ...]) -> None:
        """Both would be bound to the same value, so the formula would hold and still read wrong. The left side names
        another value than the others where code assigns the variable again: ``x' = 2 x + b``."""
        seen: dict[tuple[str, bool], Mark] = {}
        for mark in self.marks:
            code = self.notation.symbols[mark.latex].code
            key = normalize("NFKC", code) if code else mark.latex, mark.latex in left
            first = seen.setdefault(key, mark)
            if first.latex != mark.latex:
                other = self.notation.symbols[first.latex].code
                same = (
                    f"the variable {code}"
                    if code == other
                    else f"one variable, as Python reads {other} and {code} as one name"
                )
                raise self.error(
                    f"{first.latex} and {mark.latex} both stand for {same}: use one notation", mark.span[0]
                )

    def refuse_wholes(self) -> None:
        """What is registered under one name is one symbol, or its factors would be evaluated by nobody."""
        for mark in self.marks:
            why = _why_not_single(tokenize(mark.latex), lambda tokens: self.notation.named(tokens) is not None)
            if why is not None:
                raise self.error(
                    f"{mark.latex} is registered as one symbol, and {why}: register its letters, and write the formula"
                    " with them",
                    mark.span[0],
                )


def _with_marks(source: str, marks: Sequence[Mark], form: str) -> str:
    parts, position = [], 0
    for mark in marks:
        parts.append(source[position : mark.span[0]])
        parts.append(form.format(name=mark.latex, tex=source[slice(*mark.body)]))
        position = mark.span[1]
    return "".join(parts) + source[position:]


def _target(first: Statement) -> tuple[str, ...]:
    if first.premises or not first.chain.relations:
        return ()
    symbols = [base_symbol(expression) for expression in first.chain.members[0]]
    return tuple(symbol.latex for symbol in symbols) if all(symbols) else ()


def _why_not_single(tokens: Sequence[Token], is_symbol: Callable[[Sequence[Token]], bool]) -> str | None:
    """Why a name is not read as one symbol where others of its letters are symbols too: ``x^2`` beside ``x`` is a
    power. ``is_symbol``: whether tokens are another notation of the page."""
    if len(tokens) > 1 and tokens[0].text in _GREEK_PREFIXES and is_symbol(tokens[:1]) and is_symbol(tokens[1:]):
        return f"it is {tokens[0].text} times another symbol"
    texts = [token.text for token in tokens]
    for at in (at for at, text in enumerate(texts) if text == "^" and texts[:at].count("{") == texts[:at].count("}")):
        script = [token for token in tokens[at + 1 :] if token.text not in "{}"]
        if texts[at + 1 : at + 2] != ["{"]:
            script = script[:1]
        if not script or script[0].text == "(" or script[0].text in FONTS:
            continue
        if script[0].text == "\\top":
            return "it is a transpose"
        counts = any(token.kind == "number" or is_symbol([token]) for token in script)
        if counts and is_symbol(tokens[:at]):
            return "its superscript is a power of another one: only one in parentheses is a label"
    return None
