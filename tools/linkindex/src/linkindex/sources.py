"""Python files as their parser sees them: bytes, the coding cookie, exact line ends, and columns in characters."""

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from linkindex.model import Finding, Place, Span

LINE_END = re.compile(r"\r\n|\r|\n")  # nothing else ends a line for Python: no form feed, no U+2028


@dataclass(frozen=True, eq=False)  # two readings are two sources: compared by identity
class Source:
    path: str
    lines: tuple[str, ...]
    tree: ast.Module

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def ascii_lines(self) -> tuple[bool, ...]:
        return tuple(line.isascii() for line in self.lines)

    def column(self, line: int, offset: int) -> int:
        """The 1-based character column of a byte offset, as the syntax tree counts, in a line."""
        if self.ascii_lines[line - 1]:
            return offset + 1
        return len(self.lines[line - 1].encode()[:offset].decode(errors="replace")) + 1

    def span(self, node: ast.AST) -> Span:
        col = self.column(node.lineno, node.col_offset)
        end_col = self.column(node.end_lineno, node.end_col_offset)
        text = self.between(node.lineno, col, node.end_lineno, end_col)
        return Span(self.path, node.lineno, col, node.end_lineno, end_col, text)

    def between(self, line: int, col: int, end_line: int, end_col: int) -> str:
        """The text from one place to another, verbatim."""
        if line == end_line:
            return self.lines[line - 1][col - 1 : end_col - 1]
        middle = self.lines[line : end_line - 1]
        return "\n".join((self.lines[line - 1][col - 1 :], *middle, self.lines[end_line - 1][: end_col - 1]))

    def place(self, node: ast.AST) -> Place:
        return Place(self.path, node.lineno, self.column(node.lineno, node.col_offset))


def decode_lines(data: bytes) -> tuple[str, ...]:
    """The lines of a file without their ends and without a BOM.

    Raises SyntaxError (coding cookie) and UnicodeDecodeError.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return tuple(LINE_END.split(data.decode(encoding).removeprefix("\ufeff")))


def read_source(root: Path, path: str) -> Source | Finding:
    """Parse a file from its bytes; a finding says why it cannot be used."""
    return _parsed(path, (root / path).read_bytes())


@lru_cache(maxsize=2000)
def _parsed(path: str, data: bytes) -> Source | Finding:
    """Once for the same bytes: nobody changes the tree."""
    try:
        lines = decode_lines(data)
    except (SyntaxError, UnicodeDecodeError) as error:
        line = len(LINE_END.split(data[: getattr(error, "start", 0)].decode("latin-1")))
        message = f"cannot be decoded: {error}: save it as UTF-8, or declare its coding in line 1"
        return Finding(Place(path, line), "LI205", message)
    try:
        tree = ast.parse("\n".join(lines), path)  # of bytes, Python 3.11 would report errors at columns in bytes
    except (SyntaxError, ValueError) as error:
        line, col = getattr(error, "lineno", 1) or 1, getattr(error, "offset", 1) or 1
        problem = getattr(error, "msg", None) or str(error)
        message = f"this file does not parse: {problem}: correct it first"
        return Finding(Place(path, line, max(col, 1)), "LI204", message)
    return Source(path, lines, tree)
