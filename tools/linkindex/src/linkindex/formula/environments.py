"""Cases and matrices."""

from dataclasses import fields, replace

from linkindex.formula.calls import CallParser
from linkindex.formula.syntax import Case, Cases, Index, Matrix, Node, Pick, Run, Subscript

_INDEX_FIELDS = {Subscript: ("indices",), Pick: ("index",)}
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
            self.accept(",")
            self.expect("&", "write value & condition \\\\")
            conditions = ()
            if self.token.argument.rstrip(".,") in ("otherwise", "else"):
                self.take()
            else:
                if self.token.argument in ("if", "for", "when"):
                    self.take()
                conditions = self.conditions()
            self.accept(",")
            cases.append(Case(value, conditions, span=self.span(at)))
        return Cases(tuple(cases))

    def matrix(self) -> Node:
        rows = []
        while not rows or self.accept("\\\\"):
            rows.append(self.matrix_row())
        return Matrix(tuple(rows))

    def matrix_row(self) -> tuple[Node, ...]:
        return self.run_of("&")

    def run_of(self, separator: str) -> tuple[Node, ...]:
        """Entries, between two of which there may be dots."""
        entries = [self.expression()]
        while self.accept(separator):
            if self.text not in ("\\cdots", "\\ldots", "\\dots"):
                entries.append(self.expression())
                continue
            dots = self.take()
            self.expect(separator, f"write first {separator} \\cdots {separator} last")
            run = _run_between(entries.pop(), self.expression(), self.bind(["run"])["run"])
            if run is None:
                raise self.error("around dots, the first and the last entry differ in one running index", dots.start)
            entries.append(run)
        return tuple(entries)


def _run_between(first: Node, last: Node, index: str) -> Run | None:
    """The run from ``first`` to ``last``, which differ in one pair of indices. None: in none, or in more."""
    pairs: list[tuple[Node, Node]] = []
    body = _merge(first, last, index, pairs, is_index=False)
    if body is None or not pairs or any(pair != pairs[0] for pair in pairs):
        return None
    return Run(body, index, *pairs[0], span=(first.span[0], last.span[1]))


def _merge(first: object, last: object, index: str, pairs: list, is_index: bool) -> object | None:
    """Both as one, with ``index`` in place of the indices that differ; fills ``pairs``. None: impossible."""
    if first == last:
        return first
    if is_index and isinstance(first, Node) and isinstance(last, Node):
        pairs.append((first, last))
        return Index(index, span=first.span)
    if isinstance(first, tuple) and isinstance(last, tuple) and len(first) == len(last):
        parts = [_merge(a, b, index, pairs, is_index) for a, b in zip(first, last)]
        return None if None in parts else tuple(parts)
    if isinstance(first, Node) and type(first) is type(last):
        parts = {}
        for name in (part.name for part in fields(first) if part.name != "span"):
            below = is_index or name in _INDEX_FIELDS.get(type(first), ())
            parts[name] = _merge(getattr(first, name), getattr(last, name), index, pairs, below)
            if parts[name] is None and getattr(first, name) is not None:
                return None
        return type(first)(**parts, span=first.span)
    return None
