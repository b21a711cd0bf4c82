"""The project's real site, built once for all tests, served as a strict host would, and a browser to look at it."""

import functools
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
# Pictures inside the theme's style sheets are data: addresses; everything else must come from the site.
POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]
# A process of its own: the pipeline runs the project's tests, which must not mix with this run of pytest.
BUILD = """
import sys
from pathlib import Path
from linkindex.load.config import read_config
from linkindex.site.build import build_site
findings = build_site(read_config(Path(sys.argv[1])), Path(sys.argv[2]))
print(*findings, sep="\\n")
sys.exit(bool(findings))
"""


def _build(target: Path, **environment: str) -> Path:
    command = [sys.executable, "-c", BUILD, str(ROOT), str(target)]
    result = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, timeout=600
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return target


@pytest.fixture(scope="session")
def build_into():
    """``build_into(folder, NAME=value, ...)`` builds the project's site, with these environment variables."""
    return _build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    return _build(tmp_path_factory.mktemp("built") / "site")


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """``http://127.0.0.1:port/`` of a server that sends the policy with every file."""
    handler = functools.partial(_Handler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class _Handler(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def chromium(not_run):
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        not_run("the Python package playwright is not installed")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        not_run("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Visit:
    """A browser tab with all that went wrong in it."""

    tab: object
    address: str
    problems: list[str] = field(default_factory=list)

    def watch(self) -> None:
        def note(problem: str, wrong: bool = True) -> None:
            if wrong:
                self.problems.append(problem)

        self.tab.on("console", lambda message: note(message.text, message.type in ("error", "warning")))
        self.tab.on("pageerror", lambda error: note(str(error)))
        self.tab.on("requestfailed", lambda request: note(f"failed: {request.url}"))
        self.tab.on("request", lambda request: note(f"request to {request.url}", not self._is_local(request.url)))

    def _is_local(self, url: str) -> bool:
        return url.startswith((self.address, "data:", "blob:"))

    def open(self, url: str) -> None:
        self.tab.goto(self.address + url, wait_until="load")
        self.settle()

    def reveal(self) -> None:
        """Have blocks laid out that the theme skips while they are far from the screen."""
        self._lay_out()
        self.settle()

    def text(self) -> str:
        """What a reader who scrolls to the end has read; works in a tab without scripts, too."""
        self._lay_out()
        return self.tab.inner_text("article")

    def _lay_out(self) -> None:
        self.tab.evaluate(
            """() => {
              const sheet = new CSSStyleSheet();
              sheet.replaceSync("* { content-visibility: visible !important }");
              document.adoptedStyleSheets = [sheet];
            }"""
        )

    def settle(self) -> None:
        """Fonts are loaded and the scripts' observers have reported."""
        self.tab.evaluate("() => document.fonts.ready.then(() => new Promise(done => setTimeout(done, 150)))")


@pytest.fixture
def visit(chromium, address):
    """``visit(url, scheme=..., width=..., javascript=...)`` opens a page and notes requests elsewhere and errors."""
    contexts = []

    def visit(url: str, *, scheme: str = "light", width: int = 1280, javascript: bool = True) -> Visit:
        context = chromium.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 900}, java_script_enabled=javascript
        )
        contexts.append(context)
        visited = Visit(context.new_page(), address)
        visited.watch()
        if javascript:
            visited.open(url)
        else:
            visited.tab.goto(address + url, wait_until="load")
        return visited

    yield visit
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def axe(not_run) -> str:
    """The source of axe-core."""
    if not AXE.is_file():
        not_run("axe-core is not installed: run `npm install --no-package-lock` in tests/site")
    return AXE.read_text(encoding="utf-8")
