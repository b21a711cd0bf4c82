"""Statements: records that name no code. They are displayed, marked and counted apart, and no evidence is claimed."""

import json
import re
import shutil

import pytest

from linkindex.cli import main
from linkindex.explain import explain
from linkindex.fix import plan
from linkindex.load.config import read_config
from linkindex.model import STEPS
from linkindex.schema import disagreements
from linkindex.site.build import build_site
from tests.linkindex.project import Project, messages

RECORDS, PAGE, LOCK = "docs/filter.yml", "docs/filter.md", "docs/links.lock"
POSTERIOR = "filter.posterior"
BECAUSE = (
    "  because: Bayes' theorem; where both densities on the right are normal, the updated state and covariance "
    "describe the left\n"
)
LATEX = r"p(x \mid z) = \frac{p(z \mid x) \, p(x)}{\int p(z \mid x') \, p(x') \, dx'}"
EQUATION = "  in: kalman.filter.update\n  test: tests/test_filter.py::test_updated_state\n"
SECOND = "\nfilter.second:\n  kind: statement\n  title: Another\n  latex: O(n^3)\n  because: it is so\n"


def codes(project):
    return [finding.code for finding in project.fast()]


@pytest.mark.parametrize(
    ("old", "new", "code", "says"),
    [
        ("kind: statement", "kind: theorem", "LI107", "kind must be statement, found 'theorem': leave it out"),
        ("kind: statement", "kind: property", "LI107", "kind must be statement, found 'property'"),
        ("kind: statement", "kind:", "LI107", "kind must be statement, found None"),
        (BECAUSE, "", "LI103", "needs `paper: KEY, section ...`, or `because: ...`"),
        (BECAUSE, "  because:\n", "LI103", "needs `paper: KEY, section ...`, or `because: ...`"),
        (BECAUSE, "  paper: nobody2020\n", "LI121", "references.yml has no work 'nobody2020'"),
        (BECAUSE, "  because: since $x$ is normal\n", "LI116", "write it in words"),
        (BECAUSE, BECAUSE + "  in: kalman.filter.update\n", "LI102", "and so no 'in'"),
        (BECAUSE, BECAUSE + "  test: tests/test_filter.py::test_gain\n", "LI102", "and so no 'test'"),
        (BECAUSE, BECAUSE + "  per: [n]\n", "LI102", "and so no 'per'"),
        (BECAUSE, BECAUSE + "  property: true\n", "LI102", "and so no 'property'"),
        (BECAUSE, BECAUSE + "  exception: {ran: never}\n", "LI102", "and so no 'exception'"),
        (BECAUSE, BECAUSE + "  becuse: a slip\n", "LI102", "unknown key 'becuse'"),
        ("title: What the update is a case of", "title:", "LI103", "needs the key 'title'"),
        (f"latex: {LATEX}", "latex:", "LI103", "needs the key 'latex'"),
        ("x') \\, dx'}", "x') \\, dx'", "LI501", "invalid LaTeX"),
        (r"p(x \mid z) =", r"p(x \mud z) =", "LI501", "invalid LaTeX"),
        ("case: filter.updated-state", "case: filter.updated-stat", "LI112", "nearest: filter.updated-state"),
        ("case: filter.updated-state", "case: filter.posterior", "LI112", "which should compute a case of it"),
        ("case: filter.updated-state", "case: nothing", "LI112", "name an equation with code, or leave `case` out"),
        (f"{POSTERIOR}:", "filter.Posterior:", "LI106", "a name in lower case"),
    ],
)
def test_what_is_wrong_with_a_statement_is_said_at_its_place(project, old, new, code, says):
    project.edit(RECORDS, old, new)
    found = [finding for finding in project.fast() if finding.code == code]
    assert len(found) == 1 and says in found[0].message
    first = project.line_of(RECORDS, "filter.posterior" if "Post" not in new else "filter.Posterior")
    assert found[0].place.path == RECORDS and first <= found[0].place.line <= first + 6


def test_a_statement_is_shown_once(project):
    project.edit(PAGE, " filter.posterior", "")
    assert "filter.posterior is shown nowhere" in messages(project.fast(), "LI113")[0]
    project.edit(PAGE, "filter.innovation-covariance", f"filter.innovation-covariance {POSTERIOR} {POSTERIOR}")
    assert "filter.posterior is shown twice" in messages(project.fast(), "LI113")[0]


