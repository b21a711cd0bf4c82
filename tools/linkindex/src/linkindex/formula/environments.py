"""Cases and matrices."""

from dataclasses import replace

from linkindex.formula.calls import CallParser
from linkindex.formula.runs import run_between
from linkindex.formula.syntax import Case, Cases, Matrix, Node

MATRICES = frozenset({"bmatrix", "pmatrix"})


class EnvironmentParser(CallParser):
    r"""``\begin{cases}``, ``\begin{bmatrix}``: rows of expressions."""

    def environment(self) -> Node:
        start, name = self.start, self.token.argument
        if name != "cases" and name not in MATRICES:
            raise self.error(f"\\begin{{{name}}} has no meaning in a formula: use cases, bmatrix or pmatrix")
        self.take()
        node = self.cases() if name == "cases" else self.matrix()
        if self.text != "\\end" or self.token.argument != name:
            raise self.error(f"expected \\end{{{name}}}, found {self.found}")
        self.take()
        return replace(node, span=self.span(start))

    def cases(self) -> Node:
        cases = []
        while not cases or self.accept("\\\\"):
            at = self.start
            value = self.expression()
            self.expect("&", "write value & condition \\\\")
            conditions = ()
            if self.token.argument in ("otherwise", "else"):
                self.take()
            else:
                if self.token.argument in ("if", "for", "when"):
                    self.take()
                conditions = self.conditions()
            cases.append(Case(value, conditions, span=self.span(at)))
        return Cases(tuple(cases))

    def matrix(self) -> Node:
        rows = []
        while not rows or self.accept("\\\\"):
            rows.append(self.matrix_row())
        return Matrix(tuple(rows))

    def matrix_row(self) -> tuple[Node, ...]:
        entries = [self.expression()]
        while self.accept("&"):
            if self.text not in ("\\cdots", "\\ldots", "\\dots"):
                entries.append(self.expression())
                continue
            dots = self.take()
            self.expect("&", "write first & \\cdots & last")
            run = run_between(entries.pop(), self.expression(), self.bind(["run"])["run"])
            if run is None:
                raise self.error("around dots, the first and the last entry differ in one running index", dots.start)
            entries.append(run)
        return tuple(entries)
