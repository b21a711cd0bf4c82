"""The site while it is served: the address, the port, a rebuild for each edit and no more."""

import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from linkindex.load.config import read_config
from linkindex.site import refresh
from linkindex.site.serve import free_port
from linkindex.site.watch import folders, state

PATIENCE = 180  # seconds; two processes build on a busy machine
WAITS = """
import time
from pathlib import Path

while not Path({0!r}).exists():
    time.sleep(0.1)
"""


def test_the_next_port_is_taken_where_one_is_busy():
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        assert port < free_port("127.0.0.1", port) <= port + 19


def test_a_host_that_is_not_ours_is_refused():
    with pytest.raises(OSError, match="no free port on 192.0.2.1"):
        free_port("192.0.2.1", 8000)


def test_what_python_writes_while_building_is_not_watched(project):
    (project.root / "kalman" / "__pycache__").mkdir(exist_ok=True)
    (project.root / "docs" / "assets").mkdir()
    found = folders(read_config(project.root), project.root / "docs")
    names = {folder.relative_to(project.root).as_posix() for folder in found}
    assert names == {"docs", "docs/assets", "tests", "kalman"}


@pytest.mark.parametrize(
    ("edited", "fresh"),
    [("docs/filter.py", False), ("kalman/filter.py", False), ("pyproject.toml", False), (None, True)],
)
def test_what_was_edited_while_examples_ran_is_not_taken_for_up_to_date(project, monkeypatch, edited, fresh):
    """A build would run slow examples itself, and show nothing before they end."""
    config, docs = read_config(project.root), project.root / "docs"
    monkeypatch.setattr(refresh, "GRACE", 0.1)
    refresher = refresh.Refresher(project.root)
    refresher.command = [sys.executable, "-c", "import time; time.sleep(1)"]
    before = refresher.stamp.stat().st_mtime_ns
    try:
        assert not refresher.is_fresh(state(config, docs))
        if edited:
            project.write(edited, project.read(edited) + "\n# Edited.\n")
        deadline = time.monotonic() + PATIENCE
        while refresher.stamp.stat().st_mtime_ns == before:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert refresher.is_fresh(state(config, docs)) == fresh
        assert not refresher.is_fresh(state(config, docs))  # what is done counts once
    finally:
        refresher.stop()


@pytest.fixture
def server(project):
    """A server of the project: (project, address, file with its log)."""
    log = project.root.parent / "serve.log"
    command = [sys.executable, "-m", "linkindex", "serve", "--root", str(project.root), "--port", "18431"]
    with log.open("w") as stream:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stream, text=True)
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), log.read_text()
        yield project, address, log
    finally:
        process.terminate()
        process.wait(PATIENCE)


def read(address: str) -> str:
    """The page, or nothing while there is none."""
    try:
        return urllib.request.urlopen(address, timeout=PATIENCE).read().decode()
    except OSError:
        return ""


def wait_for(address: str, text: str) -> None:
    deadline, page = time.monotonic() + PATIENCE, ""
    while text not in page:
        assert time.monotonic() < deadline, f"{text!r} did not appear on {address}"
        time.sleep(0.2)
        page = read(address)


def test_an_edit_of_a_page_a_record_or_the_code_is_seen_and_nothing_rebuilds_by_itself(server):
    project, address, log = server
    wait_for(address, "<h1")
    project.write("docs/index.md", project.read("docs/index.md") + "\nAn added sentence.\n")
    wait_for(address, "An added sentence.")
    project.write("kalman/filter.py", "# A new first line.\n" + project.read("kalman/filter.py"))
    wait_for(address + "source/kalman/filter.py/", "A new first line.")
    time.sleep(3)
    builds = log.read_text().count("Building documentation")
    # One at the start, one for each edit, and at most one more for each of these when its runs were refreshed.
    assert 3 <= builds <= 6, log.read_text()
    time.sleep(3)
    assert log.read_text().count("Building documentation") == builds


def test_while_slow_examples_run_the_edit_is_shown_and_steps_are_pending(server):
    project, address, _ = server
    wait_for(address, "<h1")
    end = project.root / "end"
    project.write("docs/index.md", project.read("docs/index.md") + "\nAn added sentence.\n")  # first: it builds at once
    project.write("docs/filter.py", WAITS.format(str(end)) + project.read("docs/filter.py"))
    wait_for(address, "An added sentence.")
    wait_for(address + "filter/", 'class="pending"')
    assert "not run" in read(address + "filter/")
    end.touch()
    deadline = time.monotonic() + PATIENCE
    while 'class="pending"' in read(address + "filter/"):
        assert time.monotonic() < deadline
        time.sleep(0.5)
