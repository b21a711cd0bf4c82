"""Last stage: read the built HTML back, and find what does not lead where it says."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from linkindex.model import Finding, Index, Place, Resolution
from linkindex.run.forked import Died, Work, in_copies, processors
from linkindex.verify.equations import check_equations, check_formulas
from linkindex.verify.hosts import check_hosts, check_style_sheets
from linkindex.verify.landings import check_landings
from linkindex.verify.linkindexfile import check_file
from linkindex.verify.names import check_files, check_ids
from linkindex.verify.rawtex import check_raw_tex, check_search_index
from linkindex.verify.references import check_references
from linkindex.verify.site import HtmlPage, Site, read_site

LARGE = 5_000_000  # characters; below that, what several processes read twice takes longer
Plain = list  # path, line, column, code, message of a finding


def verify(site_dir: Path, index: Index, resolution: Resolution) -> tuple[Finding, ...]:
    """Everything that is wrong with the site in ``site_dir``, built from ``index``. A large one is read by as many
    processes as can work at the same time."""
    site = read_site(site_dir, index)
    works = [Work(partial(lambda pages: _plain(_of_pages(site, pages, index)), pages)) for pages in _parts(site)]
    works += [Work(lambda: _plain(_of_site(site, index, resolution)))]
    results = in_copies(works) if sum(len(page.html) for page in site.pages.values()) > LARGE else [work.do() for work in works]
    # What a process could not do is done here: nothing is left out.
    found = (work.do() if isinstance(result, Died) else result for work, result in zip(works, results, strict=True))
    return tuple(sorted({Finding(Place(*place), code, message) for plain in found for *place, code, message in plain}))


def _of_site(site: Site, index: Index, resolution: Resolution) -> Iterator[Finding]:
    yield from check_files(site)
    yield from check_style_sheets(site)
    yield from check_search_index(site)
    yield from check_equations(site, index, resolution)
    yield from check_file(site, index)
    yield from check_landings(site)


def _of_pages(site: Site, pages: Sequence[HtmlPage], index: Index) -> Iterator[Finding]:
    for page in pages:
        page.elements  # noqa: B018, so that links to it are compared with what is read anyway
    for page in pages:
        yield from check_references(site, page)
        yield from check_ids(page)
        yield from check_raw_tex(page)
        yield from check_hosts(page)
        yield from check_formulas(page, index)


def _parts(site: Site) -> list[list[HtmlPage]]:
    """The pages, dealt out so that each process has about as much to read."""
    parts: list[list[HtmlPage]] = [[] for _ in range(processors())]
    for page in sorted(site.pages.values(), key=lambda page: len(page.html), reverse=True):
        min(parts, key=lambda part: sum(len(other.html) for other in part)).append(page)
    return parts


def _plain(findings: Iterable[Finding]) -> list[Plain]:
    return [[found.place.path, found.place.line, found.place.col, found.code, found.message] for found in findings]
