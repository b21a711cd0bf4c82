"""Compare the index with ``links.lock``, so that a lost equation, a changed formula or changed code is seen as such."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linkindex.code import parse_piece
from linkindex.model import Equation, Finding, Index, Link, LockEntry, Place, Span
from linkindex.resolve.trees import fingerprint

ACCEPT = "if that is meant, accept it with `linkindex fix --write`"


def lock_entry(equation: Equation, links: tuple[Link, ...]) -> LockEntry:
    """What the lock notes of an equation. Lines and layout are left out: they may change freely."""
    code = "".join(fingerprint(parse_piece(link.span.code)) for link in links)
    return LockEntry(
        latex=hashlib.sha256(" ".join(equation.latex.split()).encode()).hexdigest()[:16],
        code=hashlib.sha256(code.encode()).hexdigest()[:16],
        function=links[0].function,
        test=equation.test,
    )


@dataclass(frozen=True)
class Locked:
    """What there is to lock of an equation now, and the place of its linked code."""

    entry: LockEntry
    span: Span


def lockable(equation: Equation, links: tuple[Link, ...]) -> Locked:
    return Locked(lock_entry(equation, links), links[0].span)


def check_lock(index: Index, now: Mapping[str, Locked], path: str) -> Iterator[Finding]:
    """``now``: what there is to lock of each equation whose code was found."""
    if index.lock is None:
        if index.published:
            message = "there is no lock file: write it with `linkindex fix --write`, and commit it"
            yield Finding(Place(path), "LI221", message)
        return
    known = {equation.id: equation for equation in index.published}
    for name, entry in index.lock.items():
        if name not in known and not index.cannot_read(name):
            message = f"{name} is in the lock, but no published page has such a record: restore the record; {ACCEPT}"
            yield Finding(Place(path, entry.line), "LI222", message)
    for name, equation in known.items():
        if name not in index.lock:
            yield Finding(equation.place, "LI223", f"{name} is not in {path}: add it with `linkindex fix --write`")
        elif name in now:
            yield from _changes(equation, index.lock[name], now[name].entry, now[name].span)


def _changes(equation: Equation, locked: LockEntry, now: LockEntry, span: Span) -> Iterator[Finding]:
    """What differs; a field that is empty in the lock could not be read, which is reported there."""
    if locked.latex not in ("", now.latex):
        place = equation.keys.get("latex", equation.place)
        yield Finding(place, "LI224", f"the formula of {equation.id} is not the one in the lock; {ACCEPT}")
    if locked.function not in ("", now.function):
        message = f"{equation.id} was linked to {locked.function}, and is now linked to {now.function}; {ACCEPT}"
        yield Finding(equation.probe.place, "LI225", message)
    elif locked.code not in ("", now.code):
        here = " ".join(span.code.split())
        message = f"the code linked by {equation.id} is not the code in the lock ({here!r} stands here now); {ACCEPT}"
        yield Finding(Place(span.file, span.line, span.col), "LI226", message)
    if now.test and locked.test not in ("", now.test):
        place = equation.keys.get("test", equation.place)
        yield Finding(place, "LI227", f"{equation.id} was linked to the test {locked.test}; {ACCEPT}")
