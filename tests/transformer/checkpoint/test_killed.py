"""A save that is killed leaves a whole pair: the old one, the new one, or none."""

import dataclasses
import os
import signal
import sys

import numpy as np
from numpy.testing import assert_array_equal

from tests.transformer.checkpoint.toy import ARRAYS, PROVENANCE
from transformer import checkpoint
from transformer.files import FileRefused


def killed_save(path, arrays, provenance, at):
    """Save in a child process that kills itself before the ``at``-th file operation. Returns whether it was killed."""
    child = os.fork()
    if child == 0:
        try:
            left = [at]

            def hook(event, arguments):
                if event in ("open", "os.rename") and str(path) in str(arguments[0]):
                    left[0] -= 1
                    if left[0] < 0:
                        os.kill(os.getpid(), signal.SIGKILL)

            sys.addaudithook(hook)
            checkpoint.save(path, arrays, provenance)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_a_save_killed_at_any_moment_leaves_a_whole_pair_and_so_does_one_after_it(saved, not_run):
    """Before each opening and replacing of a file; then another save is killed at each moment of its own."""
    if not hasattr(os, "fork"):
        not_run("a save is killed half way in a child process, which needs os.fork")
    first, second = (({"theta": np.full(3, seed)}, dataclasses.replace(PROVENANCE, seed=seed)) for seed in (10, 20))
    outcomes = []
    while killed_save(saved, *first, at=len(outcomes)):
        outcomes.append(seed_of_whole_pair(saved))
        at, killed = 0, True
        while killed:
            checkpoint.save(saved, ARRAYS, PROVENANCE)
            killed_save(saved, *first, at=len(outcomes) - 1)  # the same interrupted state again
            killed = killed_save(saved, *second, at=at)
            assert seed_of_whole_pair(saved) in ((outcomes[-1], 20) if killed else (20,))
            at += 1
        checkpoint.save(saved, ARRAYS, PROVENANCE)
    assert outcomes == sorted(outcomes) and set(outcomes) == {0, 10}, "first the old pair, then the new one"


def seed_of_whole_pair(path):
    """The seed in the record, after a check that the arrays are those of that seed."""
    loaded = checkpoint.load(path)
    seed = loaded.provenance.seed
    assert_array_equal(loaded.arrays["theta"], np.full(3, seed) if seed else ARRAYS["theta"])
    return seed


def test_a_first_save_that_is_killed_leaves_no_checkpoint_or_a_whole_one(tmp_path, not_run):
    if not hasattr(os, "fork"):
        not_run("a save is killed half way in a child process, which needs os.fork")
    at, outcomes = 0, []
    while killed_save(tmp_path / f"toy{at}", ARRAYS, PROVENANCE, at):
        try:
            outcomes.append(checkpoint.load(tmp_path / f"toy{at}").provenance == PROVENANCE)
        except FileRefused as error:
            assert "does not exist" in str(error)
            outcomes.append(False)
        at += 1
    assert outcomes == sorted(outcomes) and set(outcomes) == {False, True}
