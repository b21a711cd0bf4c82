"""Inline scripts and styles move to files, so that the policy ``default-src 'self'`` holds for every page.

A script keeps its position and stays synchronous, hence its meaning. A ``style`` attribute becomes a class. Names of
files and classes are made from the content, so equal pieces of different pages share a file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from linkindex.site.tags import Edit, Tag, apply, tags, written

FOLDER = "assets/linkindex/"
_EXECUTED = {"", "module", "text/javascript", "application/javascript"}
_CLASSES = FOLDER + "inline-classes.css"


@dataclass(frozen=True)
class Externalised:
    """A page without inline code: its HTML, the files it needs, and the declarations that its new classes stand for."""

    html: str
    files: Mapping[str, str]                             # path from the site root -> text
    classes: Mapping[str, str]                           # class -> declarations


def externalise(html: str, base: str) -> Externalised:
    """Take the inline scripts and styles out of a page; ``base`` leads from the page to the site root (``../``)."""
    edits: list[Edit] = []
    files: dict[str, str] = {}
    classes: dict[str, str] = {}
    for tag in tags(html):
        if tag.name == "script" and _is_inline_script(tag):
            path = f"{FOLDER}inline-{_digest(tag.inner)}.js"
            files[path] = tag.inner.strip() + "\n"
            moved = written("script", {**tag.attributes, "src": base + path}) + "</script>"
            edits.append(Edit(tag.start, tag.close, moved))
        elif tag.name == "style" and tag.close is not None:
            path = f"{FOLDER}inline-{_digest(tag.inner)}.css"
            files[path] = tag.inner.strip() + "\n"
            media = {key: value for key, value in tag.attributes.items() if key == "media"}
            moved = written("link", {"rel": "stylesheet", "href": base + path, **media})
            edits.append(Edit(tag.start, tag.close, moved))
        elif "style" in tag.text.lower() and tag.attributes.get("style") is not None:
            name = f"s-{_digest(tag.attributes['style'])}"
            classes[name] = tag.attributes["style"]
            edits.append(Edit(tag.start, tag.end, _with_class(html, tag, name)))
    if classes:
        edits.append(_in_head(html, written("link", {"rel": "stylesheet", "href": base + _CLASSES}) + "\n"))
    return Externalised(apply(html, edits), files, classes)


def class_sheet(classes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The style sheet of all classes of all pages, if there are any, as (path, text)."""
    if classes:
        # The class is doubled to outrank the theme's rules, as the attribute did.
        rules = (f".{name}.{name}{{{declarations}}}\n" for name, declarations in sorted(classes.items()))
        yield _CLASSES, "".join(rules)


def _is_inline_script(tag: Tag) -> bool:
    kind = (tag.attributes.get("type") or "").strip().lower()
    return "src" not in tag.attributes and kind in _EXECUTED and bool((tag.inner or "").strip())


def _with_class(html: str, tag: Tag, name: str) -> str:
    attributes = {key: value for key, value in tag.attributes.items() if key != "style"}
    attributes["class"] = f"{attributes.get('class') or ''} {name}".strip()
    return written(tag.name, attributes, closed=html[tag.start:tag.end].endswith("/>"))


def _in_head(html: str, text: str) -> Edit:
    at = html.find("</head>")
    if at < 0:
        raise ValueError("the page has no </head>; a complete page is expected")
    return Edit(at, at, text)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]
