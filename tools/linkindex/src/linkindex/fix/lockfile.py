"""The new lock, and what it accepts: what changed since it was last written, old and new side by side."""

from collections.abc import Iterable, Iterator, Mapping

from linkindex.fix.alike import renamed
from linkindex.fix.files import Change
from linkindex.fix.memory import LockedCode, Memories, memories_text, memory_path
from linkindex.fix.names import tree_of
from linkindex.fix.renaming import Names
from linkindex.fix.traces import COMPUTES, PROBE, Traces
from linkindex.load import LOCK
from linkindex.load.lock import lock_text
from linkindex.load.text import read_text
from linkindex.model import Config, Index, LockEntry, Resolution
from linkindex.resolve.lock import NO_CODE, lock_entry, statement_entry
from linkindex.resolve.trees import same

Lock = Mapping[str, LockEntry]


def new_lock(index: Index, resolution: Resolution) -> dict[str, LockEntry]:
    """Entries of all equations and statements; an equation whose code or test is lost keeps the entry that it had."""
    old = index.lock or {}
    kept = {equation.id: old[equation.id] for equation in index.equations if equation.id in old}
    stated = {one.id: statement_entry(one) for page in index.pages for one in page.statements}
    return kept | stated | {
        equation.id: lock_entry(equation, resolution.links[equation.id])
        for equation in index.equations
        if equation.id in resolution.links and equation.id in resolution.tests
    }


def kept_files(config: Config, lock: Lock, memories: Memories) -> tuple[Change, ...]:
    """The files of the lock, and of what is remembered beside it, that are to be written anew."""
    texts = {f"{config.docs}/{LOCK}": lock_text(lock), memory_path(config): memories_text(memories)}
    changes = (Change(path, _text(config, path), new) for path, new in texts.items())
    return tuple(change for change in changes if change.old != change.new)


def _text(config: Config, path: str) -> str:
    file = config.root / path
    return (read_text(file, path, []) or "") if file.is_file() else ""


def accepted(
    index: Index, resolution: Resolution, new: Lock, before: Memories, now: Memories, traces: Traces, functions: Names
) -> Iterator[str]:
    """One line for each thing that the new lock says otherwise than the old one, and for each edited test. ``before``
    and ``now``: what was remembered, and what will be."""
    old = index.lock or {}
    for name in sorted(old.keys() - new.keys()):
        yield f"{name}: dropped, no record has this id any more"
    for name, entry in sorted(new.items()):
        if name not in old:
            yield f"{name}: new"
        elif entry is not old[name]:
            code = _code_changes(name, resolution, before, now, traces, functions)
            yield from (f"{name}: {line}" for line in _changes(old[name], entry, list(code)))
            if name in before and old[name].test == entry.test and before[name].body != now[name].body:
                yield f"{name}: its test {entry.test} was edited"


def _changes(old: LockEntry, new: LockEntry, code: list[str]) -> Iterator[str]:
    if "" in (old.latex, old.code, old.function, old.test):
        yield "what it was linked to cannot be read in the damaged lock"
    if old.latex not in ("", new.latex):
        yield "accepts another formula than the one that was locked"
    if old.function not in ("", new.function):
        yield f"in {old.function}, now in {new.function}"
    if old.code not in ("", new.code):
        yield from code or (["ACCEPTS CHANGED CODE: what it was is not remembered"] if new.function != NO_CODE else [])
    if old.test not in ("", new.test):
        yield f"tested by {old.test}, now by {new.test}"


def _code_changes(
    name: str, resolution: Resolution, before: Memories, now: Memories, traces: Traces, functions: Names
) -> Iterator[str]:
    """How the code of an equation differs from what is remembered of it; nothing where nothing is."""
    if name not in now:                                  # a statement
        return
    old, new = before[name].links if name in before else (), now[name].links
    if old and len(old) != len(new):
        yield f"ACCEPTS CHANGED CODE: was {_quoted(old)}, is {_quoted(new)}"
    ways = [trace.names for key in (PROBE, COMPUTES) if (trace := traces.get((name, key)))]
    for was, link, place in zip(old, new, resolution.links[name]) if len(old) == len(new) else ():
        tree, new_tree = tree_of(was.code), tree_of(link.code)
        if tree is None or new_tree is None or not same(tree, new_tree):
            only_names = any(same(tree_of(renamed(was.code, names, functions)), new_tree) for names in ways)
            what, span = "renamed" if only_names else "ACCEPTS CHANGED CODE", place.span
            yield f"{what}: was {was.code!r}, is {link.code!r} ({span.file}:{span.line}:{span.col})"


def _quoted(links: Iterable[LockedCode]) -> str:
    return " and ".join(repr(link.code) for link in links)
