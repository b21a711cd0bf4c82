"""A site is replaced whole, and only by a good one."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkindex.load.config import ConfigError, read_config
from linkindex.site.build import build_site, check_site

BUILD = """
import sys
from pathlib import Path
from linkindex.load.config import read_config
from linkindex.site.build import build_site
build_site(read_config(Path(sys.argv[1])), Path(sys.argv[1], "site"))
"""


def build(project):
    return build_site(read_config(project.root), project.root / "site")


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def hidden(project) -> list[str]:
    """What is left of a build beside the site."""
    return [path.name for path in project.root.iterdir() if path.name.startswith(".site")]


def with_hook(project, code: str) -> None:
    """Have MkDocs run ``code`` when pages are written, which is after the old site could have been touched."""
    project.write("hook.py", f"def on_post_page(output, page, config):\n    {code}\n    return output\n")
    project.write("mkdocs.yml", project.read("mkdocs.yml") + "hooks: [hook.py]\n")


def test_a_good_project_becomes_a_site_with_its_link_index(built):
    site = tree(built.root / "site")
    assert {"index.html", "filter/index.html", "source/kalman/filter.py/index.html", "link-index.json"} <= site.keys()
    assert hidden(built) == []


def test_two_builds_are_equal_byte_for_byte(built):
    first = tree(built.root / "site")
    assert build(built) == ()
    assert tree(built.root / "site") == first


def test_a_build_with_findings_leaves_the_last_good_site(built):
    before = tree(built.root / "site")
    built.write("docs/index.md", built.read("docs/index.md") + "\n[nowhere](nowhere.md)\n")
    findings = build(built)
    assert findings
    assert tree(built.root / "site") == before
    assert hidden(built) == []


def test_a_build_that_crashes_leaves_the_last_good_site(built):
    before = tree(built.root / "site")
    with_hook(built, "raise RuntimeError('crash')")
    with pytest.raises(RuntimeError, match="crash"):
        build(built)
    assert tree(built.root / "site") == before
    assert hidden(built) == []


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_killed_build_leaves_the_last_good_site_and_the_next_one_clears_up(built):
    before = tree(built.root / "site")
    settings = built.read("mkdocs.yml")
    reached = built.root / "reached"
    with_hook(built, f"import time; open({str(reached)!r}, 'w').close(); time.sleep(60)")
    command = [sys.executable, "-c", BUILD, str(built.root)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not reached.exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert tree(built.root / "site") == before
    built.write("mkdocs.yml", settings)
    assert build(built) == ()
    assert hidden(built) == []


def test_a_build_killed_between_the_two_renames_gets_its_site_back(built):
    before = tree(built.root / "site")
    (built.root / "site").rename(built.root / ".site.old")
    built.write("docs/index.md", "[nowhere](nowhere.md)\n")
    assert build(built)
    assert tree(built.root / "site") == before


def test_a_folder_that_holds_no_site_is_not_replaced(project):
    project.write("site/thesis.txt", "ten years of work")
    with pytest.raises(ConfigError, match="expected an earlier site"):
        build(project)
    assert project.read("site/thesis.txt") == "ten years of work"


def test_a_page_that_is_gone_is_gone_from_the_site(built):
    built.write("docs/more.md", "# More\n\nText.\n")
    assert build(built) == ()
    assert (built.root / "site" / "more" / "index.html").is_file()
    (built.root / "docs" / "more.md").unlink()
    assert build(built) == ()
    assert not (built.root / "site" / "more").exists()


def test_pictures_are_published_and_records_are_not(built):
    built.write("docs/assets/curve.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    built.write("docs/index.md", built.read("docs/index.md") + "\n![a curve](assets/curve.svg)\n")
    assert build(built) == ()
    published = tree(built.root / "site")
    assert "assets/curve.svg" in published
    assert not [path for path in published if path.endswith((".md", ".yml", ".py", ".lock"))]


def test_a_warning_of_mkdocs_is_a_finding(project):
    project.write("mkdocs.yml", project.read("mkdocs.yml") + "nav: [index.md, filter.md, gone.md]\n")
    messages = [finding.message for finding in build(project) if finding.code == "LI701"]
    assert len(messages) == 1 and "gone.md" in messages[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("site_name: x\nplugins: [search]\n", "lists no 'linkindex'"),
        ("site_name: x\nplugins: [linkindex]\ntheme: {name: nope}\n", "mkdocs.yml"),
    ],
)
def test_settings_that_cannot_be_used_are_a_configuration_error(project, settings, message):
    project.write("mkdocs.yml", settings)
    with pytest.raises(ConfigError, match=message):
        build(project)


def test_a_check_leaves_no_site(project):
    index, findings = check_site(read_config(project.root))
    assert (len(index.equations) > 0, findings) == (True, ())
    assert not (project.root / "site").exists()
