"""Sums, products and scripts: the middle layer of the parser. Atoms come from a subclass."""

from dataclasses import replace

from linkindex.formula.cursor import RELATIONS, Cursor
from linkindex.formula.syntax import (
    Binary, Fraction, Index, Negative, Node, Number, Pick, Power, Product, SetBuilder, SetOf, Subscript, Sum, Symbol,
    Transpose, walk,
)  # fmt: skip

OPERATORS = {"\\cdot": "cdot", "\\times": "times", "\\odot": "odot", "\\bmod": "bmod", "/": "/"}
CLOSING = frozenset({")", "]", "}", "\\}", "\\rVert", "\\rvert", "\\rfloor", "\\rceil", "\\end"})
TERM_ENDS = CLOSING | RELATIONS.keys() | {
    "", "+", "-", ",", ";", ":", "\\mid", "\\forall", "&", "\\\\", "\\quad", "\\qquad", "\\Rightarrow", "\\text",
    "\\cdots", "\\ldots", "\\dots",
}  # fmt: skip
DEEPEST = 40  # factors inside one another
PRODUCT_ENDS = TERM_ENDS | OPERATORS.keys()
REFUSED_SUPERSCRIPTS = frozenset({"*", "\\ast", "\\prime", "\\dagger", "'"})


class ExpressionParser(Cursor):
    """expression = term (+|- term)*; term = product (operator product)*; product = factors side by side."""

    def atom(self) -> Node:
        raise NotImplementedError

    def expression(self) -> Node:
        start = self.start
        terms = [self.signed_term()]
        while self.text in ("+", "-"):
            if self.text == "+":
                self.take()
                terms.append(self.term())
            else:
                terms.append(self.signed_term())
        return terms[0] if len(terms) == 1 else Sum(tuple(terms), span=self.span(start))

    def signed_term(self) -> Node:
        start = self.start
        if self.accept("-"):
            return Negative(self.term(), span=self.span(start))
        return self.term()

    def term(self) -> Node:
        start, links = self.start, 0
        left = self.product()
        while self.text in OPERATORS:
            links += 1
            if self.depth + links > DEEPEST:  # each one stands around all before it
                raise self.too_deep()
            operator = OPERATORS[self.take().text]
            if operator in ("/", "bmod"):
                right = self.factor()
                self.require_end_of_term(operator)
                if operator == "/":
                    return Fraction(left, right, span=self.span(start))
            else:
                right = self.product()
            left = Binary(operator, left, right, span=self.span(start))
        return left

    def require_a_set(self, left: tuple[Node, ...], relation: str, right: tuple[Node, ...], at: int) -> None:
        """An index may also be in a symbol: a boolean array, or the numbers of its members."""
        pairs = zip(left, right) if relation == "in" else ()
        if not all(isinstance(b, SetOf | SetBuilder) or isinstance(a, Index) and base_symbol(b) for a, b in pairs):
            raise self.error("only a set can stand behind \\in: write its elements, as \\in \\{0, 1\\}", at)

    def require_end_of_term(self, operator: str) -> None:
        if self.text not in TERM_ENDS:
            remedy = "write \\frac{...}{...}" if operator == "/" else "put brackets around a \\bmod b"
            raise self.error(f"what belongs to the right side of {operator} is not clear before {self.found}: {remedy}")

    def product(self) -> Node:
        start = self.start
        factors = [self.factor()]
        while self.text not in PRODUCT_ENDS:
            at, is_number = self.start, self.token.kind == "number"
            if is_number:
                raise self.error(
                    f"found the number {self.found} after another factor: write one number without blanks,"
                    " or \\cdot between the two",
                    at,
                )
            factors.append(self.factor())
        return factors[0] if len(factors) == 1 else Product(tuple(factors), span=self.span(start))

    def factor(self) -> Node:
        start = self.start
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.too_deep()
        before = self.position
        node = self.atom()
        if isinstance(node, Symbol):
            self.refuse_a_second_script(before)
        node = self.with_scripts(node, start)
        self.depth -= 1
        return node

    # --- scripts

    def refuse_a_second_script(self, before: int) -> None:
        """LaTeX refuses ``L_z_{tk}``: what stands behind a name that has a script needs brackets."""
        name, depth = self.tokens[before : self.position], 0
        for token in name:
            depth += {"{": 1, "}": -1, "(": 1, ")": -1, "[": 1, "]": -1}.get(token.text, 0)
            if depth == 0 and token.text == self.text and self.text in ("_", "^"):
                written = self.latex[name[0].start : self.span(name[0].start)[1]]
                remedy = f"write ({written}){self.text}{{...}}"
                raise self.error(f"{written} has a script already, and LaTeX refuses two: {remedy}")

    def with_scripts(self, base: Node, start: int) -> Node:
        """``base`` with its subscript and superscript: the leading axis is picked first, a power is taken last."""
        subscript = picked = power = None
        mark = len(self.marks) - 1  # of the base, if that is a symbol
        transposed_before = transposed_after = False
        while self.text in ("_", "^", "'"):
            if self.text == "_":
                if subscript:
                    raise self.error("a second subscript: separate the indices of one subscript by commas")
                subscript = self.subscript(base)
                continue
            if picked or power or transposed_before or transposed_after:
                raise self.error("a second superscript: put brackets around what the first one belongs to")
            picked, transposed, power = self.superscript()
            transposed_before, transposed_after = transposed and not subscript, transposed and bool(subscript)
        if isinstance(base, Symbol):
            base = self.with_parenthesised_index(base, picked, mark)
        if picked:
            base = Pick(base, picked, span=self.span(start))
        if transposed_before:
            base = Transpose(base, span=self.span(start))
        if subscript:
            base = Subscript(base, subscript, span=self.span(start))
        if transposed_after:
            base = Transpose(base, span=self.span(start))
        return Power(base, power, span=self.span(start)) if power else base

    def with_parenthesised_index(self, base: Symbol, picked: Node | None, mark: int) -> Symbol:
        """``M^{(h)}`` may be a notation of its own, beside M or without it."""
        indexed = self.indexed_by.get(base.latex)
        if indexed is None:
            return base
        if picked:
            self.marks[mark] = replace(self.marks[mark], latex=indexed)
            return Symbol(indexed, span=base.span)
        if indexed == base.latex:
            written = self.latex[base.span[0] : base.span[1]]
            raise self.error(
                f"{written} is registered only as {indexed}: add {written} to the notation, or write its"
                " index in parentheses",
                base.span[0],
            )
        return base

    def subscript(self, base: Node) -> tuple[Node, ...]:
        if isinstance(base, Number):
            raise self.error("a number has no index")
        self.take()
        if self.accept("{"):
            start = self.start
            self.index_depth += 1
            indices = [self.expression()]
            while self.accept(","):
                indices.append(self.expression())
            self.index_depth -= 1
            self.expect("}", "separate indices by commas and close the subscript")
            if len(indices) == 1:
                indices = self.juxtaposed_indices(indices[0], start)
        else:
            indices = [self.single("_")]
        for index in indices:
            self.refuse_juxtaposed_indices(index)
            self.refuse_a_leading_zero(index)
        return tuple(indices)

    def juxtaposed_indices(self, only: Node, start: int) -> list[Node]:
        """``_{ij}`` is two indices; a product of anything else needs a comma or a dot to be read one way."""
        if not isinstance(only, Product):
            return [only]
        if all(isinstance(factor, Index) for factor in only.factors):
            return list(only.factors)
        if isinstance(only.factors[0], Number):
            return [only]
        raise self.error(
            f"{self.latex[only.span[0] : only.span[1]]} may be one index or several: write commas between"
            " indices, or \\cdot between factors",
            start,
        )

    def refuse_juxtaposed_indices(self, index: Node) -> None:
        for node in walk(index):
            if isinstance(node, Product) and sum(isinstance(factor, Index) for factor in node.factors) > 1:
                raise self.error("indices side by side: separate them by commas", node.span[0])

    def refuse_a_leading_zero(self, index: Node) -> None:
        """``_{01}`` and ``_{0i}`` are meant as two indices and would be read as one: 1, and 0 times i."""
        for node in walk(index):
            first = node.factors[0] if isinstance(node, Product) else node
            if isinstance(first, Number) and first.text[:1] == "0" and (len(first.text) > 1 or first is not node):
                written = self.latex[slice(*node.span)]
                raise self.error(
                    f"{written} begins with 0 and is read as one index: write commas between indices", node.span[0]
                )

    def superscript(self) -> tuple[Node | None, bool, Node | None]:
        """The picked entry, whether transposed, the exponent."""
        at = self.start
        if self.text == "'" or self.ahead(1) in REFUSED_SUPERSCRIPTS:
            raise self.error("a prime or star is part of a name: add the whole symbol to the notation")
        self.take()
        if self.text == "T" and self.match():
            raise self.error("found T as a superscript: write ^\\top for the transpose", at)
        if self.accept_transpose():
            return None, True, None
        if not self.accept("{"):
            return None, False, self.single("^")
        if self.text == "(" and self.is_picking():
            self.take()
            self.index_depth += 1
            picked = self.expression()
            self.index_depth -= 1
            self.refuse_a_leading_zero(picked)
            self.expect(")", "close the superscript in parentheses")
            transposed = self.accept_transpose()
            self.expect("}", "close the superscript")
            return picked, transposed, None
        power = self.expression()
        self.expect("}", "close the superscript")
        return None, False, power

    def accept_transpose(self) -> bool:
        r"""``\top``, ``\mathsf T``, or a T that is no symbol of the page."""
        opening = 1 if self.text == "{" else 0
        font = 1 if self.ahead(opening) in ("\\mathsf", "\\mathrm") else 0
        is_letter = self.ahead(opening + font) == "T" and (font or not self.match())
        if not is_letter and (font or self.ahead(opening) != "\\top"):
            return False
        if opening and self.ahead(font + 2) != "}":
            return False
        for _ in range(2 * opening + font + 1):
            self.take()
        return True

    def is_picking(self) -> bool:
        """Whether the parentheses at the position fill the superscript: ``^{(h)}`` or ``^{(h)\\top}``."""
        depth = steps = 0
        while self.ahead(steps):
            depth += {"(": 1, ")": -1}.get(self.ahead(steps), 0)
            steps += 1
            if depth == 0:
                rest = [self.ahead(steps + step) for step in range(3)]
                is_short = rest[0] == "}" or rest[0] in ("\\top", "T") and rest[1] == "}"
                return is_short or rest[0] in ("\\mathsf", "\\mathrm") and rest[1:] == ["T", "}"]
        return False

    def single(self, script: str) -> Node:
        """A script without braces: one letter, digit or constant."""
        token, tokens = self.token, self.tokens
        if token.kind == "number" and len(token.text) > 1:
            raise self.error(
                f"LaTeX takes only the first digit of {token.text} into the script: write {script}{{{token.text}}}"
            )
        if token.kind not in ("letter", "number") and token.text != "\\infty":
            raise self.error(f"expected one letter or digit, found {self.found}: write {script}{{...}}")
        self.tokens = tokens[: self.position + 1]  # the longest notation may be longer than the script
        self.index_depth += script == "_"
        node = self.atom()
        self.index_depth -= script == "_"
        self.tokens = tokens
        return node

    def braced(self, form: str) -> Node:
        if self.text != "{":
            raise self.error(f"expected a group in braces, found {self.found}: write {form}")
        self.take()
        inner = self.expression()
        self.expect("}", f"write {form}")
        return inner


def base_symbol(node: Node) -> Symbol | None:
    """The symbol under subscripts and picked entries, if that is all there is."""
    while isinstance(node, Subscript | Pick):
        node = node.base
    return node if isinstance(node, Symbol) else None
