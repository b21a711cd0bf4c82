"""Prose as people wrote it, with an id for each heading and a mark around each symbol of its inline formulas."""

import re
from collections.abc import Iterator

from linkindex.formula import FormulaError, Notation, parse_inline
from linkindex.load.consistency import CODE
from linkindex.load.pages import FENCE, HEADING
from linkindex.model import Concept, Finding, Page, Place, Prose

# As arithmatex reads it: no blank just inside the dollars, and a backslash keeps a dollar from being one.
_INLINE = re.compile(r"(?<!\\)\$(?!\s)((?:\\.|[^$\\\n])+?)(?<!\s)\$")


def prose_text(prose: Prose, page: Page, concept: Concept | None) -> tuple[str, tuple[Finding, ...]]:
    """The prose as Markdown for MkDocs; an inline formula that breaks a rule of the notation is a finding LI616."""
    try:
        notation = Notation.of(page.notation)
    except FormulaError:                                 # reported at the notation itself
        return with_ids(prose.text, concept), ()
    pieces: list[str] = []
    findings: list[Finding] = []
    end = 0
    for match in _formulas(prose.text):
        try:
            marked = parse_inline(match[1], notation).marked
        except FormulaError as error:
            message = f"the formula {match[0]}: {error.message}"
            findings.append(Finding(_place(prose, match.start(1) + error.offset), "LI616", message))
            marked = match[1]
        pieces += [prose.text[end : match.start(1)], marked]
        end = match.end(1)
    return with_ids("".join([*pieces, prose.text[end:]]), concept), tuple(findings)


def with_ids(text: str, concept: Concept | None) -> str:
    """Each heading gets an id: sections of the same name stand in every concept."""
    lines, fence = [], None
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if mark:
            fence = None if fence and mark[1].startswith(fence) else fence or mark[1]
        heading = HEADING.fullmatch(line) if fence is None else None
        if heading and not heading[3]:
            name = re.sub(r"[^a-z0-9]+", "-", heading[2].lower()).strip("-")
            line = f"{heading[1]} {heading[2]} {{#{concept.anchor + '-' if concept else ''}{name}}}"
        lines.append(line)
    return "\n".join(lines)


def _formulas(text: str) -> Iterator[re.Match]:
    """Inline formulas outside of code."""
    code = [match.span() for match in CODE.finditer(text)]
    return (
        match for match in _INLINE.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in code)
    )


def _place(prose: Prose, offset: int) -> Place:
    line = prose.text.count("\n", 0, offset)
    col = offset - (prose.text.rfind("\n", 0, offset) + 1) + 1
    return Place(prose.place.path, prose.place.line + line, col)
