"""Files that keep computed results. What is damaged reads as missing, so that it is computed again.

Each file is a checksum and a body of JSON, written beside its place and moved there in one step.
"""

import contextlib
import hashlib
import itertools
import json
import math
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

FOLDER = "build/cache"


def read(path: Path) -> object | None:
    """What was written; None if there is nothing, or not what was written."""
    try:
        checksum, _, body = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return json.loads(body) if _checksum(path, body) == checksum else None


def write(path: Path, result: object, keep: int | None = None) -> None:
    """Put the result in the place of what was there; of two processes that write at once, one wins whole.

    ``keep``: of the files of the folder, only so many stay.
    """
    body = json.dumps(result)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(suffix=".new", dir=path.parent)
    with open(handle, "w", encoding="utf-8") as stream:
        stream.write(f"{_checksum(path, body)}\n{body}")
    os.replace(beside, path)
    if keep is not None:
        prune(path.parent, keep)


def kept(path: Path, make: Callable[[], object], is_final: Callable[[object], bool] = lambda result: True) -> object:
    """What ``make()`` gives, or gave when this was last asked for; the path names all that it depends on.

    A result that is not final is made again the next time.
    """
    result = read(path)
    if result is None:
        result = make()
        if is_final(result):
            write(path, result)
    else:
        touch(path)
    return result


def place(root: Path, kind: str, *parts: object) -> Path:
    """Where something of one kind is kept that this program makes of these parts, and of nothing else."""
    made_by = own_code(), platform.python_version(), platform.machine()
    name = hashlib.sha256(repr([*made_by, *parts]).encode()).hexdigest()
    return root / FOLDER / kind / f"{name}.json"


def touch(path: Path) -> None:
    """Note that a file was used."""
    with contextlib.suppress(OSError):
        os.utime(path)


def prune(folder: Path, keep: int, room: float = math.inf) -> None:
    """Remove the files that were not used for longest, beyond ``keep`` files and beyond ``room`` bytes."""
    used = []
    for path in folder.glob("*"):
        with contextlib.suppress(OSError):  # another process removed it
            state = path.stat()
            used.append((state.st_mtime_ns, path, state.st_size))
    used.sort(reverse=True)
    sums = itertools.accumulate(size for _, _, size in used)
    for number, ((_, path, _), total) in enumerate(zip(used, sums, strict=True)):
        if number >= keep or total > room:
            path.unlink(missing_ok=True)


@cache
def own_code() -> str:
    """The hash of this program: a changed rule must not be answered with what an older one found."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()


@cache
def distributions() -> tuple[str, ...]:
    """Names and versions of all that is installed, and where that is which is installed to be edited."""
    folders = [Path(entry) for entry in sys.path if entry and Path(entry).is_dir()]
    names = {path.name for folder in folders for path in folder.glob("*.dist-info")}
    places = {path.read_text(errors="replace") for folder in folders for path in folder.glob("*.pth")}
    finders = {path.read_text(errors="replace") for folder in folders for path in folder.glob("__editable__*.py")}
    return tuple(sorted(names | places | finders))


def _checksum(path: Path, body: str) -> str:
    """Of the name too: a file under another one's name is not what was written there."""
    return hashlib.sha256(f"{path.name}\n{body}".encode()).hexdigest()
