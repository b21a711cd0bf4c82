"""A second site that works from ``file://``: addresses of folders become addresses of files, and search is left out.

A browser gives a page opened as a file no worker and no request for the search index, so the search box would do
nothing; the table of contents, the indexes and the browser's own search in the page remain.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from linkindex.site.tags import Edit, Tag, apply, tags, written

LEFT_OUT = ("404.html", "sitemap.xml", "sitemap.xml.gz", "search")
SEARCH_PARTS = ("search", "search-query", "search-result", "search-share", "search-suggest")


def make_offline(site: Path, target: Path) -> None:
    """Write the offline copy of a built site into ``target``, which must not exist."""
    shutil.copytree(site, target, ignore=lambda folder, names: LEFT_OUT if Path(folder) == site else ())
    for page in sorted(target.rglob("*.html")):
        page.write_text(offline_page(page.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def offline_page(html: str) -> str:
    return apply(html, (edit for tag in tags(html) for edit in _edits(tag)))


def _edits(tag: Tag) -> Iterator[Edit]:
    attributes = dict(tag.attributes)
    if "href" in attributes and tag.name in ("a", "link", "area"):
        attributes["href"] = file_address(attributes["href"] or "")
    if attributes.get("data-md-component") in SEARCH_PARTS:
        del attributes["data-md-component"]
        attributes["hidden"] = None
    elif tag.name == "label" and attributes.get("for") == "__search":
        attributes["hidden"] = None
    elif tag.name == "form" and attributes.get("name") == "search":
        del attributes["name"]  # with it, the theme would look for the index
    if tag.name == "link" and attributes.get("rel") == "preload":
        yield Edit(tag.start, tag.end, "")  # a preload is a request across origins, which files may not make
    elif attributes != tag.attributes:
        yield Edit(tag.start, tag.end, written(tag.name, attributes))


def file_address(address: str) -> str:
    """``../attention/#eq`` becomes ``../attention/index.html#eq``; other hosts and places in the page stay."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or not parts.path:
        return address
    path = parts.path
    if path.endswith("/") or path.rpartition("/")[2] in (".", ".."):
        path = path.rstrip("/") + "/index.html"
    return parts._replace(path=path).geturl()
