"""Where the tags of a page stand, so that a page can be edited without writing the rest of it anew."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from itertools import accumulate

_RAW_TEXT = ("script", "style")


@dataclass(frozen=True)
class Tag:
    """A start tag at ``html[start:end]``. Of a script or style element: ``inner`` is its text, ``close`` its very end."""

    name: str
    attributes: Mapping[str, str | None]
    start: int
    end: int
    inner: str | None = None
    close: int | None = None


@dataclass(frozen=True)
class Edit:
    """``html[start:end]`` becomes ``text``."""

    start: int
    end: int
    text: str


def tags(html: str) -> tuple[Tag, ...]:
    """Every start tag of ``html``, in order."""
    scanner = _Scanner(html)
    scanner.feed(html)
    scanner.close()
    return tuple(scanner.found)


def apply(html: str, edits: Iterable[Edit]) -> str:
    """``html`` with all edits made; they may not overlap."""
    pieces, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            raise ValueError(f"two edits overlap at character {edit.start}")
        pieces += [html[position:edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, html[position:]])


def written(name: str, attributes: Mapping[str, str | None], *, closed: bool = False) -> str:
    """A start tag; an attribute of value None is written without one."""
    pairs = (key if value is None else f'{key}="{escape(value)}"' for key, value in attributes.items())
    return "<" + " ".join((name, *pairs)) + ("/>" if closed else ">")


class _Scanner(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Tag] = []
        self._lines = list(accumulate((len(line) + 1 for line in html.split("\n")), initial=0))
        self._html = html

    def _offset(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        start = self._offset()
        self.found.append(Tag(tag, dict(attrs), start, start + len(self.get_starttag_text() or "")))

    def handle_endtag(self, tag: str) -> None:
        if tag in _RAW_TEXT and self.found and self.found[-1].name == tag:
            opened, at = self.found[-1], self._offset()
            close = self._html.index(">", at) + 1
            self.found[-1] = Tag(tag, opened.attributes, opened.start, opened.end, self._html[opened.end:at], close)
