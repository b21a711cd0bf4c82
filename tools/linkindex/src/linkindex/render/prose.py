"""Prose as people wrote it, with an id for each heading and a mark around each symbol of its inline formulas."""

import re

from linkindex.formula import FormulaError, Notation, parse
from linkindex.load.consistency import CODE, INLINE
from linkindex.load.pages import FENCE, HEADING
from linkindex.model import Concept, Prose


def prose_text(prose: Prose, notation: Notation, concept: Concept | None) -> str:
    """The prose as Markdown for MkDocs. A formula that is none of the notation stays as written."""
    pieces: list[str] = []
    end = 0
    for match in INLINE.finditer(_without_code(prose.text)):
        pieces += [prose.text[end : match.start(1)], _marked(match[1], notation)]
        end = match.end(1)
    return with_ids("".join([*pieces, prose.text[end:]]), concept)


def with_ids(text: str, concept: Concept | None) -> str:
    """Each heading gets an id: sections of the same name stand in every concept."""
    lines, fence = [], None
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if mark:
            fence = None if fence and mark[1].startswith(fence) else fence or mark[1]
        heading = HEADING.fullmatch(line) if fence is None else None
        if heading and heading[3]:
            line = line.replace("{#", "{ #")
        elif heading:
            name = re.sub(r"[^a-z0-9]+", "-", heading[2].lower()).strip("-")
            line = f"{heading[1]} {heading[2]} {{ #{concept.anchor + '-' if concept else ''}{name} }}"
        lines.append(line)
    return "\n".join(lines)


def _marked(formula: str, notation: Notation) -> str:
    try:
        return parse(formula, notation).marked
    except FormulaError:
        return formula


def _without_code(text: str) -> str:
    """The text with its code blanked out; every other character keeps its place."""
    return CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
