"""Functions and operators, their arguments, and brackets."""

from linkindex.formula.expressions import TERM_ENDS
from linkindex.formula.reductions import ReductionParser
from linkindex.formula.syntax import Apply, Indicator, Node, Ones, Operator

FUNCTIONS = {"\\" + name: name for name in ("exp", "log", "ln", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arctan")}
CLOSING_OF = {"(": ")", "[": "]", "\\{": "\\}"}
NAMED_FUNCTIONS = frozenset({"erf", "sign"})  # through \operatorname, known without a formula


class CallParser(ReductionParser):
    """A named function takes brackets, unless its argument is one factor at the end of its term."""

    def bracket(self) -> Node:
        start = self.start
        closing = CLOSING_OF[self.take().text]
        inner = self.expression()
        if self.text == ",":
            raise self.error("a list in brackets: only functions and operators take several arguments")
        self.close(closing, start)
        return inner

    def close(self, closing: str, start: int) -> None:
        if self.text != closing:
            raise self.error(f"expected {closing} for the bracket at {start + 1}, found {self.found}")
        self.take()

    def function(self, name: str) -> Node:
        start = self.start
        command = self.take().text
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

    def operator(self) -> Node:
        token = self.take()
        name, start = token.argument, token.start
        if name not in NAMED_FUNCTIONS and name not in self.operators:
            self.operators.append(name)
        if self.text in ("(", "["):
            arguments = self.arguments()
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
        if self.text not in ("[", "("):
            raise self.error(f"expected a condition in brackets, found {self.found}: write \\mathbb{{1}}[i = j]")
        closing = CLOSING_OF[self.take().text]
        conditions = self.conditions()
        self.close(closing, start)
        return Indicator(conditions, span=self.span(start))