@pytest.mark.parametrize(
    "latex",
    [
        r"\operatorname{cost} = O(n^3)",
        r"n! \approx \sqrt{2 \pi n} \left(\frac{n}{e}\right)^n",
        r"\mathbb{E}_{w \sim p}[-\log q(w)] \ge H(p)",
        r"p(w_1, \dots, w_T) = \prod_{t=1}^{T} p(w_t \mid w_{<t})",
        r"\lim_{k \to \infty} P_k = P_\infty, \qquad \hat x \propto y, \quad z \sim \mathcal{N}(0, \sigma^2)",
        r"\begin{aligned} a &= b \\ c &\equiv d \end{aligned}",
    ],
)
def test_any_latex_can_be_stated(project, latex):
    project.edit(RECORDS, LATEX, latex)
    assert codes(project) == ["LI224"]


@pytest.mark.parametrize("source", ["  paper: kalman1960, section 2\n", BECAUSE + "  paper: kalman1960\n"])
def test_a_work_may_stand_for_the_reason(project, source):
    project.edit(RECORDS, BECAUSE, source)
    assert codes(project) == []


# --- how many there may be


def test_more_than_one_in_eight_are_too_many(project):
    project.write(RECORDS, project.read(RECORDS) + SECOND)
    project.edit(PAGE, POSTERIOR, f"{POSTERIOR} filter.second")
    project.lock()
    assert codes(project) == ["LI126"]
    assert "2 of the 9 formulas of the site are statements" in messages(project.fast(), "LI126")[0]
    assert "link code to 1 of them" in messages(project.fast(), "LI126")[0]


def test_one_is_allowed_however_small_the_site_is(project):
    text = project.read(RECORDS)
    start, end = text.index("filter.innovation:"), text.index("filter.updated-state:")
    project.write(RECORDS, text[:start] + text[end:])
    project.edit(PAGE, "filter.innovation filter.innovation-covariance filter.gain ", "")
    project.lock()
    assert codes(project) == []


def test_sixteen_formulas_may_hold_two(project):
    text = project.read(RECORDS)
    copied = text[text.index("filter.predicted-state:") : text.index(f"{POSTERIOR}:")]
    ids = re.findall(r"(?m)^filter\.([\w-]+):", copied)
    project.write(RECORDS, text + "\n" + re.sub(r"(?m)^filter\.([\w-]+):", r"filter.again-\1:", copied) + SECOND)
    project.edit(PAGE, POSTERIOR, " ".join([POSTERIOR, "filter.second", *(f"filter.again-{one}" for one in ids)]))
    project.lock()
    assert codes(project) == []


# --- the lock


def test_the_lock_keeps_the_formula_of_a_statement(project):
    assert f"\n{POSTERIOR}\n  latex " in project.read(LOCK)
    project.edit(RECORDS, r"p(z \mid x) \, p(x)}", r"p(z \mid x) \, p(z)}")
    assert codes(project) == ["LI224"]


def test_a_statement_that_is_gone_is_missed(project):
    text = project.read(RECORDS)
    project.write(RECORDS, text[: text.index(f"{POSTERIOR}:")])
    project.edit(PAGE, f" {POSTERIOR}", "")
    assert codes(project) == ["LI222"]


def test_an_equation_that_becomes_a_statement_is_seen(project):
    """It loses all its evidence."""
    project.edit(RECORDS, EQUATION.partition("\n")[0] + "\n  latex: \\hat x", "  latex: \\hat x")
    project.edit(RECORDS, "  test: tests/test_filter.py::test_updated_state\n", "  kind: statement\n  because: it is\n")
    project.edit(RECORDS, "  case: filter.updated-state\n", "")
    found = messages(project.fast(), "LI225")
    assert len(found) == 1 and "linked to kalman.filter.update, and is now linked to no code" in found[0]
    said = plan(read_config(project.root)).notes
    assert "filter.updated-state: in kalman.filter.update, now in no code" in said
    assert not any("ACCEPTS CHANGED CODE" in line for line in said)


def test_a_statement_that_gets_code_is_seen(project):
    project.edit(RECORDS, f"  kind: statement\n  title: What the update is a case of\n  latex: {LATEX}\n",
                 f"  title: Again\n  latex: \\hat x = x + K y\n{EQUATION}")
    project.edit(RECORDS, f"{BECAUSE}  case: filter.updated-state\n", "")
    assert sorted(codes(project)) == ["LI224", "LI225"]
    assert main(["fix", "--write", "--root", str(project.root)]) == 0
    assert codes(project) == []


def test_fix_writes_a_new_statement_into_the_lock(project):
    project.edit(RECORDS, POSTERIOR, "filter.bayes")
    project.edit(PAGE, POSTERIOR, "filter.bayes")
    assert sorted(codes(project)) == ["LI222", "LI223"]
    assert main(["fix", "--write", "--root", str(project.root)]) == 0
    assert codes(project) == []
    assert main(["fix", "--root", str(project.root)]) == 0


