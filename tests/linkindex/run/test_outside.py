"""Results are kept only while what they read beside code is as it was."""

import pytest

from linkindex.run import outside

TESTS, EXAMPLE = "tests/test_filter.py", "docs/filter.py"
HEAD = "def test_innovation(rng):\n"
READING = {
    "subscript": "os.environ['PLANTED']",
    "get": "os.environ.get('PLANTED')",
    "getenv": "os.getenv('PLANTED')",
    "copy": "dict(os.environ)['PLANTED']",
    "bytes": "os.environb[b'PLANTED'].decode()",
}


def outcome(project):
    return project.result()[2].tests[f"{TESTS}::test_innovation"].outcome


@pytest.mark.parametrize("how", READING)
def test_a_variable_that_a_test_reads(project, monkeypatch, how):
    monkeypatch.setenv("PLANTED", "1")
    project.edit(TESTS, HEAD, f"{HEAD}    import os\n    assert {READING[how]} == '1'\n")
    assert outcome(project) == "passed"
    monkeypatch.setenv("PLANTED", "2")
    assert outcome(project) == "failed"


def test_a_file_elsewhere_that_a_test_reads(project, tmp_path_factory):
    data = tmp_path_factory.mktemp("elsewhere") / "data.txt"
    data.write_text("1")
    project.edit(TESTS, HEAD, f"{HEAD}    assert open({str(data)!r}).read() == '1'\n")
    assert outcome(project) == "passed"
    data.write_text("2")
    assert outcome(project) == "failed"


KEPT = {
    "opened to be changed": "open(path, 'r+').read()",
    "opened to be continued": "[file := open(path, 'a+'), file.seek(0), file.read()][2]",
    "mapped": "bytes(np.memmap(path, np.uint8)).decode()",
    "appended to first": "[open(path, 'a').write(''), open(path).read()][1]",
    "in a folder that is made unless it is there": "[path.parent.mkdir(exist_ok=True), path.read_text()][1]",
}


@pytest.mark.parametrize("how", KEPT)
def test_a_file_that_is_there_already_is_data_however_it_is_opened(project, tmp_path_factory, how):
    data = tmp_path_factory.mktemp("elsewhere") / "data.txt"
    data.write_text("1")
    lines = f"    from pathlib import Path\n    path = Path({str(data)!r})\n    assert {KEPT[how]} == '1'\n"
    project.edit(TESTS, HEAD, HEAD + lines)
    assert outcome(project) == "passed"
    data.write_text("2")
    assert outcome(project) == "failed"


ASKING = {
    "whether it is there": "not os.path.exists(path)",
    "whether it is a file": "not Path(path).is_file()",
    "whether it may be read": "not os.access(path, os.R_OK)",
    "what the system says of it": "pytest.raises(OSError, lambda: os.stat(path))",
    "for it among the files of a folder": "'data.txt' not in os.listdir(os.path.dirname(path))",
    "for it by a pattern": "not glob.glob(os.path.dirname(path) + '/*.txt')",
    "for it by a pattern of a path": "not list(Path(path).parent.glob('*.txt'))",
    "for it on a walk": "not any('data.txt' in names for _, _, names in os.walk(os.path.dirname(path)))",
}


@pytest.mark.parametrize("how", ASKING)
@pytest.mark.parametrize("where", ["in the project", "elsewhere"])
def test_a_file_that_a_test_asks(project, tmp_path_factory, where, how):
    data = (project.root if where == "in the project" else tmp_path_factory.mktemp("elsewhere")) / "data.txt"
    lines = f"    import glob, os\n    from pathlib import Path\n    path = {str(data)!r}\n    assert {ASKING[how]}\n"
    project.edit(TESTS, HEAD, HEAD + lines)
    assert outcome(project) == outcome(project) == "passed"
    data.write_text("1")
    assert outcome(project) == "failed"


def test_what_is_not_asked_by_the_test_itself_does_not_matter(project, monkeypatch, tmp_path_factory):
    lines = "    with tempfile.TemporaryDirectory() as folder:\n        assert os.listdir(folder) == []\n"
    project.edit(TESTS, HEAD, f"{HEAD}    import os, tempfile\n{lines}")
    assert outcome(project) == "passed"
    monkeypatch.setattr("linkindex.run.runs.run_worker", lambda *_: pytest.fail("computed again"))
    assert outcome(project) == "passed"


def test_a_name_that_cannot_be_one_of_a_file(project):
    lines = "    with pytest.raises(OSError):\n        open('/tmp/' + 'a' * 300)\n"
    project.edit(TESTS, HEAD, HEAD + lines)
    assert outcome(project) == outcome(project) == "passed"


def test_a_project_inside_of_what_is_installed_is_a_project(project, monkeypatch):
    monkeypatch.setattr(outside, "INSTALLED", (f"{project.root.parent}/",))
    assert outside.installed_beside(f"{project.root}/") == ()
    assert outside.installed_beside(f"{project.root.parent}/") == ()
    assert outside.installed_beside(f"{project.root.parents[1]}/") == outside.INSTALLED


def test_a_file_that_the_test_itself_writes_does_not_matter(project, monkeypatch):
    lines = "    path = tmp_path / 'a' / 'b.txt'\n    path.parent.mkdir()\n    path.write_text('1')\n"
    project.edit(TESTS, HEAD, f"{HEAD.replace('rng', 'rng, tmp_path')}{lines}    assert path.read_text() == '1'\n")
    assert outcome(project) == "passed"
    monkeypatch.setattr("linkindex.run.runs.run_worker", lambda *_: pytest.fail("computed again"))
    assert outcome(project) == "passed"


def test_what_nobody_reads_does_not_matter(project, monkeypatch):
    monkeypatch.setenv("PLANTED", "1")
    project.check()
    monkeypatch.setenv("PLANTED", "2")
    monkeypatch.setenv("COLUMNS", "33")
    monkeypatch.setattr("linkindex.run.runs.run_worker", lambda *_: pytest.fail("computed again"))
    assert project.check() == ()
