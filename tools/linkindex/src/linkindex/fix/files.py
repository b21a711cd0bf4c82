"""Show what would change in files, and write all of it or nothing."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
BOM = "\ufeff"


@dataclass(frozen=True)
class Change:
    """A file's text before and after; line ends are "\\n" here, and stay what they are in the file."""

    path: str
    old: str
    new: str


def difference(changes: Iterable[Change]) -> str:
    """One unified diff of all changes."""
    return "".join(line for change in changes if change.old != change.new for line in _diff(change))


def _diff(change: Change) -> Iterable[str]:
    old, new = change.old.splitlines(True), change.new.splitlines(True)
    for line in difflib.unified_diff(old, new, change.path, f"{change.path} (new)"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def write_all(root: Path, changes: Iterable[Change]) -> None:
    """Write every file beside its place first, and move them there when all are written. Raises OSError; then all files
    are what they were."""
    pairs: list[tuple[Path, Path]] = []
    before: list[tuple[Path, bytes | None]] = []
    try:
        for change in changes:
            if change.old != change.new:
                path = root / change.path
                beside = path.with_name(f".{path.name}.new")
                pairs.append((beside, path))
                beside.write_bytes(_with_line_ends(path, change.new).encode())
        for beside, path in pairs:
            before.append((path, path.read_bytes() if path.is_file() else None))
            beside.replace(path)
    except OSError:
        for path, data in before:
            path.write_bytes(data) if data is not None else path.unlink(missing_ok=True)
        raise
    finally:
        for beside, _ in pairs:
            beside.unlink(missing_ok=True)


def _with_line_ends(path: Path, new: str) -> str:
    """The new text with the file's own byte order mark and line ends."""
    text = path.read_bytes().decode() if path.is_file() else ""
    mark = BOM if text.startswith(BOM) else ""
    lines = LINE.findall(text.removeprefix(BOM))
    end = next((line[len(line.rstrip("\r\n")) :] for line in lines if line.endswith(("\r", "\n"))), "\n")
    plain = [line.rstrip("\r\n") + "\n" * line.endswith(("\r", "\n")) for line in lines]
    wanted = LINE.findall(new)
    result = []
    for kind, start, stop, new_start, new_stop in difflib.SequenceMatcher(None, plain, wanted, False).get_opcodes():
        kept = (
            lines[start:stop] if kind == "equal" else [line.replace("\n", end) for line in wanted[new_start:new_stop]]
        )
        result.extend(kept)
    return mark + "".join(result)
