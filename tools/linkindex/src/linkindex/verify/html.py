"""HTML as a tree of elements and text, with the line of each element."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

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
    parser = _Parser()
    parser.feed(html)
    parser.close()
    return parser.root


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self._open = Element("", {}, 1)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._append(tag, attrs)
        if tag not in _VOID:
            self._open = self._open.children[-1]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._append(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        # An end tag without its start is ignored; an element left open ends with the one around it.
        for element in (self._open, *self._open.ancestors()):
            if element.tag == tag:
                self._open = element.parent or self.root
                return

    def handle_data(self, data: str) -> None:
        self._open.children.append(data)

    def _append(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # Where an attribute stands twice, browsers take the first.
        attributes = {key: value or "" for key, value in reversed(attrs)}
        self._open.children.append(Element(tag, attributes, self.getpos()[0], self._open))
