"""Names that must be unique, also where letter case does not count: ids of a page, files of the site (LI712, LI713)."""

from collections import defaultdict
from collections.abc import Iterator

from linkindex.model import Finding, Place
from linkindex.verify.html import Element
from linkindex.verify.site import HtmlPage, Site


def check_ids(page: HtmlPage) -> Iterator[Finding]:
    same: dict[str, list[Element]] = defaultdict(list)
    for element in page.elements:
        if name := element.attributes.get("id"):
            same[name.casefold()].append(element)
    for elements in same.values():
        if len(elements) > 1:
            names = ", ".join(f"{e.attributes['id']!r} on line {e.line}" for e in elements)
            message = f"ids must differ in more than letter case; {page.path} has {names}: rename all but one"
            yield page.finding("LI712", message, elements[1], elements[1].attributes["id"])


def check_files(site: Site) -> Iterator[Finding]:
    same: dict[str, list[str]] = defaultdict(list)
    for path in sorted(site.files):
        same[path.casefold()].append(path)
    for paths in same.values():
        if len(paths) > 1:
            message = (
                "files must differ in more than letter case, or one is lost on some systems; "
                f"found {', '.join(paths)}: rename one"
            )
            yield Finding(Place(f"site/{paths[1]}"), "LI713", message)
