"""The report of the site and the evidence page of each page: every number is counted from what ran."""

from dataclasses import replace

from linkindex.model import Config, Page, Place, Prose, Step
from linkindex.render import rendered
from linkindex.render.book import Book
from linkindex.render.census import census, largest_error
from linkindex.render.unlinked import public_functions
from linkindex.render.urls import evidence_stem

from .small import CODES, S, book, directive, find, html, pages, ran, rows, text_of

MUTANTS = (
    ("sign", "-Q", "assertion", [[-x for x in row] for row in S]),
    ("key", "Q @ Q.T", "exception", "ValueError: no"),
    ("x", "K", "timeout", "no result"),
    ("operator", "Q @ K.T / math.sqrt(m)", "survived", S),
    ("variable", "K @ K.T", "survived", S),
)
STEPS = {
    "formula": Step(True, max_error=3.1e-16, tolerance=1e-10, trials=3),
    "defended": Step(False, "a mutant survives", "it is enough here"),
}


def report(**changes):
    return html(pages(book(**changes))["evidence.md"])


def evidence(**changes):
    return html(pages(book(**changes))["evidence/pair.md"])


def tally(root):
    (counts,) = find(root, class_="lx-tally")
    return {text_of(find(box, "dt")[0]): text_of(find(box, "dd")[0]) for box in find(counts, "div")}


def test_the_summary_counts_equations_exceptions_and_mutants():
    expected = {
        "equations": "2", "checked in all 6 ways": "0", "planted faults, or mutants": "5", "noticed by a test": "3",
        "written exceptions": "2",
    }  # fmt: skip
    made = pages(book(directive("evidence-summary"), steps=STEPS, **ran(*MUTANTS)))
    assert (
        tally(html(made["evidence.md"]))
        == tally(html(made["pair.md"]))
        == tally(html(made["evidence/pair.md"]))
        == expected
    )


def test_steps_are_counted_by_state_and_kind():
    counted = rows(report(steps=STEPS), "Equations by step and kind")
    assert counted[2:] == [
        *([name, "1", "0", "0", "0", "1", "0", "0", "0"]
          for name in ("Code found", "Run by the example", "Run by its test", "Symbols checked", "Formula evaluated")),
        ["Mutants caught", "0", "1", "0", "0", "0", "1", "0", "0"],
    ]  # fmt: skip


def test_each_written_exception_is_listed_with_its_reason():
    assert rows(report(steps=STEPS), "Written exceptions")[1:] == [
        ["Pairs 1: Scaled scores", "Mutants caught", "it is enough here"],
        ["Pairs 2: Product <before> scaling", "Mutants caught", "it is enough here"],
    ]
    assert "None. No step of any of the 2 equations is excused." in text_of(report())


def test_mutants_are_counted_by_outcome():
    assert rows(report(**ran(*MUTANTS)), "Mutants by outcome")[1:] == [
        ["fails an assertion", "1", "0", "1"], ["stops with an exception", "1", "0", "1"],
        ["does not finish in time", "1", "0", "1"], ["crashes", "0", "0", "0"], ["passes", "1", "0", "1"],
        ["passes: declared equivalent", "1", "0", "1"],
    ]  # fmt: skip


def test_an_equivalent_mutant_is_listed_with_its_reason():
    assert rows(report(**ran(*MUTANTS)), "Equivalent mutants")[1:] == [
        ["Pairs 1: Scaled scores", "Q @ K.T / math.sqrt(m)", "only other brackets"]
    ]


def test_the_largest_error_is_named_with_its_equation_and_the_tolerance():
    assert "at most 4e-16, at Pairs 1: Scaled scores; 1e-10 is tolerated" in text_of(report(steps=STEPS))
    assert "No formula was evaluated." in text_of(report())


def test_the_larger_of_two_errors_is_the_largest():
    small = book(steps=STEPS)
    proofs = dict(small.evidence.proofs)
    other = proofs["pair.product"]
    proofs["pair.product"] = replace(other, steps={**other.steps, "formula": Step(True, max_error=1e-12)})
    changed = Book(small.index, small.resolution, small.runs, replace(small.evidence, proofs=proofs))
    entry, error = largest_error(changed, changed.entries.values())
    assert (entry.equation.id, error) == ("pair.product", 1e-12)


def test_tests_are_listed_by_file_with_what_they_caught():
    assert rows(report(**ran(*MUTANTS)), "Tests that serve as evidence")[1:] == [
        ["tests/test_pair.py"],
        ["test_product", "Pairs 2: Product <before> scaling", "1", "passed", "not run"],
        ["test_scores", "Pairs 1: Scaled scores", "1", "passed", "3 of 5"],
    ]


def test_versions_and_sizes_are_those_of_the_runs():
    small = book()
    made = Book(
        small.index, small.resolution, replace(small.runs, versions={"numpy": "9.9", "python": "3.99"}), small.evidence
    )
    root = html(rendered(made)[0]["evidence.md"])
    assert "numpy 9.9, python 3.99, linkindex" in text_of(root)
    assert rows(root, "Sizes of the runs")[1:] == [["configuration", "4", "5", "3"]]


