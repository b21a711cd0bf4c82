"""Last stage: read the built HTML back, and find what does not lead where it says."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from linkindex import store
from linkindex.model import Finding, Index, Place, Resolution
from linkindex.run.forked import Died, Work, in_copies, processors
from linkindex.verify import clean
from linkindex.verify.clean import unless_clean
from linkindex.verify.equations import check_equations, check_formulas, is_checked
from linkindex.verify.hosts import check_hosts, check_style_sheets
from linkindex.verify.html import Element
from linkindex.verify.landings import check_landings
from linkindex.verify.linkindexfile import check_file
from linkindex.verify.rawtex import check_raw_tex, check_search_index
from linkindex.verify.references import ADDRESSES, check_references
from linkindex.verify.site import ANCHORS, HtmlPage, Site, read_site

KINDS = {clean.KIND: 3, ANCHORS: 1, ADDRESSES: 1}  # of what is kept of each page -> how many files, at most
BUILDS = 4  # as many versions of each page are kept, on average
LARGE = 5_000_000  # characters; below that, what several processes read twice takes longer
Plain = list  # path, line, column, code, message of a finding


def verify(site_dir: Path, index: Index, resolution: Resolution) -> tuple[Finding, ...]:
    """Everything that is wrong with the site in ``site_dir``, built from ``index``. A large one is read by as many
    processes as can work at the same time."""
    site = read_site(site_dir, index)
    is_large = sum(len(page.html) for page in site.pages.values()) > LARGE
    parts = _parts(site, processors() if is_large else 1)
    works = [Work(partial(_plain_of_pages, site, part, index)) for part in parts]
    works += [Work(lambda: _plain(_of_site(site, index, resolution)))]
    results = in_copies(works) if is_large else [work.do() for work in works]
    for kind, checks in KINDS.items():
        store.prune(index.config.root / store.FOLDER / kind, BUILDS * checks * len(site.pages))
    # What a process could not do is done here: nothing is left out.
    found = (work.do() if isinstance(result, Died) else result for work, result in zip(works, results, strict=True))
    return tuple(sorted({Finding(Place(*place), code, message) for plain in found for *place, code, message in plain}))


def _of_site(site: Site, index: Index, resolution: Resolution) -> Iterator[Finding]:
    yield from _check_files(site)
    yield from check_style_sheets(site) if index.config.offline else ()
    yield from check_search_index(site)
    yield from check_equations(site, index, resolution)
    yield from check_file(site, index)
    yield from check_landings(site, index)


def _plain_of_pages(site: Site, pages: Sequence[HtmlPage], index: Index) -> list[Plain]:
    return _plain(_of_pages(site, pages, index))


def _of_pages(site: Site, pages: Sequence[HtmlPage], index: Index) -> Iterator[Finding]:
    equations = sorted((equation.id, equation.anchor) for equation in index.displayed)
    for page in pages:
        things = ["page", page.path, page.digest, equations, is_checked(page.path, index), index.config.offline]
        yield from unless_clean(index.config.root, things, partial(_alone, page, index))
    for page in pages:  # by now, those that had to be read are
        yield from check_references(site, page)


def _alone(page: HtmlPage, index: Index) -> Iterator[Finding]:
    yield from _check_ids(page)
    yield from check_raw_tex(page)
    yield from check_hosts(page) if index.config.offline else ()
    yield from check_formulas(page, index)


def _parts(site: Site, number: int) -> list[list[HtmlPage]]:
    """The pages, dealt out so that each part has about as much to read."""
    parts: list[list[HtmlPage]] = [[] for _ in range(number)]
    for page in sorted(site.pages.values(), key=lambda page: len(page.html), reverse=True):
        min(parts, key=lambda part: sum(len(other.html) for other in part)).append(page)
    return parts


def _plain(findings: Iterable[Finding]) -> list[Plain]:
    return [[found.place.path, found.place.line, found.place.col, found.code, found.message] for found in findings]


# --- names that must be unique, also where letter case does not count


def _check_ids(page: HtmlPage) -> Iterator[Finding]:
    same: dict[str, list[Element]] = defaultdict(list)
    for element in page.elements:
        if name := element.attributes.get("id"):
            same[name.casefold()].append(element)
    for elements in same.values():
        if len(elements) > 1:
            names = ", ".join(f"{e.attributes['id']!r} on line {e.line}" for e in elements)
            message = f"ids must differ in more than letter case; {page.path} has {names}: rename all but one"
            yield page.finding("LI712", message, elements[1], elements[1].attributes["id"])


def _check_files(site: Site) -> Iterator[Finding]:
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
