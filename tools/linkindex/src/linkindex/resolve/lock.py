"""Compare the index with ``links.lock``, so that a lost equation, a changed formula or changed code is seen as such."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linkindex.code import parse_piece
from linkindex.model import Equation, Finding, Index, Link, LockEntry, Place, Record, Span, Statement
from linkindex.resolve.trees import fingerprint

NO_CODE, NO_TEST = "no code", "no test"                 # what the lock says of a statement in place of names
ACCEPT = "if that is meant, accept it with `linkindex fix --write`"


def lock_entry(equation: Equation, links: tuple[Link, ...]) -> LockEntry:
    """What the lock notes of an equation. Lines and layout are left out: they may change freely."""
    code = "".join(fingerprint(parse_piece(link.span.code)) for link in links)
    return _entry(equation, code, links[0].function, equation.test)


def statement_entry(statement: Statement) -> LockEntry:
    """In words, where an equation has names: what becomes a statement, or no longer is one, differs in each line."""
    return _entry(statement, "", NO_CODE, NO_TEST)


def _entry(record: Record, code: str, function: str, test: str) -> LockEntry:
    latex = " ".join(record.latex.split())
    return LockEntry(_hash(latex), _hash(code), function, test)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Locked:
    """What there is to lock of an equation now, and the place of its linked code."""

    entry: LockEntry
    span: Span | None                                    # None: a statement has none


def lockable(equation: Equation, links: tuple[Link, ...]) -> Locked:
    return Locked(lock_entry(equation, links), links[0].span)


def check_lock(index: Index, now: Mapping[str, Locked], path: str) -> Iterator[Finding]:
    """``now``: what there is to lock of each equation whose code was found."""
    if index.lock is None:
        if index.published:
            message = "there is no lock file: write it with `linkindex fix --write`, and commit it"
            yield Finding(Place(path), "LI221", message)
        return
    now = {**now, **{one.id: Locked(statement_entry(one), None) for page in index.pages for one in page.statements}}
    known = {record.id: record for record in index.published}
    for name, entry in index.lock.items():
        if name not in known and not index.cannot_read(name):
            message = f"{name} is in the lock, but no published page has such a record: restore the record; {ACCEPT}"
            yield Finding(Place(path, entry.line), "LI222", message)
    for name, equation in known.items():
        if name not in index.lock:
            yield Finding(equation.place, "LI223", f"{name} is not in {path}: add it with `linkindex fix --write`")
        elif name in now:
            yield from _changes(equation, index.lock[name], now[name].entry, now[name].span)


def _changes(equation: Record, locked: LockEntry, now: LockEntry, span: Span | None) -> Iterator[Finding]:
    """What differs; a field that is empty in the lock could not be read, which is reported there."""
    if locked.latex not in ("", now.latex):
        place = equation.keys.get("latex", equation.place)
        yield Finding(place, "LI224", f"the formula of {equation.id} is not the one in the lock; {ACCEPT}")
    if locked.function not in ("", now.function):
        message = f"{equation.id} was linked to {locked.function}, and is now linked to {now.function}; {ACCEPT}"
        yield Finding(equation.keys.get("in", equation.place), "LI225", message)
    elif span and locked.code not in ("", now.code):
        here = " ".join(span.code.split())
        message = f"the code linked by {equation.id} is not the code in the lock ({here!r} stands here now); {ACCEPT}"
        yield Finding(Place(span.file, span.line, span.col), "LI226", message)
    if span and now.test and locked.test not in ("", NO_TEST, now.test):
        place = equation.keys.get("test", equation.place)
        yield Finding(place, "LI227", f"{equation.id} was linked to the test {locked.test}; {ACCEPT}")
