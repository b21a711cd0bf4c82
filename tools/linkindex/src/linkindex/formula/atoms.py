"""Which factor stands here: a symbol, number, index, fraction, root, set, or one of the layers below."""

from linkindex.formula.calls import FUNCTIONS
from linkindex.formula.cursor import Mark
from linkindex.formula.expressions import TERM_ENDS
from linkindex.formula.gradients import GradientParser
from linkindex.formula.norms import NORMS
from linkindex.formula.reductions import REDUCTIONS
from linkindex.formula.refused import REFUSED
from linkindex.formula.syntax import (
    Apply, Bound, Chain, Constant, Fraction, Index, Indicator, Label, Node, Number, Root, SetBuilder, SetOf, Statement,
    Symbol,
)  # fmt: skip
from linkindex.formula.tokens import ACCENTS, FONTS, FRACTIONS, gradient_halves, tokenize

BRACES = {"\\underbrace": "_", "\\overbrace": "^"}
FENCES = {
    "\\lVert": ("\\rVert", "norm"),
    "\\lvert": ("\\rvert", "abs"),
    "\\lfloor": ("\\rfloor", "floor"),
    "\\lceil": ("\\rceil", "ceil"),
}


class AtomParser(GradientParser):
    """One factor without its scripts."""

    def atom(self) -> Node:
        token = self.token
        found = self.match()
        if found:
            return self.symbol(found)
        if token.kind == "number":
            self.take()
            return Number(token.text, span=(token.start, token.end))
        if token.text in self.functions and self.ahead(1) in ("(", "'"):
            return self.operator(token.text)
        if token.kind == "letter":
            return self.bare_letter()
        text = token.text
        if text in ("(", "["):
            return self.bracket()
        if text in FRACTIONS:
            return self.fraction()
        if text == "\\sqrt":
            return self.root()
        if text in FUNCTIONS:
            return self.function(FUNCTIONS[text])
        if text in REDUCTIONS:
            return self.reduction()
        if (name := self.upright_name()) is not None:
            return self.named(*name)
        if text in BRACES:
            return self.brace()
        if text in FENCES:
            return self.fence()
        if text == "\\begin":
            return self.environment()
        if text == "\\sym":
            return self.marked_by_hand()
        if text in ("\\mathbf", "\\mathbb") and self.ahead(1) == "1":
            return self.ones() if text == "\\mathbf" and self.ahead(2) not in ("[", "(") else self.indicator()
        if text == "\\infty":
            self.take()
            return Constant("infinity", span=(token.start, token.end))
        if text == "\\{":
            return self.set_of()
        raise self.not_an_atom()

    def not_an_atom(self) -> Exception:
        text = self.text
        if text in REFUSED:
            return self.error(f"found {self.found}: {REFUSED[text]}")
        if text in ACCENTS or text in FONTS:
            start, at = self.start, self.position + 1
            at = self.closing(at) if self.ahead(1) == "{" else at
            self.position = min(at + 1, len(self.tokens))
            written = self.latex[slice(*self.span(start))]
            return self.error(
                f"{written} is not registered ({self.notation.nearest(written)}): add it to the page's notation",
                start,
            )
        if text == "" or text in TERM_ENDS:
            return self.error(
                f"expected a factor, found {self.found}: write what stands here or remove what precedes it"
            )
        return self.error(
            f"{self.found} has no meaning in a formula: write it with commands that have a value, or name it in"
            " the page's notation"
        )

    # --- names

    def symbol(self, found) -> Node:
        start = self.start
        for _ in range(found.length):
            self.take()
        latex = (found.symbol or found.indexed).latex
        if found.indexed:
            self.indexed_by[latex] = found.indexed.latex
        span = self.span(start)
        self.marks.append(Mark(span, span, latex))
        return Symbol(latex, span=span)

    def marked_by_hand(self) -> Node:
        r"""``\sym{name}{tex}``: ``name`` is a key of the notation, ``tex`` shows it, as that key is written."""
        start = self.take().start
        name, _ = self.group("\\sym{name}{tex}")
        body, span = self.group("\\sym{name}{tex}")
        symbol = self.notation.named(name)
        written = "".join(token.text for token in name)
        if symbol is None:
            raise self.error(
                f"{written} is not registered ({self.notation.nearest(written)}):"
                " \\sym names a key of the page's notation",
                start,
            )
        shown = self.notation.shown(symbol.latex)
        if [token.text for token in body] != [token.text for token in shown]:
            raise self.error(
                f"\\sym shows {self.latex[slice(*span)]} where {symbol.latex} is evaluated: show the symbol as it"
                " is registered, and mark each symbol on its own",
                start,
            )
        if len(shown) < len(tokenize(symbol.latex)):
            self.indexed_by[symbol.latex] = symbol.latex
        self.consumed.extend(body)
        self.marks.append(Mark((start, self.tokens[self.position - 1].end), span, symbol.latex))
        return Symbol(symbol.latex, span=self.span(start))

    def group(self, form: str):
        """The tokens of a braced group and the span of its inside; they are stepped over, not consumed."""
        if self.text != "{":
            raise self.error(f"expected a group in braces, found {self.found}: write {form}")
        end = self.closing(self.position)
        inner = self.tokens[self.position + 1 : end]
        span = self.tokens[self.position].end, self.tokens[end].start
        self.position = end + 1
        return inner, span

    def bare_letter(self) -> Node:
        """An index, or a constant. Whether the letter is used as an index is known at the end of the formula."""
        token = self.take()
        span = (token.start, token.end)
        name = self.resolve(token.text)
        if name != token.text:
            return Index(name, span=span)
        if self.index_depth:
            self.use_as_index(token.text)
            return Index(name, span=span)
        if token.text == "\\delta" and self.text == "_":
            return self.kronecker(token.start)
        if token.text == "e":
            return Constant("e", span=span)
        if token.text == "\\pi":
            return Constant("pi", span=span)
        self.bare_letters.setdefault(token.text, token)
        return Index(name, span=span)

    def kronecker(self, start: int) -> Node:
        r"""``\delta_{ij}``: 1 where both indices are equal, else 0."""
        indices = self.subscript(Index("\\delta"))
        if len(indices) != 2:
            raise self.error("\\delta_{ij} takes two indices: write commas between them, or register \\delta", start)
        left, right = indices
        return Indicator((Chain(((left,), (right,)), ("=",), span=self.span(start)),), span=self.span(start))

    # --- groups

    def fraction(self) -> Node:
        if found := gradient_halves(self.tokens, self.position):
            return self.gradient(*found)
        start, form = self.start, self.text + "{...}{...}"
        self.take()
        numerator, denominator = self.part_of_fraction(form), self.part_of_fraction(form)
        return Fraction(numerator, denominator, span=self.span(start))

    def part_of_fraction(self, form: str) -> Node:
        return self.single("") if self.token.kind in ("letter", "number") else self.braced(form)

    def root(self) -> Node:
        start = self.take().start
        degree = None
        if self.text == "[":  # these brackets are not shown, so they are not consumed
            self.position += 1
            degree = self.expression()
            if self.text != "]":
                raise self.error(f"expected ] after the degree of the root, found {self.found}")
            self.position += 1
        return Root(self.braced("\\sqrt{...}"), degree, span=self.span(start))

    def fence(self) -> Node:
        start = self.start
        closing, function = FENCES[self.take().text]
        inner = self.expression()
        self.close(closing, start)
        if function == "norm" and self.accept("_"):
            if self.text not in NORMS:
                raise self.error("which norm? Write 1, 2 or \\infty below it, or F for a matrix")
            function = NORMS[self.take().text]
        return Apply(function, (inner,), span=self.span(start))

    def brace(self) -> Node:
        r"""``\underbrace{A B}_{S}``: words explain; an expression is one more thing that is claimed."""
        start = self.start
        script = BRACES[self.take().text]
        inner = self.braced("\\underbrace{...}_{...}")
        if not self.accept(script):
            return inner
        in_braces = self.accept("{")
        if self.text == "\\text":
            self.take()
        elif self.scopes:
            raise self.error("a symbol at a brace inside a sum: explain it with words, in \\text{...}", start)
        else:
            label = self.expression() if in_braces else self.single("")
            chain = Chain(((inner,), (label,)), ("=",), span=self.span(start))
            self.beside.append(Statement(chain, span=chain.span))
        if in_braces:
            self.expect("}", f"write {script}{{...}} with words in \\text{{...}}, or a symbol")
        return inner

    def set_of(self) -> Node:
        start = self.start
        if bound := self.builder_letters():
            return self.set_builder(start, bound)
        self.take()
        elements = [self.element()]
        while self.accept(","):
            elements.append(self.element())
        self.close("\\}", start)
        return SetOf(tuple(elements), span=self.span(start))

    def builder_letters(self) -> list[str] | None:
        r"""The running letters of ``\{o_r : b_r < c\}``: those of its first part that are new in the formula."""
        steps, depth = 1, 0
        while self.ahead(steps) and not (depth == 0 and self.ahead(steps) in (":", "\\mid", "\\}")):
            depth += {"{": 1, "}": -1, "\\{": 1, "\\}": -1}.get(self.ahead(steps), 0)
            steps += 1
        if self.ahead(steps) not in (":", "\\mid"):
            return None
        letters = [self.ahead(step) for step in range(1, steps) if self.is_bare_letter(step)]
        known = {*self.index_letters, *self.bare_letters}
        return list(dict.fromkeys(name for name in letters if name not in known and self.resolve(name) == name))

    def set_builder(self, start: int, letters: list[str]) -> Node:
        self.take()
        scope = self.bind(letters)
        self.scopes.append(scope)
        element = self.expression()
        self.take()
        conditions = self.conditions()
        self.scopes.pop()
        self.close("\\}", start)
        bounds = tuple(Bound(name, None, None) for name in scope.values())
        return SetBuilder(element, bounds, conditions, span=self.span(start))

    def element(self) -> Node:
        if self.is_bare_letter() and self.ahead(1) in (",", "\\}"):
            token = self.take()
            return Label(token.text, span=(token.start, token.end))
        return self.expression()
