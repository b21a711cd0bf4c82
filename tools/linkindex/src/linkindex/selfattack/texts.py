"""Edits of texts by line and column, both counted from 1, columns in characters."""

from linkindex.model import Span


def offset_of(text: str, line: int, col: int = 1) -> int:
    """Where a line and column is in a text whose lines end in a line feed, with or without a carriage return."""
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    return start + col - 1


def line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def lines_of(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.split("\n")]


def with_line(text: str, line: int, *new: str) -> str:
    """The text with new lines, the first of which becomes line number ``line``; also behind the last line."""
    lines = text.split("\n")
    return "\n".join([*lines[: line - 1], *new, *lines[line - 1 :]])


def without_lines(text: str, line: int, end_line: int) -> str:
    lines = text.split("\n")
    return "\n".join([*lines[: line - 1], *lines[end_line:]])


def with_span(text: str, span: Span, new: str) -> str:
    """The text with other code at a span."""
    start, end = offset_of(text, span.line, span.col), offset_of(text, span.end_line, span.end_col)
    return text[:start] + new + text[end:]


def appended(text: str, *lines: str) -> tuple[str, int]:
    """The text with lines behind it, and the number of the first of them."""
    whole = text if text.endswith("\n") else text + "\n"
    return whole + "\n".join(lines) + "\n", whole.count("\n") + 1
