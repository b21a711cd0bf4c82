"""Which factor stands here: a symbol, number, index, fraction, root, set, or one of the layers below."""

from linkindex.formula.calls import FUNCTIONS
from linkindex.formula.cursor import Mark
from linkindex.formula.environments import EnvironmentParser
from linkindex.formula.expressions import TERM_ENDS
from linkindex.formula.norms import NORMS
from linkindex.formula.reductions import REDUCTIONS
from linkindex.formula.syntax import Apply, Constant, Fraction, Index, Label, Node, Number, Root, SetOf, Symbol
from linkindex.formula.tokens import ACCENTS, FONTS, tokenize

FENCES = {
    "\\lVert": ("\\rVert", "norm"),
    "\\lvert": ("\\rvert", "abs"),
    "\\lfloor": ("\\rfloor", "floor"),
    "\\lceil": ("\\rceil", "ceil"),
}
FRACTIONS = frozenset({"\\frac", "\\tfrac", "\\dfrac"})
REFUSED = {
    "|": "write \\lvert x \\rvert for a magnitude",
    "\\|": "write \\lVert x \\rVert for a norm",
    "\\approx": "state an equality that holds exactly",
    "\\sim": "state what is computed, not how it is distributed",
    "\\pm": "write two formulas",
    "\\mp": "write two formulas",
    "\\underbrace": "explain it in the prose",
    "\\overbrace": "explain it in the prose",
    "\\quad": "write , \\qquad between statements",
    "*": "write \\cdot, or \\odot for the product entry by entry",
    "'": "a prime is part of a name: add the whole symbol to the notation",
    "\\cdots": "dots stand only in a matrix, between a first and a last entry",
    "\\ldots": "dots stand only in a matrix, between a first and a last entry",
    "\\dots": "dots stand only in a matrix, between a first and a last entry",
    "{": "braces group nothing here; remove them, also from numbers such as 10000",
    "!": "write the factorial as a product",
    ".": "end the sentence in the prose",
    "\\text": "words may only say for, if, when, otherwise or and",
}


class AtomParser(EnvironmentParser):
    """One factor without its scripts."""

    def atom(self) -> Node:
        token = self.token
        found = self.match()
        if found:
            return self.symbol(found)
        if token.kind == "number":
            self.take()
            return Number(token.text, span=(token.start, token.end))
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
        if text == "\\operatorname":
            return self.operator()
        if text in FENCES:
            return self.fence()
        if text == "\\begin":
            return self.environment()
        if text == "\\sym":
            return self.marked_by_hand()
        if text in ("\\mathbf", "\\mathbb") and self.ahead(1) == "1":
            return self.ones() if text == "\\mathbf" else self.indicator()
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
            end = self.position + 1
            end = self.closing(end) + 1 if self.ahead(1) == "{" else end + 1
            written = self.latex[self.start : self.tokens[min(end, len(self.tokens)) - 1].end]
            return self.error(
                f"{written} is not registered ({self.notation.nearest(written)}): add it to the page's notation"
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
        if token.text == "e":
            return Constant("e", span=span)
        if token.text == "\\pi":
            return Constant("pi", span=span)
        self.bare_letters.setdefault(token.text, token)
        return Index(name, span=span)

    # --- groups

    def braced(self, form: str) -> Node:
        if self.text != "{":
            raise self.error(f"expected a group in braces, found {self.found}: write {form}")
        self.take()
        inner = self.expression()
        self.expect("}", f"write {form}")
        return inner

    def fraction(self) -> Node:
        start, form = self.start, self.text + "{...}{...}"
        self.take()
        numerator, denominator = self.braced(form), self.braced(form)
        return Fraction(numerator, denominator, span=self.span(start))

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

    def set_of(self) -> Node:
        start = self.take().start
        elements = [self.element()]
        while self.accept(","):
            elements.append(self.element())
        self.close("\\}", start)
        return SetOf(tuple(elements), span=self.span(start))

    def element(self) -> Node:
        if self.is_bare_letter() and self.ahead(1) in (",", "\\}"):
            token = self.take()
            return Label(token.text, span=(token.start, token.end))
        return self.expression()
