"""``links.lock``: what each equation is linked to, in short lines that people read in a diff, sorted by id::

    attention.scores
      latex 3e57aefa33902828
      code 2196cd51e45db2f4
      in transformer.attention.scaled_dot_product_forward
      test tests/transformer/test_attention.py::test_scores

``latex`` and ``code`` are hashes of the formula and of the linked code. Only `linkindex fix --write` writes the file,
so every character is known: a line that it would write otherwise is damaged.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from linkindex.model import Finding, LockEntry, Place

HEAD = "# What each equation is linked to; only `linkindex fix --write` writes here.\n"
ID = re.compile(r"\S+\.[a-z0-9]+(-[a-z0-9]+)*")
HASH, TEXT = re.compile("[0-9a-f]{16}"), re.compile(r"\S.*")
FACTS = {"latex": ("latex", HASH), "code": ("code", HASH), "in": ("function", TEXT), "test": ("test", TEXT)}
MOST_SHOWN = 40  # characters of a damaged line

Block = Sequence[tuple[int, str]]  # the lines of one entry, with their numbers


class _Damaged(Exception):
    """``line``: its number."""

    def __init__(self, line: int, expected: str, found: str):
        self.line, self.expected, self.found = line, expected, found


def read_lock(text: str, path: str, findings: list[Finding]) -> dict[str, LockEntry]:
    """The entries by id. What is damaged is one finding for each entry; the other entries are read."""
    entries: dict[str, LockEntry] = {}
    damaged: list[_Damaged] = []
    lines = text.split("\n")
    lost = False  # where the next entry begins: what stands before it was reported with the last one
    for (line, name), *facts in _blocks(lines):
        found = len(damaged)
        if ID.fullmatch(name):
            end = line + len(facts)
            fields = dict.fromkeys((field for field, _ in FACTS.values()), "")
            try:
                _read_facts(name, (*facts, (end + 1, "".join(lines[end : end + 1]))), fields)
            except _Damaged as error:
                damaged.append(error)
            entries[name] = LockEntry(**fields, line=line)
        elif not lost:
            damaged.append(_Damaged(line, "the id of an equation", name))
        lost = len(damaged) > found or (lost and name not in entries)
    if entries and not damaged and (wanted := lock_text(entries)) != text:
        damaged.append(_difference(wanted.split("\n"), lines))
    findings += [Finding(Place(path, one.line), "LI120", _message(one)) for one in damaged]
    return entries


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    """Each line that is not indented begins an entry."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            if block and not line.startswith(" "):
                yield block
                block = []
            block.append((number, line))
    if block:
        yield block


def _read_facts(name: str, lines: Block, fields: dict[str, str]) -> None:
    """Fills the fields one by one. ``lines``: those below the id, and the one behind them. Raises _Damaged at the first
    that is not as it was written."""
    for (key, (field, form)), (number, line) in zip(FACTS.items(), lines):
        value = line.removeprefix(f"  {key} ")
        if value == line or not form.fullmatch(value):
            raise _Damaged(number, f"the line '  {key} ...' of {name}", line)
        fields[field] = value
    if len(lines) > len(FACTS) + 1:
        number, line = lines[len(FACTS)]
        raise _Damaged(number, f"nothing more of {name}", line)


def _difference(wanted: Sequence[str], found: Sequence[str]) -> _Damaged:
    pairs = enumerate(zip_longest(wanted, found, fillvalue=""), 1)
    return next(_Damaged(number, repr(one), other) for number, (one, other) in pairs if one != other)


def _message(damaged: _Damaged) -> str:
    shown = damaged.found if len(damaged.found) <= MOST_SHOWN else f"{damaged.found[:MOST_SHOWN]}..."
    return (
        f"this line is damaged: expected {damaged.expected}, found {shown!r}: "
        "restore the file from version control, or write it anew with `linkindex fix --write`"
    )


def lock_text(entries: Mapping[str, LockEntry]) -> str:
    """The text of a lock file that holds these entries."""
    return HEAD + "".join(_entry_text(name, entry) for name, entry in sorted(entries.items()))


def _entry_text(name: str, entry: LockEntry) -> str:
    facts = "".join(f"  {key} {getattr(entry, field)}\n" for key, (field, _) in FACTS.items())
    return f"\n{name}\n{facts}"
