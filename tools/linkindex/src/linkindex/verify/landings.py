"""Every code link of link-index.json lands on the code it names (LI723)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import unquote, urlsplit

from linkindex.model import Finding, Index, Place
from linkindex.verify.clean import unless_clean
from linkindex.verify.html import Element
from linkindex.verify.linkindexfile import read_entries
from linkindex.verify.site import HtmlPage, Site


def check_landings(site: Site, index: Index) -> Iterator[Finding]:
    by_page: dict[str, list[tuple[str, Mapping]]] = {}
    for entry in read_entries(site, index.config.root):
        for link in entry["links"]:
            by_page.setdefault(unquote(urlsplit(link["url"]).path), []).append((entry["id"], link))
    for path, links in by_page.items():
        page = site.pages.get(f"{path}index.html" if path.endswith("/") else path)
        things = ["landings", path, page.digest if page else None, links]
        yield from unless_clean(index.config.root, things, partial(_check, page, path, links))


def _check(page: HtmlPage | None, path: str, links: Iterable[tuple[str, Mapping]]) -> Iterator[Finding]:
    for identity, link in links:
        if why := _why_not(page, identity, link) if page else f"the site has no page {path!r}":
            place = Place(link["file"], link["line"], link["col"])
            message = f"the link of {identity} to {link['url']} does not show its code: {why}: build again"
            yield Finding(place, "LI723", message)


def _why_not(page: HtmlPage, identity: str, link: Mapping) -> str | None:
    parts = urlsplit(link["url"])
    if parts.fragment != f"L{link['line']}":
        return f"expected the anchor 'L{link['line']}', found {parts.fragment!r}"
    lines = []
    for number in range(link["line"], link["end_line"] + 1):
        element = page.ids.get(f"L{number}")
        if element is None:
            return f"{page.path} has no anchor 'L{number}'"
        lines.append(_line(element))
    linked = tuple(_slices(lines, link))
    shown = "\n".join(map(_text, linked))
    if shown != link["code"]:
        return f"expected {link['code']!r}, found {shown!r} at columns {link['col']} to {link['end_col']}"
    if not all(identity in character.equations for line in linked for character in line):
        return f"not all of its code is marked with data-eq={identity!r} on {page.path}"
    return None


@dataclass(frozen=True)
class Character:
    """A character of a source line as the page shows it, with the equations that its marks name."""

    text: str
    equations: frozenset[str]


def characters(element: Element, equations: frozenset[str] = frozenset()) -> Iterator[Character]:
    """The code of a line, character by character."""
    inside = equations | set(element.attributes.get("data-eq", "").split()) if element.tag == "mark" else equations
    for child in element.children:
        if isinstance(child, str):
            yield from (Character(text, inside) for text in child)
        else:
            yield from characters(child, inside)


def _line(element: Element) -> tuple[Character, ...]:
    """The line at an anchor; numbers and links beside the code do not count."""
    code = next((below for below in element.walk() if below.tag == "code"), element)
    return tuple(character for character in characters(code) if character.text != "\n")


def _slices(lines: list[tuple[Character, ...]], link: Mapping) -> Iterator[tuple[Character, ...]]:
    """What stands between the link's columns; on lines between the first and the last, everything."""
    last = len(lines) - 1
    for number, line in enumerate(lines):
        yield line[link["col"] - 1 if number == 0 else 0 : link["end_col"] - 1 if number == last else None]


def _text(line: tuple[Character, ...]) -> str:
    return "".join(character.text for character in line)
