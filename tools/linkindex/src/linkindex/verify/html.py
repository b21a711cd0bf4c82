"""HTML as a tree of elements and text, with the line of each element."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape

from linkindex.markup import scan

_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())


@dataclass(eq=False, slots=True)
class Element:
    """``children`` holds elements and strings; only the parser appends to it."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    parent: "Element | None" = None
    children: list["Element | str"] = field(default_factory=list)

    def walk(self) -> Iterator["Element"]:
        """This element and all below it, in document order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(child for child in reversed(element.children) if isinstance(child, Element))

    def ancestors(self) -> Iterator["Element"]:
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    @property
    def classes(self) -> frozenset[str]:
        return frozenset(self.attributes.get("class", "").split())


def parse(html: str) -> Element:
    """The document; its root is an element without a tag."""
    root = opened = Element("", {}, 1)
    position, line = 0, 1
    for markup in scan(html):
        _add_text(opened, html[position : markup.start])
        line += html.count("\n", position, markup.start)
        if markup.name and not markup.is_end:
            # Where an attribute stands twice, browsers take the first.
            attributes = {name: value or "" for name, value in reversed(markup.attributes())}
            element = Element(markup.name, attributes, line, opened)
            opened.children.append(element)
            if markup.inner:
                element.children.append(markup.inner)
            if markup.name not in _VOID and markup.close is None and not markup.is_closed():
                opened = element
        elif markup.name:
            opened = _closed(opened, markup.name)
        line += html.count("\n", markup.start, markup.close or markup.end)
        position = markup.close or markup.end
    _add_text(opened, html[position:])
    return root


def _add_text(element: Element, text: str) -> None:
    if text:
        element.children.append(unescape(text) if "&" in text else text)


def _closed(opened: Element, tag: str) -> Element:
    """The element that is open after an end tag: one without its start is ignored; an element left open ends with the
    one around it."""
    for element in (opened, *opened.ancestors()):
        if element.tag == tag:
            return element.parent or element
    return opened
