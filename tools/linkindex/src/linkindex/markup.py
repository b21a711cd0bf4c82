"""The tags of an HTML document and where they stand: the standard library's parser takes four times as long."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

RAW_TEXT = {name: re.compile(rf"</{name}(?=[\s/>])[^>]*+>", re.IGNORECASE) for name in ("script", "style")}
_VALUE = r"""\s*+=++\s*+(?:"[^"]*+"|'[^']*+'|(?!["'])[^\s>]*+)"""
_ATTRIBUTE = re.compile(r"""[\s/]*+([^\s/>][^\s/>=]*+)(\s*+=++\s*+(?:"([^"]*+)"|'([^']*+)'|(?!["'])([^\s>]*+)))?+""")
# What begins with "<": a comment, a declaration, an end tag, a start tag. "<" in text is written "&lt;".
_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<[!?][^>]*+>"
    r"|</(?P<end>[A-Za-z][^\s/>]*+)[^>]*+>"
    rf"|<(?P<start>[A-Za-z][^\s/>]*+)(?:[\s/]++|[^\s/>=][^\s/>=]*+(?:{_VALUE})?+|=)*+>",
    re.DOTALL,
)


class Markup(NamedTuple):
    """``html[start:end]``, which is ``text``: a start tag, an end tag, or, without a name, a comment or a declaration.

    Of a script or style element the start tag goes with ``inner``, its text, and ``close``, the end of its end tag;
    the end tag is not given on its own.
    """

    name: str | None                                     # in lower case
    is_end: bool
    text: str
    start: int
    end: int
    inner: str | None = None
    close: int | None = None

    def attributes(self) -> list[tuple[str, str | None]]:
        """Names in lower case and values, None where there is none, as they are written."""
        pairs = _ATTRIBUTE.findall(self.text, 1 + len(self.name), len(self.text) - 1)
        return [(name.lower(), unescape(a or b or c) if given else None) for name, given, a, b, c in pairs]

    def is_closed(self) -> bool:
        """Whether the tag ends with a slash of its own: ``<br/>``, but not ``<a href=x/>``."""
        if not self.text.endswith("/>"):
            return False
        ends = [found.end() for found in _ATTRIBUTE.finditer(self.text, 1 + len(self.name), len(self.text) - 1)]
        return self.text[max(ends, default=0) :].endswith("/>")


def scan(html: str) -> Iterator[Markup]:
    """All markup in order; what stands between is text."""
    position = 0
    while found := _MARKUP.search(html, position):
        position = found.end()
        end, start = found["end"], found["start"]
        name, inner, close = end or start, None, None
        name = name and name.lower()
        if start and name in RAW_TEXT and (closing := RAW_TEXT[name].search(html, position)):
            inner, close = html[position : closing.start()], closing.end()
        yield Markup(name, end is not None, found[0], found.start(), found.end(), inner, close)
        position = close or position

