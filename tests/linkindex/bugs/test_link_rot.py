"""Links that stop telling the truth are found, and nothing passes by being empty. Rows: see rows.py."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from linkindex.cli import main
from linkindex.fix import fix_lock
from linkindex.link_index import link_index
from linkindex.load.config import read_config
from linkindex.model import STEPS
from linkindex.permalink import permalink, permalinks, web_address
from linkindex.pipeline import places_for
from linkindex.report import FORMATS, report

from tests.linkindex.bugs import rows

RECORDS, PAGE, CODE, TESTS = "docs/filter.yml", "docs/filter.md", "kalman/filter.py", "tests/test_filter.py"
NOT_APPLICABLE = {}
ELSEWHERE = {}


def test_every_row_is_tested():
    assert rows.uncovered(rows.LINK_ROT, globals(), ELSEWHERE, NOT_APPLICABLE) == []
    assert rows.lost(ELSEWHERE) == []


def messages(findings, code):
    return [finding.message for finding in findings if finding.code == code]


# --- 27: names that are not there ----------------------------------------------------------------------------------

NEAREST = {
    "a function": ("kalman.filter.predct", "predict"),
    "a method of a class that is not there": ("kalman.filter.Nope.update", "update"),
    "a module": ("kalman.fliter.predict", "filter"),
    "a package": ("calman.filter.predict", "kalman"),
    "another case": ("kalman.filter.Predict", "predict"),
}


@pytest.mark.parametrize("name", NEAREST)
def test_row_27_a_name_that_is_not_there_is_an_error_with_the_nearest_ones(project, name):
    wrong, nearest = NEAREST[name]
    project.edit(RECORDS, "in: kalman.filter.predict\n  latex: \\bar x", f"in: {wrong}\n  latex: \\bar x")
    found = [finding for finding in project.fast() if finding.code in ("LI201", "LI202")]
    assert [finding.place.line for finding in found] == [project.line_of(RECORDS, wrong)]
    assert re.search(rf"nearest: .*\b{nearest}\b", found[0].message), found[0].message


def test_row_27_a_function_that_moved_is_looked_for_in_the_other_modules(project):
    head, function = project.read(CODE).split("def predict(")
    function, rest = function.split("\n\n\ndef update(")
    project.write(CODE, f"{head}def update({rest}")
    project.write("kalman/motion.py", f"def predict({function}\n")
    found = messages(project.fast(), "LI202")
    assert len(found) == 2 and all("kalman/motion.py:1" in message for message in found)


def test_row_27_a_function_that_moved_and_is_imported_at_its_old_place_is_noted_by_the_lock(project):
    head, function = project.read(CODE).split("def predict(")
    function, rest = function.split("\n\n\ndef update(")
    project.write(CODE, f"{head}from kalman.motion import predict\n\n\ndef update({rest}")
    project.write("kalman/motion.py", f"def predict({function}\n")
    found = messages(project.fast(), "LI225")
    assert len(found) == 2 and all("kalman.motion.predict" in message for message in found)
    project.lock()
    assert project.check() == ()


def test_row_27_a_rename_after_a_clean_check_is_seen_in_spite_of_every_cache(project):
    assert project.check() == () and main(["check", "--fast", "--root", str(project.root)]) == 0
    project.edit(CODE, "def predict(", "def forecast(")
    assert messages(project.fast(), "LI202") and main(["check", "--fast", "--root", str(project.root)]) == 1
    assert main(["check", "--root", str(project.root)]) == 1


# --- 28: nothing passes by being empty -----------------------------------------------------------------------------


def test_row_28_no_equations_at_all_are_a_failure(project):
    project.write(RECORDS, "")
    project.write(PAGE, "# The filter\n")
    findings = project.fast()
    assert messages(findings, "LI119") and len(messages(findings, "LI222")) == 7
    assert main(["check", "--fast", "--root", str(project.root)]) == 1


def test_row_28_a_project_that_never_had_an_equation_is_a_failure(project):
    for path in (RECORDS, "docs/links.lock", "docs/filter.py"):
        (project.root / path).unlink()
    project.write(PAGE, "# The filter\n")
    assert [finding.code for finding in project.check()] == ["LI119"]


def test_row_28_an_equation_that_went_with_its_page_is_missed(project):
    text = project.read(RECORDS)
    project.write(RECORDS, text[: text.index("filter.gain:")] + text[text.index("filter.updated-state:") :])
    project.edit(PAGE, " filter.gain", "")
    assert [(f.code, f.place.path, f.message.split()[0]) for f in project.fast()] == [
        ("LI222", "docs/links.lock", "filter.gain")
    ]


@pytest.mark.parametrize("text", ["", None], ids=["emptied", "deleted"])
def test_row_28_a_lock_that_is_lost_is_not_a_clean_slate(project, text):
    if text is None:
        (project.root / "docs/links.lock").unlink()
    else:
        project.write("docs/links.lock", text)
    assert {finding.code for finding in project.fast()} == {"LI221" if text is None else "LI223"}


def test_row_28_an_index_without_equations_is_not_accepted_into_the_lock(project):
    project.write(RECORDS, "")
    index, resolution, _ = places_for(read_config(project.root))
    before = project.read("docs/links.lock")
    with pytest.raises(ValueError, match="no equations"):
        fix_lock(index, resolution, write=True)
    assert project.read("docs/links.lock") == before


def test_row_28_a_lost_place_is_not_accepted_into_the_lock(project):
    project.edit(CODE, "    x_next = F @ x            # (n,)\n", "")
    project.edit(CODE, "return x_next, P_next", "return x, P_next")
    before = project.read("docs/links.lock")
    assert main(["fix", "--write", "--root", str(project.root)]) == 1
    assert project.read("docs/links.lock") == before


# --- 29: several names in one place --------------------------------------------------------------------------------


def test_row_29_every_name_of_a_list_counts(project):
    index, resolution, _ = places_for(read_config(project.root))
    assert index.pages[0].concepts[1].equations == tuple(f"filter.{name}" for name in (
        "innovation", "innovation-covariance", "gain", "updated-state", "updated-covariance"))  # fmt: skip
    assert len(resolution.links) == len(resolution.tests) == 7


@pytest.mark.parametrize("via", ["[S, y, P_new]", "\n    - S\n    - y\n    - P_new"], ids=["in one line", "in lines"])
def test_row_29_every_name_of_a_list_in_a_record_is_linked(project, via):
    project.edit(RECORDS, "  code: K\n", f"  code: K\n  via: {via}\n")
    _, resolution, _ = places_for(read_config(project.root))
    assert [link.target for link in resolution.links["filter.gain"]] == ["K", "S", "y", "P_new"]


@pytest.mark.parametrize(
    "written", ["filter.innovation, filter.innovation-covariance", "filter.innovation,filter.innovation-covariance"]
)
def test_row_29_names_joined_by_commas_are_not_taken_for_one(project, written):
    project.edit(PAGE, "filter.innovation filter.innovation-covariance", written)
    findings = project.fast()
    assert messages(findings, "LI112") and len(messages(findings, "LI113")) >= 1


def test_row_29_a_list_written_as_one_text_is_not_taken_for_its_first_name(project):
    project.edit(RECORDS, "  code: K\n", "  code: K\n  via: S, y\n")
    assert messages(project.fast(), "LI207")


# --- 30: a checker that crashes ------------------------------------------------------------------------------------

CRASHES = {
    "a test that ends the process": (
        TESTS,
        "def test_gain(rng):\n",
        "def test_gain(rng):\n    import os\n    os._exit(0)\n",
    ),
    "a test file that ends the process": (TESTS, "import pytest\n", "import os\n\nimport pytest\n\nos._exit(0)\n"),
    "a test that leaves": (TESTS, "def test_gain(rng):\n", "def test_gain(rng):\n    pytest.exit('enough')\n"),
    "a module that leaves": (CODE, "import numpy as np\n", "import sys\n\nimport numpy as np\n\nsys.exit(0)\n"),
    "a plug-in that raises": ("tests/conftest.py", None, "raise RuntimeError('broken')\n"),
    "a plug-in that selects nothing": (
        "tests/conftest.py",
        None,
        "def pytest_collection_modifyitems(items):\n    items.clear()\n",
    ),
    "a package that raises": ("kalman/__init__.py", None, "raise RuntimeError('broken')\n"),
}


@pytest.mark.parametrize("name", CRASHES)
def test_row_30_what_was_not_checked_is_never_ok(project, name):
    path, old, new = CRASHES[name]
    if old is None:
        project.write(path, new)
    else:
        project.edit(path, old, new)
    *_, evidence, findings = project.result()
    assert findings
    assert not evidence.proofs["filter.gain"].steps["tested"].ok
    assert project.check() == findings, "a crash was remembered as a result"


def test_row_30_a_crash_is_an_error_of_its_test(project):
    path, old, new = CRASHES["a test that ends the process"]
    project.edit(path, old, new)
    assert any("the process ended with code" in message for message in messages(project.check(), "LI402"))


# --- 31: renames of case only --------------------------------------------------------------------------------------


def test_row_31_a_file_whose_name_changed_its_case_is_not_found(project):
    (project.root / "kalman" / "filter.py").rename(project.root / "kalman" / "Filter.py")
    found = messages(project.fast(), "LI202")
    assert len(found) == 7 + 1, "seven records and the listing of the page"
    assert all("nearest: Filter" in message for message in found)


@pytest.fixture
def case_blind(monkeypatch):
    """Files are found in each spelling, as on the usual file systems of macOS and Windows."""
    is_file = Path.is_file

    def found(path: Path) -> bool:
        return is_file(path) or (
            path.parent.is_dir() and path.name.lower() in {entry.name.lower() for entry in path.parent.iterdir()}
        )

    monkeypatch.setattr(Path, "is_file", found)


def test_row_31_case_counts_where_the_file_system_ignores_it(code, case_blind):
    library = code({"pkg/core.py": "def f(): return 1\n"})
    assert library.find("pkg.core.f") and library.refused("pkg.Core.f").code == "LI201"


def test_row_31_the_case_of_a_test_file_counts_there_as_well(project, case_blind):
    project.edit(RECORDS, "tests/test_filter.py::test_gain", "tests/Test_filter.py::test_gain")
    assert any("tests/test_filter.py" in message for message in messages(project.fast(), "LI210"))


@pytest.mark.parametrize(
    "old, new, code, near",
    [
        ("def predict(", "def Predict(", "LI202", "Predict"),
        ("y = z - H", "Y = z - H", "LI207", "Y"),
        ("K = np", "k = np", "LI207", "k"),
    ],
)
def test_row_31_a_name_whose_case_changed_is_not_found_and_the_new_one_is_suggested(project, old, new, code, near):
    project.edit(CODE, old, new)
    found = messages(project.fast(), code)
    assert found and all(re.search(rf"nearest: .*\b{near}\b", message) for message in found)


# --- 32 to 35: permalinks ------------------------------------------------------------------------------------------

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


def test_row_33_without_git_there_is_no_permalink(pushed, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert permalinks(pushed.root, HOST, "c0ffee", {CODE: pushed.read(CODE)}).of(CODE, 1, 1) is None


@pytest.mark.parametrize(
    "address",
    [
        HOST, f"{HOST}/", f"{HOST}.git", f"{HOST}.git/", "http://example.org/me/kalman", "git@example.org:me/kalman.git",
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


# --- 36: fingerprints ----------------------------------------------------------------------------------------------

SAME = {
    "lines above": ("def update(", "# A note.\n\n\ndef update("),
    "another layout": ("y = z - H @ x  ", "y = (\n        z\n        - H@x\n    )  "),
    "a comment": ("# (m,)\n    S", "# (m,) the surprise\n    S"),
    "needless brackets": ("y = z - H @ x ", "y = (z - (H @ x)) "),
    "other statements": ("    y = z - H @ x", "    assert x.ndim\n    y = z - H @ x"),
    "another signature": ("def update(x, P, z, H, R)", "def update(x, P, z, H, R, *, name=None)"),
    "a docstring": ("Take in a measurement", "Use a measurement"),
}
OTHER = {
    "an operator": ("y = z - H @ x ", "y = z + H @ x "),
    "a sign": ("y = z - H @ x ", "y = -z - H @ x "),
    "a grouping": ("y = z - H @ x ", "y = (z - H) @ x "),
    "a name": ("y = z - H @ x ", "y = z - H @ z "),
    "a factor": ("y = z - H @ x ", "y = z - 1 * H @ x "),
    "an order": ("y = z - H @ x ", "y = -H @ x + z "),
    "an index": ("y = z - H @ x ", "y = z - H @ x[:] "),
}


@pytest.mark.parametrize("name", SAME)
def test_row_36_what_does_not_change_the_code_changes_no_fingerprint(project, name):
    project.edit(CODE, *SAME[name])
    index, resolution, findings = places_for(read_config(project.root))
    assert findings == ()
    line = next(number for number, text in enumerate(project.read(CODE).split("\n"), 1) if "y = " in text)
    assert resolution.links["filter.innovation"][0].statement.line == line


@pytest.mark.parametrize("name", OTHER)
def test_row_36_what_changes_the_code_is_seen_at_its_place(project, name):
    project.edit(CODE, *OTHER[name])
    found = [finding for finding in project.fast() if finding.code == "LI226"]
    assert [(f.place.path, f.place.line) for f in found] == [(CODE, project.line_of(CODE, "y = "))]


@pytest.mark.parametrize(
    "number, other", [("1", "1.0"), ("1", "True"), ("0", "None"), ('"a"', 'b"a"'), ("1e3", "1000"), ("()", "[]")]
)
def test_row_36_constants_that_compare_equal_have_fingerprints_of_their_own(project, number, other):
    project.edit(CODE, "y = z - H @ x ", f"y = max(z - H @ x, {number}) ")
    project.lock()
    project.edit(CODE, f"max(z - H @ x, {number})", f"max(z - H @ x, {other})")
    assert {finding.code for finding in project.fast()} == {"LI226"}


# --- 38 and 39 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", ["status: done", "tested: true", "proved: yes", "line: 12", "ok: true", "evidence: {ran: true}"]
)
def test_row_38_nothing_about_the_state_of_an_equation_can_be_typed(project, key):
    project.edit(RECORDS, "  title: Innovation\n", f"  title: Innovation\n  {key}\n")
    assert {finding.code for finding in project.fast()} == {"LI102"}


def test_row_38_without_a_run_no_step_is_ok_but_the_one_that_needs_none(project):
    from linkindex.pipeline import evidence_for

    *_, evidence, _ = evidence_for(read_config(project.root), pending=True)
    assert {step for proof in evidence.proofs.values() for step in STEPS if proof.steps[step].ok} == {"resolved"}


def test_row_38_an_exception_needs_a_reason_and_a_step_that_exists(project):
    for wrong in ("{ran: }", "{looks-good: yes}"):
        text = project.read(RECORDS)
        project.edit(RECORDS, "  title: Innovation\n", f"  title: Innovation\n  exception: {wrong}\n")
        assert "LI107" in {finding.code for finding in project.fast()}
        project.write(RECORDS, text)


BREAKING = {
    "a record": (RECORDS, "title: Innovation\n", "titel: Innovation\n"),
    "a formula": (RECORDS, "latex: y = z - H x", "latex: y = z - G x"),
    "a page": (PAGE, "and grows.", "and [grows](gone.md).\n\n$$P > 0$$"),
    "code": (CODE, "y = z - H @ x ", "y = z - H @ "),
    "a test": (TESTS, "    assert np.allclose(P - new", "    assert not np.allclose(P - new"),
    "an example": ("docs/filter.py", "return update(ahead", "raise ValueError('two\\nlines')\n    return update(ahead"),
    "a lock": ("docs/links.lock", '"id"', '"di"'),
}


@pytest.mark.parametrize("name", BREAKING)
def test_row_39_every_finding_is_one_line_that_begins_with_a_place_that_exists(project, name, capsys):
    project.edit(*BREAKING[name])
    assert main(["check", "--root", str(project.root)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines
    for line in lines:
        match = re.fullmatch(r"([^:]+):(\d+):(\d+): (LI\d{3}) (\S.*)", line)
        assert match, line
        text = project.read(match[1]).split("\n")
        assert 1 <= int(match[2]) <= len(text) and 1 <= int(match[3]) <= len(text[int(match[2]) - 1]) + 1, line


@pytest.mark.parametrize("style", FORMATS)
def test_row_39_every_form_of_report_holds_place_and_code(project, style):
    project.edit(*BREAKING["a formula"])
    finding = project.fast()[0]
    text = report([finding], style)
    assert all(str(part) in text for part in (finding.place.path, finding.place.line, finding.place.col, finding.code))