def test_a_rename_in_the_code_is_mended_beside_a_statement(project):
    project.edit("kalman/filter.py", "y = z - H @ x  ", "innovation = z - H @ x  ")
    project.edit("kalman/filter.py", "K @ y ", "K @ innovation ")
    assert main(["fix", "--write", "--root", str(project.root)]) == 0
    assert codes(project) == []


# --- what is said of it


def test_it_has_no_steps_and_is_not_missed_by_the_policy(project):
    index, _, _, evidence, findings = project.result()
    assert findings == ()
    assert POSTERIOR not in evidence.proofs and len(evidence.proofs) == len(index.equations) == 7


def test_explain_says_that_nothing_is_checked(project):
    told = explain(POSTERIOR, project.result())
    assert "no code computes it" in told and "case       filter.updated-state" in told
    assert not any(f"\n  {step:<10} {word}" in told for step in STEPS for word in ("ok", "no", "exception"))


@pytest.fixture(scope="module")
def site(pristine, tmp_path_factory):
    root = tmp_path_factory.mktemp("stated") / "project"
    shutil.copytree(pristine.root, root)
    project = Project(root)
    project.write("docs/index.md", project.read("docs/index.md") + "\n::: evidence-summary\n")
    assert build_site(read_config(root), root / "site") == ()
    return project


def card(html):
    start = html.index('id="eq-filter-posterior"')
    return re.sub(r"<math.*?</math>", "", html[start : html.index("lx-symbols", start)], flags=re.DOTALL)


def test_the_page_marks_it_and_claims_nothing(site):
    shown = card(site.read("site/filter/index.html"))
    assert ">Statement</span>" in shown and "stated, not computed here" in shown
    assert "Bayes&#39; theorem" in shown
    assert '<a href="#eq-filter-updated-state">The filter 6</a>' in shown
    assert "lx-ladder" not in shown and "checks" not in shown and "not in the paper" not in shown


def test_the_index_marks_it(site):
    html = site.read("site/equations/index.html")
    row = re.search(r'<tr data-equation="filter.posterior">.*?</tr>', html, re.DOTALL)[0]
    assert ">Statement</span>" in row and "#eq-filter-updated-state" in row
    assert "lx-ladder" not in row and row.endswith("<td>none</td></tr>")
    assert "7 equations." in html and "1 statement, which no code here computes" in html


def test_it_is_counted_apart(site):
    for page in ("index.html", "evidence/index.html", "evidence/filter/index.html"):
        html = site.read(f"site/{page}")
        assert "<dt>equations</dt><dd>7</dd>" in html
        assert "<dt>checked in all 6 ways</dt><dd>7</dd>" in html
        assert "<dt>statement without code</dt><dd>1</dd>" in html
    assert POSTERIOR not in site.read("site/evidence/filter/index.html")


def test_the_link_index_holds_it_without_links_and_evidence(site):
    document = json.loads(site.read("site/link-index.json"))
    assert disagreements(document) == []
    entry = next(one for one in document["equations"] if one["id"] == POSTERIOR)
    assert entry["kind"] == "statement" and entry["latex"] == LATEX
    assert (entry["symbols"], entry["links"], entry["tests"], entry["example"]) == ([], [], [], None)
    assert set(entry["evidence"]) == set(STEPS)
    for step in entry["evidence"].values():
        assert (step["ok"], step["why"], step["exception"]) == (False, "statement", None)
    kinds = [one["kind"] for one in document["equations"]]
    assert (kinds.count("equation"), kinds.count("property"), kinds.count("statement")) == (6, 1, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"links": [0]},
        {"tests": [0]},
        {"example": {"id": "filter", "anchor": "update-example"}},
        {"evidence": {"ran": {"ok": True, "why": None, "exception": None}}},
        {"evidence": {"ran": {"ok": False, "why": "not run", "exception": None}}},
        {"kind": "theorem"},
        {"kind": None},
    ],
)
def test_the_schema_refuses_a_statement_with_evidence(site, change):
    document = json.loads(site.read("site/link-index.json"))
    entry = next(one for one in document["equations"] if one["id"] == POSTERIOR)
    other = document["equations"][0]
    for key, value in change.items():
        filled = {"links": other["links"], "tests": other["tests"]}.get(key, value)
        entry[key] = {**entry[key], **filled} if key == "evidence" else filled
    assert disagreements(document)


def test_an_equation_is_no_statement_for_the_schema(site):
    document = json.loads(site.read("site/link-index.json"))
    document["equations"][0]["kind"] = "statement"
    assert disagreements(document)
