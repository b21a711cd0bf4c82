"""Where expressions stand in their files, and how a job says so in plain data."""

from collections.abc import Mapping

Spans = Mapping[tuple[int, int, int, int], str]  # (line, col, end line, end col) of one file -> key of the expression


def to_plain(files: Mapping[str, Spans], names: Mapping[str, str] | None = None) -> dict[str, list]:
    """By file; ``names`` take the place of the keys."""
    return {
        file: [[list(span), names[key] if names else key] for span, key in sorted(spans.items())]
        for file, spans in sorted(files.items())
    }


def from_plain(files: Mapping[str, list]) -> dict[str, Spans]:
    return {file: {tuple(span): key for span, key in spans} for file, spans in files.items()}
