"""What a page must say after a repair: code in options of directives and in sentences, and the functions it lists."""

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
from linkindex.model import Concept, Directive, Index, Page, Prose
from linkindex.refs import in_prose, parse_ref

INDENT = 4
_CODE = (Meaning.VALUE, Meaning.MUTANT)


@dataclass(frozen=True)
class Shown:
    """A block, and the traces of the functions that its code may be read in: the nearest ones first."""

    block: Directive | Prose
    levels: tuple[tuple[Trace, ...], ...]

    def now(self, code: str, functions: Names) -> str:
        """The code as it is called now; as it is, where it is not clear what it became."""
        ref = parse_ref(code)
        found = None if ref is None or ref.call else (_new_ref(code, level, functions) for level in self.levels)
        return next(filter(None, found or ()), code)


def page_text(index: Index, page: Page, text: str, traces: Traces, functions: Names) -> str:
    """The page's text with renamed code and moved functions. Raises CannotEdit."""
    lines = text.split("\n")
    moved = {trace.record: trace.function for trace in traces.values() if trace.moved and trace.function}
    for shown in reversed(list(shown_in(index, page, traces))):  # from the end: the lines above keep their numbers
        first = shown.block.place.line
        if isinstance(shown.block, Prose):
            new = _sentences(shown, functions).split("\n")
            lines[first - 1 : first - 1 + len(new)] = new
            continue
        if any(texts(shown.block, Meaning.LISTED)):
            lines[first - 1] = _listing(lines[first - 1], moved)
        end = _end_of_options(lines, first)
        options = "\n".join(lines[first:end])
        changes = list(_changes(options, shown, first + 1, functions))
        if changes:
            lines[first:end] = replace_scalars(options, changes, first + 1, INDENT).split("\n")
    return "\n".join(lines)


def shown_in(index: Index, page: Page, traces: Traces) -> Iterator[Shown]:
    """The blocks of a page; of one that shows values of another page, or an equation of it, with its functions."""
    of_page = {one.stem: traces_of([equation.id for equation in one.equations], traces) for one in index.pages}
    home = {equation.id: one.stem for one in index.pages for equation in one.equations}
    for block in page.blocks:
        near = traces_of(block.equations, traces) if isinstance(block, Concept) else ()
        for inner in block.blocks if isinstance(block, Concept) else (block,):
            if isinstance(inner, Directive):
                named = [inner.options.get("page"), *map(home.get, inner.arguments)]
                elsewhere = next((stem for stem in named if isinstance(stem, str) and stem in of_page), None)
                yield Shown(inner, (of_page[elsewhere],) if elsewhere else (near, of_page[page.stem]))
            else:
                yield Shown(inner, (near, of_page[page.stem]))


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


def _sentences(shown: Shown, functions: Names) -> str:
    text = shown.block.text
    for match in reversed(list(in_prose(text))):
        text = text[: match.start("ref")] + shown.now(match["ref"], functions) + text[match.end("ref") :]
    return text


def _changes(options: str, shown: Shown, first_line: int, functions: Names) -> Iterator[Replacement]:
    plain = "\n".join(line[INDENT:] for line in options.split("\n"))
    table, _ = read_yaml(plain, shown.block.place.path, first_line, INDENT + 1)
    declared = declaration(shown.block.name)
    kinds = {name: option.kind for name, option in declared.options.items()} if declared else {}
    for tree in _refs(table, kinds, None):
        new = shown.now(tree.value, functions)
        if new != tree.value:
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
        case Text() if kind and kind.meaning in _CODE:
            yield from texts_in(tree)


def _new_ref(code: str, traces: tuple[Trace, ...], functions: Names) -> str | None:
    """The code as it is called now; None where it can be read as it is, or where it is not clear what it became."""
    ways = set()
    for trace in traces:
        new, known = renamed(code, trace.names, functions), mentioned(trace.found.node)
        if set(names_in(new)) <= known:
            ways.add(new)
    return ways.pop() if len(ways) == 1 else None
