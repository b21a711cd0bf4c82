"""A permalink names lines of a commit that the host has, or there is none."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from linkindex.link_index import link_index
from linkindex.load.config import read_config
from linkindex.permalink import permalink, permalinks, web_address
from linkindex.pipeline import places_for

CODE, TESTS = "kalman/filter.py", "tests/test_filter.py"

HOST = "https://example.org/me/kalman"


@pytest.fixture
def git(not_run, tmp_path):
    if shutil.which("git") is None:
        not_run("git is not installed")
    (tmp_path / "home").mkdir()
    identity = {
        f"GIT_{who}_{what}": "someone@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    environment = {
        "PATH": str(Path(shutil.which("git")).parent),
        "HOME": str(tmp_path / "home"),
        "GIT_CONFIG_NOSYSTEM": "1",
        **identity,
    }

    def run(folder: Path, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    return run


@pytest.fixture
def pushed(project, git):
    """The project as a repository whose commit is on a remote branch."""
    project.write(".gitignore", "build/\n")
    project.edit("pyproject.toml", "[tool.linkindex]\n", f'[tool.linkindex]\nrepository = "{HOST}.git"\n')
    push(project.root, git)
    return project


def push(root: Path, git, top: Path | None = None) -> str:
    top = top or root
    git(top, "init", "--quiet")
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--message", "Start")
    git(top.parent, "clone", "--quiet", "--bare", str(top), str(top.parent / "remote.git"))
    git(top, "remote", "add", "origin", str(top.parent / "remote.git"))
    git(top, "fetch", "--quiet", "origin")
    return git(top, "rev-parse", "HEAD")


def index_of(project) -> dict:
    index, resolution, runs, evidence, _ = project.result()
    return link_index(index, resolution, runs, evidence)


def addresses(document: dict) -> set[str | None]:
    return {link["permalink"] for equation in document["equations"] for link in equation["links"]}


def test_row_32_a_permalink_names_the_commit_and_its_lines_are_those_of_the_commit(pushed, git):
    document = index_of(pushed)
    commit = git(pushed.root, "rev-parse", "HEAD")
    assert document["commit"] == commit
    for equation in document["equations"]:
        for link in equation["links"]:
            path, _, lines = link["permalink"].removeprefix(f"{HOST}/blob/{commit}/").partition("#")
            first, last = (re.fullmatch(r"L(\d+)(?:-L(\d+))?", lines)[number] for number in (1, 2))
            held = git(pushed.root, "show", f"{commit}:{path}").split("\n")[int(first) - 1 : int(last or first)]
            assert link["code"].split("\n")[0] in held[0] and len(held) == link["end_line"] - link["line"] + 1


def test_row_32_a_line_that_moved_since_the_commit_has_no_permalink(pushed):
    pushed.write(CODE, "# One more line.\n" + pushed.read(CODE))
    document = index_of(pushed)
    assert document["commit"] is None and addresses(document) == {None}
    assert all(link["url"].startswith("source/") for equation in document["equations"] for link in equation["links"])


def test_row_32_a_commit_that_was_not_pushed_has_no_permalink(pushed, git):
    git(pushed.root, "commit", "--quiet", "--allow-empty", "--message", "Next")
    assert addresses(index_of(pushed)) == {None}
    git(pushed.root, "push", "--quiet", "origin", "HEAD:main")
    assert None not in addresses(index_of(pushed))


def test_row_32_a_commit_that_was_fetched_by_its_hash_is_known_to_be_hosted(pushed, git, tmp_path):
    commit = git(pushed.root, "rev-parse", "HEAD")
    copy = tmp_path / "copy"
    copy.mkdir()
    git(copy, "init", "--quiet")
    git(copy, "fetch", "--quiet", "--depth=1", str(tmp_path / "remote.git"), "HEAD")
    git(copy, "checkout", "--quiet", "FETCH_HEAD")
    assert permalinks(copy, HOST, commit, {CODE: pushed.read(CODE)}).of(CODE, 1, 1) == f"{HOST}/blob/{commit}/{CODE}#L1"


def test_row_33_outside_of_a_repository_there_is_no_permalink_and_no_none_in_an_address(project):
    project.edit("pyproject.toml", "[tool.linkindex]\n", f'[tool.linkindex]\nrepository = "{HOST}"\n')
    document = index_of(project)
    assert document["commit"] is None and addresses(document) == {None}
    assert not re.search(r"blob/|LNone|/None", json.dumps(document))


def test_the_repository_of_the_environment_counts_where_the_project_names_none(pushed, monkeypatch):
    pushed.edit("pyproject.toml", f'repository = "{HOST}.git"\n', "")
    monkeypatch.delenv("LINKINDEX_REPOSITORY", raising=False)
    assert read_config(pushed.root).repository is None
    monkeypatch.setenv("LINKINDEX_REPOSITORY", "https://example.org/other")
    assert read_config(pushed.root).repository == "https://example.org/other"
    pushed.edit("pyproject.toml", "[tool.linkindex]\n", f'[tool.linkindex]\nrepository = "{HOST}"\n')
    assert read_config(pushed.root).repository == HOST


def test_row_33_without_git_there_is_no_permalink(pushed, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert permalinks(pushed.root, HOST, "c0ffee", {CODE: pushed.read(CODE)}).of(CODE, 1, 1) is None


@pytest.mark.parametrize(
    "address",
    [
        HOST, f"{HOST}/", f"{HOST}.git", f"{HOST}.git/", "http://example.org/me/kalman",
        "git@example.org:me/kalman.git",
        "ssh://git@example.org/me/kalman.git", "ssh://git@example.org:22/me/kalman", "git://example.org/me/kalman.git",
        "https://token@example.org/me/kalman.git", f"{HOST}/tree/main",
        f"{HOST}/tree/main/docs", f"{HOST}/blob/main/README.md", f"{HOST}/-/tree/main",
    ],
)  # fmt: skip
def test_row_33_every_form_of_address_gives_one_web_address(address):
    assert web_address(address) == HOST
    assert permalink(address, "c0ffee", "a/b.py", 3, 5) == f"{HOST}/blob/c0ffee/a/b.py#L3-L5"


def test_row_33_names_that_only_look_like_parts_of_an_address_stay():
    assert web_address("https://example.org/me/digit.github") == "https://example.org/me/digit.github"
    assert web_address("https://example.org/tree/blob") == "https://example.org/tree/blob"


def test_row_33_characters_of_a_path_are_encoded():
    assert permalink(HOST, "c0ffee", "a b/é#?.py", 1, 1) == f"{HOST}/blob/c0ffee/a%20b/%C3%A9%23%3F.py#L1"


def test_row_33_a_project_in_a_folder_of_its_repository_has_the_folder_in_its_permalinks(project, git, tmp_path):
    project.write(".gitignore", "build/\n")
    top = tmp_path / "many"
    top.mkdir()
    project.root.rename(top / "kal man")
    commit = push(top, git, top)
    root = top / "kal man"
    found = permalinks(root, HOST, commit, {CODE: (root / CODE).read_text()})
    assert found.of(CODE, 7, 7) == f"{HOST}/blob/{commit}/kal%20man/{CODE}#L7"


@pytest.mark.parametrize(
    "path, plain",
    [
        ("README.md", True),
        ("a/b.rst", True),
        ("n.ipynb", True),
        ("README.MD", True),
        ("a.py", False),
        ("a.yml", False),
        ("a.mdx", False),
        ("md", False),
        ("x.md/a.py", False),
    ],
)
def test_row_34_only_files_that_hosts_render_are_asked_for_as_text(path, plain):
    address = permalink(HOST, "c0ffee", path, 10, 10)
    assert address == f"{HOST}/blob/c0ffee/{path}{'?plain=1' if plain else ''}#L10"


def test_row_35_a_file_that_the_commit_does_not_hold_has_no_permalink(pushed, git):
    commit = git(pushed.root, "rev-parse", "HEAD")
    pushed.write("kalman/new.py", "x = 1\n")
    found = permalinks(pushed.root, HOST, commit, {CODE: pushed.read(CODE), "kalman/new.py": "x = 1\n"})
    assert found.of("kalman/new.py", 1, 1) is None and found.of(CODE, 1, 1)


def test_row_35_a_file_that_git_was_told_to_overlook_has_no_permalink(pushed, git):
    git(pushed.root, "update-index", "--assume-unchanged", CODE)
    pushed.write(CODE, "# One more line.\n" + pushed.read(CODE))
    found = {
        link["file"]: link["permalink"] for equation in index_of(pushed)["equations"] for link in equation["links"]
    }
    assert found[CODE] is None and found[TESTS] is not None


def test_row_35_line_ends_and_marks_that_git_changes_do_not_matter(pushed, git):
    commit = git(pushed.root, "rev-parse", "HEAD")
    pushed.write(CODE, "\ufeff" + pushed.read(CODE).replace("\n", "\r\n"))
    source = places_for(read_config(pushed.root))[1].sources[CODE]
    assert permalinks(pushed.root, HOST, commit, {CODE: source}).of(CODE, 1, 1)
