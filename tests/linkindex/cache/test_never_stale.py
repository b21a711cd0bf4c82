"""What is kept is used only while all that it came from is as it was: code outside of the project, data, settings."""

import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from linkindex.cli import main
from linkindex.load.config import ConfigError

from tests.linkindex.cache.checking import CODE, EXAMPLE, TESTS, full

HEAD = "def test_innovation(rng):\n"
TEST, EQUATION = f"{TESTS}::test_innovation", "filter.innovation"


def codes(project):
    return {finding.code for finding in project.check()}


def outcome(project):
    return project.result()[2].tests[TEST].outcome


def on_the_path(project, elsewhere, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(elsewhere), prepend=os.pathsep)


def installed_to_be_edited(project, elsewhere, monkeypatch):
    """As pip does it: a file in site-packages names the folder."""
    installed = elsewhere.parent / "site-packages"
    installed.mkdir()
    (installed / "__editable__.units-1.0.pth").write_text(f"{elsewhere}\n")
    adding = f"import site\nsite.addsitedir({str(installed)!r})\n"
    project.write("tests/conftest.py", adding + project.read("tests/conftest.py"))


def linked_to_be_edited(project, elsewhere, monkeypatch):
    """As flit does it: the package in site-packages is a link."""
    installed = elsewhere.parent / "site-packages"
    installed.mkdir()
    (installed / "units").symlink_to(elsewhere / "units")
    monkeypatch.setenv("PYTHONPATH", str(installed), prepend=os.pathsep)


def beside_the_project(project, elsewhere, monkeypatch):
    """As in a repository of several projects."""
    (project.root.parent / "sibling").symlink_to(elsewhere)
    project.edit("pyproject.toml", 'pythonpath = ["."]', 'pythonpath = [".", "../sibling"]')


def linked_into_the_project(project, elsewhere, monkeypatch):
    (project.root / "units").symlink_to(elsewhere / "units")


WAYS = [on_the_path, installed_to_be_edited, linked_to_be_edited, beside_the_project, linked_into_the_project]


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__)
def units(request, project, tmp_path, monkeypatch):
    """A module outside of the project, which a test imports."""
    units = tmp_path / "elsewhere" / "units"
    units.mkdir(parents=True)
    (units / "__init__.py").write_text("")
    module = units / "length.py"
    module.write_text("def metre():\n    return 1.0\n")
    request.param(project, units.parent, monkeypatch)
    imported = "    from units.length import metre\n\n"
    project.edit(TESTS, f"{HEAD}    x, P, z, H, R = problem(rng)\n",
                 f"{HEAD}{imported}    x, P, z, H, R = (metre() * one for one in problem(rng))\n")  # fmt: skip
    return module


def test_an_edit_of_a_module_outside_of_the_project_changes_what_its_test_gives(project, units, started):
    assert codes(project) == set()
    started.clear()
    assert codes(project) == set() and started == set()
    units.write_text("def metre():\n    raise ValueError\n")
    assert codes(project) == {"LI402"}


