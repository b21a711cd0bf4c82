"""Where the tags of a page stand, so that a page can be edited without writing the rest of it anew."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape

from linkindex.markup import Markup, scan


@dataclass(frozen=True)
class Tag:
    """A start tag at ``html[start:end]``. Of a script or style, ``inner`` is the text, ``close`` the very end."""

    markup: Markup
    name: str
    start: int
    end: int
    inner: str | None = None
    close: int | None = None

    @property
    def text(self) -> str:
        """The tag as it is written."""
        return self.markup.text

    @cached_property
    def attributes(self) -> Mapping[str, str | None]:
        return dict(self.markup.attributes())


@dataclass(frozen=True)
class Edit:
    """``html[start:end]`` becomes ``text``."""

    start: int
    end: int
    text: str


def tags(html: str) -> Iterator[Tag]:
    """Every start tag of ``html``, in order."""
    for found in scan(html):
        if found.name and not found.is_end:
            yield Tag(found, found.name, found.start, found.end, found.inner, found.close)


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

