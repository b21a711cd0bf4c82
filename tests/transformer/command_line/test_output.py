"""Where the output goes: a bar on a terminal, none in a pipe, and readers that leave early."""

import io
import os
import re
import subprocess
import sys

import pytest

from tests.transformer.command_line.commands import COMMAND, environment
from transformer.command_line import progress


def test_a_bar_shows_rate_loss_and_the_time_left():
    assert progress.line(250, 1000, 12.5, "loss 1.234", 79) == (
        "[#######                       ] 250/1,000  12.5 steps/s  loss 1.234  1:00 left")
    assert progress.clock_time(3723.4) == "1:02:03"


@pytest.mark.parametrize("width", [0, 1, 20, 44, 57, 58, 59, 200])
def test_a_bar_fits_its_terminal(width):
    line = progress.line(999, 1000, 3.21, "loss 1.234", width)
    assert len(line) <= max(width, 0) and "\n" not in line


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_is_drawn_ten_times_a_second_at_most_and_taken_away():
    seconds = iter([0.0, 0.01, 0.02, 0.2, 0.25])
    stream = Terminal()
    bar = progress.Bar(stream, total=10, clock=lambda: next(seconds))
    for step in range(1, 5):
        bar.show(step, "loss 1.000")
    drawn = stream.getvalue().split("\r")[1:]
    assert ["1/10" in text or "3/10" in text for text in drawn] == [True, True]
    bar.clear()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_there_is_no_bar_in_a_pipe():
    stream = io.StringIO()
    bar = progress.Bar(stream, total=10)
    bar.show(5, "loss 1.000")
    bar.clear()
    assert stream.getvalue() == ""


@pytest.mark.skipif(os.name != "posix", reason="not run: needs a terminal of POSIX")
def test_a_terminal_gets_a_bar_on_stderr(folder):
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, "train", "reversal", "--small", "--steps", "30"], cwd=folder, stderr=theirs,
                               stdout=subprocess.PIPE, env=environment())
    out, _ = process.communicate(timeout=60)
    os.close(theirs)
    drawn = os.read(ours, 100_000).decode()
    os.close(ours)
    assert re.search(r"\r\[#* *\] \d+/30  \d+\.\d steps/s  loss \d\.\d{3}  \d:\d\d left", drawn)
    assert b"\r" not in out and out.endswith(b"saved trained/reversal.npz and trained/reversal.json\n")


@pytest.mark.skipif(os.name != "posix", reason="not run: needs a shell")
@pytest.mark.parametrize(("command", "reader"), [
    ("generate --count 2000 --max-new 3", "true"), ("--help", "true"),
    ("train reversal --small --steps 300", "head -1"),
])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_gone_is_no_traceback(folder, command, reader, unbuffered):
    """``true`` reads nothing and ends at once; ``head`` reads that a training begins."""
    script = f"sleep 0.2; '{sys.executable}' -m transformer {command}"
    done = subprocess.run(["bash", "-c", f"({script}) | {reader}"], cwd=folder, capture_output=True, text=True,
                          env=environment(PYTHONUNBUFFERED=unbuffered), timeout=60)
    assert done.stderr == ""
    if command.startswith("train"):
        assert (folder / "trained" / "reversal.unfinished.npz").exists(), "what was trained is not lost"


def in_shell(folder, script):
    return subprocess.run(["bash", "-c", script.replace("COMMAND", f"'{sys.executable}' -m transformer")], cwd=folder,
                          capture_output=True, text=True, env=environment(), timeout=60)


@pytest.mark.skipif(os.name != "posix", reason="not run: needs a shell")
@pytest.mark.parametrize(("command", "code"), [
    ("generate --model reversal --prompt abc --max-new 2", 0), ("generate --top-p 3", 2),
    ("train reversal --small --steps 2 --out model", 0),
])
@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)], ids=str)
def test_closed_streams_change_neither_the_code_nor_the_other_stream(folder, command, code, closed):
    """Nothing that is meant for one lands in the other, there is no traceback, and files are what they are."""
    whole = in_shell(folder, f"COMMAND {command}")
    done = in_shell(folder, f"rm -f model.*; COMMAND {command} {' '.join(f'{number}>&-' for number in closed)}")
    assert done.returncode == whole.returncode == code
    assert done.stdout == ("" if 1 in closed else whole.stdout)
    assert done.stderr == ("" if 2 in closed else whole.stderr)
    if command.startswith("train"):
        assert (folder / "model.npz").exists() and "Traceback" not in (folder / "model.json").read_text()
