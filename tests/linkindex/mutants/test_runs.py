"""Mutants run together and one after the other, and yet each gets the verdict that it would get alone."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import linkindex
import pytest

from linkindex.load.config import read_config
from linkindex.model import Mutant
from linkindex.mutants import worker
from linkindex.mutants.plan import plan
from linkindex.pipeline import places_for
from linkindex.run.runs import run
from tests.linkindex.mutants.asked import run_mutants

INNOVATION = "filter.innovation"                         # y = z - H @ x, in kalman.filter.update
WRONG, WORSE, EQUAL = "z + H @ x", "H @ z", "z - (H @ x)"  # noticed by an assertion, by an exception, not noticed
LEAVES_BEHIND = {
    "a module without NumPy": "(globals().update(np=None), z + H @ x)[1]",
    "a function that is another one": "(globals().update(update=lambda *_: 1 / 0), z + H @ x)[1]",
    "an environment variable that the code reads": "(__import__('os').environ.update(KALMAN='1'), z + H @ x)[1]",
    "a random state": "(np.random.seed(3), z + H @ x)[1]",
    "a folder": "(__import__('os').chdir('/'), z + H @ x)[1]",
}


@pytest.fixture
def verdicts(project):
    """``verdicts(code, ...)``: outcomes of these mutants of the innovation, together and each alone."""

    def of(codes):
        index, resolution, findings = places_for(read_config(project.root))
        assert findings == ()
        (target,) = (one for one in plan(index, resolution, run(index, resolution)[0]) if one.equation == INNOVATION)
        made_up = replace(target, mutants=tuple(Mutant("made up", code) for code in codes))
        found, wrong = run_mutants(index, [made_up])
        assert wrong == ()
        return [verdict.outcome for verdict in found[INNOVATION]]

    def verdicts(*codes):
        together = of(codes)
        assert together == [outcome for code in codes for outcome in of([code])]
        return together

    return verdicts


def test_each_mutant_of_an_expression_has_its_own_verdict(verdicts):
    assert verdicts(WRONG, EQUAL, WORSE, WRONG) == ["assertion", "survived", "exception", "assertion"]


def test_more_mutants_than_one_copy_takes_keep_their_order(verdicts):
    codes = [WRONG if number % 3 else EQUAL for number in range(worker.TOGETHER + 2)]
    expected = ["assertion" if number % 3 else "survived" for number in range(worker.TOGETHER + 2)]
    assert verdicts(*(f"{code} + {number} * 0" for number, code in enumerate(codes))) == expected


def test_a_mutant_that_hangs_or_ends_the_process_does_not_take_the_others_along(verdicts):
    codes = (WRONG, "[0 for _ in iter(int, 1)]", EQUAL, "__import__('os')._exit(0)", WORSE)
    assert verdicts(*codes) == ["assertion", "timeout", "survived", "crash", "exception"]


@pytest.mark.parametrize("what", LEAVES_BEHIND)
def test_what_a_mutant_leaves_behind_does_not_change_the_verdict_of_the_next_one(verdicts, project, what):
    project.edit("kalman/filter.py", "import numpy as np\n", "import os\n\nimport numpy as np\n")
    S = "    S = H @ P @ H.T + R"
    project.edit("kalman/filter.py", S, f'    z = z + len(os.environ.get("KALMAN", ""))\n{S}')
    assert verdicts(LEAVES_BEHIND[what], EQUAL, WRONG)[1:] == ["survived", "assertion"]


def test_a_result_that_is_remembered_does_not_serve_the_next_mutant(verdicts, project):
    """One after the other, all mutants but the first would be judged by what the first one left in the memory."""
    project.edit("kalman/filter.py", "def update(", "MEMORY = {}\n\n\ndef update(")
    project.edit("kalman/filter.py", "    y = z - H @ x  ", '    y = MEMORY.setdefault("y", z - H @ x)  ')
    project.lock()
    codes = [f'MEMORY.setdefault("y", {code})' for code in (WRONG, EQUAL, WRONG)]
    assert verdicts(*codes) == ["assertion", "survived", "assertion"]


def test_a_test_with_a_memory_of_its_own_is_not_run_in_one_process(verdicts, project):
    """Each run of the test draws other numbers: from the third one on they would be zeros, and nothing is noticed."""
    test = "def test_innovation(rng):\n"
    project.edit("tests/test_filter.py", test, f"RUNS = []\n\n\n{test}    RUNS.append(len(RUNS) < 2)\n")
    source = project.read("tests/test_filter.py")
    body = source[source.index("def test_innovation") :]
    first = body[: body.index("    assert")]
    project.write("tests/test_filter.py", source.replace(first, first + "    if not RUNS[-1]:\n        return\n"))
    assert verdicts(WRONG, WRONG + " + 0", WRONG + " + 1 - 1", WRONG + " + 2 - 2") == ["assertion"] * 4


WAYS = {
    "assert": ("    assert np.allclose(got, want)\n", "assertion"),
    "a function of NumPy": ("    np.testing.assert_allclose(got, want)\n", "assertion"),
    "pytest.fail": ("    if not np.allclose(got, want):\n        pytest.fail('no')\n", "assertion"),
    "an error that is expected and does not come": (
        "    with pytest.raises(ValueError):\n        if np.allclose(got, want):\n            raise ValueError\n",
        "assertion",
    ),
    "unittest": ("    unittest.TestCase().assertTrue(np.allclose(got, want))\n", "assertion"),
    "a helper": ("    same(got, want)\n", "assertion"),
    "another error": ("    if not np.allclose(got, want):\n        raise ValueError\n", "exception"),
    "a skip": ("    if not np.allclose(got, want):\n        pytest.skip('no')\n", "skipped"),
    "a failure that is expected": ("    if not np.allclose(got, want):\n        pytest.xfail('no')\n", "skipped"),
    "nothing": ("    np.allclose(got, want)\n", "survived"),
}  # fmt: skip


def test_what_a_test_does_about_a_mutant_counts_as_what_it_is(project):
    tests = [
        f"def test_{number}(rng):\n    x, P, z, H, R = problem(rng)\n    got, _ = update(x, P, z, H, R)\n"
        f"    want = x + gain(P, H, R) @ (z - product(H, x[:, None])[:, 0])\n{way}"
        for number, (way, _) in enumerate(WAYS.values())
    ]
    same = "def same(got, want):\n    assert np.allclose(got, want)\n"
    source = project.read("tests/test_filter.py")
    project.write("tests/test_filter.py", "import unittest\n\n" + "\n\n".join([source, same, *tests]))
    index, resolution, _ = places_for(read_config(project.root))
    (target,) = (one for one in plan(index, resolution, run(index, resolution)[0]) if one.equation == INNOVATION)
    mutant = (Mutant("made up", WRONG),)
    targets = [
        replace(target, equation=name, test=f"tests/test_filter.py::test_{number}", mutants=mutant)
        for number, name in enumerate(WAYS)
    ]
    verdicts, findings = run_mutants(index, targets)
    assert findings == ()
    found = {name: [one.outcome for one in of] for name, of in verdicts.items()}
    assert found == {name: [outcome] for name, (_, outcome) in WAYS.items()}


def test_where_processes_cannot_be_forked_it_is_said_that_no_mutant_was_run(project):
    """As on Windows: everything but the mutants is checked."""
    code = "import os, sys; del os.fork; from linkindex.cli import main; sys.exit(main(sys.argv[1:]))"
    environment = {**os.environ, "PYTHONPATH": str(Path(linkindex.__file__).parents[1])}
    command = [sys.executable, "-c", code, "check", "--full", "--root", str(project.root)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    (line,) = done.stdout.splitlines()
    assert line == (
        "docs:1:1: LI306 mutants are not run on this system: each needs a forked process of its own; "
        "run this check on Linux or macOS"
    )
    assert done.returncode == 1, done.stderr
