"""tools/dev.py: what set-up decides, and that it does what it decided; nothing here needs a network."""

import ast
import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "dev.py"
posix_only = pytest.mark.skipif(os.name != "posix", reason="not run: needs the signals and links of POSIX")


@pytest.fixture
def dev():
    spec = importlib.util.spec_from_file_location("dev", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(dev, tmp_path, monkeypatch):
    """A folder, with a blank in its name, that holds the inputs of set-up and asks for no package."""
    root = tmp_path / "a project"
    for name in dev.INPUTS:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name, encoding="utf-8")
    (root / "none.txt").write_text("", encoding="utf-8")
    monkeypatch.setattr(dev, "ROOT", root)
    monkeypatch.setattr(dev, "REQUIREMENTS", ("-r", "none.txt"))
    monkeypatch.delenv("DEV_VENV", raising=False)  # under `dev.py newest` it is set
    return root


@pytest.fixture
def pip(not_run):
    if importlib.util.find_spec("pip") is None:
        not_run("this Python has no pip")


# --- decisions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tools/constraints.txt", "pyproject.toml", "tools/linkindex/pyproject.toml"])
def test_a_change_of_any_input_asks_for_a_new_environment(dev, project, name):
    before = dev.fingerprint(project, "3.11")
    (project / name).write_text("another", encoding="utf-8")
    assert dev.next_step(before, dev.fingerprint(project, "3.11"), works=True) == "create"


def test_another_python_or_another_folder_asks_for_a_new_environment(dev, project, tmp_path):
    before = dev.fingerprint(project, "3.11")
    assert dev.fingerprint(project, "3.13") != before
    project.rename(tmp_path / "moved")
    assert dev.fingerprint(tmp_path / "moved", "3.11") != before


def test_text_that_moves_from_one_input_to_the_next_is_a_change(dev, project):
    first, second = (project / name for name in dev.INPUTS[:2])
    first.write_text("ab", encoding="utf-8")
    second.write_text("c", encoding="utf-8")
    before = dev.fingerprint(project, "3.11")
    first.write_text("a", encoding="utf-8")
    second.write_text("bc", encoding="utf-8")
    assert dev.fingerprint(project, "3.11") != before


@pytest.mark.parametrize(
    ("state", "works", "expected"),
    [
        ("as wanted", True, "nothing"),
        ("something else", True, "create"),
        ("unfinished", True, "create"),
        (None, True, "install"),
        ("by hand, as wanted", True, "nothing"),
        ("by hand, something else", True, "install"),
        ("as wanted", False, "create"),
        (None, False, "create"),
    ],
)
def test_what_an_environment_needs(dev, state, works, expected):
    assert dev.next_step(state, "as wanted", works) == expected


def test_the_interpreter_stands_where_each_system_puts_it(dev):
    there = PureWindowsPath(r"C:\a b\.venv\Scripts\python.exe")
    assert dev.python_in(PureWindowsPath(r"C:\a b\.venv"), windows=True) == there
    assert dev.python_in(PurePosixPath("/a b/.venv"), windows=False) == PurePosixPath("/a b/.venv/bin/python")


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        ({"venv", "ensurepip", "pip", "virtualenv"}, ("venv",)),
        ({"venv", "pip", "virtualenv"}, ("venv", "--without-pip")),
        ({"venv", "virtualenv"}, ("virtualenv",)),
        ({"pip", "virtualenv"}, ("virtualenv",)),
    ],
)
def test_how_an_environment_is_made_with_what_this_python_has(dev, present, expected):
    modules = {name: name in present for name in ("venv", "ensurepip", "pip", "virtualenv")}
    assert dev.way_to_create(modules) == expected


def test_without_any_way_the_message_names_what_is_missing_and_what_to_install(dev):
    with pytest.raises(dev.CannotGoOn) as caught:
        dev.way_to_create({"venv": True, "ensurepip": False, "pip": False, "virtualenv": False})
    assert "it has no ensurepip, pip, virtualenv" in str(caught.value)
    assert f"apt-get install python3.{sys.version_info[1]}-venv" in str(caught.value)


