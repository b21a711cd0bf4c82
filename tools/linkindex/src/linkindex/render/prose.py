"""Prose as people wrote it, with an id for each heading, a mark around each symbol of its inline formulas, and the
recorded numbers that it names."""

import re
from collections.abc import Mapping

from linkindex.formula import FormulaError, Notation, parse
from linkindex.load.consistency import INLINE
from linkindex.load.pages import FENCE, HEADING
from linkindex.model import Concept, Prose, Value
from linkindex.refs import in_prose, without_code
from linkindex.render import numbers
from linkindex.render.faults import each, fault
from linkindex.render.html import fill
from linkindex.render.matrix import alone
from linkindex.render.refs import look_up

_DECIMALS = 3


def prose_text(prose: Prose, notation: Notation, concept: Concept | None) -> str:
    """The prose as Markdown for MkDocs. A formula that is none of the notation stays as written."""
    pieces: list[str] = []
    end = 0
    for match in INLINE.finditer(without_code(prose.text)):
        pieces += [prose.text[end : match.start(1)], _marked(match[1], notation)]
        end = match.end(1)
    return with_ids("".join([*pieces, prose.text[end:]]), concept)


def with_numbers(text: str, known: Mapping[str, Value]) -> str:
    """The prose with each number that it names as it was recorded. Raises Faults LI603 and LI606."""
    found = list(in_prose(text))
    shown = each(lambda match: _number(match["ref"], match["decimals"], known), found)
    pieces, end = [], 0
    for match, html in zip(found, shown):
        pieces += [text[end : match.start()], html]
        end = match.end()
    return "".join([*pieces, text[end:]])


def _number(ref: str, decimals: str | None, known: Mapping[str, Value]) -> str:
    recorded = look_up(ref, known)
    if recorded.shape:
        raise fault("LI606", f"{ref!r} in a sentence has shape {recorded.shape}: add indices until one number is left")
    return fill("value", ref=ref, cell=alone(recorded.data, int(decimals or _DECIMALS), numbers.fixed))


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
