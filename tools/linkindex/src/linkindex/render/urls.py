"""Addresses inside the site: of pages and of source lines."""

import posixpath
from urllib.parse import quote


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


def evidence_stem(stem: str) -> str:
    """Stem of the evidence page of a page: "attention" -> "evidence/attention"."""
    folder, name = posixpath.split(stem)
    page = "index-page" if name == "index" else name  # index would be the report itself
    return posixpath.join("evidence", folder, page)


def evidence_url(stem: str, equation: str | None = None) -> str:
    """Address of the evidence for a page, or for one of its equations."""
    return page_url(evidence_stem(stem)) + (f"#{evidence_anchor(equation)}" if equation else "")


def evidence_anchor(equation: str) -> str:
    return "evidence-" + equation.replace(".", "-")
