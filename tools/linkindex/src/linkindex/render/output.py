"""Write the generated pages: only what changed, and without what an earlier run left behind."""

from collections.abc import Mapping
from pathlib import Path

MANIFEST = ".rendered"                                   # paths written by the last run; MkDocs ignores dot files


def write(out: Path, pages: Mapping[str, str]) -> None:
    """Make ``out`` hold exactly ``pages`` (path -> text) of what render writes; other files are left alone.

    A page that has not changed keeps its time stamp, so that a server that watches the folder does not rebuild it.
    """
    for stale in sorted(set(_manifest(out)) - set(pages)):
        (out / stale).unlink(missing_ok=True)
        _remove_empty(out, (out / stale).parent)
    for path, text in {**pages, MANIFEST: "".join(f"{path}\n" for path in sorted(pages))}.items():
        _write_if_changed(out / path, text.encode())


def _manifest(out: Path) -> list[str]:
    try:
        lines = (out / MANIFEST).read_text(encoding="utf-8").split("\n")
    except (FileNotFoundError, UnicodeDecodeError):
        return []
    # A damaged manifest must not lead outside of the folder.
    return [line for line in lines if line.endswith((".md", ".js")) and _is_below(Path(line))]


def _is_below(path: Path) -> bool:
    return not path.is_absolute() and ".." not in path.parts


def _write_if_changed(path: Path, data: bytes) -> None:
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _remove_empty(out: Path, folder: Path) -> None:
    while folder != out and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
