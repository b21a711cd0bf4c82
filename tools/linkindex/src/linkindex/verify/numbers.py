"""The numbers of a built page are those that the pipeline wrote: no other plugin, hook or theme changed one (LI725)."""

import re
from collections.abc import Iterator
from functools import partial

from linkindex.model import Finding, Index
from linkindex.verify.clean import unless_clean
from linkindex.verify.site import HtmlPage, Site, html_path

WRITTEN = "build/docs"
_NUMBER = re.compile(r'<\w+[^<>]* data-value="([^"]*)"[^<>]*>([^<]*)')


def check_numbers(site: Site, index: Index) -> Iterator[Finding]:
    for page in index.pages:
        built, path = site.pages.get(html_path(page.stem)), index.config.root / WRITTEN / f"{page.stem}.md"
        if built is not None and path.is_file():
            written = path.read_text(encoding="utf-8")
            things = ["numbers", built.path, built.digest, written]
            yield from unless_clean(index.config.root, things, partial(_of_page, built, written))


def _of_page(page: HtmlPage, text: str) -> Iterator[Finding]:
    written, shown = _NUMBER.findall(text), _NUMBER.findall(page.html)
    if written == shown:
        return
    pairs = zip([*written, None], [*shown, None], strict=False)
    expected, found = next((one, other) for one, other in pairs if one != other)
    says = [f"{one[1]!r} ({one[0]})" if one else "no further number" for one in (expected, found)]
    message = (
        f"{page.path} shows {says[1]} where {says[0]} was computed: remove what changes pages after they were written "
        "(a hook, a plugin or a template of the theme)"
    )
    yield page.finding("LI725", message)
