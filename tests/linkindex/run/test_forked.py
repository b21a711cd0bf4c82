"""Work in forked copies: results in order, and nothing lost by what one of them does."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import linkindex
import pytest

from linkindex.run.forked import Died, Work, in_copies, in_copy, processors
from linkindex.run.background import in_background

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")


def test_results_come_in_the_order_of_the_works_whichever_ends_first():
    works = [Work(lambda n=n: (time.sleep(0.2 if n == 0 else 0), n)[1]) for n in range(3 * processors())]
    assert in_copies(works) == list(range(3 * processors()))


def test_as_many_copies_work_at_the_same_time_as_there_are_processors(tmp_path):
    def work(number: int) -> int:
        (tmp_path / str(number)).touch()
        time.sleep(0.2)
        (tmp_path / str(number)).unlink()
        return len(list(tmp_path.iterdir())) + 1  # this one, and those that are not done

    together = in_copies(Work(lambda n=n: work(n)) for n in range(3 * processors()))
    assert max(together) <= processors()


def test_a_copy_that_dies_or_is_late_does_not_take_the_others_along():
    def busy() -> None:
        while True:
            pass

    ended, late, last = in_copies([Work(lambda: os._exit(3)), Work(busy, 0.1, lambda: "late"), Work(lambda: "last")])
    assert isinstance(ended, Died) and "code 3" in str(ended)
    assert (late, last) == ("late", "last")


def test_a_large_result_arrives_whole():
    assert in_copy(lambda: "x" * 3_000_000) == "x" * 3_000_000


def test_what_a_copy_changes_is_not_changed_here():
    seen = []
    assert in_copies([Work(lambda: seen.append(1))] * 2) == [None, None]
    assert seen == []


def test_values_made_meanwhile_come_one_by_one_and_then_what_was_raised():
    def make():
        yield "first"
        yield None
        raise LookupError("no more")

    with in_background(make) as values:
        assert [next(values), next(values)] == ["first", None]
        with pytest.raises(LookupError, match="no more"):
            next(values)


def test_what_nobody_waits_for_is_interrupted():
    start = time.monotonic()
    with in_background(lambda: [time.sleep(60)]):
        pass
    assert time.monotonic() - start < 30


def test_a_copy_that_is_killed_is_no_end_of_the_values():
    with in_background(lambda: [os.kill(os.getpid(), 9)]) as values, pytest.raises(RuntimeError, match="ended before"):
        next(values)


def test_a_fork_server_does_not_end_while_a_worker_works_and_is_started_again_after_it_has(tmp_path):
    """The server of this test is idle after a moment; the worker takes longer, and the next one comes later still."""
    package = tmp_path / "src"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(linkindex.__file__).parent, package / "linkindex", ignore=ignored)
    server = package / "linkindex" / "run" / "forkserver.py"
    assert "\nIDLE = 60.0" in server.read_text()
    server.write_text(server.read_text().replace("\nIDLE = 60.0", "\nIDLE = 0.3"))
    (package / "linkindex" / "slow.py").write_text(
        "import time\n\n\ndef main(job, result):\n    time.sleep(1.5)\n    open(result, 'w').write('[1]')\n"
    )
    code = (
        "import time\nfrom linkindex.run.child import run_worker\n"
        f"job = {{'root': {str(tmp_path)!r}}}\nprint(run_worker('linkindex.slow', job))\n"
        "time.sleep(1.5)\nprint(run_worker('linkindex.slow', job))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[1]\n[1]\n", "")


AT_ONCE = """
import os, time
from contextlib import suppress
from pathlib import Path

from linkindex.run.child import at_once, prepare, run_worker
from linkindex.run.background import in_background

job = {{"root": {root!r}}}
started = Path({root!r}, "started")


def slow():
    return run_worker("sleeping", job)


def begun():
    while not (started.exists() and started.read_text()):
        time.sleep(0.01)


def failing():
    begun()
    raise ValueError("planted")


def wait_for_its_end():
    worker = int(started.read_text())
    with suppress(ProcessLookupError):
        while True:
            os.kill(worker, 0)
            time.sleep(0.01)


prepare(Path({root!r}))
"""
ONE_FAILS = "try:\n    at_once([slow, failing])\nexcept ValueError as error:\n    print(error)\n"
# The copy waits for a worker of the fork server that its parent has begun, and keeps.
INTERRUPTED = "with in_background(lambda: [at_once([slow, slow])]):\n    begun()\nprint('planted')\n"


@pytest.mark.parametrize("way", [ONE_FAILS, INTERRUPTED], ids=["one fails", "interrupted"])
def test_works_that_nobody_waits_for_any_more_end_with_their_workers(tmp_path, way):
    (tmp_path / "sleeping.py").write_text(
        "import os, time\n\n\ndef main(job, result):\n"
        "    own = f'{os.getpid()}'\n    open(own, 'w').write(own)\n"
        f"    os.replace(own, {str(tmp_path / 'started')!r})\n    time.sleep(60)\n"
    )
    code = f"{AT_ONCE.format(root=str(tmp_path))}{way}wait_for_its_end()\n"
    path = os.pathsep.join([str(tmp_path), str(Path(linkindex.__file__).parents[1])])
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("planted\n", "")
    assert time.monotonic() - start < 30
