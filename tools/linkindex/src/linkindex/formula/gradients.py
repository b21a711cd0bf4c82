r"""Gradients as fractions: ``\frac{\partial L}{\partial z_{tk}}`` is an entry of the array that is registered as
``\frac{\partial L}{\partial z}``. Of a Jacobian, the indices above come first."""

from collections.abc import Sequence

from linkindex.formula.cursor import Mark
from linkindex.formula.environments import EnvironmentParser
from linkindex.formula.syntax import Node, Subscript, Symbol


class GradientParser(EnvironmentParser):
    """A fraction that begins with a partial derivative."""

    def gradient(self, above: int, below: int, end: int) -> Node:
        start, symbol = self.start, None
        for symbol, over, under in self.notation.gradients:  # the longest names first
            if self._begins(above + 1, over) and self._begins(below + 1, under):
                break
        else:
            written = self.latex[start : self.tokens[end - 1].end]
            raise self.error(
                f"{written} is not registered ({self.notation.nearest(written)}): add the gradient of the whole array"
                " to the page's notation, as \\frac{\\partial L}{\\partial z}"
            )
        indices: tuple[Node, ...] = ()
        for opening, name in ((above, over), (below, under)):
            while self.position <= opening + len(name):
                self.take()
            if self.text == "_":
                indices += self.subscript(Symbol(symbol.latex))
            self.expect("}", "of a gradient, only indices stand behind the names")
        span = self.span(start)
        self.marks.append(Mark(span, span, symbol.latex))
        base = Symbol(symbol.latex, span=span)
        return Subscript(base, indices, span=span) if indices else base

    def _begins(self, at: int, name: Sequence[str]) -> bool:
        """Whether a name stands there, with nothing behind it but an index."""
        there = [token.text for token in self.tokens[at : at + len(name)]]
        return there == [*name] and self.tokens[at + len(name)].text in ("}", "_")
