"""Addresses: pages and source lines inside the site, and permalinks to a commit of the hosted repository."""

import posixpath
from urllib.parse import quote

_SHOWN_AS_PAGE = (".md", ".rst", ".ipynb")               # hosts render these, and then #L10 leads nowhere


def page_url(stem: str) -> str:
    """Address of a page from the site root: "attention/"; an index page is its folder."""
    folder, name = posixpath.split(stem)
    return quote(f"{folder}/" if name == "index" and folder else "" if name == "index" else f"{stem}/")


def source_url(file: str, line: int | None = None) -> str:
    """Address of a source page, or of a line on it: "source/transformer/attention.py/#L81"."""
    return quote(f"source/{file}/") + (f"#L{line}" if line else "")


def relative(here: str, there: str) -> str:
    """``there`` as seen from the page ``here``; both are addresses from the site root."""
    path, hash_mark, anchor = there.partition("#")
    if path == here:
        return hash_mark + anchor or "./"
    way = posixpath.relpath("/" + path, "/" + here)
    return f"{way}/" + hash_mark + anchor


def permalink(repository: str | None, commit: str | None, file: str, line: int, end_line: int) -> str | None:
    """Address of the lines at a commit; None where repository or commit is unknown."""
    if not repository or not commit:
        return None
    base = repository.rstrip("/").removesuffix(".git")
    plain = "?plain=1" if file.endswith(_SHOWN_AS_PAGE) else ""
    lines = f"#L{line}" if line == end_line else f"#L{line}-L{end_line}"
    return f"{base}/blob/{commit}/{quote(file)}{plain}{lines}"