def test_this_script_parses_on_old_pythons_which_get_a_sentence_instead_of_a_traceback():
    source = SCRIPT.read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))
    old = (
        "import runpy, sys; sys.version_info = (3, 8, 1, 'final', 0); "
        "runpy.run_path(sys.argv[1], run_name='__main__')"
    )
    result = subprocess.run([sys.executable, "-c", old, SCRIPT], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("needs Python 3.11 or newer, this is 3.8.1 ")


@pytest.mark.parametrize("given", [[], ["--fast"], ["--fast", "-q"], ["-x", "-v"]])
def test_the_whole_and_the_fast_suite_use_the_processors_there_are(dev, given):
    assert dev.pytest_arguments(given, processors=2) == ["-n", "2", *given]
    assert dev.pytest_arguments(given, processors=64) == ["-n", str(dev.MOST_PROCESSES), *given]
    assert dev.pytest_arguments(given, processors=1) == given


@pytest.mark.parametrize("given", [["tests/tools"], ["-k", "softmax"], ["--pdb"], ["-n", "3"], ["-s"]])
def test_what_selects_a_few_tests_or_needs_the_terminal_runs_in_one_process(dev, given):
    assert dev.pytest_arguments(given, processors=2) == given


# --- doing -----------------------------------------------------------------------------------------------------------


def without_ensurepip(dev, monkeypatch):
    """As on Debian without python3-venv; it is also the quickest way to an environment."""
    found = dev.found
    monkeypatch.setattr(dev, "found", lambda name: name != "ensurepip" and found(name))


@pytest.mark.usefixtures("pip")
def test_an_interrupted_set_up_is_repeated_and_a_finished_one_is_not(dev, project, monkeypatch):
    without_ensurepip(dev, monkeypatch)
    state, leftover = project / ".venv" / dev.STATE, project / ".venv" / "leftover"

    monkeypatch.setattr(dev, "REQUIREMENTS", ("-r", "absent.txt"))
    with pytest.raises(dev.CannotGoOn, match="Set-up failed"):
        dev.set_up()
    assert state.read_text(encoding="utf-8") == dev.UNFINISHED
    leftover.touch()

    monkeypatch.setattr(dev, "REQUIREMENTS", ("-r", "none.txt"))
    python = dev.set_up()
    assert subprocess.run([python, "-c", "print(1 + 1)"], capture_output=True, text=True).stdout == "2\n"
    assert state.read_text(encoding="utf-8") == dev.fingerprint(project, sys.version)
    assert not leftover.exists()

    leftover.touch()
    assert dev.set_up() == python
    assert leftover.exists()


@pytest.mark.usefixtures("pip")
@posix_only
def test_an_environment_whose_python_is_gone_is_replaced(dev, project, monkeypatch):
    without_ensurepip(dev, monkeypatch)
    broken = project / ".venv" / "bin" / "python"
    broken.parent.mkdir(parents=True)
    broken.symlink_to(project / "removed" / "python3")
    assert not dev.starts(broken)
    assert dev.starts(dev.set_up())


@pytest.mark.usefixtures("pip")
def test_an_environment_made_by_hand_is_kept(dev, project):
    venv = project / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    (venv / "mine").touch()
    dev.set_up()
    (project / "pyproject.toml").write_text("changed", encoding="utf-8")
    dev.set_up()
    assert (venv / "mine").exists()


def test_the_exit_code_of_a_child_is_handed_on(dev, project):
    assert dev.run(sys.executable, "-c", "raise SystemExit(3)") == 3


def test_a_child_sees_the_environment_of_the_caller_except_what_would_lead_pip_astray(dev, project, monkeypatch):
    monkeypatch.setenv("REQUIRE_ALL", "1")
    monkeypatch.setenv("PIP_USER", "1")
    look = "import os; raise SystemExit((os.environ['REQUIRE_ALL'], os.environ['PIP_USER']) != ('1', '0'))"
    assert dev.run(sys.executable, "-c", look) == 0


@posix_only
def test_a_child_that_a_signal_ended_is_reported_as_a_shell_would(dev, project):
    assert dev.run(sys.executable, "-c", "import os; os.kill(os.getpid(), 15)") == 128 + 15


@posix_only
def test_ctrl_c_ends_quietly_after_the_child_has_ended(tmp_path):
    started, ended = tmp_path / "started", tmp_path / "ended"
    child = f"""
import pathlib, time
try:
    pathlib.Path({str(started)!r}).touch()
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(0.5)
    pathlib.Path({str(ended)!r}).touch()
"""
    # A shell that starts a command in the background has it ignore the interrupt; a terminal does not.
    parent = f"""
import pathlib, runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
main = runpy.run_path({str(SCRIPT)!r})["main"]
main.__globals__["set_up"] = lambda: main.__globals__["run"](sys.executable, "-c", {child!r})
sys.exit(main(["setup"]))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", parent], start_new_session=True, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 30
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert ended.exists()
    assert (process.returncode, errors) == (130, "")


def interpreter(folder, version, runs=True):
    """What looks like python3.N of a version: it answers every program with its version, or says with which it ran."""
    file = folder / f"python3.{version[1]}"
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(f"""#!/bin/sh
[ "$1" = -c ] && echo '{tuple(version) if runs else ()}' && exit
echo "$DEV_VENV" "$@" > '{folder.as_posix()}/called'
exit 7
""", encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """A machine with no other Python than those that a test puts on the path, or into the folder of pyenv."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "bin"), str(tmp_path / "absent"), "/bin", "/usr/bin"]))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setattr(os, "get_exec_path", lambda: [str(tmp_path / "bin"), str(tmp_path / "absent")])
    return tmp_path


@posix_only
def test_the_newest_python_runs_the_tests_in_an_environment_of_its_own(dev, alone, capfd):
    interpreter(alone / "bin", (3, 95, 1))
    interpreter(alone / "bin", (3, 99, 0), runs=False)  # as a shim of pyenv that names no installed version
    interpreter(alone / "pyenv/versions/3.96.2/bin", (3, 96, 2))
    interpreter(alone / "pyenv/versions/3.8.18/bin", (3, 8, 18))
    assert dev.main(["newest", "--fast"]) == 7
    assert "Python 3.96.2 (" in capfd.readouterr().out
    called = (alone / "pyenv/versions/3.96.2/bin/called").read_text(encoding="utf-8")
    assert called == f".venv-newest {SCRIPT} test --fast\n"


@posix_only
def test_without_a_newer_python_a_sentence_says_so(dev, alone, capsys):
    interpreter(alone / "bin", (*sys.version_info[:2], 99))
    assert dev.main(["newest", "--fast"]) == 0
    assert capsys.readouterr().out == f"Not run: no Python newer than 3.{sys.version_info[1]} is installed.\n"


@pytest.mark.usefixtures("pip")
def test_another_folder_for_the_environment_leaves_the_first_alone(dev, project, monkeypatch):
    without_ensurepip(dev, monkeypatch)
    monkeypatch.setenv("DEV_VENV", ".venv-newest")
    assert dev.set_up() == dev.python_in(project / ".venv-newest", os.name == "nt")
    assert not (project / ".venv").exists()


def test_help_names_every_command_from_any_folder(tmp_path):
    result = subprocess.run([sys.executable, SCRIPT, "--help"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0
    for command in ("site", "test", "newest", "setup"):
        assert f"\n    {command} " in result.stdout


def test_an_unknown_command_is_wrong_use(tmp_path):
    result = subprocess.run([sys.executable, SCRIPT, "sit"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 2
    assert "invalid choice: 'sit'" in result.stderr


def test_arguments_of_test_go_to_pytest(dev, monkeypatch):
    monkeypatch.setattr(dev, "set_up", lambda: Path(sys.executable))
    assert dev.main(["test", "-q", "--collect-only", "tests/tools/test_dev.py", "-k", "no_test_has_this_name"]) == 5
