"""What the code of symbols must be after a repair, in the registry and in the notation of pages.

A symbol has one code, which is read in several functions: a variable must have been renamed in all of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linkindex.fix.alike import renamed
from linkindex.fix.names import mentioned, names_in
from linkindex.fix.records import texts_in
from linkindex.fix.renaming import Names
from linkindex.fix.scalars import Replacement
from linkindex.fix.traces import PROBE, Trace, Traces
from linkindex.load.yamltree import Items, Table, Text, Tree
from linkindex.model import Finding, Index, Resolution


@dataclass(frozen=True)
class Use:
    """A symbol in one formula: the notation where its code is written, and where that code is read."""

    latex: str
    owner: Table                                         # the registry, or the page's notation if that gives the code
    trace: Trace


def symbol_changes(
    index: Index,
    resolution: Resolution,
    registry: Table,
    notations: Mapping[str, Tree | None],
    traces: Traces,
    functions: Names,
) -> tuple[list[Replacement], list[Finding]]:
    """``notations``: page -> its YAML under ``notation``. Findings where functions disagree on the name."""
    uses: dict[tuple[int, str], list[Use]] = {}
    for page in index.pages:
        for equation in page.equations:
            trace = traces.get((equation.id, PROBE))
            formula = resolution.formulas.get(equation.id)
            for latex in formula.symbols if trace and trace.found and formula else ():
                owner = _owner(latex, notations.get(page.stem), registry)
                uses.setdefault((id(owner), latex), []).append(Use(latex, owner, trace))
    changes, refusals = [], []
    for each in uses.values():
        for tree in _codes(each[0]):
            wanted = _wanted(tree.value, each, functions)
            new = [code for code in wanted if code != tree.value]
            if len(wanted) == 1 and new:
                changes.append(Replacement(tree.place, tree.value, new[0]))
            elif new:
                refusals.append(_disagreement(each[0].latex, tree, wanted))
    return changes, refusals


def _owner(latex: str, notation: Tree | None, registry: Table) -> Table:
    """The table whose entry gives the symbol's code."""
    for table in notation.values if isinstance(notation, Items) else (notation,):
        entry = table.entries.get(latex) if isinstance(table, Table) else None
        if isinstance(entry, Table) and "code" in entry.entries:
            return table
    return registry


def _codes(use: Use) -> Iterator[Text]:
    entry = use.owner.entries.get(use.latex)
    if isinstance(entry, Table):
        yield from texts_in(entry.entries.get("code"))


def _wanted(code: str, uses: list[Use], functions: Names) -> dict[str, set[str]]:
    """What the code must be, with the functions that say so; a function in which it cannot be read says nothing."""
    wanted: dict[str, set[str]] = {}
    for use in uses:
        new = renamed(code, use.trace.names, functions)
        if set(names_in(new)) <= mentioned(use.trace.found.node):
            wanted.setdefault(new, set()).add(use.trace.function)
    return wanted


def _disagreement(latex: str, tree: Text, wanted: Mapping[str, set[str]]) -> Finding:
    readings = "; ".join(f"{code!r} in {', '.join(sorted(functions))}" for code, functions in sorted(wanted.items()))
    message = (
        f"the symbol {latex} has one code, {tree.value!r}, and it would be {readings}: "
        "give the variable one name in all of them"
    )
    return Finding(tree.place, "LI803", message)