def test_an_edit_of_a_module_outside_of_the_project_changes_what_mutants_give(project, tmp_path, monkeypatch):
    (tmp_path / "length.py").write_text("metre = 1.0\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    project.edit(TESTS, "    scale = json", "    import length\n\n    scale = length.metre * json")
    assert full(project)[4] == ()
    (tmp_path / "length.py").write_text("metre = 0.0\n")
    assert {finding.code for finding in full(project)[4]} == {"LI453"}


def test_a_page_shows_the_numbers_of_a_module_outside_of_the_project_as_it_is(project, tmp_path, monkeypatch):
    def shown():
        (visit,) = project.result()[2].examples["filter"][0].visits[EQUATION]
        return visit.value.data

    (tmp_path / "measured.py").write_text("z = 1.25\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    project.edit(EXAMPLE, "import numpy as np\n", "import measured\nimport numpy as np\n")
    project.edit(EXAMPLE, "np.array([1.25])", "np.array([measured.z])")
    before = shown()
    assert shown() == before
    (tmp_path / "measured.py").write_text("z = 2.25\n")
    assert shown() == pytest.approx([number + 1 for number in before])


WRONG = {CODE: ("y = z - H @ x ", "y = z + H @ x "), "kalman/arrays.py": ("dtype=DTYPE)", "dtype=DTYPE) * 2")}


@pytest.mark.parametrize("path", WRONG)
def test_a_package_that_is_a_link_leaving_the_project_is_code_of_the_project(project, tmp_path, started, path):
    shutil.rmtree(project.root / "build")  # what was kept knows the files by their place in the project
    shutil.move(project.root / "kalman", tmp_path / "elsewhere")
    (project.root / "kalman").symlink_to(tmp_path / "elsewhere")
    assert codes(project) == set()
    started.clear()
    project.write(path, f"# A comment.\n{project.read(path)}")
    assert codes(project) == set() and started == set()
    project.edit(path, *WRONG[path])
    assert "LI402" in codes(project)


@pytest.mark.parametrize("how", ["PYTHONOPTIMIZE", "-O"])
def test_a_check_without_assert_statements_is_refused_and_nothing_of_it_is_kept(project, monkeypatch, capsys, how):
    project.edit(TESTS, HEAD, f"{HEAD}    assert False\n")
    command = [sys.executable, *([how] if how == "-O" else []), "-m", "linkindex", "check", "--root", str(project.root)]
    environment = {**os.environ, **({} if how == "-O" else {how: "1"})}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "leave out assert statements" in done.stderr and "Traceback" not in done.stderr
    assert outcome(project) == "failed"


def test_a_variable_that_leaves_out_assert_statements_is_refused_inside_of_a_process_as_well(project, monkeypatch):
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    assert main(["check", "--root", str(project.root)]) == 2
    with pytest.raises(ConfigError):
        project.check()


def rewritten(path: Path, old: str, new: str) -> None:
    """Another text of the same size, written within the same second, as far as the file says."""
    state = path.stat()
    path.write_text(path.read_text().replace(old, new))
    assert path.stat().st_size == state.st_size
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def test_a_helper_that_is_rewritten_within_the_same_second_is_compiled_anew(project):
    project.write("tests/helper.py", "VALUE = 1\n")
    imported = "    import sys; sys.path.append('tests'); import helper\n"
    project.edit(TESTS, HEAD, f"{HEAD}{imported}    assert helper.VALUE == 1\n")
    helper = project.root / "tests/helper.py"
    assert Path(py_compile.compile(str(helper))).is_file()
    assert outcome(project) == "passed"
    rewritten(helper, "1", "2")
    assert outcome(project) == "failed"


def test_a_test_that_is_rewritten_within_the_same_second_is_compiled_anew(project):
    """pytest keeps what it compiles, with its assertions in words, in files of its own."""
    project.edit(TESTS, HEAD, f"{HEAD}    assert 1 == 1\n")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-m", "pytest", "-q", TESTS], cwd=project.root, env=environment, check=True)
    assert list((project.root / "tests/__pycache__").glob("test_filter.*pytest*.pyc"))
    rewritten(project.root / TESTS, "1 == 1", "1 == 2")
    assert outcome(project) == "failed"


@pytest.mark.parametrize("where", ["in the project", "elsewhere"])
def test_a_test_that_starts_a_process_runs_again_each_time(project, tmp_path, started, where):
    command = f"[{sys.executable!r}, '-c', 'import kalman.filter']"
    (tmp_path / "asking.py").write_text(f"import subprocess\n\nsubprocess.run({command}, check=True)\n")
    elsewhere = f"import sys; sys.path.append({str(tmp_path)!r}); import asking"
    here = f"__import__('subprocess').run({command}, check=True)"
    project.edit(TESTS, HEAD, f"{HEAD}    {here if where == 'in the project' else elsewhere}\n")
    for _ in range(2):
        started.clear()
        assert full(project)[4] == () and started == {TEST, EQUATION}


KEPT = {
    "read": "open(path).read()",
    "opened to be changed": "open(path, 'r+').read()",
    "opened to be continued": "[file := open(path, 'a+'), file.seek(0), file.read()][2]",
    "mapped": "bytes(np.memmap(path, np.uint8)).decode()",
    "appended to first": "[open(path, 'a').write(''), open(path).read()][1]",
}


@pytest.mark.parametrize("how", KEPT)
def test_a_data_file_elsewhere_counts_however_it_is_opened(project, tmp_path, how):
    data = tmp_path / "data.txt"
    data.write_text("1")
    project.edit(TESTS, HEAD, f"{HEAD}    path = {str(data)!r}\n    assert {KEPT[how]} == '1'\n")
    assert outcome(project) == outcome(project) == "passed"
    data.write_text("2")
    assert outcome(project) == "failed"


MADE = {
    "written": "path.write_text('1')",
    "written beside and moved": "(tmp_path / 'new').write_text('1'), (tmp_path / 'new').replace(path)",
}


@pytest.mark.parametrize("how", MADE)
def test_a_file_that_the_test_itself_writes_does_not_matter(project, started, how):
    lines = f"    path = tmp_path / 'b.txt'\n    {MADE[how]}\n    assert path.read_text() == '1'\n"
    project.edit(TESTS, HEAD, HEAD.replace("rng", "rng, tmp_path") + lines)
    assert codes(project) == set()
    started.clear()
    assert codes(project) == set() and started == set()


def test_a_name_that_cannot_be_one_of_a_file(project):
    lines = "    with __import__('pytest').raises(OSError):\n        open('/tmp/' + 'a' * 300)\n"
    project.edit(TESTS, HEAD, HEAD + lines)
    assert outcome(project) == outcome(project) == "passed"


def test_a_project_inside_of_what_is_installed_is_a_project(project, tmp_path, started):
    inside = tmp_path / "site-packages" / "project"
    shutil.move(project.root, inside)
    project = type(project)(inside)
    assert codes(project) == set()
    project.edit("kalman/arrays.py", "dtype=DTYPE)", "dtype=DTYPE) * 2.0")
    assert "LI402" in codes(project)


def test_settings_of_python_count(project, started, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    assert codes(project) == set() and TEST in started


NAMED = {"a variable": "env:PLANTED", "files": "settings/*.txt"}


@pytest.mark.parametrize("what", NAMED)
def test_what_the_configuration_names_counts(project, started, monkeypatch, what):
    """Of variables, and of files that are only looked at, nothing is noted."""
    project.edit("pyproject.toml", "[tool.linkindex]\n", f"[tool.linkindex]\ndepends = [{NAMED[what]!r}]\n")
    assert codes(project) == set()
    started.clear()
    assert codes(project) == set() and started == set()
    monkeypatch.setenv("PLANTED", "1")
    project.write("settings/one.txt", "1")
    assert codes(project) == set() and TEST in started
