"""The command as people call it."""

import subprocess
import sys

import pytest
from linkindex.cli import main


def test_the_root_may_stand_before_the_command(project, capsys):
    root = str(project.root)
    assert main(["--root", root, "check", "--fast"]) == 0
    assert main(["check", "--fast", "--root", root]) == 0
    assert capsys.readouterr().err == "7 equations checked\n" * 2


@pytest.mark.parametrize("arguments", [["check", "--fast"], ["check", "--fast", "--format", "json"], ["fix"]])
def test_a_closed_pipe_is_silent(project, arguments):
    project.edit("docs/filter.yml", "kalman.filter.predict", "kalman.filter.predct")
    command = [sys.executable, "-m", "linkindex", *arguments, "--root", str(project.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        said = process.stderr.read()
    assert "Error" not in said and "Exception" not in said and "Traceback" not in said
