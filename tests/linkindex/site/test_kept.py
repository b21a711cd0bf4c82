"""What is kept of the last build never shows: the site and the findings are those of a build that knows nothing."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkindex import store
from linkindex.load.config import read_config
from linkindex.site.build import build_site, check_site

from tests.linkindex.project import Project

TESTS = "tests/test_filter.py"
STRONG = "assert np.allclose(ahead, product(product(F, P), F.T) + Q, rtol=1e-12)"
PATIENCE = 60  # seconds


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def build(project) -> dict[str, bytes]:
    assert build_site(read_config(project.root), project.root / "site") == ()
    return tree(project.root / "site")


def without_what_is_kept(project, tmp_path) -> dict[str, bytes]:
    copy = tmp_path / f"fresh{len(list(tmp_path.iterdir()))}"
    shutil.copytree(project.root, copy, ignore=shutil.ignore_patterns("build", "site"))
    return build(Project(copy))


def check(project) -> list[str]:
    return [finding.code for finding in check_site(read_config(project.root))[1]]


CODE = "kalman/filter.py"
EDITS = {
    "prose": lambda project: project.edit("docs/filter.md", "and grows.", "and grows, step by step."),
    "a heading": lambda project: project.edit("docs/filter.md", "## Update", "## The update"),
    "a comment in the code": lambda project: project.write(CODE, "# First.\n" + project.read(CODE)),
    "a title": lambda project: project.edit("docs/filter.yml", "title: Innovation\n", "title: What is new\n"),
    "the settings of Markdown": lambda project: project.write(
        "mkdocs.yml", project.read("mkdocs.yml") + "use_directory_urls: true\n"
    ),
    "another page": lambda project: project.write("docs/more.md", "# More\n\n[The filter](filter.md).\n"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_the_site_after_an_edit_is_that_of_a_copy_in_which_nothing_is_kept(built, tmp_path, edit):
    EDITS[edit](built)
    assert build(built) == without_what_is_kept(built, tmp_path)


def test_damaged_files_change_nothing(built):
    before = tree(built.root / "site")
    for path in sorted((built.root / store.FOLDER).rglob("*.json")):
        data = path.read_bytes()
        path.write_bytes(data[:-9] + b"x" + data[-8:])
    assert build(built) == before


def test_a_warning_about_a_page_is_said_again_by_the_next_build(project):
    project.write("docs/more.md", "# More\n\n[nowhere](nowhere.png)\n")
    first, second = check(project), check(project)
    assert "LI701" in first and first == second


def test_a_page_is_converted_again_where_an_extension_may_read_other_files(project):
    extension = f"markdown_extensions:\n  - pymdownx.snippets: {{base_path: ['{project.root}']}}"
    project.edit("mkdocs.yml", "markdown_extensions:", extension)
    project.write("docs/more.md", '# More\n\n--8<-- "part.txt"\n')
    for words in ("the first part", "another part"):
        project.write("part.txt", words + "\n")
        assert words.encode() in build(project)["more/index.html"]


def test_verdicts_that_were_foreseen_wrongly_are_not_reported(project):
    """The kept verdicts say that every mutant is noticed. The weaker test notices none; then it is mended."""
    assert check(project) == []
    strong = project.read(TESTS)
    assert STRONG in strong
    project.edit(TESTS, STRONG, "assert isinstance(ahead, np.ndarray)")
    assert "LI453" in check(project)
    assert "LI453" in check(project)
    project.write(TESTS, strong)
    assert check(project) == []


def test_the_pages_show_the_verdicts_of_this_time(built, tmp_path):
    """Mutants that were noticed by an assertion are noticed by an exception now, where they are far off."""
    before = tree(built.root / "site")
    call = "    ahead, _ = predict(x, np.eye(4), F, np.eye(4))\n"
    built.edit(TESTS, call, call + "    if np.abs(ahead - F @ x).max() > 0.5:\n        raise ValueError(ahead)\n")
    after = build(built)
    assert after != before
    assert after == without_what_is_kept(built, tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="there is no process group to interrupt")
def test_an_interrupted_check_ends_with_all_that_it_started(project):
    started = project.root / "started"
    sleep = f"import os, time\nopen({str(started)!r}, 'w').write(str(os.getpid()))\ntime.sleep(300)\n"
    project.write("docs/filter.py", sleep + project.read("docs/filter.py"))
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "from linkindex.cli import main; raise SystemExit(main())"
    command = [sys.executable, "-c", code, "check", "--full", "--root", str(project.root)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + PATIENCE
    while not (started.exists() and started.read_text()):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    worker = int(started.read_text())
    while _is_running(worker):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
