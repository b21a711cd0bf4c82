"""The built site as the checks see it: its files, its pages as trees, and the source that each page was made from."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from linkindex import store
from linkindex.markup import scan
from linkindex.model import DRAFTS, Finding, Index, Place
from linkindex.verify.html import Element, parse

ANCHORS = "anchors"


@dataclass(frozen=True)
class HtmlPage:
    """One HTML file; ``source`` is the text of the file people wrote it in, if there is one. ``project``: the folder in
    which it is kept what was read from the page."""

    path: str                                            # from the site root: "attention/index.html"
    html: str
    source_path: str | None
    source: str
    project: Path

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.html.encode()).hexdigest()

    @cached_property
    def root(self) -> Element:
        return parse(self.html)

    @cached_property
    def anchors(self) -> frozenset[str]:
        """Ids, and the names that old pages give to <a>: where links to the page may lead."""
        return frozenset(store.kept(store.place(self.project, ANCHORS, self.digest), self._anchors))

    def _anchors(self) -> list[str]:
        found = ((e.tag, e.attributes) for e in self.elements) if "elements" in vars(self) else _tags(self.html)
        pairs = ((attributes.get("id"), tag == "a" and attributes.get("name")) for tag, attributes in found)
        return sorted({name for pair in pairs for name in pair if name})

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        return tuple(self.root.walk())

    @cached_property
    def ids(self) -> Mapping[str, Element]:
        return {name: element for element in reversed(self.elements) if (name := element.attributes.get("id"))}

    def finding(self, code: str, message: str, element: Element | None = None, written: str = "") -> Finding:
        """A finding placed in the source, at the line that holds ``written``; without a source, in the HTML file."""
        if self.source_path is None:
            return Finding(Place(f"site/{self.path}", element.line if element else 1), code, message)
        return Finding(_line_of(written, self.source, self.source_path), code, message)


@dataclass(frozen=True)
class Site:
    root: Path
    files: frozenset[str]                                # paths from the site root, with forward slashes
    pages: Mapping[str, HtmlPage]                        # path -> page

    def resolve(self, page: HtmlPage, address: str) -> str | None:
        """The file that an address without query and fragment means, seen from ``page``; None if it leaves the site."""
        address = unquote(address)
        parts = [] if address.startswith("/") else page.path.split("/")[:-1]
        for part in address.split("/"):
            if part == "..":
                if not parts:
                    return None
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        path = "/".join(parts)
        index = f"{path}/index.html".lstrip("/")
        return index if path not in self.files and index in self.files else path


def read_site(folder: Path, index: Index) -> Site:
    """Read all HTML below ``folder``."""
    files = frozenset(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    sources = dict(_sources(index))
    pages = {}
    for path in sorted(files):
        if path.endswith(".html"):
            source = sources.get(path)
            file = index.config.root / source if source else None
            text = file.read_text(encoding="utf-8-sig") if file and file.is_file() else ""
            html = (folder / path).read_text(encoding="utf-8")
            pages[path] = HtmlPage(path, html, source if text else None, text, index.config.root)
    return Site(folder, files, pages)


def html_path(stem: str) -> str:
    """Where MkDocs writes the page of ``docs/<stem>.md``, with directory addresses."""
    folder, _, name = stem.rpartition("/")
    if name == "index":
        return f"{folder}/index.html".lstrip("/")
    return f"{stem}/index.html"


def _tags(html: str) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """The tags that may be anchors, without the tree: other processes make that."""
    for markup in scan(html):
        if markup.name and not markup.is_end and (markup.name == "a" or "id" in markup.text.lower()):
            yield markup.name, dict(reversed(markup.attributes()))


def _sources(index: Index) -> Iterator[tuple[str, str]]:
    for page in index.pages:
        yield html_path(page.stem), page.path
    docs = index.config.root / index.config.docs
    for path in docs.rglob("*.ipynb"):
        stem = path.relative_to(docs).with_suffix("").as_posix()
        if not stem.startswith(DRAFTS):
            yield html_path(stem), path.relative_to(index.config.root).as_posix()


def _line_of(written: str, source: str, path: str) -> Place:
    if written:
        for number, line in enumerate(source.split("\n"), start=1):
            column = line.find(written)
            if column >= 0:
                return Place(path, number, column + 1)
    return Place(path)
