"""What Material's search plugin reads from a page: in words, under titles that tell its sections apart, and kept, since
most pages are those of the build before.

There is no event around the reading itself, so the method of its index is replaced.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

from linkindex import store

KIND = "searched"
PLUGINS = ("material/search", "search")
MODULE = "material.plugins.search.plugin"
# The plugin leaves such tags out, and words would run together: the last one of a cell and the first one of the next.
ENDS = re.compile(r"</(?:caption|dd|div|dt|figcaption|summary|td|th|tr)>(?=<)|</a>(?=<(?:math|span))")


def remember(config: MkDocsConfig, root: Path) -> None:
    """Have the plugin's index, if it is the one known here, take the entries that it made before of the same page."""
    plugins = (config.plugins.get(name) for name in PLUGINS)
    index = next((plugin.search_index for plugin in plugins if hasattr(plugin, "search_index")), None)
    if type(index).__module__ != MODULE or sys.modules[MODULE].jieba:  # which reads dictionaries
        return
    add = index.add_entry_from_context

    def entries_of(page: Page) -> list[dict]:
        before, content = len(index.entries), page.content
        page.content = ENDS.sub(r"\g<0> ", content)
        add(page)
        page.content = content
        entries, index.entries[before:] = index.entries[before:], []
        return told_apart(entries, page)

    def add_entry_from_context(page: Page) -> None:
        if "search" in page.meta:  # it is left out, or weighs more
            index.entries += entries_of(page)
        else:
            parts = page.content, page.url, page.title, page.meta, _outline(page.toc)
            path = store.place(root, KIND, store.distributions(), *parts)
            index.entries += store.kept(path, lambda: entries_of(page))

    index.add_entry_from_context = add_entry_from_context


def told_apart(entries: list[dict], page: Page) -> list[dict]:
    """Each concept has a section "Mathematics": before a title that comes more than once stands that of the section
    around it."""
    times = Counter(entry["title"] for entry in entries)
    around = {page.url + url: title for url, title in _around(page.toc, "")}
    outer = [around.get(entry["location"]) if times[entry["title"]] > 1 else None for entry in entries]
    return [
        {**entry, "title": f"{title}: {entry['title']}"} if title else entry
        for entry, title in zip(entries, outer, strict=True)
    ]


def _around(items: Iterable[AnchorLink], title: str) -> Iterator[tuple[str, str]]:
    """The address of each section, and the title of the one around it; none is around those of the page itself."""
    for item in items:
        yield item.url, title
        yield from _around(item.children, item.title if item.level > 1 else "")


def _outline(items: list[AnchorLink]) -> list:
    return [[item.id, item.url, _outline(item.children)] for item in items]
