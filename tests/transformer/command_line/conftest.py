"""A command in the working folder of a test, and two models that were trained for a moment."""

import pytest

from transformer.command_line.main import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder of a test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder, capsys):
    """``run("train", ...)``: exit code, stdout and stderr of a command in the working folder."""

    def do(*arguments):
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return do


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Two models that had a few steps: the paths of their checkpoints."""
    folder = tmp_path_factory.mktemp("models")
    for task in ("reversal", "language"):
        assert main(["train", task, "--small", "--steps", "3", "--out", str(folder / task)]) == 0
    return {task: str(folder / task) for task in ("reversal", "language")}
