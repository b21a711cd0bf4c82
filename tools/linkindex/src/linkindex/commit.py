"""The commit that the work tree shows, asked of git."""

import subprocess
from pathlib import Path


def head_commit(root: Path) -> str | None:
    """The full hash of HEAD; None outside a repository, or where tracked files differ from it."""
    commit = _git(root, "rev-parse", "--verify", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", ".")
    return commit if commit and changed == "" else None


def committed_text(root: Path, commit: str, path: str) -> bytes | None:
    """A file as it is in a commit."""
    return _run(root, "show", f"{commit}:./{path}")


def is_published(root: Path, commit: str) -> bool:
    """Whether a commit is known to be in another repository: a remote branch holds it, or its hash was fetched."""
    if _git(root, "for-each-ref", "--count=1", "--contains", commit, "refs/remotes", "refs/pipelines"):
        return True
    return _run(root, "merge-base", "--is-ancestor", commit, "FETCH_HEAD") is not None


def folder_in_repository(root: Path) -> str:
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
