"""Read a Markdown page into prose, directives and concepts."""

import re
from collections.abc import Iterator

from linkindex.load.yamltree import Items, Table, Text, Tree, read_yaml
from linkindex.model import Concept, Directive, Finding, Place, Prose

DIRECTIVE = re.compile(r":::[ \t]+([a-z][a-z-]*)((?:[ \t].*)?)")
OTHERS = re.compile(r":::[ \t]+\w+(?:\.\w+)+[ \t]*$")  # a dotted name: a directive of mkdocstrings, say
HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)(?:[ \t]*\{[ \t]*#([^}\s]+)[^}]*\})?[ \t]*#*[ \t]*$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def read_page(
    text: str, path: str, findings: list[Finding]
) -> tuple[str | None, tuple[Prose | Directive | Concept, ...]]:
    """The page's title (its first-level heading) and its blocks."""
    blocks = list(_blocks(text.split("\n"), path, findings))
    title = next((heading[2] for block in blocks if (heading := heading_of(block)) and heading[0] == 1), None)
    return title, tuple(_group_concepts(blocks))


def heading_of(block: Prose | Directive | Concept) -> tuple[int, str | None, str] | None:
    """Level, explicit anchor and title, if the block is a heading (headings are blocks of their own)."""
    if not isinstance(block, Prose) or "\n" in block.text:
        return None
    match = HEADING.fullmatch(block.text)
    return (len(match[1]), match[3], match[2]) if match else None


def _blocks(lines: list[str], path: str, findings: list[Finding]) -> Iterator[Prose | Directive]:
    """Split a page at its directives and headings; fenced code is prose throughout."""
    start, number, fence = 0, 0, None
    while number < len(lines):
        line = lines[number]
        mark = FENCE.match(line)
        if mark and fence is None:
            fence = mark[1]
        elif mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not line.strip().strip(fence[0]):
            fence = None
        ours = line.startswith(":::") and not OTHERS.match(line)
        special = fence is None and (ours or HEADING.fullmatch(line))
        if not special:
            number += 1
            continue
        yield from _prose(lines[start:number], path, start)
        if ours:
            end = _end_of_options(lines, number + 1)
            yield from _directive(lines[number:end], path, number, findings)
        else:
            end = number + 1
            yield Prose(line, Place(path, number + 1))
        start = number = end
    if fence is not None:
        findings.append(Finding(Place(path, len(lines)), "LI110", f"a code block opened with {fence} is never closed"))
    yield from _prose(lines[start:], path, start)


def _prose(lines: list[str], path: str, start: int) -> Iterator[Prose]:
    blank = next((count for count, line in enumerate(lines) if line.strip()), len(lines))
    if blank < len(lines):
        yield Prose("\n".join(lines[blank:]).rstrip(), Place(path, start + blank + 1))


def _end_of_options(lines: list[str], number: int) -> int:
    end = number
    while number < len(lines) and (lines[number].startswith(("    ", "\t")) or not lines[number].strip()):
        number += 1
        if lines[number - 1].strip():
            end = number
    return end


def _directive(lines: list[str], path: str, start: int, findings: list[Finding]) -> Iterator[Directive]:
    place = Place(path, start + 1)
    match = DIRECTIVE.fullmatch(lines[0].rstrip())
    if not match:
        findings.append(Finding(place, "LI110", f"expected '::: name argument ...', found {lines[0]!r}"))
        return
    options = {}
    for number, line in enumerate(lines[1:], start + 2):
        if line.strip() and "\t" in line[:4]:
            message = "a tab stands before this option, and YAML knows blanks only: indent it with four blanks"
            findings.append(Finding(Place(path, number), "LI101", message))
            return
    if len(lines) > 1:
        text = "\n".join(line[4:] for line in lines[1:])
        table, wrong = read_yaml(text, path, start + 2, 5)
        findings.extend(wrong)
        options = {key: _plain(value) for key, value in table.entries.items()}
    yield Directive(match[1], tuple(match[2].split()), options, place)


def _plain(tree: Tree) -> object:
    match tree:
        case Text(value=value):
            return value
        case Items(values=values):
            return [_plain(value) for value in values]
        case Table(entries=entries):
            return {key: _plain(value) for key, value in entries.items()}


def _group_concepts(blocks: list[Prose | Directive]) -> Iterator[Prose | Directive | Concept]:
    """Second-level sections that show an equation become concepts; the rest stays as it is."""
    position = 0
    while position < len(blocks):
        heading = heading_of(blocks[position])
        if not heading or heading[0] != 2:
            yield blocks[position]
            position += 1
            continue
        end = position + 1
        while end < len(blocks) and not ((following := heading_of(blocks[end])) and following[0] <= 2):
            end += 1
        inner = tuple(blocks[position + 1 : end])
        shown = tuple(name for block in inner for name in shown_equations(block))
        if shown:
            anchor = heading[1] or re.sub(r"[^a-z0-9]+", "-", heading[2].lower()).strip("-")
            yield Concept(heading[2], anchor, inner, shown, blocks[position].place)
        else:
            yield from blocks[position:end]
        position = end


def shown_equations(block: Prose | Directive | Concept) -> tuple[str, ...]:
    """Ids of the equations that a block shows."""
    if isinstance(block, Concept):
        return block.equations
    return block.arguments if isinstance(block, Directive) and block.name == "equation" else ()
