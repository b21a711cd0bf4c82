r"""``\begin{aligned}``: several lines as one sequence of tokens.

A line that begins with a relation, or behind its & with a sign, goes on with the line above; any other line is a
statement of its own.
"""

from collections.abc import Iterator, Sequence

from linkindex.formula.errors import FormulaError
from linkindex.formula.tokens import Token

_ENVIRONMENTS = frozenset({"aligned", "align", "align*", "gathered"})
_SPACES = frozenset({"\\quad", "\\qquad"})
_CONTINUES = frozenset({"+", "-", "\\cdot", "\\times", "\\odot"})


def unrolled(tokens: Sequence[Token], relations: frozenset[str]) -> tuple[Token, ...]:
    """The tokens without the frame of aligned lines: without its & and without the ends of lines that go on."""
    if not tokens or tokens[0].text != "\\begin" or tokens[0].argument not in _ENVIRONMENTS:
        return tuple(tokens)
    last = tokens[-1]
    if last.text != "\\end" or last.argument != tokens[0].argument:
        raise FormulaError(last.start, f"nothing may stand behind \\end{{{tokens[0].argument}}}: write it in a line")
    kept: list[Token] = []
    for line, end in _lines(tokens[1:-1]):
        starts = next((at for at, token in enumerate(line) if token.text != "&" and token.text not in _SPACES), None)
        if starts is None:
            continue
        first = line[starts].text
        if kept and not (first in relations or first in _CONTINUES and line[0].text == "&"):
            kept.append(end)
        kept += _without_marks(line[starts:])
    return tuple(kept)


def _lines(tokens: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Token | None]]:
    """Each line, with the ``\\\\`` before it. Those inside of cases and matrices end no line."""
    depth, start, before = 0, 0, None
    for at, token in enumerate(tokens):
        depth += {"\\begin": 1, "\\end": -1}.get(token.text, 0)
        if depth == 0 and token.text == "\\\\":
            yield tokens[start:at], before
            start, before = at + 1, token
    yield tokens[start:], before


def _without_marks(line: Sequence[Token]) -> Iterator[Token]:
    """The line without its own &."""
    depth = 0
    for token in line:
        depth += {"\\begin": 1, "\\end": -1}.get(token.text, 0)
        if depth or token.text != "&":
            yield token
