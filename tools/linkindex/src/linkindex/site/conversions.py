"""What Python-Markdown made of a page, kept: most pages are those of the build before.

MkDocs has no event around the conversion itself, so the method of the page is replaced, which its notebook plugin does
as well. Only extensions are trusted of which it is known that they read nothing but the page.
"""

import json
import logging
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, TableOfContents

from linkindex import store
from linkindex.site.messages import messages_of

KIND = "conversions"
PURE = frozenset(
    {
        "abbr", "admonition", "attr_list", "def_list", "fenced_code", "footnotes", "linkindex_math", "md_in_html",
        "meta", "sane_lists", "smarty", "tables", "toc", "pymdownx.arithmatex", "pymdownx.betterem", "pymdownx.caret",
        "pymdownx.details", "pymdownx.highlight", "pymdownx.inlinehilite", "pymdownx.keys", "pymdownx.mark",
        "pymdownx.smartsymbols", "pymdownx.superfences", "pymdownx.tabbed", "pymdownx.tasklist", "pymdownx.tilde",
    }
)  # fmt: skip


def remember(page: Page, config: MkDocsConfig, files: Files, root: Path) -> None:
    """Have ``page.render`` use what it made before of the same text, under the same settings, beside the same files."""
    path = _path(page, config, files, root)
    if path is None or "render" in vars(page):
        return
    convert = page.render

    def render(config: MkDocsConfig, files: Files) -> None:
        kept = store.read(path)
        if kept is not None:
            store.touch(path)
            _restore(page, files, kept)
            return
        with messages_of("mkdocs") as messages:
            convert(config, files)
        if not messages:  # or the next build would not say them
            store.write(path, _made(page))

    page.render = render


def _path(page: Page, config: MkDocsConfig, files: Files, root: Path) -> Path | None:
    """The place of the result; None where the result may depend on more than what is known here."""
    if not PURE.issuperset(config.markdown_extensions):
        return None
    try:
        set_up = [config.mdx_configs, config.validation, config.use_directory_urls, config.site_url]
        settings = json.dumps(set_up, default=dict, sort_keys=True)
    except (TypeError, ValueError):  # a function, for one
        return None
    others = [(file.src_uri, file.url, file.inclusion.name) for file in files]
    level = logging.getLogger("mkdocs").getEffectiveLevel()
    extensions = config.markdown_extensions
    address = page.file.src_uri, page.url
    return store.place(root, KIND, store.distributions(), extensions, settings, level, others, address, page.markdown)


def _made(page: Page) -> dict:
    links = page.links_to_anchors
    return {
        "content": page.content,
        "toc": [_entry(item) for item in page.toc],
        "title": page._title_from_render,
        "anchors": sorted(page.present_anchor_ids or ()),
        "links": None if links is None else [[file.src_uri, anchors] for file, anchors in links.items()],
    }


def _restore(page: Page, files: Files, made: dict) -> None:
    page.content = made["content"]
    page.toc = TableOfContents([_link(*entry) for entry in made["toc"]])
    page._title_from_render = made["title"]
    page.present_anchor_ids = set(made["anchors"])
    if made["links"] is not None:
        page.links_to_anchors = {files.get_file_from_path(uri): anchors for uri, anchors in made["links"]}


def _entry(item: AnchorLink) -> list:
    return [item.title, item.id, item.level, [_entry(child) for child in item.children]]


def _link(title: str, anchor: str, level: int, children: list) -> AnchorLink:
    link = AnchorLink(title, anchor, level)
    link.children = [_link(*child) for child in children]
    return link
