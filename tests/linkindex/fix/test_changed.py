"""No change of what a line computes passes for a rename: shown with every mutant of every linked line."""

import pytest

from linkindex.fix import plan
from linkindex.load.config import read_config
from linkindex.mutants.plan import plan as plan_mutants

CODE = "kalman/filter.py"


@pytest.fixture(scope="module")
def targets(pristine):
    index, resolution, runs, *_ = pristine.result()
    targets = plan_mutants(index, resolution, runs)
    assert sum(len(target.mutants) for target in targets) > 50
    return targets


@pytest.mark.parametrize("rename", [False, True], ids=["as it is", "under a new name"])
def test_a_changed_line_is_accepted_as_a_change_or_refused(project, targets, rename):
    text = project.read(CODE)
    silent = []
    for target in targets:
        span = target.link.span
        for mutant in target.mutants:
            lines = text.split("\n")
            line = lines[span.line - 1]
            lines[span.line - 1] = line[: span.col - 1] + mutant.code + line[span.end_col - 1 :]
            changed = "\n".join(lines)
            project.write(CODE, changed.replace(target.link.target, "fresh_name") if rename else changed)
            planned = plan(read_config(project.root))
            said = any(
                note.startswith(f"{target.equation}: ACCEPTS CHANGED CODE: was {span.code!r}, is ")
                for note in planned.notes
            )
            if not said and not any(target.equation in finding.message for finding in planned.refusals):
                silent.append((target.equation, mutant.code, planned.notes))
    assert silent == []
