"""Last stage: read the built HTML back, and find what does not lead where it says."""

from collections.abc import Iterator
from pathlib import Path

from linkindex.model import Finding, Index, Resolution
from linkindex.verify.equations import check_equations
from linkindex.verify.hosts import check_hosts
from linkindex.verify.landings import check_landings
from linkindex.verify.linkindexfile import check_file
from linkindex.verify.names import check_names
from linkindex.verify.rawtex import check_raw_tex
from linkindex.verify.references import check_references
from linkindex.verify.site import Site, read_site


def verify(site_dir: Path, index: Index, resolution: Resolution) -> tuple[Finding, ...]:
    """Everything that is wrong with the site in ``site_dir``, built from ``index``."""
    return tuple(sorted(set(_findings(read_site(site_dir, index), index, resolution))))


def _findings(site: Site, index: Index, resolution: Resolution) -> Iterator[Finding]:
    yield from check_references(site)
    yield from check_names(site)
    yield from check_raw_tex(site)
    yield from check_hosts(site)
    yield from check_equations(site, index, resolution)
    yield from check_file(site, index)
    yield from check_landings(site)
