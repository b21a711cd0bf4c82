"""What was kept but is damaged, misplaced, of another version or of a file changed meanwhile is computed again."""

import shutil
from pathlib import Path

import linkindex.run.runs
import pytest

from tests.linkindex.cache.checking import EDITS, EQUATIONS, PREDICT, check_in_a_process, entries, full, toggle

DAMAGE = {
    "empty": lambda data: b"",
    "cut short": lambda data: data[: len(data) // 2],
    "another number": lambda data: data.replace(b"1", b"2"),
    "no text": lambda data: b"\xff\xfe" + data,
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_is_computed_again(project, started, name):
    before = full(project)
    for path in entries(project):
        path.write_bytes(DAMAGE[name](path.read_bytes()))
    assert full(project)[2:] == before[2:]
    assert started == {"filter", *EQUATIONS, *PREDICT, "tests/test_filter.py::test_innovation"}


def test_a_file_under_the_name_of_another_is_not_believed(project, started):
    before = full(project)
    paths = entries(project)
    contents = [path.read_bytes() for path in paths]
    for path, content in zip(paths, [*contents[1:], contents[0]]):
        path.write_bytes(content)
    assert full(project)[2:] == before[2:] and "filter" in started


def test_a_result_is_not_kept_if_a_file_changed_while_it_was_computed(project, started, monkeypatch):
    run_worker = linkindex.run.runs.run_worker

    def run(module, job):
        result = run_worker(module, job)
        if job["tests"]:
            project.edit("kalman/arrays.py", "dtype=DTYPE) * 1.0", "dtype=DTYPE) * 3.0")
        return result

    toggle(project, *EDITS["a helper of the code"])
    monkeypatch.setattr(linkindex.run.runs, "run_worker", run)
    full(project)
    monkeypatch.setattr(linkindex.run.runs, "run_worker", run_worker)
    assert "LI402" in [finding.code for finding in full(project)[4]]


def test_what_another_version_of_linkindex_kept_is_not_used(project, tmp_path):
    """The other version differs in one rule: no mutant survives. What this one kept is computed again by it."""
    source = tmp_path / "src"
    shutil.copytree(Path(linkindex.__file__).parents[1], source, ignore=shutil.ignore_patterns("__pycache__"))
    worker = source / "linkindex" / "mutants" / "worker.py"
    assert '"assertion" if' in worker.read_text()
    kept = {path.name for path in entries(project)}
    worker.write_text(worker.read_text().replace('"assertion" if', '"exception" if'))
    assert "LI454" in check_in_a_process(project, source).communicate()[0]
    assert kept <= {path.name for path in entries(project)}
    assert full(project)[4] == ()
