"""What Material's search plugin reads from a page, kept: most pages are those of the build before.

There is no event around the reading itself, so the method of its index is replaced.
"""

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

from linkindex import store

KIND = "searched"
PLUGINS = ("material/search", "search")
MODULE = "material.plugins.search.plugin"


def remember(config: MkDocsConfig, root: Path) -> None:
    """Have the plugin's index, if it is the one known here, take the entries that it made before of the same page."""
    plugins = (config.plugins.get(name) for name in PLUGINS)
    index = next((plugin.search_index for plugin in plugins if hasattr(plugin, "search_index")), None)
    if type(index).__module__ != MODULE or sys.modules[MODULE].jieba:  # which reads dictionaries
        return
    add = index.add_entry_from_context

    def entries_of(page: Page) -> list[dict]:
        before = len(index.entries)
        add(page)
        entries, index.entries[before:] = index.entries[before:], []
        return entries

    def add_entry_from_context(page: Page) -> None:
        if "search" in page.meta:  # it is left out, or weighs more
            add(page)
        else:
            parts = page.content, page.url, page.title, page.meta, _outline(page.toc)
            path = store.place(root, KIND, store.distributions(), *parts)
            index.entries += store.kept(path, lambda: entries_of(page))

    index.add_entry_from_context = add_entry_from_context


def _outline(items: list[AnchorLink]) -> list:
    return [[item.id, item.url, _outline(item.children)] for item in items]
