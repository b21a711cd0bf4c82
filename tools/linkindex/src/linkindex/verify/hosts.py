"""What a page loads comes from the site itself, and no code stands in the page (LI715, LI716)."""

from collections.abc import Iterator

from linkindex.model import Finding, Place
from linkindex.verify.html import Element
from linkindex.verify.references import addresses, css_addresses, split
from linkindex.verify.site import HtmlPage, Site

# A link that a person follows is not a request of the page; neither is metadata.
_FOLLOWED = frozenset({"a", "area"})
_METADATA = frozenset({"canonical", "alternate", "license", "author", "next", "prev", "edit"})
_CODE = frozenset({"script", "style"})
_DATA_SCRIPTS = frozenset({"application/json", "application/ld+json"})


def check_hosts(page: HtmlPage) -> Iterator[Finding]:
    """For sites that ask for it: ``offline = true`` in their settings."""
    for element in page.elements:
        if element.attributes or element.tag in _CODE:
            yield from _requests(page, element)
            yield from _inline(page, element)


def check_style_sheets(site: Site) -> Iterator[Finding]:
    for path in sorted(site.files):
        if path.endswith(".css"):
            css = (site.root / path).read_text(encoding="utf-8")
            for address in css_addresses(css):
                if _is_foreign(address):
                    yield Finding(Place(f"site/{path}"), "LI715", _foreign(address))


def _requests(page: HtmlPage, element: Element) -> Iterator[Finding]:
    if element.tag in _FOLLOWED:
        return
    relations = set(element.attributes.get("rel", "").lower().split())
    if element.tag == "link" and relations and relations <= _METADATA:
        return
    css = element.attributes.get("style", "") + (element.text if element.tag == "style" else "")
    for address in (*addresses(element), *(css_addresses(css) if css else ())):
        if _is_foreign(address):
            yield page.finding("LI715", _foreign(address), element, address)


def _inline(page: HtmlPage, element: Element) -> Iterator[Finding]:
    """Anything that the policy ``default-src 'self'`` would refuse to run or apply."""
    what = None
    if element.tag == "script" and "src" not in element.attributes:
        what = None if element.attributes.get("type", "").lower() in _DATA_SCRIPTS else "an inline script"
    elif element.tag == "style":
        what = "an inline style sheet"
    elif "style" in element.attributes:
        what = "a style attribute"
    elif handlers := [name for name in element.attributes if name.startswith("on")]:
        what = f"the inline handler {handlers[0]!r}"
    elif any(address.lower().startswith("javascript:") for address in addresses(element)):
        what = "a javascript: address"
    if what:
        message = f"<{element.tag}> on line {element.line} of {page.path} has {what}: move it to a file of the site"
        yield page.finding("LI716", message, element)


def _is_foreign(address: str) -> bool:
    parts = split(address)
    return bool(parts.netloc) or parts.scheme in ("http", "https", "ftp", "ws", "wss")


def _foreign(address: str) -> str:
    return f"the page would load {address!r} from another host: ship the file with the site"
