"""Have MkDocs build the site, and collect what it warns of."""

import logging
from collections.abc import Callable
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException

from linkindex.load.config import ConfigError
from linkindex.model import Config
from linkindex.site.lazy import NOTEBOOKS, import_when_used
from linkindex.site.messages import messages_of
from linkindex.site.pages import Generated

SETTINGS = "mkdocs.yml"
PLUGIN = "linkindex"
LOGGER = "mkdocs.plugins.linkindex"


def build_with_mkdocs(
    config: Config, site: Path, generated: Callable[[], Generated]
) -> tuple[Generated, tuple[str, ...], bool]:
    """Write the site into the folder ``site``. Returns what it was made from, what MkDocs says of it, and whether it is
    complete. ``generated``: gives the pages, when the settings are known to be usable.

    Raises ConfigError where they are not.
    """
    settings = _settings(config, site)
    plugin = settings.plugins[PLUGIN]
    plugin.ahead = generated
    broken: list[str] = []
    # Our own findings carry their place already.
    with messages_of("mkdocs", logging.WARNING, without=LOGGER) as warnings:
        settings.plugins.on_startup(command="build", dirty=False)
        try:
            build(settings)
        except MkDocsException as error:
            broken.append(str(error))
        finally:
            settings.plugins.on_shutdown()
    if plugin.generated is None:
        raise ConfigError("; ".join(broken) or f"{SETTINGS}: the plugin {PLUGIN!r} is not enabled")
    return plugin.generated, (*warnings, *broken), not broken


def _settings(config: Config, site: Path) -> MkDocsConfig:
    # Not strict: a warning becomes a finding, and all of them are reported together.
    import_when_used(NOTEBOOKS)
    try:
        settings = load_config(str(config.root / SETTINGS), site_dir=str(site), strict=False)
    except MkDocsException as error:
        raise ConfigError(f"{SETTINGS}: {error}") from error
    if PLUGIN not in settings.plugins:
        raise ConfigError(f"{SETTINGS}: plugins lists no {PLUGIN!r}, which writes the pages: add it")
    return settings
