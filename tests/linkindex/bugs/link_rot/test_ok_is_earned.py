"""Nothing is ok because it is empty, because its check crashed, or because somebody says so."""

import pytest
from linkindex.cli import main
from linkindex.fix import fix_lock
from linkindex.load.config import read_config
from linkindex.model import STEPS
from linkindex.pipeline import evidence_for, places_for

from tests.linkindex.project import messages

RECORDS, PAGE, CODE, TESTS = "docs/filter.yml", "docs/filter.md", "kalman/filter.py", "tests/test_filter.py"


def test_row_28_no_equations_at_all_are_a_failure(project):
    project.write(RECORDS, "")
    project.write(PAGE, "# The filter\n")
    findings = project.fast()
    assert messages(findings, "LI119") and len(messages(findings, "LI222")) == 8
    assert main(["check", "--fast", "--root", str(project.root)]) == 1


def test_row_28_a_project_that_never_had_an_equation_is_a_failure(project):
    for path in (RECORDS, "docs/links.lock", "docs/filter.py"):
        (project.root / path).unlink()
    project.write(PAGE, "# The filter\n")
    assert [finding.code for finding in project.check()] == ["LI119"]


def test_row_28_an_equation_that_went_with_its_page_is_missed(project):
    text = project.read(RECORDS)
    project.write(RECORDS, text[: text.index("filter.gain:")] + text[text.index("filter.updated-state:") :])
    project.edit(PAGE, " filter.gain", "")
    assert [(f.code, f.place.path, f.message.split()[0]) for f in project.fast()] == [
        ("LI222", "docs/links.lock", "filter.gain")
    ]


@pytest.mark.parametrize("text", ["", None], ids=["emptied", "deleted"])
def test_row_28_a_lock_that_is_lost_is_not_a_clean_slate(project, text):
    if text is None:
        (project.root / "docs/links.lock").unlink()
    else:
        project.write("docs/links.lock", text)
    assert {finding.code for finding in project.fast()} == {"LI221" if text is None else "LI223"}


def test_row_28_an_index_without_equations_is_not_accepted_into_the_lock(project):
    project.write(RECORDS, "")
    index, resolution, _ = places_for(read_config(project.root))
    before = project.read("docs/links.lock")
    with pytest.raises(ValueError, match="no equations"):
        fix_lock(index, resolution, write=True)
    assert project.read("docs/links.lock") == before


def test_row_28_a_lost_place_is_not_accepted_into_the_lock(project):
    project.edit(CODE, "    x_next = F @ x            # (n,)\n", "")
    project.edit(CODE, "return x_next, P_next", "return x, P_next")
    before = project.read("docs/links.lock")
    assert main(["fix", "--write", "--root", str(project.root)]) == 1
    assert project.read("docs/links.lock") == before


CRASHES = {
    "a test that ends the process": (
        TESTS,
        "def test_gain(rng):\n",
        "def test_gain(rng):\n    import os\n    os._exit(0)\n",
    ),
    "a test file that ends the process": (TESTS, "import pytest\n", "import os\n\nimport pytest\n\nos._exit(0)\n"),
    "a test that leaves": (TESTS, "def test_gain(rng):\n", "def test_gain(rng):\n    pytest.exit('enough')\n"),
    "a module that leaves": (CODE, "import numpy as np\n", "import sys\n\nimport numpy as np\n\nsys.exit(0)\n"),
    "a plug-in that raises": ("tests/conftest.py", None, "raise RuntimeError('broken')\n"),
    "a plug-in that selects nothing": (
        "tests/conftest.py",
        None,
        "def pytest_collection_modifyitems(items):\n    items.clear()\n",
    ),
    "a package that raises": ("kalman/__init__.py", None, "raise RuntimeError('broken')\n"),
}


@pytest.mark.parametrize("name", CRASHES)
def test_row_30_what_was_not_checked_is_never_ok(project, name):
    path, old, new = CRASHES[name]
    if old is None:
        project.write(path, new)
    else:
        project.edit(path, old, new)
    *_, evidence, findings = project.result()
    assert findings
    assert not evidence.proofs["filter.gain"].steps["tested"].ok
    assert project.check() == findings, "a crash was remembered as a result"


def test_row_30_a_crash_is_an_error_of_its_test(project):
    path, old, new = CRASHES["a test that ends the process"]
    project.edit(path, old, new)
    assert any("the process ended with code" in message for message in messages(project.check(), "LI402"))


@pytest.mark.parametrize(
    "key", ["status: done", "tested: true", "proved: yes", "line: 12", "ok: true", "evidence: {ran: true}"]
)
def test_row_38_nothing_about_the_state_of_an_equation_can_be_typed(project, key):
    project.edit(RECORDS, "  title: Innovation\n", f"  title: Innovation\n  {key}\n")
    assert {finding.code for finding in project.fast()} == {"LI102"}


def test_row_38_without_a_run_no_step_is_ok_but_the_one_that_needs_none(project):
    *_, evidence, _ = evidence_for(read_config(project.root), pending=True)
    assert {step for proof in evidence.proofs.values() for step in STEPS if proof.steps[step].ok} == {"resolved"}


def test_row_38_an_exception_needs_a_reason_and_a_step_that_exists(project):
    for wrong in ("{ran: }", "{looks-good: yes}"):
        text = project.read(RECORDS)
        project.edit(RECORDS, "  title: Innovation\n", f"  title: Innovation\n  exception: {wrong}\n")
        assert "LI107" in {finding.code for finding in project.fast()}
        project.write(RECORDS, text)
