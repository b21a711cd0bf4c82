"""The MkDocs plugin ``linkindex``: runs the pipeline, gives MkDocs the pages it writes, finishes what MkDocs builds.

With it ``mkdocs build`` and ``mkdocs serve`` need no other command. The pages are written to ``build/docs``;
``docs_dir`` of mkdocs.yml stays the folder that people edit.
"""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment
from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from linkindex import store
from linkindex.load.config import ConfigError, read_config
from linkindex.model import Config
from linkindex.report import report
from linkindex.site import conversions, finish, notebooks, searched
from linkindex.site.inline import FOLDER, Externalised, class_sheet
from linkindex.site.pages import Generated, generate, published
from linkindex.site.refresh import Refresher
from linkindex.site.watch import folders, state
from linkindex.templates import Templates

log = logging.getLogger("mkdocs.plugins.linkindex")

ASSETS = Path(__file__).parent / "assets"
STYLES = ("theme.css", "components.css")
SCRIPTS = ("scroll.js", "components.js", "print.js")
KINDS = (notebooks.KIND, conversions.KIND, searched.KIND, finish.KIND)  # of what is kept of each page
BUILDS = 4  # as many versions of each page are kept, on average
EXTENSIONS = ("attr_list", "md_in_html", "tables", "pymdownx.arithmatex", "linkindex_math")
PENDING = (
    '<p class="pending" role="status">Examples and tests are running; '
    "what they have not refreshed yet is shown as not run.</p>\n"
)


class LinkIndexPlugin(BasePlugin):
    """One instance serves all builds of a process; ``generated`` is what the latest one was made from."""

    generated: Generated | None = None
    ahead: Callable[[], Generated] | None = None  # gives the pages of the next build, where they are being made already
    _serving = False
    _refresher: Refresher | None = None

    def on_startup(self, *, command: str, dirty: bool) -> None:
        self._serving = command == "serve"

    def on_shutdown(self) -> None:
        if self._refresher:
            self._refresher.stop()

    @event_priority(100)  # before plugins that look at docs_dir
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        self.generated = None
        self._files: dict[str, str] = {}
        self._classes: dict[str, str] = {}
        self._docs = Path(config.docs_dir)
        self._pages = 0
        try:
            project = read_config(Path(config.config_file_path).parent)
        except ConfigError as error:
            raise PluginError(str(error)) from error
        if self.ahead:
            self.generated, self.ahead = self.ahead(), None
        else:
            self.generated = generate(project, pending=self._serving and not self._fresh(project))
        for finding in self.generated.findings:
            log.warning(report([finding], "text"))
        _date_from(self.generated.date)
        config.docs_dir = str(self.generated.docs)
        _require_extensions(config)
        config.extra_css[:0] = [FOLDER + name for name in STYLES]
        config.extra_javascript += [_deferred(FOLDER + name) for name in SCRIPTS]
        return config

    @event_priority(100)  # before the notebook plugin makes pages of notebooks
    def _on_files_add(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        found = {FOLDER + uri: path for uri, path in published(ASSETS)} | dict(published(self._docs))
        for uri, path in found.items():
            if files.get_file_from_path(uri) is None:
                files.append(self._file(uri, path, config))
        return files

    @event_priority(-100)  # after it did
    def _on_files_run(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        uris = [file.src_uri for file in files.documentation_pages() if notebooks.is_notebook(file.src_uri)]
        for uri in uris:
            made = notebooks.as_markdown(uri, self.generated.index.config)
            # The notebook plugin leaves a page without a file alone; its own would keep TeX and links as they are.
            files.get_file_from_path(uri).content_string = made.markdown
            for path, data in made.pictures.items():
                files.append(File.generated(config, path, content=data))
        return files

    on_files = CombinedEvent(_on_files_add, _on_files_run)

    @event_priority(-100)  # after plugins that change the environment
    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        env.bytecode_cache = Templates(self._root, env)
        searched.remember(config, self._root)
        return env

    @event_priority(-100)  # after plugins that change the text
    def on_page_markdown(self, markdown: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        page.markdown = markdown
        conversions.remember(page, config, files, self._root)
        return markdown

    def on_page_content(self, html: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        return PENDING + html if self.generated.pending else html

    @event_priority(-100)  # after plugins that add scripts of their own
    def on_post_page(self, output: str, /, *, page: Page, config: MkDocsConfig) -> str:
        self._pages += 1
        return self._keep(finish.kept(output, finish.base_of(page.url), self._root))

    @event_priority(-100)
    def on_post_template(self, output_content: str, /, *, template_name: str, config: MkDocsConfig) -> str:
        if not template_name.endswith(".html"):
            return output_content
        # Error pages are shown at any address, hence their links from the root of the host.
        return self._keep(finish.finish(output_content, urlsplit(config.site_url or "/").path))

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        for kind in KINDS:
            store.prune(self._root / store.FOLDER / kind, BUILDS * self._pages)
        texts = {**self._files, **dict(class_sheet(self._classes)), **self.generated.files}
        for path, text in sorted(texts.items()):
            target = Path(config.site_dir, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")

    def on_serve(self, server: LiveReloadServer, /, *, config: MkDocsConfig, builder) -> LiveReloadServer:
        # MkDocs watches docs_dir as it is after on_config: the generated folder, which each rebuild writes.
        server.unwatch(config.docs_dir)
        for folder in folders(self.generated.index.config, self._docs):
            server.watch(str(folder), recursive=False)
        for file in (self.generated.index.config.root / "pyproject.toml", self._refresher.stamp):
            server.watch(str(file))
        return server

    @property
    def _root(self) -> Path:
        return self.generated.index.config.root

    def _file(self, uri: str, path: Path, config: MkDocsConfig) -> File:
        if path.suffix == notebooks.SUFFIX:  # the notebook plugin does not take a generated one
            return File(uri, str(self._docs), config.site_dir, config.use_directory_urls)
        return File.generated(config, uri, abs_src_path=str(path))

    def _fresh(self, project: Config) -> bool:
        self._refresher = self._refresher or Refresher(project.root)
        return self._refresher.is_fresh(state(project, self._docs))

    def _keep(self, page: Externalised) -> str:
        self._files.update(page.files)
        self._classes.update(page.classes)
        return page.html


def _require_extensions(config: MkDocsConfig) -> None:
    """The generated pages are written in these extensions of Markdown, whether mkdocs.yml lists them or not."""
    config.markdown_extensions += [name for name in EXTENSIONS if name not in config.markdown_extensions]
    config.mdx_configs.setdefault("pymdownx.arithmatex", {})["generic"] = True


def _deferred(path: str) -> ExtraScriptValue:
    script = ExtraScriptValue(path)
    script.defer = True
    return script


def _date_from(date: int | None) -> None:
    """Date the site by its commit, so that two builds of one commit are equal; a date that is set already is kept."""
    if date is not None:
        os.environ.setdefault("SOURCE_DATE_EPOCH", str(date))
