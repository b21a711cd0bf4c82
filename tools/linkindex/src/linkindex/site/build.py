"""Build the site beside the last good one, verify it, and only then swap it in."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from linkindex.followers import without_followers
from linkindex.load.config import ConfigError
from linkindex.model import DRAFTS, Config, Finding, Index, Place
from linkindex.run import child
from linkindex.run.background import in_background
from linkindex.site.offline import make_offline

if TYPE_CHECKING:
    from linkindex.site.pages import Generated


def build_site(config: Config, target: Path, offline: Path | None = None) -> tuple[Finding, ...]:
    """Build the project's site into ``target``; what is there stays, unless the new site has no finding. The copy for
    reading without a server goes into ``offline``, if that is given.

    Raises ConfigError where mkdocs.yml cannot be used, or ``target`` holds something other than a site.
    """
    with _beside(target) as (fresh, swap_in):
        _, findings = _build(config, fresh)
        if not findings:
            swap_in()
    if not findings and offline is not None:
        with _beside(offline) as (fresh, swap_in):
            make_offline(target, fresh)
            swap_in()
    return findings


@contextmanager
def _beside(target: Path) -> Iterator[tuple[Path, Callable[[], None]]]:
    """A folder to write a site into, and what puts it in the place of ``target``."""
    _refuse_foreign(target)
    fresh, old = target.with_name(f".{target.name}.new"), target.with_name(f".{target.name}.old")
    _recover(target, fresh, old)
    try:
        yield fresh, lambda: _swap(fresh, target, old)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def check_site(config: Config) -> tuple[Index, tuple[Finding, ...]]:
    """Build and verify the site in a temporary folder, and check the drafts, which are not in it. Raises ConfigError as
    ``build_site`` does."""
    with TemporaryDirectory(prefix="linkindex-") as folder:
        index, findings = _build(config, Path(folder, "site"))
    if not (config.root / config.docs / DRAFTS).is_dir():
        return index, findings
    from linkindex.pipeline import evidence_for
    from linkindex.render import rendered
    from linkindex.render.book import Book

    *stages, found = evidence_for(config, mutants=True)
    _, unshown = rendered(Book(*stages))
    return stages[0], without_followers({*findings, *found, *unshown}, stages[0])


def _build(config: Config, site: Path) -> tuple[Index, tuple[Finding, ...]]:
    with in_background(lambda: _generated(config)) as steps:
        result = _built(config, site, partial(next, steps))
        for made in steps:  # the mutants were judged otherwise than foreseen
            shutil.rmtree(site, ignore_errors=True)
            result = _built(config, site, lambda: made)
    return result


def _generated(config: Config) -> Iterator["Generated"]:
    """The pipeline, in a copy of the process, while this one imports MkDocs and reads its settings."""
    child.prepare(config.root)
    try:
        # Imported here: the workers' own imports have begun by now.
        from linkindex.site.pages import generate_in_steps

        yield from generate_in_steps(config)
    finally:
        child.end()


def _built(config: Config, site: Path, generated: Callable[[], "Generated"]) -> tuple[Index, tuple[Finding, ...]]:
    # Imported here, since the pipeline runs meanwhile.
    from linkindex.site.mkdocs_build import SETTINGS, build_with_mkdocs
    from linkindex.verify import verify

    made, messages, is_complete = build_with_mkdocs(config, site, generated)
    findings = {Finding(Place(SETTINGS), "LI701", f"MkDocs says: {message}") for message in messages}
    findings.update(made.findings)
    if is_complete:
        findings.update(verify(site, made.index, made.resolution))
    return made.index, without_followers(findings, made.index)


def _refuse_foreign(target: Path) -> None:
    """Guard against replacing a folder that no build made."""
    is_site = target.is_dir() and (not any(target.iterdir()) or (target / "link-index.json").is_file())
    if target.exists() and not is_site:
        raise ConfigError(f"{target}: expected an earlier site, or nothing; found other files: choose another folder")


def _recover(target: Path, fresh: Path, old: Path) -> None:
    """Clear what a killed build left; if it was killed between the two renames, the old site comes back."""
    if old.exists() and not target.exists():
        old.rename(target)
    shutil.rmtree(old, ignore_errors=True)
    shutil.rmtree(fresh, ignore_errors=True)


def _swap(fresh: Path, target: Path, old: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)
