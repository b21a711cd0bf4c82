"""Results, each kept with what it reached: it is used again where all of that is as it was.

A file belongs to one request and says what its latest results reached, each of which has a file of its own. Its name
covers the request, what computes, the settings in the environment, and the names of all files among which code is
looked for. Neither the clock nor other variables are watched: what else counts stands in the configuration.
"""

import hashlib
import json
import os
import platform
import sys
from pathlib import Path

from linkindex import store
from linkindex.run.dependencies import Dependencies
from linkindex.run.layout import files_where_code_is_read

KEPT, ROOM = 3000, 100 * 2**20  # files, bytes; those unused for longest are removed beyond either
VARIANTS = 4  # results of one request: an edit that is taken back finds the one before
SETTINGS = ("PYTHON", "PYTEST_ADDOPTS", "PYTEST_PLUGINS")  # how the names of variables begin
VARIABLE = "env:"  # before the name of one that the configuration names


class Cache:
    """The kept results of one kind. A result is plain data with "reached" in it."""

    def __init__(self, kind: str, dependencies: Dependencies):
        self.dependencies = dependencies
        self.folder = dependencies.root / store.FOLDER / kind
        self._common = _common(dependencies)

    def find(self, request: object) -> dict | None:
        """A result of the request that still holds."""
        index = self._path(request)
        for digest, reached in store.read(index) or ():
            if self.dependencies.digest(reached) == digest:
                store.touch(index)
                store.touch(_variant(index, digest))
                return store.read(_variant(index, digest))
        return None

    def latest(self, request: object) -> dict | None:
        """The last result of the request, whether it still holds or not."""
        index = self._path(request)
        variants = store.read(index)
        return store.read(_variant(index, variants[0][0])) if variants else None

    def keep(self, request: object, result: dict) -> None:
        """Keep a result, unless something that it reached was changed while it was computed."""
        if not self.dependencies.changed_meanwhile(result["reached"]):
            index, digest = self._path(request), self.dependencies.digest(result["reached"])
            others = [entry for entry in store.read(index) or () if entry[0] != digest]
            store.write(_variant(index, digest), result)
            store.write(index, [[digest, result["reached"]], *others[: VARIANTS - 1]])
            for forgotten, _ in others[VARIANTS - 1 :]:
                _variant(index, forgotten).unlink(missing_ok=True)

    def prune(self) -> None:
        store.prune(self.folder, KEPT, ROOM)

    def _path(self, request: object) -> Path:
        text = json.dumps([self._common, request], sort_keys=True)
        return self.folder / f"{hashlib.sha256(text.encode()).hexdigest()}.json"


def _variant(index: Path, digest: str) -> Path:
    return index.with_name(f"{index.stem}-{digest}.json")


def _common(dependencies: Dependencies) -> list:
    return [
        store.own_code(),
        [sys.version, platform.machine(), list(sys.flags), *store.distributions()],
        sorted((name, value) for name, value in os.environ.items() if name.startswith(SETTINGS)),
        files_where_code_is_read(dependencies.config),
        [_state(dependencies.root, name) for name in dependencies.config.depends],
    ]


def _state(root: Path, name: str) -> object:
    """Of a variable, "env:NAME", its value; of a pattern of files, their contents."""
    if name.startswith(VARIABLE):
        return os.environ.get(name.removeprefix(VARIABLE))
    files = (path for path in sorted(root.glob(name)) if path.is_file())
    return [[path.relative_to(root).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()] for path in files]
