"""The new lock file, and what it accepts: what changed since it was last written, old and new side by side."""

from collections.abc import Iterator, Mapping

from linkindex.fix.alike import renamed
from linkindex.fix.names import tree_of
from linkindex.fix.remember import remember
from linkindex.fix.renaming import Names
from linkindex.fix.traces import COMPUTES, PROBE, Trace, Traces
from linkindex.load import LOCK
from linkindex.load.lock import lock_text
from linkindex.model import Index, LockedCode, LockEntry, Place, Resolution
from linkindex.resolve import Finder
from linkindex.resolve.trees import same

Lock = Mapping[str, LockEntry]


def lock_path(index: Index) -> str:
    return f"{index.config.docs}/{LOCK}"


def new_lock(index: Index, resolution: Resolution, finder: Finder) -> dict[str, LockEntry]:
    """Entries of all equations; one whose code or test is lost keeps the entry that it had."""
    old = index.lock or {}
    kept = {equation.id: old[equation.id] for equation in index.equations if equation.id in old}
    return kept | remember(index, resolution, finder)


def lock_file_text(lock: Lock) -> str:
    return lock_text(dict(lock))


def accepted(index: Index, resolution: Resolution, new: Lock, traces: Traces, functions: Names) -> Iterator[str]:
    """One line for each thing that the new lock says otherwise than the old one."""
    old = index.lock or {}
    for name in sorted(old.keys() - new.keys()):
        yield f"{name}: dropped, no record has this id any more"
    for name, entry in sorted(new.items()):
        before = old.get(name)
        if before is None:
            yield f"{name}: new"
        elif entry is not before:
            trace = [traces.get((name, key)) for key in (PROBE, COMPUTES)]
            yield from (
                f"{name}: {line}" for line in _changes(before, entry, trace, functions, _places(name, resolution))
            )


def _places(name: str, resolution: Resolution) -> list[Place]:
    return [Place(link.span.file, link.span.line, link.span.col) for link in resolution.links.get(name, ())]


def _changes(
    old: LockEntry, new: LockEntry, traces: list[Trace | None], functions: Names, places: list[Place]
) -> Iterator[str]:
    if old.latex != new.latex:
        yield "accepts another formula than the one that was locked"
    if old.function != new.function:
        yield f"in {old.function}, now in {new.function}"
    if old.code != new.code:
        if len(old.links) == len(new.links):
            for before, now, place in zip(old.links, new.links, places):
                yield from _code_change(before, now, place, traces, functions)
        else:
            codes = " and ".join(repr(link.code) for link in old.links) or "not noted in the old lock file"
            yield f"ACCEPTS CHANGED CODE: was {codes}, is {' and '.join(repr(link.code) for link in new.links)}"
    if old.test != new.test:
        yield f"tested by {old.test}, now by {new.test}"
    elif old.body and old.body != new.body:
        yield f"its test {new.test} was edited"


def _code_change(
    before: LockedCode, now: LockedCode, place: Place, traces: list[Trace | None], functions: Names
) -> Iterator[str]:
    old, new = tree_of(before.code), tree_of(now.code)
    if old is not None and new is not None and same(old, new):
        return
    ways = [renamed(before.code, trace.names, functions) for trace in traces if trace]
    only_names = any(same(tree_of(way), new) for way in ways)
    what = "renamed" if only_names else "ACCEPTS CHANGED CODE"
    yield f"{what}: was {before.code!r}, is {now.code!r} ({place.path}:{place.line}:{place.col})"
