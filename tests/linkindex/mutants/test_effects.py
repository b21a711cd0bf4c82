"""What mutants do to an example: computed in the frame of the linked expression, without a trace in the example."""

import importlib.util
import sys
from dataclasses import replace

import numpy as np
import pytest

from linkindex.load.config import read_config
from linkindex.model import Mutant
from linkindex.mutants.plan import plan
from linkindex.pipeline import places_for
from linkindex.run.runs import run
from tests.linkindex.mutants.asked import run_effects

GAIN = "filter.innovation-covariance"                    # S = H @ P @ H.T + R


@pytest.fixture
def planned(project):
    """The index of the copy, and its targets by equation."""
    index, resolution, findings = places_for(read_config(project.root))
    runs, wrong = run(index, resolution)
    assert (findings, wrong) == ((), ())
    return index, {target.equation: target for target in plan(index, resolution, runs)}


def with_codes(target, *codes):
    return replace(target, mutants=tuple(Mutant("made up", code) for code in codes))


def frame(root):
    """What the names of ``update`` hold while the example runs, computed here from its inputs."""
    spec = importlib.util.spec_from_file_location("example", root / "docs" / "filter.py")
    sys.path.insert(0, str(root))
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(root))
        for name in [name for name in sys.modules if name.partition(".")[0] == "kalman"]:
            del sys.modules[name]
    given = module.inputs()
    P = given["F"] @ given["P"] @ given["F"].T + given["Q"]
    return {**given, "P": P, "x": given["F"] @ given["x"]}


def test_every_mutant_has_an_effect_in_the_order_of_the_plan(planned):
    index, targets = planned
    effects, findings = run_effects(index, list(targets.values()))
    assert findings == ()
    assert {name: [effect.mutant for effect in of] for name, of in effects.items()} == {
        name: list(target.mutants) for name, target in targets.items()
    }


def test_values_are_those_of_the_code_in_its_frame(planned, project):
    index, targets = planned
    names = frame(project.root)
    codes = ("H @ P @ H.T + R", "H @ P @ H.T - R", "-(H @ P @ H.T + R)", "(lambda whole: whole[0] + H[0, 0])(R)")
    effects, _ = run_effects(index, [with_codes(targets[GAIN], *codes)])
    for effect in effects[GAIN]:
        np.testing.assert_allclose(effect.before.array(), eval(codes[0], {**names}), rtol=1e-12)
        np.testing.assert_allclose(effect.after.array(), eval(effect.mutant.code, {**names}), rtol=1e-12)


def test_what_cannot_be_computed_is_an_error_in_one_line(planned):
    index, targets = planned
    effects, _ = run_effects(index, [with_codes(targets[GAIN], "H @ H", "1 / 0", "nowhere", "(1, 2)")])
    first, *others = effects[GAIN]
    assert first.error.startswith("ValueError: matmul:") and "\n" not in first.error
    messages = ["ZeroDivisionError: division by zero", "NameError: name 'nowhere' is not defined", None]
    assert [effect.error for effect in others] == messages
    assert [effect.after for effect in effects[GAIN]] == [None] * 4


def test_an_error_names_no_address_which_would_differ_in_each_run(planned):
    index, targets = planned
    effects, _ = run_effects(index, [with_codes(targets[GAIN], "{}[update]")])
    assert effects[GAIN][0].error == "KeyError: <function update>"


def test_a_mutant_that_changes_its_operands_leaves_the_example_as_it_was(planned):
    index, targets = planned
    later = "filter.updated-covariance"                  # P - K @ H @ P, which runs after it
    honest, _ = run_effects(index, [with_codes(targets[later], "P")])
    after, _ = run_effects(index, [with_codes(targets[GAIN], "P.fill(0)"), with_codes(targets[later], "P")])
    assert after[later] == honest[later]


def test_a_mutant_that_hangs_or_ends_the_process_does_not_take_the_others_along(planned):
    index, targets = planned
    codes = ("R", "[0 for _ in iter(int, 1)]", "-R", "__import__('os')._exit(3)", "2 * R")
    effects, findings = run_effects(index, [with_codes(targets[GAIN], *codes)])
    assert findings == ()
    r = np.array([[0.2]])
    assert [None if e.after is None else e.after.array().tolist() for e in effects[GAIN]] == [
        r.tolist(), None, (-r).tolist(), None, (2 * r).tolist()
    ]  # fmt: skip
    assert [effect.error is None for effect in effects[GAIN]] == [True, False, True, False, True]


def test_effects_are_kept_until_the_code_that_they_reach_changes(planned, project, monkeypatch):
    index, targets = planned
    wanted = [with_codes(targets[GAIN], "H @ P @ H.T - R")]
    first, _ = run_effects(index, wanted)
    monkeypatch.setattr("linkindex.mutants.effects.run_worker", lambda *_: pytest.fail("computed again"))
    assert run_effects(index, wanted) == (first, ())
    monkeypatch.undo()
    project.edit("docs/filter.py", '"R": np.array([[0.2]])', '"R": np.array([[0.4]])')
    second, _ = run_effects(index, wanted)
    assert second[GAIN][0].before != first[GAIN][0].before


def test_an_example_that_fails_has_no_effects_beyond_its_fault(planned, project):
    index, targets = planned
    call = "    ahead, covariance = predict"
    project.edit("docs/filter.py", call, f"    raise ValueError('no')\n{call}")
    assert run_effects(index, [targets[GAIN]]) == ({}, ())
