"""`linkindex fix`: bring links.lock up to date, showing first what would change."""

import difflib
from pathlib import Path

from linkindex.load import LOCK
from linkindex.load.lock import lock_text
from linkindex.model import Index, Resolution
from linkindex.resolve.lock import lock_entry


def new_lock(index: Index, resolution: Resolution) -> str:
    """The lock file for the index as it is. Raises ValueError while a record is not found: it would be locked wrong."""
    lost = [equation.id for equation in index.equations if equation.id not in resolution.links]
    if lost:
        raise ValueError(f"the code of {', '.join(lost)} is not found: mend these records first (see `linkindex check --fast`)")
    if not index.equations:
        raise ValueError("there are no equations: an empty lock would accept that all of them were lost")
    return lock_text({equation.id: lock_entry(equation, resolution.links[equation.id]) for equation in index.equations})


def fix_lock(index: Index, resolution: Resolution, write: bool) -> str:
    """The difference between the lock file and what it should be; written if asked. Raises ValueError."""
    path = index.config.root / index.config.docs / LOCK
    old = path.read_text(encoding="utf-8") if path.is_file() else ""
    new = new_lock(index, resolution)
    name = path.relative_to(index.config.root).as_posix()
    difference = difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, f"{name} (new)")
    if write and new != old:
        _replace(path, new)
    return "".join(difference)


def _replace(path: Path, text: str) -> None:
    beside = path.with_suffix(".new")
    beside.write_text(text, encoding="utf-8", newline="\n")
    beside.replace(path)
