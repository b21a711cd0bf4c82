"""Change single values of a YAML text, leaving every other character as it is.

A value is changed inside its own text, so that quotes, line breaks and what stands around it are kept. The result is
read again and compared; where it would say something else, the value is written anew, in quotes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

import yaml

from linkindex.load.yamltree import Loader
from linkindex.model import Place


@dataclass(frozen=True, order=True)
class Replacement:
    """The value (or key) that begins at a place becomes another one."""

    place: Place
    old: str
    new: str


@dataclass(frozen=True)
class _Scalar:
    start: int  # offsets in the text
    end: int
    style: str | None
    value: str


class CannotEdit(Exception):
    """A value that is not at its place any more, or cannot be written there."""

    def __init__(self, place: Place, message: str):
        super().__init__(message)
        self.place = place


def replace_scalars(text: str, replacements: Iterable[Replacement], first_line: int = 1, indent: int = 0) -> str:
    """The text with values replaced. Raises CannotEdit.

    The YAML begins in ``first_line`` of its file and is indented by ``indent``, both of which the places count in, and
    ends with the text.
    """
    for one in sorted(replacements, reverse=True):
        lines = text.split("\n")
        start = sum(len(line) + 1 for line in lines[: one.place.line - first_line]) + one.place.col - 1
        scalars = list(_scalars(text, indent))
        matching = (n for n, scalar in enumerate(scalars) if scalar.start == start and scalar.value == one.old)
        position = next(matching, None)
        if position is None:
            raise CannotEdit(one.place, f"the value {one.old!r} does not begin here")
        wanted = [scalar.value for scalar in scalars]
        wanted[position] = one.new
        texts = _ways(text, scalars[position], one.new)
        text = next((new for new in texts if [scalar.value for scalar in _scalars(new, indent)] == wanted), "")
        if not text:
            raise CannotEdit(one.place, f"{one.old!r} cannot become {one.new!r} in place")
    return text


def _scalars(text: str, indent: int) -> Iterator[_Scalar]:
    """All values and keys, in the order of the text; none if it does not parse."""
    lines = text.split("\n")
    try:
        root = yaml.compose("\n".join(line[indent:] for line in lines), Loader=Loader)
    except yaml.YAMLError:
        return
    offsets = list(_offsets(lines, indent))
    waiting = [root] if root else []
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, yaml.ScalarNode):
            start, end = (offsets[min(mark.index, len(offsets) - 1)] for mark in (node.start_mark, node.end_mark))
            yield _Scalar(start, end, node.style, node.value)
        else:
            waiting[:0] = [part for item in node.value for part in (item if isinstance(item, tuple) else (item,))]


def _offsets(lines: list[str], indent: int) -> Iterator[int]:
    """For each character of the text without its indentation, its offset in the text."""
    start = 0
    for line in lines:
        yield from range(start + min(indent, len(line)), start + len(line) + 1)
        start += len(line) + 1


def _ways(text: str, scalar: _Scalar, new: str) -> Iterator[str]:
    """Texts that may say what is wanted, the gentlest first."""
    raw = text[scalar.start : scalar.end]
    places = _aligned(raw, scalar)
    if places is not None:
        changed = raw
        changes = SequenceMatcher(None, scalar.value, new, False).get_opcodes()
        for kind, start, end, new_start, new_end in reversed(changes):
            if kind != "equal":
                last = places[end - 1] + 1 if end > start else places[start]
                changed = changed[: places[start]] + new[new_start:new_end] + changed[last:]
        yield text[: scalar.start] + changed + text[scalar.end :]
    tail = raw[len(raw.rstrip()) :]
    doubled, escaped = new.replace("'", "''"), new.replace("\\", "\\\\").replace('"', '\\"')
    quoted = f'"{escaped}"' if scalar.style == '"' else f"'{doubled}'"
    yield text[: scalar.start] + quoted + tail + text[scalar.end :]


def _aligned(raw: str, scalar: _Scalar) -> list[int] | None:
    """For each character of the value, and for its end, its offset in the raw text; None where it holds escapes."""
    if scalar.style == '"' and "\\" in raw:
        return None
    at = raw.find("\n") + 1 if scalar.style in ("|", ">") else 1 if scalar.style else 0
    places = []
    for character in scalar.value:
        while at < len(raw) and raw[at].isspace() and not character.isspace():
            at += 1
        if at == len(raw):
            return None if not character.isspace() else [*places, *[at] * (len(scalar.value) + 1 - len(places))]
        places.append(at)
        if character.isspace() and raw[at] != character:  # a folded line end
            while at < len(raw) and raw[at].isspace():
                at += 1
        elif raw[at] == character:
            at += 2 if scalar.style == "'" and raw[at : at + 2] == "''" else 1
        else:
            return None
    return [*places, at]
