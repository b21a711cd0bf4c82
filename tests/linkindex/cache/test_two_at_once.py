"""Checks that use the same files at the same time do not disturb each other."""

import shutil
import subprocess
import sys
import time

from linkindex import store

from tests.linkindex.cache.checking import check_in_a_process, full


def test_two_checks_at_once_do_not_disturb_each_other(project, started):
    before = full(project)
    shutil.rmtree(project.root / "build")
    processes = [check_in_a_process(project) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in processes] == ["0", "0"]
    assert not list((project.root / store.FOLDER).rglob("*.new")), "a temporary file was left behind"
    assert full(project)[2:] == before[2:]


def test_two_processes_that_write_one_file_leave_one_of_the_two_results(tmp_path):
    path = tmp_path / "result.json"
    write = (
        "import sys; from pathlib import Path; from linkindex import store\n"
        "for _ in range(300): store.write(Path(sys.argv[1]), sys.argv[2] * 5000)"
    )
    processes = [subprocess.Popen([sys.executable, "-c", write, str(path), letter]) for letter in "ab"]
    seen = set()
    while any(process.poll() is None for process in processes):
        result = store.read(path)
        seen.add(result and result[:1])
        assert result in (None, "a" * 5000, "b" * 5000)
        time.sleep(0.001)
    assert [process.returncode for process in processes] == [0, 0]
    assert seen >= {"a"} or seen >= {"b"}
    assert [other.name for other in tmp_path.iterdir()] == ["result.json"]
