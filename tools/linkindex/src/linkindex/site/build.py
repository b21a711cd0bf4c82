"""Build the site beside the last good one, verify it, and only then swap it in."""

import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException

from linkindex.load.config import ConfigError
from linkindex.model import Config, Finding, Index, Place
from linkindex.site.offline import make_offline
from linkindex.site.pages import Generated
from linkindex.verify import verify

SETTINGS = "mkdocs.yml"
PLUGIN = "linkindex"


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
    """Build and verify the site in a temporary folder. Raises ConfigError as ``build_site`` does."""
    with TemporaryDirectory(prefix="linkindex-") as folder:
        generated, findings = _build(config, Path(folder, "site"))
    return generated.index, findings


def _build(config: Config, site: Path) -> tuple[Generated, tuple[Finding, ...]]:
    settings = _settings(config, site)
    plugin = settings.plugins[PLUGIN]
    wrong: list[str] = []
    with _warnings() as warnings:
        settings.plugins.on_startup(command="build", dirty=False)
        try:
            build(settings)
        except MkDocsException as error:
            wrong.append(str(error))
        finally:
            settings.plugins.on_shutdown()
    if plugin.generated is None:
        raise ConfigError("; ".join(wrong) or f"{SETTINGS}: the plugin {PLUGIN!r} is not enabled")
    findings = {Finding(Place(SETTINGS), "LI701", f"MkDocs says: {message}") for message in (*warnings, *wrong)}
    findings.update(plugin.generated.findings)
    if not wrong:
        findings.update(verify(site, plugin.generated.index, plugin.generated.resolution))
    return plugin.generated, tuple(sorted(findings))


def _settings(config: Config, site: Path) -> MkDocsConfig:
    # Not strict: a warning becomes a finding here, and all of them are reported together.
    try:
        settings = load_config(str(config.root / SETTINGS), site_dir=str(site), strict=False)
    except MkDocsException as error:
        raise ConfigError(f"{SETTINGS}: {error}") from error
    if PLUGIN not in settings.plugins:
        raise ConfigError(f"{SETTINGS}: plugins lists no {PLUGIN!r}, which writes the pages: add it")
    return settings


@contextmanager
def _warnings() -> Iterator[list[str]]:
    """What MkDocs and its plugins warn of, except our own findings, which carry their place already."""
    messages: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.name != "mkdocs.plugins.linkindex":
                messages.append(record.getMessage())

    collector, logger = Collector(logging.WARNING), logging.getLogger("mkdocs")
    logger.addHandler(collector)
    try:
        yield messages
    finally:
        logger.removeHandler(collector)


def _refuse_foreign(target: Path) -> None:
    """Guard against replacing a folder that no build made."""
    if target.exists() and not (target.is_dir() and (not any(target.iterdir()) or (target / "link-index.json").is_file())):
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
