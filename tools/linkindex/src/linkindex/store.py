"""Files that keep computed results. What is damaged reads as missing, so that it is computed again.

Each file is a checksum and a body of JSON, written beside its place and moved there in one step.
"""

import hashlib
import json
from pathlib import Path

FOLDER = "build/cache"


def read(path: Path) -> object | None:
    """What was written; None if there is nothing, or not what was written."""
    try:
        checksum, _, body = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return json.loads(body) if _checksum(body) == checksum else None


def write(path: Path, result: object, keep: int | None = None) -> None:
    """Write, and remove the oldest files of the folder beyond ``keep``."""
    body = json.dumps(result)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text(f"{_checksum(body)}\n{body}", encoding="utf-8")
    beside.replace(path)
    if keep is not None:
        entries = sorted(path.parent.glob("*.json"), key=lambda entry: entry.stat().st_mtime, reverse=True)
        for old in entries[keep:]:
            old.unlink(missing_ok=True)


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()
