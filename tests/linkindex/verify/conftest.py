"""A small site, written by hand, in which everything leads where it says; each test plants one fault."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from linkindex.formula import Formula, Notation, parse
from linkindex.model import CodeName, Concept, Config, Equation, Finding, Index, Page, Place, Resolution, Symbol
from linkindex.verify import verify

PAGE = """<!doctype html>
<html lang="en"><head><title>Decay</title>
<link rel="stylesheet" href="../assets/site.css">
<script src="../assets/site.js"></script></head>
<body><h1 id="decay">Decay</h1>
<p>See <a href="#eq-decay-step">the step</a>, <a href="../">home</a> and <a href="https://example.org/">elsewhere</a>.
It costs $5, in code <code>$x$</code>.</p>
<div id="eq-decay-step" class="equation"><div class="arithmatex">
<math display="block"><mi>y</mi><mo>=</mo><mi>a</mi><mi>x</mi></math></div></div>
<p>Computed on <a href="../source/decay.py/#L2">line 2</a>.</p>
</body></html>
"""
HOME = """<!doctype html>
<html lang="en"><head><title>Home</title></head><body><h1>Home</h1><a href="decay/#eq-decay-step">step</a></body></html>
"""
SOURCE = """<!doctype html>
<html lang="en"><head><title>decay.py</title></head><body>
<div id="L1"><a href="#L1">1</a> <code><span class="k">def</span> step(a, x):</code></div>
<div id="L2"><a href="#L2">2</a> <code>    return <mark data-eq="decay.other decay.step">a <b>*</b> x</mark></code>
</div>
</body></html>
"""
MARKDOWN = """# Decay

See [the step](#eq-decay-step), [home](index.md) and [elsewhere](https://example.org/).

::: equation decay.step
"""
STEP = {"ok": True, "why": None, "exception": None}
ENTRY = {
    "id": "decay.step", "kind": "equation",
    "title": "One step",
    "page": "decay/",
    "anchor": "eq-decay-step",
    "latex": "y = a x",
    "concept": "decay",
    "symbols": [],
    "links": [
        {
            "role": "computes", "file": "decay.py", "function": "decay.step", "line": 2, "end_line": 2, "col": 12,
            "end_col": 17, "code": "a * x", "url": "source/decay.py/#L2", "permalink": None,
        }
    ],
    "tests": [],
    "example": None,
    "evidence": {
        "resolved": STEP, "ran": STEP, "tested": STEP, "symbols": STEP, "defended": STEP,
        "formula": STEP | {"max_error": None, "tolerance": None, "trials": 0},
    },
}


@dataclass(frozen=True)
class SmallSite:
    folder: Path
    index: Index
    formulas: Mapping[str, Formula]

    def write(self, path: str, text: str) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def change(self, path: str, old: str, new: str) -> None:
        text = (self.folder / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        self.write(path, text.replace(old, new))

    def write_search(self, *entries: dict) -> None:
        self.write("search/search_index.json", json.dumps({"docs": entries}))

    def write_index(self, *equations: dict) -> None:
        document = {"schema": 2, "commit": None, "generated_by": "linkindex", "equations": equations}
        self.write("link-index.json", json.dumps(document))

    def change_entry(self, **values: object) -> None:
        self.write_index(ENTRY | values)

    def change_link(self, **values: object) -> None:
        self.change_entry(links=[ENTRY["links"][0] | values])

    def findings(self) -> tuple[Finding, ...]:
        return verify(self.folder, self.index, Resolution({}, {}, {}, {}, (), {}, self.formulas))

    def only(self, code: str) -> Finding:
        """The one finding there is."""
        findings = self.findings()
        assert [finding.code for finding in findings] == [code], findings
        return findings[0]


@pytest.fixture(params=["never read", "read without a fault"])
def small_site(tmp_path: Path, request: pytest.FixtureRequest) -> SmallSite:
    """What is kept of a check without a fault must not hide the fault that a test plants afterwards."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "decay.md").write_text(MARKDOWN, encoding="utf-8")
    equation = Equation(
        id="decay.step", title="One step", page="decay", latex="y = a x", probe=CodeName("decay.step", "a * x"),
        test="tests/test_decay.py::test_step", place=Place("docs/decay.yml", 3, 1),
    )
    notation = tuple(Symbol(latex, meaning="", code=latex) for latex in "yax")
    concept = Concept("Decay", "decay", (), ("decay.step",), Place("docs/decay.md"))
    page = Page("decay", "docs/decay.md", "Decay", (concept,), (), (equation,))
    index = Index(Config(tmp_path, offline=True), (page,), (), {}, None)
    site = SmallSite(tmp_path / "site", index, {equation.id: parse(equation.latex, Notation.of(notation))})
    site.write("index.html", HOME)
    site.write("decay/index.html", PAGE)
    site.write("source/decay.py/index.html", SOURCE)
    site.write("assets/site.css", "body { color: black; background: url(site.svg#mark) }\n")
    site.write("assets/site.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>\n')
    site.write("assets/site.js", "\n")
    site.write_search({"location": "decay/", "title": "Decay", "text": "<p>y = a x</p>"})
    site.write_index(ENTRY)
    if request.param == "read without a fault":
        assert site.findings() == ()
    return site