def test_the_evidence_page_lists_every_mutant_with_its_effect_and_outcome():
    root = evidence(**ran(*MUTANTS))
    assert rows(root, "Mutants of equation 1, place 1")[1:] == [
        ["-Q", "the sign were dropped", "changes 5 of 6 numbers", "fails an assertion"],
        ["Q @ Q.T", "another entry were taken", "raises ValueError: no", "stops with an exception"],
        ["K", "x", "raises no result", "does not finish in time"],
        ["Q @ K.T / math.sqrt(m)", "the operator were another one", "gives the same numbers on this example",
         "passes: declared equivalent: only other brackets"],
        ["K @ K.T", "another variable stood here", "gives the same numbers on this example", "passes"],
    ]  # fmt: skip
    assert "The mutants of its code were not run yet." in text_of(root)  # of the second equation


def test_the_evidence_page_shows_each_formula_with_its_steps():
    root = evidence(steps=STEPS)
    assert [e.attributes["data-equation"] for e in root.walk() if "data-equation" in e.attributes] == list(CODES)
    steps = rows(root, "Steps of evidence, equation 1")[1:]
    assert [row[1] for row in steps] == ["✓ done"] * 5 + ["! exception"]
    assert steps[0][2] == "mini/pair.py:7–9" and steps[2][2] == "test_scores"
    assert steps[4][2] == "largest error ≤ 4e-16, tolerance 1e-10, 3 trials"


def test_an_equation_and_its_dossier_lead_to_the_evidence():
    root = html(pages(book(directive("dossier")))["pair.md"])
    links = [a.attributes["href"] for a in find(root, "a")]
    page = "../evidence/pair/"
    assert {f"{page}#evidence-pair-scaled", f"{page}#evidence-pair-product", page} <= set(links)


def test_papers_are_grouped_by_work_and_section():
    small = book(directive("dossier"))
    records = tuple(replace(e, paper=f"known2020, section {n}") for n, e in zip((2, 2), small.index.pages[0].equations))
    page = replace(small.index.pages[0], equations=records)
    made = Book(replace(small.index, pages=(page,)), small.resolution, small.runs, small.evidence)
    text = text_of(html(rendered(made)[0]["pair.md"]))
    assert "A. Known, On pairs: section 2 for 1, 2" in text and text.count("A. Known, On pairs") == 1


def test_the_evidence_of_the_front_page_does_not_take_the_place_of_the_report():
    assert [evidence_stem(stem) for stem in ("index", "guide/index", "a/b")] == [
        "evidence/index-page", "evidence/guide/index-page", "evidence/a/b",
    ]  # fmt: skip


def test_a_page_without_equations_has_no_evidence_page():
    small = book()
    other = Page("about", "docs/about.md", "About", (Prose("# About", Place("docs/about.md")),))
    made = rendered(
        Book(replace(small.index, pages=(*small.index.pages, other)), small.resolution, small.runs, small.evidence)
    )
    assert "evidence/pair.md" in made[0] and "evidence/about.md" not in made[0]


def test_public_functions_are_read_from_the_packages(tmp_path):
    package = tmp_path / "src" / "mini"
    (package / "_private").mkdir(parents=True)
    (package / "_private" / "x.py").write_text("def f(): pass\n")
    (package / "__init__.py").write_text("def top(): pass\n")
    (package / "pair.py").write_text(
        "def scores():\n    def inner(): pass\n\ndef _hidden(): pass\n\n"
        "class Box:\n    def open(self): pass\n    def _shut(self): pass\n"
    )
    (package / "broken.py").write_text("def broken(:\n")
    found = public_functions(Config(tmp_path, packages=("mini",)), book().resolution)
    assert [(f.file, f.line, f.name, f.linked) for f in found] == [
        ("src/mini/__init__.py", 1, "top", False), ("src/mini/pair.py", 1, "scores", True),
        ("src/mini/pair.py", 7, "Box.open", False),
    ]  # fmt: skip


def test_nothing_counts_as_proved_that_was_not_run():
    counted = census(book(), book().entries.values())
    assert (counted.proved, counted.mutants) == (0, None)
    root = report()
    assert "Not run yet." in text_of(root) and "planted faults, or mutants" not in tally(root)


WHY = r"the formula is not proved: no value for \frac{x}{$}"


def said(root):
    """What stands on a page as the words of a program; the check of the site looks for no formulas in it."""
    return [text_of(element) for element in find(root, "samp")]


def test_what_a_check_said_stands_as_such_beside_the_equation_and_with_the_evidence():
    steps = {"formula": Step(False, WHY), "defended": Step(False, WHY, "a written reason")}
    made = pages(book(directive("dossier"), steps=steps))
    for name in ("pair.md", "evidence/pair.md"):
        assert said(html(made[name])) == [WHY, WHY]      # once for each equation; the reason is no program's
        assert "a written reason" in text_of(html(made[name]))


def test_what_an_exception_said_stands_as_such():
    raised = ran(("sign", "-Q", "exception", r"ValueError: no \frac"), ("key", "Q @ Q.T", "assertion", S))
    made = pages(book(directive("dossier"), directive("whatif", mutant="-Q"), **raised))
    words = r"raises ValueError: no \frac"
    assert said(html(made["evidence/pair.md"])) == [words]
    assert said(html(made["pair.md"])) == [words, words]  # in the table of mutants, and in the what-if


def test_a_fault_of_a_directive_stands_on_the_page_as_what_the_tool_said():
    made, (finding,) = rendered(book(directive("worked", of=r"$\frac", at=["0", "0"])))
    assert said(html(made["pair.md"])) == [finding.message] and "$" in finding.message
