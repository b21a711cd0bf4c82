"""For each linked function of each record: where it is now, and which of its names were exchanged."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from linkindex.fix.memory import Memories, Remembered
from linkindex.fix.moved import Search, all_functions, place_of, search
from linkindex.fix.renaming import Followed, Memory, Names, follow, memory_of
from linkindex.model import Equation, Index
from linkindex.resolve import Finder
from linkindex.resolve.functions import Found, NotFound

PROBE, COMPUTES, ALSO = "in", "computes", "also"


@dataclass(frozen=True)
class Trace:
    """``found``: None where the function is lost. ``moved``: the record must name it. ``why``: what was tried."""

    record: str                                          # function as the record names it
    found: Found | None
    names: Names
    moved: bool = False
    why: str = ""

    @property
    def function(self) -> str | None:
        return self.found.function.name if self.found else None


Traces = Mapping[tuple[str, str], Trace]                 # (equation, PROBE, COMPUTES or ALSO) -> trace


def trace_all(
    index: Index, finder: Finder, memories: Memories, found: Container[str]
) -> tuple[Traces, Names]:
    """All traces, and the functions that were renamed: old to new plain name.

    ``found``: equations whose code is there.
    """
    traces = _Tracer(index, finder, memories, {}, found).traces()
    renamed = _renamed(traces)
    if renamed:  # code that calls a renamed function can be recognised now
        traces = _Tracer(index, finder, memories, renamed, found).traces()
        renamed = _renamed(traces)
    return traces, renamed


def record_functions(equation: Equation) -> list[tuple[str, str]]:
    """The functions that a record names, with the key that names them."""
    places = ((PROBE, equation.probe), (COMPUTES, equation.computes), (ALSO, equation.also))
    return [(key, place.function) for key, place in places if place]


def locked_function(equation: Equation, memory: Remembered, key: str) -> str | None:
    """The function that a key of the record meant when it was locked. Links stand in the order of the keys."""
    behind = 1 + len(equation.also.via) if equation.also and key == COMPUTES else 0
    position = 0 if key == PROBE else len(memory.links) - 1 - behind
    return memory.links[position].function if position >= 0 else None


def _renamed(traces: Traces) -> Names:
    """Names of functions that exist no more, with what they are called now."""
    moved = [(trace.record, trace.function) for trace in traces.values() if trace.moved and trace.function]
    plain = [(_plain(old), _plain(new)) for old, new in moved]
    return {old: new for old, new in plain if old != new}


def _plain(name: str) -> str:
    return name.rpartition(".")[2].partition("[")[0]


class _Tracer:
    def __init__(self, index: Index, finder: Finder, memories: Memories, renamed: Names, found: Container[str]):
        self.index, self.finder, self.memories = index, finder, memories
        self.renamed, self.found_equations = renamed, found

    def traces(self) -> dict[tuple[str, str], Trace]:
        result = {}
        for (record, function), users in self._groups().items():
            memory = memory_of(function, [self.memories[name] for name, _ in users])
            for (name, key), trace in self._group(record, memory, users):
                result[name, key] = trace
        return result

    def _groups(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """(function as records name it, function that was locked) -> the equations that link it."""
        groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for equation in self.index.equations:
            remembered = self.memories.get(equation.id)
            for key, record in record_functions(equation):
                if remembered and (function := locked_function(equation, remembered, key)):
                    groups.setdefault((record, function), []).append((equation.id, key))
        return groups

    def _group(
        self, record: str, memory: Memory, users: list[tuple[str, str]]
    ) -> Iterator[tuple[tuple[str, str], Trace]]:
        """One trace for all, where they stay together; else one for each."""
        found = self._find(record)
        if found is not None:
            followed = follow(memory, found, self.renamed)
            for name, key in users:
                # By people: nothing is lost.
                chosen = found.function.name != memory.function and name in self.found_equations
                names = {} if chosen else followed.names
                yield (name, key), Trace(record, found, names, why=self._elsewhere(memory.function, followed, name))
            return
        together = _moved(record, self._search(memory))
        for name, key in users:
            alone = together if together.found else _moved(record, self._search(self._alone(memory.function, name)))
            yield (name, key), alone if alone.found else together

    def _alone(self, function: str, name: str) -> Memory:
        """What is remembered for one equation: its code may have gone to another function than the rest."""
        return memory_of(function, [self.memories[name]])

    def _elsewhere(self, function: str, followed: Followed, name: str) -> str:
        """What could be meant by lost code of a function that is still there; it is left to people to decide."""
        if name in self.found_equations:
            return ""
        memory = self._alone(function, name)
        several = [
            f"{link.code!r} may be what stands in line {' or '.join(map(str, followed.doubtful[link]))}"
            for link in memory.links
            if link in followed.doubtful
        ]
        if several or not any(link in followed.lost for link in memory.links):
            return "; ".join(several)
        result = self._search(memory)
        if result.found:
            return f"{place_of(result.found)} holds it: name that function, if it was moved there"
        codes = " and ".join(repr(link.code) for link in memory.links)
        return "; ".join(result.candidates) or f"it is nowhere as it was locked: {codes}"

    def _find(self, record: str) -> Found | None:
        try:
            return self.finder.library.find(record)
        except NotFound:
            return None

    def _search(self, memory: Memory) -> Search:
        return search(memory, self._functions, self.renamed)

    @cached_property
    def _functions(self) -> tuple[Found, ...]:
        return tuple(all_functions(self.index.config, self.finder.library))


def _moved(record: str, result: Search) -> Trace:
    if result.found and result.followed:
        return Trace(record, result.found, result.followed.names, True)
    why = "; ".join(result.candidates) or "no function of the documented packages holds its linked code"
    return Trace(record, None, {}, why=why)
