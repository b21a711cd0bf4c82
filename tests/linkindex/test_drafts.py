"""What is not finished: records without their test or their place in the lock, and pages that are not published yet."""

import pytest

from linkindex.cli import main
from linkindex.load.config import read_config
from linkindex.model import STEPS
from linkindex.pipeline import evidence_for
from linkindex.site.build import build_site, check_site

RECORDS, PAGE, CODE, TESTS, LOCK = (
    "docs/filter.yml", "docs/filter.md", "kalman/filter.py", "tests/test_filter.py", "docs/links.lock",
)  # fmt: skip


def full(project):
    """What a check with mutants finds, and which steps hold of the gain."""
    *_, evidence, findings = evidence_for(read_config(project.root), mutants=True)
    return findings, {name for name in STEPS if evidence.proofs["filter.gain"].steps[name].ok}


def unlock(project, name):
    """Take an entry out of the lock."""
    text = project.read(LOCK)
    start = text.index(f"\n{name}\n")
    project.write(LOCK, text[:start] + text[text.index("\n\n", start) + 1 :])


def test_a_record_that_is_not_in_the_lock_is_checked_in_every_step(project):
    unlock(project, "filter.gain")
    findings, holding = full(project)
    assert [(finding.code, finding.message) for finding in findings] == [
        ("LI223", "filter.gain is not in docs/links.lock: add it with `linkindex fix --write`")
    ]
    assert holding == set(STEPS)


def test_findings_about_the_lock_come_last_and_hide_no_others(project):
    unlock(project, "filter.gain")
    unlock(project, "filter.predicted-state")
    project.edit(TESTS, "assert np.allclose(P - new, product(gain", "assert not np.allclose(P - new, product(gain")
    project.edit(RECORDS, "latex: \\hat P = P - K H P", "latex: \\hat P = P + K H P")
    findings, _ = full(project)
    codes = [finding.code for finding in findings]
    assert codes[-3:] == ["LI223", "LI223", "LI224"]
    assert {"LI402", "LI420"} == set(codes[:-3])


