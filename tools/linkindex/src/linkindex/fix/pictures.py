"""What pictures must say after a repair: a name that a page only lists is the one that the picture uses."""

import re
from collections.abc import Iterator, Mapping

from linkindex.fix.pages import shown_in
from linkindex.fix.renaming import Names
from linkindex.fix.traces import Traces
from linkindex.model import Directive, Index

_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


def pictures(index: Index) -> Iterator[str]:
    """The paths of the pictures that pages show."""
    figures = (block for page in index.pages for block in page.directives if block.name == "figure" and block.arguments)
    yield from dict.fromkeys(index.config.picture(block.arguments[0]) for block in figures)


def picture_texts(
    index: Index, texts: Mapping[str, str], traces: Traces, functions: Names
) -> Iterator[tuple[str, str]]:
    """Path -> text with renamed values, of the pictures that name one."""
    names: dict[str, dict[str, str]] = {}
    for page in index.pages:
        for shown in shown_in(index, page, traces):
            block = shown.block
            if isinstance(block, Directive) and block.name == "figure" and block.arguments:
                listed = block.options.get("of")
                new = {name: shown.now(name, functions) for name in listed} if isinstance(listed, list) else {}
                names.setdefault(index.config.picture(block.arguments[0]), {}).update(new)
    for path, renamed in names.items():
        changed = {old: new for old, new in renamed.items() if old != new}
        if path in texts and changed:
            yield path, _TAG.sub(lambda tag: _with(tag[0], changed), texts[path])


def _with(tag: str, names: Mapping[str, str]) -> str:
    word = "|".join(map(re.escape, names))
    return re.sub(rf"(?<![\w.\"'])({word})(?![\w\"'])", lambda match: names[match[1]], tag)
