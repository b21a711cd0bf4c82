"""Find remembered code in a function as it is now, and see which names were exchanged on the way.

A piece whose operators, constants or order changed is not found: only names may differ, and only such that the old name
has gone, the new one was not there, and what the new one is bound to is what the old one was bound to.
"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from linkindex.fix.alike import Pairs, inner_names, name_pairs
from linkindex.fix.memory import LockedCode, Remembered
from linkindex.fix.names import PARAMETER, bindings, mentioned, names_in, tree_of
from linkindex.resolve.assignments import assignments
from linkindex.resolve.functions import Found
from linkindex.resolve.trees import own_nodes

Names = Mapping[str, str]


@dataclass(frozen=True)
class Memory:
    """What is remembered of one function: linked code, and what the names in it are bound to."""

    function: str
    links: tuple[LockedCode, ...]
    names: Names


@dataclass(frozen=True)
class Followed:
    """``names``: old to new name. ``lost``: linked code that is gone; ``doubtful``: there in several ways, at lines."""

    names: Names
    lost: tuple[LockedCode, ...]
    doubtful: Mapping[LockedCode, tuple[int, ...]] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return not self.lost and not self.doubtful

    @property
    def exact(self) -> bool:
        return self.complete and all(old == new for old, new in self.names.items())


def memory_of(function: str, entries: Iterable[Remembered]) -> Memory:
    entries = list(entries)
    links = dict.fromkeys(link for entry in entries for link in entry.links if link.function == function)
    names: dict[str, str] = {}
    for entry in entries:
        names = {**entry.names.get(function, {}), **names}
    return Memory(function, tuple(links), {link.name: link.code for link in links if link.name} | names)


def follow(memory: Memory, found: Found, functions: Names) -> Followed:
    """Where the remembered code went in a function. ``functions``: old to new name of functions that were renamed."""
    matcher = _Matcher(memory, found, functions)
    names: Names = {}
    waiting, before = list(memory.links), None
    while len(waiting) != before:  # what is found settles names, and so finds more
        before = len(waiting)
        for link in list(waiting):
            ways = matcher.ways(link, names)
            if len(ways) == 1:
                names = dict(next(iter(ways)))
                waiting.remove(link)
    ways = {link: matcher.ways(link, names) for link in waiting}
    return Followed(
        names=matcher.other_names(names),
        lost=tuple(link for link, each in ways.items() if not each),
        doubtful={link: tuple(sorted(each.values())) for link, each in ways.items() if each},
    )


class _Matcher:
    def __init__(self, memory: Memory, found: Found, functions: Names):
        self.memory, self.found, self.functions = memory, found, functions
        self.bindings = bindings(found.node)
        self.mentioned = mentioned(found.node)
        old = [name for link in memory.links for name in (link.name, *names_in(link.code)) if name]
        self.known = {*old, *memory.names}

    def ways(self, link: LockedCode, names: Names) -> dict[frozenset[tuple[str, str]], int]:
        """The ways to read the function as holding this code: names as they must be then -> a line."""
        wanted = tree_of(link.code)
        result: dict[frozenset[tuple[str, str]], int] = {}
        for target, node in self._pieces(link, wanted):
            pairs = name_pairs(wanted, node, self.functions)
            if pairs is not None:
                named = [(link.name, target)] * bool(link.name)
                more = self._extended(names, named + pairs, _inner_pairs(wanted, node, pairs))
                if more is not None:
                    result.setdefault(frozenset(more.items()), node.lineno)
        return result

    def _pieces(self, link: LockedCode, wanted: ast.expr | None) -> list[tuple[str, ast.expr]]:
        if link.name:
            every = assignments(self.found.node)
            return [(one.target, one.value) for one in every if one.value is not None and one.target.isidentifier()]
        return [("", node) for node in own_nodes(self.found.node) if type(node) is type(wanted)]

    def _extended(
        self, names: Names, pairs: Pairs, inner: frozenset = frozenset(), linked: bool = True
    ) -> dict[str, str] | None:
        """The names with these pairs added; None where that contradicts itself or the code."""
        result = dict(names)
        for old, new in pairs:
            if (old, new) in inner or result.get(old) == new:
                continue
            if old in result or new in result.values():
                return None
            result[old] = new
            if new not in (old, self.functions.get(old)):
                proved = self._proved(result, old, new, linked)
                if proved is None:
                    return None
                result = proved
        return result

    def _proved(self, names: dict[str, str], old: str, new: str, linked: bool) -> dict[str, str] | None:
        """Whether a new name is an old one: what it is bound to says so."""
        if old in self.mentioned or new in self.known or new not in self.bindings:
            return None
        before, now = self.memory.names.get(old), self.bindings[new]
        if before is None:
            return None if linked else names  # a name that stands in no linked code, only in what leads to it
        if before.startswith(PARAMETER) or now.startswith(PARAMETER):
            return names if before == now else None
        value, new_value = tree_of(before), tree_of(now)
        pairs = name_pairs(value, new_value, self.functions)
        if pairs is None:
            return None
        return self._extended(names, pairs, _inner_pairs(value, new_value, pairs), linked=False)

    def other_names(self, names: Names) -> Names:
        """The names, and those of symbols that stand in no linked code."""
        for old in self.memory.names:
            if old not in names:
                candidates = [old] if old in self.mentioned else list(self.bindings)
                ways = [more for new in candidates if (more := self._extended(names, [(old, new)])) is not None]
                names = ways[0] if len(ways) == 1 else names
        return names


def _inner_pairs(old: ast.expr, new: ast.expr, pairs: Pairs) -> frozenset[tuple[str, str]]:
    """Pairs of names that both pieces bind themselves, if they pair off one to one."""
    before, now = inner_names(old), inner_names(new)
    inner = {pair for pair in pairs if pair[0] in before and pair[1] in now}
    one_to_one = len({old for old, _ in inner}) == len({new for _, new in inner}) == len(inner)
    return frozenset(inner) if one_to_one else frozenset()