@pytest.mark.parametrize("how", ["a test that does not exist yet", "no test named"])
def test_a_record_without_its_test_has_its_other_steps_checked(project, how, capsys):
    named = "  test: tests/test_filter.py::test_gain\n"
    unlock(project, "filter.gain")
    project.edit(RECORDS, named, named.replace("test_gain", "test_of_the_gain") if how.startswith("a test") else "")
    findings, holding = full(project)
    assert [finding.code for finding in findings] == ["LI210" if how.startswith("a test") else "LI103", "LI223"]
    assert holding == {"ran", "symbols", "formula"}
    assert main(["check", "--root", str(project.root)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_a_wrong_formula_of_a_record_without_test_and_lock_is_found(project):
    unlock(project, "filter.gain")
    project.edit(RECORDS, "test_filter.py::test_gain", "test_filter.py::test_later")
    project.edit(RECORDS, "latex: K S = P H^\\top", "latex: K S = - P H^\\top")
    findings, holding = full(project)
    assert holding == {"ran", "symbols"}
    assert [finding.code for finding in findings if finding.place.line == project.line_of(RECORDS, "- P H^")]


# --- pages in docs/drafts ---------------------------------------------------------------------------------------------


@pytest.fixture
def draft(project):
    """The project with a second page, which is a draft, on a symbol and a work that only it uses."""
    project.write(
        "docs/drafts/twofold.md",
        "# Twofold\n\n## Product {#product}\n\nSee [the filter](filter.md#update). $W$ is twice the innovation's.\n\n"
        "::: equation twofold.twice\n\n::: symbols\n\n::: matrices\n    show: [W]\n\n::: code\n\n::: dossier\n",
    )
    project.write(
        "docs/drafts/twofold.yml",
        'notation: [m, S: {shape: "(m, m)"}, W]\n\n'
        "twofold.twice:\n  title: Twice the covariance\n  in: kalman.doubled.twice\n"
        "  latex: W = 2 S\n  test: tests/test_twofold.py::test_twice\n  paper: nobody2020\n",
    )
    project.write(
        "docs/drafts/twofold.py",
        "import numpy as np\n\nfrom kalman.doubled import twice\n\n\ndef inputs():\n"
        "    return {'S': np.array([[2.0, 0.5], [0.5, 1.5]])}\n\n\ndef run(S):\n    return twice(S)\n\n\n"
        "def sample(rng, sizes):\n    return {'S': rng.normal(size=(sizes['m'], sizes['m']))}\n",
    )
    project.write("docs/drafts/sketch.svg", "<svg/>")
    project.write("kalman/doubled.py", "def twice(S):\n    W = 2 * S  # (m, m)\n    return W\n")
    project.write(
        "tests/test_twofold.py",
        "import numpy as np\n\nfrom kalman.doubled import twice\n\n\ndef test_twice():\n"
        "    assert np.array_equal(twice(np.array([[1.0, 3.0], [5.0, 7.0]])), [[2.0, 6.0], [10.0, 14.0]])\n",
    )
    symbols = project.read("docs/symbols.yml")
    project.write("docs/symbols.yml", symbols + 'W: {code: W, meaning: "Twice the covariance"}\n')
    project.write(
        "docs/references.yml", project.read("docs/references.yml") + "nobody2020: {title: On drafts, authors: Nobody}\n"
    )
    return project


def move_out(project):
    for kind in ("md", "yml", "py"):
        (project.root / f"docs/drafts/twofold.{kind}").rename(project.root / f"docs/twofold.{kind}")


def test_a_good_draft_is_checked_and_needs_no_entry_in_the_lock(draft):
    lock = draft.read(LOCK)
    *_, evidence, findings = evidence_for(read_config(draft.root), mutants=True)
    assert findings == draft.fast() == check_site(read_config(draft.root))[1] == ()
    assert all(step.ok for step in evidence.proofs["twofold.twice"].steps.values())
    assert main(["fix", "--write", "--root", str(draft.root)]) == 0
    assert draft.read(LOCK) == lock


def test_a_wrong_formula_of_a_draft_is_found(draft):
    draft.edit("docs/drafts/twofold.yml", "latex: W = 2 S", "latex: W = 3 S")
    assert [finding.code for finding in draft.check()] == ["LI420"]
    assert [finding.code for finding in check_site(read_config(draft.root))[1]] == ["LI420"]


def test_a_weak_test_of_a_draft_is_found(draft):
    draft.edit("tests/test_twofold.py", "assert np.array_equal(twice(", "assert np.any(twice(")
    draft.edit("tests/test_twofold.py", ", [[2.0, 6.0], [10.0, 14.0]])", ")")
    assert "LI453" in {finding.code for finding in check_site(read_config(draft.root))[1]}


def test_an_unknown_option_of_a_directive_on_a_draft_is_found(draft):
    draft.edit("docs/drafts/twofold.md", "::: code", "::: matrices\n    shows: [W]\n\n::: code")
    findings = check_site(read_config(draft.root))[1]
    assert {finding.place.path for finding in findings} == {"docs/drafts/twofold.md"}


def test_the_site_has_no_trace_of_a_draft(draft):
    site = draft.root / "site"
    assert build_site(read_config(draft.root), site) == ()
    files = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    assert "filter/index.html" in files
    assert [path for path in files if "twofold" in path or "draft" in path or "sketch" in path] == []
    words = (b"twofold", b"Twofold", b"drafts", b"Twice the covariance", b"nobody2020", b"On drafts")
    assert [(path, word) for path, data in files.items() for word in words if word in data] == []


def test_an_unfinished_draft_does_not_stop_a_build_or_a_repair(draft):
    draft.write("docs/drafts/twofold.yml", "twofold.twice:\n\ttitle: Twice\n")
    draft.edit(CODE, "y = z - H @ x ", "innovation = z - H @ x ")
    draft.edit(CODE, "K @ y", "K @ innovation")
    assert main(["fix", "--write", "--root", str(draft.root)]) == 0
    assert "code: innovation," in draft.read("docs/symbols.yml")
    assert "show: [innovation," in draft.read(PAGE)
    assert build_site(read_config(draft.root), draft.root / "site") == ()
    assert draft.fast() != ()


def test_a_draft_that_moves_out_needs_the_lock_and_a_line_of_the_nav(draft, capsys):
    move_out(draft)
    assert [finding.code for finding in draft.check()] == ["LI223"]
    assert main(["fix", "--write", "--root", str(draft.root)]) == 0
    assert "twofold.twice: new\n" in capsys.readouterr().err
    draft.write("mkdocs.yml", draft.read("mkdocs.yml") + "nav: [index.md, filter.md, twofold.md]\n")
    site = draft.root / "site"
    assert build_site(read_config(draft.root), site) == ()
    assert 'id="eq-twofold-twice"' in (site / "twofold/index.html").read_text(encoding="utf-8")


def test_a_page_that_moves_back_to_the_drafts_is_missed_in_the_lock(draft):
    move_out(draft)
    draft.lock()
    for kind in ("md", "yml", "py"):
        (draft.root / f"docs/twofold.{kind}").rename(draft.root / f"docs/drafts/twofold.{kind}")
    (finding,) = draft.fast()
    assert (finding.code, finding.place.path) == ("LI222", LOCK)
    assert "twofold.twice is in the lock, but no published page has such a record" in finding.message


@pytest.mark.parametrize("link", ["twofold.md", "drafts/twofold.md"])
def test_a_published_page_cannot_link_to_a_draft(draft, link):
    draft.edit(PAGE, "and grows.", f"and [grows]({link}).")
    (finding,) = draft.fast()
    assert (finding.code, finding.place.path) == ("LI117", PAGE)


def test_a_published_page_cannot_show_an_equation_of_a_draft(draft):
    draft.edit(PAGE, "::: equation filter.innovation ", "::: equation twofold.twice filter.innovation ")
    assert [(finding.code, finding.place.path) for finding in draft.fast()] == [("LI112", PAGE)]


def test_a_draft_links_as_the_page_that_it_will_be(draft):
    draft.edit("docs/drafts/twofold.md", "(filter.md#update)", "(../filter.md#update)")
    (finding,) = draft.fast()
    assert finding.code == "LI117"
    assert finding.message.endswith("; the links of a draft are those of the page that it will be")


def test_a_draft_cannot_take_the_id_of_a_published_equation(draft):
    for kind in ("md", "yml"):
        draft.write(f"docs/drafts/filter.{kind}", draft.read(f"docs/filter.{kind}"))
    assert {finding.code for finding in draft.fast()} == {"LI105"}
