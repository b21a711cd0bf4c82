"""Where expressions stand in their files, and how a job says so in plain data."""

from collections.abc import Mapping

from linkindex.model import Span

# (line, col, end line, end col) of an expression in one file; of statements also what holds their value.
Place = tuple[int, int, int, int] | tuple[int, int, int, int, str]
Spans = Mapping[Place, str]  # of one file -> key


def place_of(span: Span, block: str | None = None) -> Place:
    place = span.line, span.col, span.end_line, span.end_col
    return (*place, block) if block else place


def to_plain(files: Mapping[str, Spans], names: Mapping[str, str] | None = None) -> dict[str, list]:
    """By file; ``names`` take the place of the keys."""
    return {
        file: [[list(span), names[key] if names else key] for span, key in sorted(spans.items())]
        for file, spans in sorted(files.items())
    }


def from_plain(files: Mapping[str, list]) -> dict[str, Spans]:
    return {file: {tuple(span): key for span, key in spans} for file, spans in files.items()}
