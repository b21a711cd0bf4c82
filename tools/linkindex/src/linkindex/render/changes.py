"""What a mutant changes in a line: the statement before and after, and the pieces that differ."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from textwrap import dedent

from linkindex.model import Link

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True)
class Piece:
    """A stretch of code; ``changed``: it stands on one side only."""

    text: str
    changed: bool


@dataclass(frozen=True)
class Change:
    """A statement before and after, each in pieces."""

    before: tuple[Piece, ...]
    after: tuple[Piece, ...]


def change(link: Link, mutant: str) -> Change:
    """The statement of a link, as it is and with ``mutant`` in place of the linked expression."""
    statement, span = link.statement, link.span
    first_col = statement.col if span.line == statement.line else 1
    start = _offset(statement.code, span.line - statement.line, span.col - first_col)
    end = start + len(span.code)
    indent, rest = " " * (statement.col - 1), statement.code[end:]
    is_part = rest.strip() and not (statement.code[:start].rstrip().endswith("(") and rest.lstrip().startswith(")"))
    if '"' in span.code and '"' not in mutant:
        mutant = mutant.replace("'", '"')  # ast.unparse writes single quotes
    codes = (span.code, f"({mutant})" if is_part else mutant)
    return _compared(*(dedent(indent + statement.code[:start] + code + rest) for code in codes))


def _offset(text: str, line: int, col: int) -> int:
    """Characters before a place; ``line`` and ``col`` count from 0."""
    return sum(len(before) + 1 for before in text.split("\n")[:line]) + col


def _compared(before: str, after: str) -> Change:
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for side, text in zip(sides, ("".join(old[a:b]), "".join(new[c:d])), strict=True):
            if text:
                side.append(Piece(text, kind != "equal"))
    return Change(tuple(sides[0]), tuple(sides[1]))
