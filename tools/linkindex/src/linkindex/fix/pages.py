"""What a page must say after a repair: code in the options of directives, and the functions it lists."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from linkindex.directives import declaration, texts
from linkindex.fix.alike import renamed
from linkindex.fix.names import mentioned, names_in
from linkindex.fix.records import texts_in
from linkindex.fix.renaming import Names
from linkindex.fix.scalars import Replacement, replace_scalars
from linkindex.fix.traces import Trace, Traces
from linkindex.kinds import Kind, Meaning
from linkindex.load.yamltree import Items, Table, Text, Tree, read_yaml
from linkindex.model import Concept, Directive, Page
from linkindex.refs import parse_ref

INDENT = 4


@dataclass(frozen=True)
class Shown:
    """A directive, and the traces of the functions that its code is read in."""

    directive: Directive
    traces: tuple[Trace, ...]


def page_text(page: Page, text: str, traces: Traces, functions: Names) -> str:
    """The page's text with renamed code and moved functions. Raises CannotEdit."""
    lines = text.split("\n")
    moved = {trace.record: trace.function for trace in traces.values() if trace.moved and trace.function}
    for shown in reversed(list(_shown(page, traces))):  # from the end, so that the lines above keep their numbers
        first = shown.directive.place.line
        if any(texts(shown.directive, Meaning.LISTED)):
            lines[first - 1] = _listing(lines[first - 1], moved)
        end = _end_of_options(lines, first)
        options = "\n".join(lines[first:end])
        changes = list(_changes(options, shown, first + 1, functions))
        if changes:
            lines[first:end] = replace_scalars(options, changes, first + 1, INDENT).split("\n")
    return "\n".join(lines)


def _shown(page: Page, traces: Traces) -> Iterator[Shown]:
    everywhere = traces_of([equation.id for equation in page.equations], traces)
    for block in page.blocks:
        near = traces_of(block.equations, traces) if isinstance(block, Concept) else everywhere
        for inner in block.blocks if isinstance(block, Concept) else (block,):
            if isinstance(inner, Directive):
                yield Shown(inner, near)


def traces_of(equations: Collection[str], traces: Traces) -> tuple[Trace, ...]:
    """The traces of these equations whose functions are there."""
    return tuple(trace for (name, _), trace in traces.items() if name in equations and trace.found)


def _listing(line: str, moved: Mapping[str, str]) -> str:
    return re.sub(r"(?<=\s)\S+", lambda match: moved.get(match[0], match[0]), line)


def _end_of_options(lines: list[str], first: int) -> int:
    end = first
    while end < len(lines) and (lines[end].startswith(" " * INDENT) or not lines[end].strip()):
        end += 1
    return end


def _changes(options: str, shown: Shown, first_line: int, functions: Names) -> Iterator[Replacement]:
    plain = "\n".join(line[INDENT:] for line in options.split("\n"))
    table, _ = read_yaml(plain, shown.directive.place.path, first_line, INDENT + 1)
    declared = declaration(shown.directive.name)
    kinds = {name: option.kind for name, option in declared.options.items()} if declared else {}
    for tree in _refs(table, kinds, None):
        ref = parse_ref(tree.value)
        new = None if ref is None or ref.call else _new_ref(tree.value, shown.traces, functions)
        if new and new != tree.value:
            yield Replacement(tree.place, tree.value, new)


def _refs(tree: Tree, parts: Mapping[str, Kind], kind: Kind | None) -> Iterator[Text]:
    """The values that are references to code. ``parts``: what a table holds, ``kind``: what a text is."""
    match tree:
        case Table(entries=entries):
            named = dict.fromkeys(entries, kind) if kind and not parts else parts
            for key, value in entries.items():
                if key in named:
                    yield from _refs(value, named[key].parts, named[key])
        case Items(values=values):
            for value in values:
                yield from _refs(value, parts, kind)
        case Text() if kind and kind.meaning is Meaning.VALUE:
            yield from texts_in(tree)


def _new_ref(code: str, traces: tuple[Trace, ...], functions: Names) -> str | None:
    """The code as it is called now; None where it can be read as it is, or where it is not clear what it became."""
    ways = set()
    for trace in traces:
        new, known = renamed(code, trace.names, functions), mentioned(trace.found.node)
        if set(names_in(new)) <= known:
            ways.add(new)
    return ways.pop() if len(ways) == 1 else None
