"""Projects written as such code is written, and not for this tool: every step holds of each of their formulas."""

import pytest

from linkindex.load.config import read_config
from linkindex.model import STEPS
from linkindex.pipeline import evidence_for
from linkindex.site.build import check_site
from tests.linkindex.project import Project

PROJECTS = ("tracker", "adam", "mlp", "autograd")


@pytest.mark.parametrize("name", PROJECTS)
def test_every_step_holds_of_every_formula(name, tmp_path):
    project = Project.copy(tmp_path / name, name)
    *_, evidence, _ = evidence_for(read_config(project.root), mutants=True)
    assert check_site(read_config(project.root))[1] == ()
    for equation, proof in evidence.proofs.items():
        assert [step for step in STEPS if not proof.steps[step].ok] == [], equation
