"""Links inside the site: the file exists, and so does the anchor, letter for letter (LI710, LI711)."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from urllib.parse import SplitResult, unquote, urlsplit

from linkindex import store
from linkindex.model import Finding
from linkindex.verify.html import Element
from linkindex.verify.site import HtmlPage, Site

ADDRESSES = "addresses"
# Attributes that hold an address: by element, and of every element.
_ADDRESSES = {
    "a": ("href",),
    "area": ("href",),
    "link": ("href",),
    "form": ("action",),
    "object": ("data",),
    "video": ("poster",),
}
_EVERYWHERE = ("src", "xlink:href")
_URL = re.compile(r"""url\(\s*["']?([^"')]*)["']?\s*\)|@import\s+["']([^"']+)["']""")


def addresses(element: Element) -> Iterator[str]:
    """Every address that an element points to."""
    if not element.attributes:
        return
    for attribute in (*_ADDRESSES.get(element.tag, ()), *_EVERYWHERE):
        if attribute in element.attributes:
            yield element.attributes[attribute].strip()
    for candidate in element.attributes.get("srcset", "").split(","):
        if candidate.strip():
            yield candidate.split()[0]


def css_addresses(css: str) -> Iterator[str]:
    """Every address of a style sheet: ``url(...)`` and ``@import``."""
    for match in _URL.finditer(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        yield (match[1] or match[2] or "").strip()


def check_references(site: Site, page: HtmlPage) -> Iterator[Finding]:
    kept = store.kept(store.place(page.project, ADDRESSES, page.digest), lambda: sorted(_all_addresses(page)))
    dead = {address for address in kept if any(_check(site, page, None, address))}
    for element in page.elements if dead else ():
        for address in dead.intersection(addresses(element)):
            yield from _check(site, page, element, address)


def _all_addresses(page: HtmlPage) -> set[str]:
    return {address for element in page.elements for address in addresses(element)}


def split(address: str) -> SplitResult:
    """Like urlsplit; what is no valid address at all is taken for a path, and so found missing."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", address, "", "")


def _check(site: Site, page: HtmlPage, element: Element | None, address: str) -> Iterator[Finding]:
    parts = split(address)
    if parts.scheme or parts.netloc:
        return
    target = site.resolve(page, parts.path) if parts.path else page.path
    if target is None or target not in site.files:
        if page.path == "404.html":
            return  # it is shown at any address, so its links start at the host's root, which only the host knows
        near = get_close_matches(target or parts.path, site.files, 1)
        message = f"the link {address!r} leads to no file of the site{_hint(near)}: correct the link, or add the file"
        yield page.finding("LI710", message, element, parts.path)
    elif parts.fragment and target in site.pages:
        fragment, anchors = unquote(parts.fragment), site.pages[target].anchors
        if fragment not in anchors:
            near = sorted(name for name in anchors if name.casefold() == fragment.casefold())
            near = near or get_close_matches(fragment, sorted(anchors), 1)
            message = (
                f"the link {address!r} leads to the page {target}, which has no anchor {fragment!r}{_hint(near)}: "
                "correct the link, or give the target that anchor"
            )
            yield page.finding("LI711", message, element, parts.fragment)


def _hint(near: list[str]) -> str:
    return f"; the nearest is {near[0]!r}" if near else ""
