"""A check that uses what earlier ones kept finds what a check without a cache finds."""

import random
import shutil

import linkindex.fast
from linkindex.fast import check_fast
from linkindex.load.config import read_config

from tests.linkindex.cache.checking import CODE, EDITS, EXAMPLE, TESTS, full, toggle
from tests.linkindex.project import Project


def without_cache(project, tmp_path):
    """The same project where nothing is kept."""
    copy = tmp_path / f"fresh{len(list(tmp_path.iterdir()))}"
    shutil.copytree(project.root, copy, ignore=shutil.ignore_patterns("build"))
    return full(Project(copy))


def comment(project, rng):
    """A comment and a blank line above a random statement at the top level."""
    path = rng.choice([CODE, "kalman/arrays.py", TESTS, "tests/conftest.py", EXAMPLE])
    lines = project.read(path).split("\n")
    number = rng.choice([number for number, line in enumerate(lines) if line.startswith(("def ", "import "))])
    project.write(path, "\n".join([*lines[:number], f"# {rng.random()}", "", *lines[number:]]))


def new_file(project, rng):
    project.write(f"tests/other{rng.randrange(9)}.py", "VALUE = 1\n")


def earlier(project, rng, history):
    """A file as it was some edits ago."""
    path = rng.choice(list(history[0]))
    project.write(path, rng.choice(history)[path])


def test_random_edits_give_the_same_evidence_as_without_a_cache(project, tmp_path):
    rng = random.Random(5)
    names = [*EDITS, "comment", "earlier", "earlier", "new file"]
    rng.shuffle(names)
    edited = sorted({path for path, _, _ in EDITS.values()})
    history = []
    for number, name in enumerate(names):
        history.append({path: project.read(path) for path in edited})
        match name:
            case "comment":
                comment(project, rng)
            case "earlier":
                earlier(project, rng, history)
            case "new file":
                new_file(project, rng)
            case _:
                toggle(project, *EDITS[name])
        kept, fresh = full(project), without_cache(project, tmp_path)
        assert kept[4] == fresh[4], f"edit {number}, {name}: other findings"
        assert kept[3] == fresh[3], f"edit {number}, {name}: other proofs"
        assert kept[2] == fresh[2], f"edit {number}, {name}: other runs or verdicts"
        config = read_config(project.root)
        remembered = check_fast(config)[1]
        (project.root / linkindex.fast.FILE).unlink(missing_ok=True)
        assert remembered == check_fast(config)[1], f"edit {number}, {name}: check --fast finds something else"
