"""Findings for pull requests and for pre-commit."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import linkindex
import pytest
import yaml
from linkindex.cli import main
from linkindex.model import Finding, Place
from linkindex.report import report

ROOT = Path(__file__).parents[2]
# As a runner reads a line: properties up to "::", then the message.
COMMAND = re.compile(r"::error ([^:\n\r]*?)::([^\n\r]*)")


def annotation(path="docs/a.yml", message="wrong"):
    """The properties and the message that a runner reads from a finding."""
    text = report([Finding(Place(path, 3, 7), "LI104", message)], "github")
    properties, body = COMMAND.fullmatch(text).groups()
    pairs = dict(pair.split("=", 1) for pair in properties.split(","))
    return {name: decoded(value) for name, value in pairs.items()}, decoded(body)


def decoded(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_an_annotation_names_file_line_column_and_code():
    assert annotation() == ({"file": "docs/a.yml", "line": "3", "col": "7", "title": "LI104"}, "wrong")


@pytest.mark.parametrize(
    "path", ["docs/a,b.yml", "docs/a:b.yml", "docs/a::b.yml", "docs/100%.yml", "docs/%3A.yml", "docs/a=b.yml"]
)
def test_a_path_with_signs_of_the_command_arrives_as_it_is(path):
    assert annotation(path=path)[0] == {"file": path, "line": "3", "col": "7", "title": "LI104"}


@pytest.mark.parametrize(
    "message", ["50 % of it", "%0A", "a::b", "expected a, found b: c", "::error::planted", "100%25"]
)
def test_a_message_with_signs_of_the_command_arrives_as_it_is(message):
    assert annotation(message=message)[1] == message


@pytest.mark.parametrize("break_", ["\n", "\r", "\r\n", "\n\n", "\u2028", "\x0b", "\x85"])
def test_a_message_of_several_lines_is_one_command(break_):
    message = f"first{break_}::error file=planted::second"
    assert annotation(message=message)[1] == "first ::error file=planted::second"


def test_a_path_with_a_line_break_is_one_command():
    assert annotation(path="docs/a\nb.yml")[0]["file"] == "docs/a\nb.yml"


def test_findings_of_a_check_are_annotations(project, capsys):
    project.edit("docs/filter.yml", "latex: y = z - H x", "latex: y = z - G x")
    assert main(["check", "--fast", "--format", "github", "--root", str(project.root)]) == 1
    lines = capsys.readouterr().out.splitlines()
    line = project.line_of("docs/filter.yml", "y = z - G x")
    assert any(
        text.startswith(f"::error file=docs/filter.yml,line={line},col=") and "title=LI501::" in text for text in lines
    )
    assert all(text.startswith("::error ") for text in lines)


# --- pre-commit ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hook():
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return hook


def test_the_hook_has_what_pre_commit_requires(hook):
    assert {"id", "name", "entry", "language", "files"} <= hook.keys()
    assert hook["language"] == "system" and hook["pass_filenames"] is False
    assert not hook.keys() - {"id", "name", "description", "entry", "language", "files", "pass_filenames"}


@pytest.mark.parametrize(
    "path", ["transformer/attention.py", "docs/attention.yml", "docs/attention.md", "docs/links.lock", "pyproject.toml"]
)
def test_the_hook_runs_for_files_that_can_break_a_link(hook, path):
    assert re.search(hook["files"], path)


@pytest.mark.parametrize("path", ["LICENSE", "docs/assets/attention-page.png", "docs/data.npz", "setup.cfg"])
def test_the_hook_does_not_run_for_other_files(hook, path):
    assert not re.search(hook["files"], path)


def test_the_entry_of_the_hook_runs(hook, project, tmp_path):
    """As pre-commit does: in the project's root, without file names; the command itself stands on the path."""
    program, *options = shlex.split(hook["entry"])
    command = shutil.which(program)
    start = [command] if command else [sys.executable, "-m", program]
    path = os.pathsep.join([str(Path(linkindex.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])

    def call():
        environment = {**os.environ, "PYTHONPATH": path}
        return subprocess.run([*start, *options], cwd=project.root, env=environment, capture_output=True, text=True)

    assert call().returncode == 0
    project.edit("kalman/filter.py", "y = z - H @ x ", "y = z + H @ x ")
    done = call()
    assert done.returncode == 1 and "LI226" in done.stdout
