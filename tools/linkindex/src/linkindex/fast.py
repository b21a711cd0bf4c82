"""`linkindex check --fast`: load, resolve and formulas, remembering what was found in files that have not changed.

An equation whose record, notation and files are those of an earlier, clean check is not looked for again. What is
remembered is only what the lock needs; anything damaged or out of date is found anew.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from linkindex import store
from linkindex.followers import without_followers
from linkindex.load import load
from linkindex.model import Config, Equation, Finding, Index, LockEntry, Page, Span
from linkindex.quiet_gc import collector_paused
from linkindex.resolve import Finder, check_whole
from linkindex.resolve.lock import Locked, lockable

FILE = f"{store.FOLDER}/places.json"


def check_fast(config: Config) -> tuple[Index, tuple[Finding, ...]]:
    """The index, and what is wrong with records, places, formulas and links; no code of the project runs."""
    with collector_paused():
        index, findings = load(config)
        memory = _Memory(index)
        finder = Finder(index)
        now = {}
        for page in index.pages:
            for equation in page.equations:
                locked = memory.recall(page, equation) or _find(finder, memory, page, equation)
                now |= {equation.id: locked} if locked else {}
            finder.check_latex(page.statements)
        finder.functions({})
        finder.mentioned()
        wrong = [*finder.findings, *check_whole(index, now)]
        memory.save()
    return index, without_followers({*findings, *wrong}, index)


def _find(finder: Finder, memory: "_Memory", page: Page, equation: Equation) -> Locked | None:
    noted = len(finder.findings)
    places = finder.places(page, equation)
    if not places.links:
        return None
    locked = lockable(equation, places.links)
    if len(finder.findings) == noted:
        memory.note(page, equation, locked, places.files)
    return locked


class _Memory:
    """Equation key -> [files with their hashes, lock entry, span]."""

    def __init__(self, index: Index):
        self.root = index.config.root
        self.hash = cache(self._hash)
        common = _digest(store.own_code(), repr(replace(index.config, root=Path())), _layout(index))
        self.base = {page.stem: _digest(common, _notation(page)) for page in index.pages}
        self.old: Mapping[str, list] = store.read(self.root / FILE) or {}
        self.new: dict[str, list] = {}

    def _hash(self, path: str) -> str | None:
        try:
            return hashlib.sha256((self.root / path).read_bytes()).hexdigest()
        except OSError:
            return None

    def _key(self, page: Page, equation: Equation) -> str:
        probe = equation.probe
        parts = [probe.function, probe.code, equation.at, probe.via, equation.test, equation.latex, equation.id]
        parts.append(equation.is_property)
        for key, place in (("computes", equation.computes), ("also", equation.also)):
            parts += [key, place.function, place.code, place.via] if place else []
        return _digest(self.base[page.stem], *map(repr, parts))

    def recall(self, page: Page, equation: Equation) -> Locked | None:
        key = self._key(page, equation)
        if key not in self.old or any(self.hash(path) != digest for path, digest in self.old[key][0]):
            return None
        self.new[key] = self.old[key]
        _, entry, span = self.old[key]
        return Locked(LockEntry(*entry), Span(*span))

    def note(self, page: Page, equation: Equation, locked: Locked, files: tuple[str, ...]) -> None:
        entry, span = locked.entry, locked.span
        self.new[self._key(page, equation)] = [
            [[path, self.hash(path)] for path in dict.fromkeys(files)],
            [entry.latex, entry.code, entry.function, entry.test],
            [span.file, span.line, span.col, span.end_line, span.end_col, span.code],
        ]

    def save(self) -> None:
        if self.new != self.old:
            store.write(self.root / FILE, self.new)


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def _notation(page: Page) -> str:
    return repr([(one.latex, one.code, dict(one.family), dict(one.by_function)) for one in page.notation])


def _layout(index: Index) -> str:
    """The names of all modules: a new file may stand before the one that a name meant."""
    config = index.config
    folders = (config.root / base / package.replace(".", "/") for package in config.packages for base in ("", "src"))
    return _digest(*(str(path) for folder in folders for path in sorted(folder.rglob("*.py"))))
