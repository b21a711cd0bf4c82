"""Permalinks: addresses of source lines at one commit of the hosted repository, for files that this commit holds;
and the commit that the work tree shows, asked of git."""

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from linkindex.sources import decode_lines

RENDERED = frozenset({".md", ".rst", ".ipynb"})  # hosts show these as pages, on which line anchors lead nowhere


def permalink(repository: str, commit: str, path: str, line: int, end_line: int) -> str:
    """The address of lines of a file: ``path`` is relative to the repository, which a browser or git may name."""
    plain = "?plain=1" if PurePosixPath(path).suffix.lower() in RENDERED else ""
    lines = f"#L{line}" if line == end_line else f"#L{line}-L{end_line}"
    return f"{web_address(repository)}/blob/{commit}/{quote(path)}{plain}{lines}"


def web_address(repository: str) -> str:
    """The repository's front page, from any address that git or people use: without user, ``.git`` or a branch."""
    address = re.sub(r"^(?:[\w.-]+@)([\w.-]+):(?!//)", r"https://\1/", repository.strip())  # git@host:owner/name
    address = re.sub(r"^(?:ssh|git|http|https)://(?:[^@/]+@)?([^/:]+)(?::22)?/", r"https://\1/", address)
    address = re.sub(r"^(https://[^/]+/[^/]+/[^/]+?)/(?:-/)?(?:tree|blob)/.*$", r"\1", address)
    return address.rstrip("/").removesuffix(".git")


@dataclass(frozen=True)
class Permalinks:
    """Permalinks of one build; ``why`` says why there are none."""

    repository: str = ""
    commit: str = ""
    folder: str = ""  # of the project in the repository: "" or "sub/folder/"
    files: frozenset[str] = frozenset()  # that the commit holds exactly as they were read
    why: str | None = None

    def of(self, file: str, line: int, end_line: int) -> str | None:
        """None where the lines of the file are not known to be those of the commit."""
        if file not in self.files:
            return None
        return permalink(self.repository, self.commit, self.folder + file, line, end_line)


def permalinks(root: Path, repository: str | None, commit: str | None, sources: Mapping[str, str]) -> Permalinks:
    """Permalinks for ``sources`` (path -> text with "\\n" as line end), each compared with the commit's own file."""
    if not repository:
        return Permalinks(why="no repository is configured")
    if not commit:
        return Permalinks(why="the commit is not known, or tracked files differ from it")
    if not _is_published(root, commit):
        return Permalinks(why=f"no branch of a remote repository holds the commit {commit}: push it")
    files = frozenset(path for path, text in sources.items() if _committed(root, commit, path) == text)
    return Permalinks(repository, commit, _folder_in_repository(root), files)


def _committed(root: Path, commit: str, path: str) -> str | None:
    data = _committed_text(root, commit, path)
    try:
        return None if data is None else "\n".join(decode_lines(data))
    except (SyntaxError, UnicodeDecodeError):
        return None


# --- asked of git


def head_commit(root: Path) -> str | None:
    """The full hash of HEAD; None outside a repository, or where tracked files differ from it."""
    commit = _git(root, "rev-parse", "--verify", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", ".")
    return commit if commit and changed == "" else None


def _committed_text(root: Path, commit: str, path: str) -> bytes | None:
    """A file as it is in a commit."""
    return _run(root, "show", f"{commit}:./{path}")


def _is_published(root: Path, commit: str) -> bool:
    """Whether a commit is known to be in another repository: a remote branch holds it, or its hash was fetched."""
    if _git(root, "for-each-ref", "--count=1", "--contains", commit, "refs/remotes", "refs/pipelines"):
        return True
    return _run(root, "merge-base", "--is-ancestor", commit, "FETCH_HEAD") is not None


def _folder_in_repository(root: Path) -> str:
    """The project's folder as seen from the top of the repository: "" or "sub/folder/"."""
    return _git(root, "rev-parse", "--show-prefix") or ""


def _git(root: Path, *arguments: str) -> str | None:
    output = _run(root, *arguments)
    return None if output is None else output.decode(errors="replace").strip()


def _run(root: Path, *arguments: str) -> bytes | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
