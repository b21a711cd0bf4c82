"""True formulas are accepted in each form, wrong ones are noticed: whole projects, and the formulas of this site."""

import pytest

from linkindex.formula import prove
from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for
from tests.linkindex.foreign import field
from tests.linkindex.foreign.variants import ATTENTION, CASES, MISSED, WAITING
from tests.linkindex.formula.attention_values import case

TRUE = [
    (f"{name}.true-{number}", form) for name, one in CASES.items()
    if name not in WAITING
    for number, form in enumerate(one.true, 1)
]
WRONG = [
    (f"{name}.wrong-{number}", form) for name, one in CASES.items()
    if name not in WAITING
    for number, form in enumerate(one.wrong, 1)
]


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """What is found of each record, and its evidence."""
    config = read_config(field.make(tmp_path_factory.mktemp("field")))
    *_, evidence, findings = evidence_for(config)
    found = {name: [one for one in findings if one.message.startswith(f"{name}: ")] for name in evidence.proofs}
    return found, evidence.proofs


@pytest.mark.parametrize(("name", "latex"), TRUE, ids=[name for name, _ in TRUE])
def test_a_true_formula_is_accepted(judged, name, latex):
    found, proofs = judged
    assert found[name] == []
    assert all(proofs[name].steps[step].ok for step in ("resolved", "ran", "symbols", "formula")), latex


@pytest.mark.parametrize(("name", "latex"), WRONG, ids=[name for name, _ in WRONG])
def test_a_wrong_formula_is_noticed(judged, name, latex):
    """By its values: that it cannot be read, or that something else is missing, does not count."""
    found, proofs = judged
    step = proofs[name].steps["formula"]
    assert proofs[name].steps["symbols"].ok
    assert step.ok == ((name.split(".")[0], latex) in MISSED), step.why
    assert step.ok or [one.code for one in found[name]] == ["LI420"] and "not checked" not in step.why


@pytest.mark.parametrize(("name", "latex"), [(name, form) for name, forms in ATTENTION.items() for form in forms])
def test_a_wrong_formula_of_the_attention_page_is_noticed(name, latex):
    assert prove(*case(name)).ok
    result = prove(*case(name, latex))
    assert not result.ok and "not checked" not in result.why


def test_a_form_that_is_not_noticed_has_a_reason():
    wrong = {(name, form) for name, one in CASES.items()
    if name not in WAITING
    for form in one.wrong}
    assert MISSED.keys() <= wrong and all(MISSED.values())


def test_there_are_many():
    assert len(CASES) >= 15 and len(WRONG) >= 40
