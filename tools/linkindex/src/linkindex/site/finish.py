"""The last edits of a built page: inline code into files, the mathematics font, a name for the search dialog, and
permalinks of headings that are no second tab stop beside the table of contents."""

from pathlib import Path

from linkindex import store
from linkindex.site.inline import FOLDER, Externalised, externalise
from linkindex.site.tags import Edit, Tag, apply, tags, written

KIND = "finished"
FONT = FOLDER + "fonts/latinmodern-math-subset.woff2"


def finish(html: str, base: str) -> Externalised:
    """The page as published; ``base`` leads from it to the site root (``../``)."""
    found = list(tags(html))
    contents = any("md-nav--secondary" in tag.text for tag in found)
    edits = [edit for tag in found if (edit := _named(tag) or (_no_stop(tag) if contents else None))]
    if any(tag.name == "math" for tag in found):
        preload = {"rel": "preload", "href": base + FONT, "as": "font", "type": "font/woff2", "crossorigin": None}
        at = html.index("</head>")
        edits.append(Edit(at, at, written("link", preload) + "\n"))
    return externalise(apply(html, edits), base)


def kept(html: str, base: str, root: Path) -> Externalised:
    """The same, kept for the next build of the project in ``root``: most pages are those of the build before."""
    return Externalised(**store.kept(store.place(root, KIND, html, base), lambda: vars(finish(html, base))))


def base_of(url: str) -> str:
    """From a page's address, relative to the site root, back to the root: ``../`` for ``attention/``."""
    return "../" * url.removeprefix("./").count("/")


def _no_stop(tag: Tag) -> Edit | None:
    if tag.name != "a" or "headerlink" not in tag.text:
        return None
    return Edit(tag.start, tag.end, written(tag.name, {**tag.attributes, "tabindex": "-1"}))


def _named(tag: Tag) -> Edit | None:
    """The theme's search dialog has a role but no name."""
    if "dialog" not in tag.text:
        return None
    if tag.attributes.get("role") == "dialog" and not {"aria-label", "aria-labelledby"} & tag.attributes.keys():
        return Edit(tag.start, tag.end, written(tag.name, {**tag.attributes, "aria-label": "Search"}))
    return None
