"""Functions and operators, their arguments, and brackets."""

from linkindex.formula.expressions import TERM_ENDS
from linkindex.formula.reductions import ReductionParser
from linkindex.formula.syntax import Apply, Fraction, Indicator, Joined, Node, Number, Ones, Operator
from linkindex.formula.tokens import FONTS

FUNCTIONS = {"\\" + name: name for name in ("exp", "log", "ln", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arctan")}
CLOSING_OF = {"(": ")", "[": "]", "\\{": "\\}"}
MEANS = {"E": "mean", "Var": "var", "mean": "mean", "var": "var"}
NAMED_FUNCTIONS = frozenset({"erf", "sign"})  # through \operatorname, known without a formula


class CallParser(ReductionParser):
    """A named function takes brackets, unless its argument is one factor at the end of its term."""

    def bracket(self) -> Node:
        start = self.start
        closing = CLOSING_OF[self.take().text]
        inner = self.expression()
        if self.text == ",":
            raise self.error("a list in brackets: only functions and operators take several arguments, and [u ; w] is"
                             " one vector behind the other")  # fmt: skip
        parts = [inner]
        while closing == "]" and self.accept(";"):
            parts.append(self.expression())
        self.close(closing, start)
        if len(parts) > 1:
            return Joined(tuple(parts), below=True, span=self.span(start))
        return self.positive_part(inner, start)

    def positive_part(self, inner: Node, start: int) -> Node:
        """``[x]_+``: the larger of 0 and x."""
        texts = [self.ahead(step) for step in range(4)]
        length = 2 if texts[:2] == ["_", "+"] else 4 if texts == ["_", "{", "+", "}"] else 0
        for _ in range(length):
            self.take()
        return Apply("max", (Number("0"), inner), span=self.span(start)) if length else inner

    def close(self, closing: str, start: int) -> None:
        if self.text != closing:
            raise self.error(f"expected {closing} for the bracket at {start + 1}, found {self.found}")
        self.take()

    def function(self, name: str) -> Node:
        start = self.start
        command = self.take().text
        if command == "\\log" and self.accept("_"):
            base = self.braced("\\log_{...}") if self.text == "{" else self.single("_")
            parts = [Apply("log", (part,), span=part.span) for part in (self.argument(command), base)]
            return Fraction(*parts, span=self.span(start))
        if self.text in ("_", "^"):
            raise self.error(
                f"a script on {command}: write ({command} x)^2, or the logarithm as \\frac{{\\log x}}{{\\log 2}}"
            )
        return Apply(name, (self.argument(command),), span=self.span(start))

    def argument(self, command: str) -> Node:
        """In brackets; one factor may do without, at the end of its term."""
        if self.text in ("(", "["):
            return self.bracket()
        argument = self.factor()
        if self.text not in TERM_ENDS:
            raise self.error(
                f"where the argument of {command} ends is not clear before {self.found}: put it in brackets"
            )
        return argument

    def upright_name(self) -> tuple[str, int] | None:
        r"""A name that is no symbol, and its length: ``\operatorname{f}``, ``\mathrm{f}(``, ``\mathbb{E}_i``."""
        if self.text == "\\operatorname":
            return self.token.argument, 1
        if self.text not in FONTS:
            return None
        end = self.closing(self.position + 1) if self.ahead(1) == "{" else self.position + 1
        inner = self.tokens[self.position + 1 : end + 1]
        name = "".join(token.text for token in inner if token.text not in "{}")
        length = len(inner) + 1
        is_mean = name in MEANS and self.ahead(length) in ("_", "[")
        return (name, length) if name and name != "1" and (is_mean or self.ahead(length) in ("(", "'")) else None

    def named(self, name: str, length: int) -> Node:
        """What an upright name stands for."""
        words = name.replace(" ", "")
        if words in ("argmax", "argmin"):
            return self.reduction(words, length)
        if name in MEANS and self.ahead(length) == "_":
            return self.reduction(MEANS[name], length)
        if name in ("E", "Var"):
            raise self.error("over which axis? Write its index, as in \\mathbb{E}_i[x_i]; an expectation over all data"
                             " is a statement")  # fmt: skip
        if name in ("Concat", "concat"):
            return self.joined(length)
        return self.operator(name, length)

    def joined(self, length: int) -> Node:
        start = self.start
        for _ in range(length):
            self.take()
        opening = self.start
        if self.text not in CLOSING_OF:
            raise self.error(f"expected brackets, found {self.found}: write \\operatorname{{Concat}}(A, B)")
        closing = CLOSING_OF[self.take().text]
        parts = self.run_of(",")
        self.close(closing, opening)
        return Joined(parts, below=False, span=self.span(start))

    def run_of(self, separator: str) -> tuple[Node, ...]:
        raise NotImplementedError

    def operator(self, name: str, length: int = 1) -> Node:
        start = self.start
        for _ in range(length):
            self.take()
        while self.text == "'":  # its derivative is another function
            name += self.take().text
        if name not in NAMED_FUNCTIONS and name not in self.operators:
            self.operators.append(name)
        if self.text in ("(", "["):
            arguments = self.arguments()
        elif self.text in TERM_ENDS or self.text in ("_", "^"):
            raise self.error(
                f"\\operatorname{{{name}}} is a function with brackets: register a quantity as \\mathrm{{{name}}}",
                start,
            )
        else:
            arguments = (self.argument(f"\\operatorname{{{name}}}"),)
        if name in NAMED_FUNCTIONS:
            return Apply(name, arguments, span=self.span(start))
        return Operator(name, arguments, span=self.span(start))

    def arguments(self) -> tuple[Node, ...]:
        start = self.start
        closing = CLOSING_OF[self.take().text]
        arguments = [self.expression()]
        while self.accept(","):
            arguments.append(self.expression())
        self.close(closing, start)
        return tuple(arguments)

    def ones(self) -> Node:
        start = self.take().start
        self.take()
        return Ones(span=self.span(start))

    def indicator(self) -> Node:
        start = self.take().start
        self.take()
        if self.text == "_" and self.ahead(1) == "{":
            self.take()
            self.take()
            conditions = self.conditions()
            self.expect("}", "close the condition")
            return Indicator(conditions, span=self.span(start))
        if self.text not in CLOSING_OF:
            raise self.error(f"expected a condition in brackets, found {self.found}: write \\mathbb{{1}}[i = j]")
        closing = CLOSING_OF[self.take().text]
        conditions = self.conditions()
        self.close(closing, start)
        return Indicator(conditions, span=self.span(start))
