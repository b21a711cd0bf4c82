"""True formulas are accepted in each form, wrong ones are noticed: whole projects, and the formulas of this site."""

import re
from functools import cache

import pytest

from linkindex.formula import prove
from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for
from tests.linkindex.foreign import field
from tests.linkindex.foreign.forms import add_forms
from tests.linkindex.foreign.variants import ALSO_TRUE, ATTENTION, CASES, MISSED, PROJECTS
from tests.linkindex.formula.attention_values import case
from tests.linkindex.project import Project

TRUE = [
    (f"{name}.true-{number}", form)
    for name, one in CASES.items()
    for number, form in enumerate(one.true, 1)
]
WRONG = [
    (f"{name}.wrong-{number}", form)
    for name, one in CASES.items()
    for number, form in enumerate(one.wrong, 1)
]


def of_projects(table):
    return [
        (project, f"{equation}-{number}", form)
        for project, forms in table.items()
        for equation, others in forms.items()
        for number, form in enumerate(others, 1)
    ]


WRONG_OF_PROJECTS, TRUE_OF_PROJECTS = of_projects(PROJECTS), of_projects(ALSO_TRUE)
OF_THE_PAGE = [(name, form) for name, forms in ATTENTION.items() for form in forms]


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """What is found of each record, and its evidence: of all cases, or of a project and the forms beside its own."""

    @cache
    def judged(project=None, wrong=True):
        if project is None:
            root = field.make(tmp_path_factory.mktemp("field"))
        else:
            root = tmp_path_factory.mktemp("forms") / project
            add_forms(Project.copy(root, project), (PROJECTS if wrong else ALSO_TRUE)[project])
        *_, evidence, findings = evidence_for(read_config(root))
        said = {name: re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])") for name in evidence.proofs}
        found = {name: [one for one in findings if said[name].search(one.message)] for name in evidence.proofs}
        return found, evidence.proofs

    return judged


@pytest.mark.parametrize(("name", "latex"), TRUE, ids=[name for name, _ in TRUE])
def test_a_true_formula_is_accepted(judged, name, latex):
    accepted(judged(), name, latex)


@pytest.mark.parametrize(
    ("project", "name", "latex"), TRUE_OF_PROJECTS, ids=[name for _, name, _ in TRUE_OF_PROJECTS]
)
def test_another_true_form_of_a_project_is_accepted(judged, project, name, latex):
    accepted(judged(project, wrong=False), name, latex)


def accepted(judgement, name, latex):
    found, proofs = judgement
    assert [one for one in found[name] if not one.code.startswith("LI22")] == []  # the lock has no such record
    assert all(proofs[name].steps[step].ok for step in ("resolved", "ran", "symbols", "formula")), latex


@pytest.mark.parametrize(("name", "latex"), WRONG, ids=[name for name, _ in WRONG])
def test_a_wrong_formula_is_noticed(judged, name, latex):
    noticed(judged(), name, latex)


@pytest.mark.parametrize(
    ("project", "name", "latex"), WRONG_OF_PROJECTS, ids=[name for _, name, _ in WRONG_OF_PROJECTS]
)
def test_a_wrong_formula_of_a_project_is_noticed(judged, project, name, latex):
    noticed(judged(project), name, latex)


def noticed(judgement, name, latex):
    """By its values, or because a notation stands for two values of a variable (LI125). That it cannot be read, or that
    something else is missing, does not count."""
    found, proofs = judgement
    steps, codes = proofs[name].steps, {one.code for one in found[name]}
    assert steps["symbols"].ok, steps["symbols"].why
    assert bool(codes & {"LI125", "LI420"}) == (latex not in MISSED), steps["formula"].why
    assert steps["formula"].ok or "not checked" not in steps["formula"].why


@pytest.mark.parametrize(("name", "latex"), OF_THE_PAGE, ids=[name for name, _ in OF_THE_PAGE])
def test_a_wrong_formula_of_the_attention_page_is_noticed(name, latex):
    assert prove(*case(name)).ok
    result = prove(*case(name, latex))
    assert not result.ok and "not checked" not in result.why


def test_each_form_that_is_not_noticed_is_one_of_these_and_has_a_reason():
    assert MISSED.keys() <= {form for *_, form in (*WRONG, *WRONG_OF_PROJECTS)} and all(MISSED.values())


def test_there_are_many():
    assert len(CASES) >= 15 and len(WRONG) >= 40
