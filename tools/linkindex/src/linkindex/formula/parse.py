"""A displayed formula, read once: statements, symbols, marks. The same text goes to MathML."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import normalize

from linkindex.formula.atoms import AtomParser
from linkindex.formula.cursor import RELATIONS, Mark
from linkindex.formula.expressions import base_symbol
from linkindex.formula.notation import Notation
from linkindex.formula.refused import REFUSED
from linkindex.formula.syntax import Chain, Index, Node, Operator, Pick, Statement, Subscript, walk
from linkindex.formula.tokens import FONTS, Token, tokenize

FUNCTION_LETTERS = frozenset("\\" + name for name in "Phi phi varphi Psi psi sigma Gamma".split())
ENDS = ("\\qquad", "\\\\")
WHERE = ("where", "with")
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
    head: Node | None  # instead of a target: the function on the left, as in \operatorname{FFN}(x) = ...
    operators: tuple[str, ...]
    tokens: tuple[Token, ...]  # all that were consumed


def parse(latex: str, notation: Notation) -> Formula:
    """Raises FormulaError, with the offset in ``latex``, where the formula breaks a rule of the notation."""
    parser = Parser(latex, notation)
    try:
        statements = parser.formula()
    except RecursionError:
        raise parser.too_deep() from None
    marks = sorted(parser.marks, key=lambda mark: (mark.span[0], -mark.span[1]))
    head = _head(statements[0])
    below = [inner for statement in statements for inner in walk(without_head(head, statement))]
    called = {node.name for node in below if isinstance(node, Operator)}
    return Formula(
        source=latex,
        latex=_with_marks(latex, marks, "{tex}"),
        marked=_with_marks(latex, marks, "\\sym{{{name}}}{{{tex}}}"),
        statements=statements,
        symbols=tuple(dict.fromkeys(mark.latex for mark in marks)),
        target=_target(statements[0]),
        head=head,
        operators=tuple(name for name in parser.operators if name in called),
        tokens=tuple(parser.consumed),
    )


class Parser(AtomParser):
    """The outermost layer: statements, and what can only be judged when all of them are read."""

    def formula(self) -> tuple[Statement, ...]:
        self.functions = set(self.function_letters())
        statements = [self.statement()]
        while self.text:
            words = self.separator()
            statements.append(self.statement() if words is None else self.definition(words))
        statements += self.beside
        self.refuse_unregistered_letters()
        self.refuse_two_notations_of_one_variable()
        self.refuse_wholes()
        return tuple(statements)

    def function_letters(self) -> Iterator[str]:
        r"""Letters of no notation that always stand before a bracket: the first one of ``f(x) = ...``, and those that
        name functions everywhere, as ``\Phi(x)``."""
        places: dict[str, list[int]] = {}
        for position, token in enumerate(self.tokens):
            if token.kind == "letter" and not (position and self.tokens[position - 1].text in FONTS):
                places.setdefault(token.text, []).append(position)
        for letter, found in places.items():
            is_called = all(self.is_called(at) for at in found)
            if is_called and (letter in FUNCTION_LETTERS or found[0] == 0 and self.is_head()):
                yield letter

    def is_called(self, at: int) -> bool:
        """Whether an open bracket follows, perhaps after primes."""
        after = next((token.text for token in self.tokens[at + 1 :] if token.text != "'"), "")
        return after == "(" and not self.notation.match(self.tokens, at)

    def is_head(self) -> bool:
        """Whether an equals sign follows the bracket behind the first letter, or the index behind that."""
        depth = 0
        for at in range(1, len(self.tokens)):
            depth += {"(": 1, ")": -1, "{": 1, "}": -1}.get(self.tokens[at].text, 0)
            if depth == 0 and self.ahead(at + 1) not in ("_", "(") and self.tokens[at].text != "_":
                return self.ahead(at + 1) in ("=", ":=")
        return False

    def separator(self) -> Token | None:
        r"""Between statements; the words, if what follows is introduced by ``\text{where}``."""
        words = next((step for step in range(3) if self.ahead(step) == "\\text"), None)
        if words is not None and self.tokens[self.position + words].argument in WHERE:
            while self.text in (",", "\\quad", "\\qquad", "\\\\"):
                self.take()
            return self.take()
        if self.text == "," and self.ahead(1) in ENDS:
            self.take()
        if self.text not in ENDS:
            remedy = REFUSED.get(self.text, "remove it")
            raise self.error(f"expected the end of the statement, found {self.found}: {remedy}")
        self.take()
        return None

    def definition(self, words: Token) -> Statement:
        r"""What stands after ``\text{where}``: it says what a symbol is."""
        statement = self.statement()
        if not base_symbol(statement.chain.members[0][0]) or set(statement.chain.relations) != {"="}:
            raise self.error(
                f"after {words.argument} stands what a symbol is, as m = \\max_i x_i;"
                " for a condition write \\text{for}",
                words.start,
            )
        return statement

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

    def trailing_conditions(self) -> tuple[Chain, ...]:
        forall = next((step for step in range(3) if self.ahead(step) == "\\forall"), None)
        if forall is not None and all(self.ahead(step) in (",", "\\quad", "\\qquad") for step in range(forall)):
            for _ in range(forall + 1):
                self.take()
            return self.quantified()
        if self.text in ("\\quad", ",") and self.tokens[self.position + 1 :][:1] and self.ahead(1) == "\\text":
            self.take()
        if self.text != "\\text" or self.token.argument in WHERE:
            return ()
        if self.token.argument not in ("for", "for all", "if", "when"):
            raise self.error(f"found the words {self.token.argument!r}: write \\text{{for}} and a condition")
        self.take()
        return self.conditions()

    def quantified(self) -> tuple[Chain, ...]:
        r"""``\forall i, j``, where a letter alone says what is so anyway; ``\forall i < n``."""
        conditions: list[Chain] = []
        while True:
            if self.is_bare_letter() and self.ahead(1) not in RELATIONS:
                self.use_as_index(self.take().text)
            else:
                conditions += self.conditions()
            if self.text != "," or self.ahead(1) in ENDS or self.ahead(1) == "\\text":
                return tuple(conditions)
            self.take()

    def chain(self) -> Chain:
        start = self.start
        members, relations = [self.member()], []
        while self.text in RELATIONS:
            relations.append(RELATIONS[self.take().text])
            at = self.start
            members.append(self.member())
            self.require_a_set(members[-2], relations[-1], members[-1], at)
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
        while self.text == "," and self.ahead(1) not in (*ENDS, "\\quad", "\\text", "\\forall"):
            self.take()
            expressions.append(self.expression())
        return tuple(expressions)

    def refuse_unregistered_letters(self) -> None:
        for letter, token in self.bare_letters.items():
            if letter not in self.index_letters:
                is_called = self.is_called(self.tokens.index(token))
                remedy = f", or write the function \\operatorname{{{letter}}}(...)" if is_called else ""
                raise self.error(
                    f"{letter} is not registered and is no index ({self.notation.nearest(letter)}): add it to"
                    f" the page's notation{remedy}",
                    token.start,
                )

    def refuse_two_notations_of_one_variable(self) -> None:
        """Both would be bound to the same value, so the formula would hold and still read wrong."""
        seen: dict[str, Mark] = {}
        for mark in self.marks:
            code = self.notation.symbols[mark.latex].code
            first = seen.setdefault(normalize("NFKC", code) if code else mark.latex, mark)
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


def _with_marks(source: str, marks: Sequence[Mark], form: str, start: int = 0, end: int | None = None) -> str:
    """``marks`` by their beginning, outer ones first: a gradient may hold symbols among its indices."""
    parts, position = [], start
    for k, mark in enumerate(marks):
        if mark.span[0] >= position:
            inner = [other for other in marks[k + 1 :] if other.span[1] <= mark.span[1]]
            tex = _with_marks(source, inner, form, *mark.body)
            parts += [source[position : mark.span[0]], form.format(name=mark.latex, tex=tex)]
            position = mark.span[1]
    return "".join(parts) + source[position:end]


def _head(first: Statement) -> Node | None:
    """The function, perhaps with indices, that alone stands on the left."""
    node = left = first.chain.members[0][0]
    while isinstance(node, Subscript | Pick):
        node = node.base
    is_head = isinstance(node, Operator) and len(first.chain.members[0]) == 1 and first.chain.relations[:1] == ("=",)
    return left if is_head and not first.premises else None


def without_head(head: Node | None, statement: Statement) -> Statement:
    chain = statement.chain
    if head is None or chain.members[0][0] is not head:
        return statement
    return replace(statement, chain=replace(chain, members=chain.members[1:], relations=chain.relations[1:]))


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
