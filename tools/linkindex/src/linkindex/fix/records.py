"""What a page's records must say after a repair: functions, pieces of code, and names of tests."""

from collections.abc import Iterator, Mapping

from linkindex.fix.alike import renamed
from linkindex.fix.renaming import Names
from linkindex.fix.scalars import Replacement
from linkindex.fix.traces import ALSO, COMPUTES, PROBE, Trace, Traces
from linkindex.load.yamltree import Items, Table, Text, Tree
from linkindex.model import Equation


def record_changes(
    table: Table, equations: tuple[Equation, ...], traces: Traces, functions: Names, tests: Mapping[str, str]
) -> Iterator[Replacement]:
    """``table``: the page's YAML. ``functions``: old to new plain name. ``tests``: equation -> its test now."""
    for equation in equations:
        entry = table.entries.get(equation.id)
        if isinstance(entry, Table):
            probe, computes = traces.get((equation.id, PROBE)), traces.get((equation.id, COMPUTES))
            yield from _code_changes(entry, probe, functions, (PROBE, "code", "via", "where"))
            for key in (COMPUTES, ALSO):
                inner = entry.entries.get(key)
                if isinstance(inner, Table):
                    yield from _code_changes(inner, traces.get((equation.id, key)), functions, (PROBE, "code", "via"))
            yield from _mutants(entry.entries.get("equivalent"), computes or probe, functions)
            if equation.id in tests:
                yield from _text(entry.entries.get("test"), tests[equation.id])


def _code_changes(table: Table, trace: Trace | None, functions: Names, keys: tuple[str, ...]) -> Iterator[Replacement]:
    if trace is None:
        return
    function, *codes = keys
    if trace.moved and trace.function:
        yield from _text(table.entries.get(function), trace.function)
    for key in codes:
        for tree in texts_in(table.entries.get(key)):
            yield from _text(tree, renamed(tree.value, trace.names, functions))


def _mutants(tree: Tree | None, trace: Trace | None, functions: Names) -> Iterator[Replacement]:
    """Equivalent mutants are keys: the code that they would be."""
    if isinstance(tree, Table) and trace:
        for code, place in tree.keys.items():
            new = renamed(code, trace.names, functions)
            if new != code:
                yield Replacement(place, code, new)


def texts_in(tree: Tree | None) -> Iterator[Text]:
    """The single texts of a value: itself, or those of a list or a mapping."""
    match tree:
        case Text():
            yield tree
        case Items(values=values):
            yield from (inner for value in values for inner in texts_in(value))
        case Table(entries=entries):
            yield from (inner for value in entries.values() for inner in texts_in(value))


def _text(tree: Tree | None, new: str) -> Iterator[Replacement]:
    if isinstance(tree, Text) and tree.value != new:
        yield Replacement(tree.place, tree.value, new)
