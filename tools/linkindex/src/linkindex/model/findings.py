"""What is wrong with a project, and where."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Place:
    """A position in a file; ``path`` is relative to the project's root, with forward slashes."""

    path: str
    line: int = 1
    col: int = 1


@dataclass(frozen=True, order=True)
class Finding:
    """Something that is wrong: where, which kind (``LI...``), and a message with expectation, finding and remedy."""

    place: Place
    code: str
    message: str
