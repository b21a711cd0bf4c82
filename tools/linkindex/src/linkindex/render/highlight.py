"""Source lines as HTML: comments and keywords told apart, marks around linked expressions, exact to the character."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.python import PythonLexer
from pygments.lexers.special import TextLexer
from pygments.token import STANDARD_TYPES, Token
from pygments.util import ClassNotFound

from linkindex.model import Span

_TOLD_APART = ("c", "k")                                 # classes of comments and keywords; all other code looks alike
_OPEN = {"link": '<mark class="lx-mark" data-eq="{}">', "symbol": '<span class="lx-sym" data-sym="{}">'}
_CLOSE = {"link": "</mark>", "symbol": "</span>"}


@dataclass(frozen=True, order=True)
class Mark:
    """Something to be seen in the code: a linked expression (names: equation ids) or a symbol (names: its LaTeX)."""

    line: int
    col: int
    end_line: int
    end_col: int
    kind: str = "link"
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Piece:
    """A stretch of one line, columns 1-based, with the class of its token."""

    col: int
    text: str
    token: str


def marks(spans: Iterable[tuple[Span, str]], kind: str = "link") -> tuple[Mark, ...]:
    """One mark for each different span, bearing all its names."""
    names: dict[tuple[int, int, int, int], list[str]] = {}
    for span, name in spans:
        of_span = names.setdefault((span.line, span.col, span.end_line, span.end_col), [])
        of_span.extend([name] if name not in of_span else [])
    return tuple(Mark(*place, kind, tuple(found)) for place, found in sorted(names.items()))


def highlight(text: str, file: str, shown: Iterable[Mark], lines: Iterable[int]) -> dict[int, Markup]:
    """HTML of each of ``lines`` (1-based). ``text`` has "\\n" as its only line end."""
    pieces = tokens(text, file)
    shown = tuple(shown)
    return {number: _line(pieces[number - 1], number, shown) for number in lines if 0 < number <= len(pieces)}


def statement(source: str | None, whole: Span, *linked: tuple[Span, str]) -> Markup:
    """A statement of a file as one piece of code, without its indentation and the comment behind it; the linked parts
    (span, equation id) marked. Plain code where the file's text is missing."""
    if source is None:
        return Markup("{}").format(whole.code)
    numbers = range(whole.line, whole.end_line + 1)
    texts = [text if n in numbers else "" for n, text in enumerate(source.split("\n"), 1)]
    texts[whole.end_line - 1] = texts[whole.end_line - 1][: whole.end_col - 1]
    indent = min(len(text) - len(text.lstrip()) for text in texts if text.strip())
    cut = "\n".join(text[indent:] for text in texts)
    moved = [(replace(span, col=span.col - indent, end_col=span.end_col - indent), name) for span, name in linked]
    html = highlight(cut, whole.file, marks(moved), numbers)
    # A line end as a character reference, since the templates' own lines are trimmed.
    return Markup("&#10;").join(html[n] for n in numbers)


@lru_cache(maxsize=64)
def tokens(text: str, file: str) -> tuple[tuple[Piece, ...], ...]:
    """The coloured pieces of every line; a lexer that changes the text is not believed."""
    found = list(_lexer(Path(file).name).get_tokens(text))
    if "".join(value for _, value in found) != text:
        found = [(Token.Text, text)]
    lines: list[list[Piece]] = [[]]
    col = 1
    for kind, value in found:
        for position, part in enumerate(value.split("\n")):
            if position:
                lines.append([])
                col = 1
            if part:
                lines[-1].append(Piece(col, part, _css_class(kind)))
                col += len(part)
    return tuple(map(tuple, lines))


@lru_cache(maxsize=64)
def _lexer(name: str) -> Lexer:
    if name.endswith(".py"):  # or the names of all languages are compared
        return PythonLexer(stripnl=False, ensurenl=False)
    try:
        return get_lexer_for_filename(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return TextLexer(stripnl=False, ensurenl=False)


def symbol_marks(text: str, file: str, codes: Iterable[tuple[str, str]], lines: Iterable[int]) -> tuple[Mark, ...]:
    """A mark for each place where a symbol's code, (code, LaTeX), stands as whole tokens on one of ``lines``."""
    pieces = tokens(text, file)
    wanted = [(code, latex) for code, latex in codes if code]
    return tuple(
        Mark(number, start, number, start + len(code), "symbol", (latex,))
        for number in lines
        if 0 < number <= len(pieces)
        for code, latex in wanted
        for start in _occurrences(pieces[number - 1], code)
    )


def _occurrences(line: tuple[Piece, ...], code: str) -> Iterator[int]:
    """Columns where ``code`` begins and ends with a token, and does not begin in a comment or a string (c.., s..)."""
    text = "".join(piece.text for piece in line)
    starts = {piece.col for piece in line if piece.token[:1] not in ("c", "s")}
    ends = {piece.col + len(piece.text) for piece in line}
    at = text.find(code)
    while at >= 0:
        if at + 1 in starts and at + 1 + len(code) in ends and text[at - 1 : at] != ".":
            yield at + 1
        at = text.find(code, at + 1)


def _line(pieces: tuple[Piece, ...], number: int, shown: tuple[Mark, ...]) -> Markup:
    length = sum(len(piece.text) for piece in pieces)
    here = sorted(
        (start, -end, mark)
        for mark in shown
        if (start := _start(mark, number)) < (end := min(_end(mark, number, length), length + 1))
    )
    html: list[str] = []
    opened: list[tuple[int, int, Mark]] = []
    for piece in pieces:
        for start, end in _cut(piece, here):
            around = [mark for mark in here if mark[0] <= start and end <= -mark[1]]
            kept = _shared(opened, around)
            html += [_CLOSE[mark[2].kind] for mark in reversed(opened[kept:])]
            html += [_OPEN[mark[2].kind].format(escape(" ".join(mark[2].names))) for mark in around[kept:]]
            html.append(_coloured(piece.text[start - piece.col : end - piece.col], piece.token))
            opened = around
    html += [_CLOSE[mark[2].kind] for mark in reversed(opened)]
    return Markup("".join(html))


def _shared(opened: list, around: list) -> int:
    """How many of the open marks stay open."""
    return next((n for n, (a, b) in enumerate(zip(opened, around)) if a != b), min(len(opened), len(around)))


def _cut(piece: Piece, here: list[tuple[int, int, Mark]]) -> Iterator[tuple[int, int]]:
    """The piece, cut where marks begin and end inside it."""
    first, last = piece.col, piece.col + len(piece.text)
    inside = {edge for start, end, _ in here for edge in (start, -end) if first < edge < last}
    return pairwise(sorted({first, last} | inside))


def _start(mark: Mark, number: int) -> int:
    """Column where the mark begins on a line; beyond all columns, where it does not reach the line."""
    if not mark.line <= number <= mark.end_line:
        return 1 << 30
    return mark.col if number == mark.line else 1


def _end(mark: Mark, number: int, length: int) -> int:
    return mark.end_col if number == mark.end_line else length + 1


def _coloured(text: str, token: str) -> str:
    # A tab written as a character would be expanded by Markdown.
    safe = str(escape(text)).replace("\t", "&#9;")
    return safe if not token.startswith(_TOLD_APART) else f'<span class="{token}">{safe}</span>'


def _css_class(kind: object) -> str:
    while kind not in STANDARD_TYPES:
        kind = kind.parent
    return STANDARD_TYPES[kind]
