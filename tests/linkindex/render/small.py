"""A project of two equations as the stages would hand it on, written by hand, and its pages read back from HTML."""

import ast
from dataclasses import replace
from pathlib import Path

import markdown

from linkindex.formula import Notation, parse
from linkindex.model import (
    NOT_RUN, STEPS, Call, CodeName, Concept, Config, Directive, Effect, Equation, Evidence, ExampleRun, Finding,
    Function, Index, Link, Mutant, Page, Place, Proof, Prose, Resolution, Runs, Span, Step, Symbol, SymbolRow,
    TestPlace, TestRun, Value, Verdict, Visit,
)  # fmt: skip
from linkindex.render import rendered
from linkindex.render.book import Book
from linkindex.site.mathext import MathExtension
from linkindex.verify.html import Element, parse as parse_html

FILE, TEST_FILE = "mini/pair.py", "tests/test_pair.py"
SOURCE = '''import math


@cached
def scores(Q, K, m):
    """Every row of Q against every row of K, <scaled>."""
    S = (
        Q @ K.T
    ) / math.sqrt(m)  # (n, k)
    θ = "θθ" if S is None else\tS.sum()
    return S
'''
TEST = '''def test_scores():
    assert near(scores(Q, K, 2), loops(Q, K))
'''
ASSERTION = TEST.split("\n")[1].strip()
Q = [[1.0, -0.5], [0.25, 2.0]]
K = [[0.5, 1.0], [1.5, -1.0], [-0.125, 0.0]]
PRODUCT = [[sum(a * b for a, b in zip(q, k)) for k in K] for q in Q]
S = [[x / 2**0.5 for x in row] for row in PRODUCT]
LABELS = {"n": ("up", "down")}
SYMBOLS = (
    Symbol("Q", "Queries", "Q", shape=("n", "m")),
    Symbol("K", "Keys <all>", "K", shape=("k", "m")),
    Symbol("S", "Scaled scores", "S"),
    Symbol("m", "Width", "m", shape=(), size="free"),
    Symbol("n", "Rows", None, shape=(), size="free"),
    Symbol("k", "Columns", None, shape=(), size="free"),
)


def span(code: str, text: str = SOURCE, file: str = FILE) -> Span:
    """The only place of ``code`` in ``text``."""
    start = text.index(code)
    line, end_line = text.count("\n", 0, start) + 1, text.count("\n", 0, start + len(code)) + 1
    col = start - (text.rfind("\n", 0, start) + 1) + 1
    end_col = start + len(code) - (text.rfind("\n", 0, start + len(code)) + 1) + 1
    return Span(file, line, col, end_line, end_col, code)


def verdict(code: str, outcome: str) -> Verdict:
    return Verdict("pair.scaled", "", Mutant("other operator", code), outcome, EQUATIONS[0].test)


def ran(*mutants: tuple[str, str, str, object]) -> dict[str, dict]:
    """Verdicts and effects of mutants of the first equation: (kind, code, outcome, the value of S or an error)."""
    key = Link("", "", "", span(CODES["pair.scaled"]), span(CODES["pair.scaled"]), None, None, None).key
    verdicts, effects = [], []
    for kind, code, outcome, after in mutants:
        verdicts.append(Verdict("pair.scaled", key, Mutant(kind, code), outcome, EQUATIONS[0].test))
        made, error = (None, after) if isinstance(after, str) else (value(after), None)
        effects.append(Effect(key, Mutant(kind, code), value(S), made, error))
    return {"verdicts": {"pair.scaled": tuple(verdicts)}, "effects": {"pair.scaled": tuple(effects)}}


def value(data, dtype: str = "float64") -> Value:
    shape = []
    inner = data
    while isinstance(inner, list):
        shape.append(len(inner))
        inner = inner[0]
    return Value(dtype, tuple(shape), data)


def filled(*shape: int) -> Value:
    data = 0.5
    for size in reversed(shape):
        data = [data] * size
    return Value("float64", shape, data)


EQUATIONS = (
    Equation(
        id="pair.scaled", title="Scaled scores", page="pair", latex=r"S = \frac{Q K^\top}{\sqrt{m}}",
        probe=CodeName("mini.pair.scores", None), test="tests/test_pair.py::test_scores",
        place=Place("docs/pair.yml", 3), paper="known2020, section 2, eq. 1",
        equivalent={"Q @ K.T / math.sqrt(m)": "only other brackets"},
    ),
    Equation(
        id="pair.product", title="Product <before> scaling", page="pair", latex=r"Q K^\top",
        probe=CodeName("mini.pair.scores", "Q @ K.T"), test="tests/test_pair.py::test_product",
        place=Place("docs/pair.yml", 9), is_property=True,
    ),
)
CODES = {"pair.scaled": "(\n        Q @ K.T\n    ) / math.sqrt(m)", "pair.product": "Q @ K.T"}
INPUTS = {
    "Q": value(Q), "K": value(K), "S": value(S), "Q @ K.T": value(PRODUCT), "K.T": value([list(c) for c in zip(*K)]),
    "m": value(2, "int"), "math.sqrt(m)": value(2**0.5),
}  # fmt: skip
SIZES = {"n": 4, "k": 5, "m": 3}
CONFIGURED = {
    "Q": filled(4, 3), "K": filled(5, 3), "S": filled(4, 5), "Q @ K.T": filled(4, 5), "K.T": filled(3, 5),
    "m": value(3, "int"), "math.sqrt(m)": value(3**0.5),
}  # fmt: skip


def prose(text: str, line: int = 40) -> Prose:
    return Prose(text, Place("docs/pair.md", line))


def directive(text: str, line: int = 40, /, **options: object) -> Directive:
    name, *arguments = text.split()
    return Directive(name, tuple(arguments), options, Place("docs/pair.md", line))


def book(
    *blocks: Directive, inputs=None, configured=None, shown=None, steps=None, verdicts=None, effects=None, commit=None,
    **changes,
) -> Book:
    """The small project; its one concept shows both equations, and then ``blocks``."""
    concept = Concept(
        "Scores & more", "scores",
        (
            Prose("### What is it?", Place("docs/pair.md", 5)),
            directive("equation pair.scaled pair.product", 9),
            *blocks,
        ),
        ("pair.scaled", "pair.product"), Place("docs/pair.md", 3),
    )
    page = Page(
        "pair", "docs/pair.md", "Pairs", (Prose("# Pairs", Place("docs/pair.md")), concept), SYMBOLS, EQUATIONS,
        example="docs/pair.py",
    )
    index = Index(
        Config(Path(), packages=("mini",), configuration=SIZES), (page,), SYMBOLS,
        {"known2020": {"authors": "A. Known", "title": "On pairs", "where": "Journal, 2020"}}, None,
    )
    made = runs({**INPUTS, **(inputs or {})}, {**CONFIGURED, **(configured or {})}, shown or {})
    made = replace(made, verdicts=verdicts or {}, effects=effects or {})
    return Book(replace(index, **changes), resolution(), made, evidence(steps or {}, commit))


def resolution() -> Resolution:
    statement = span("S = (\n        Q @ K.T\n    ) / math.sqrt(m)")
    function = SOURCE[SOURCE.index("@cached") :].rstrip()
    return Resolution(
        links={
            name: (Link(name, "computes", "mini.pair.scores", span(code), statement, "S", None, None, probe=True),)
            for name, code in CODES.items()
        },
        tests={
            e.id: TestPlace(
                e.id, e.test, span(TEST.rstrip(), TEST, TEST_FILE), span(ASSERTION, TEST, TEST_FILE),
            )
            for e in EQUATIONS
        },
        functions={"mini.pair.scores": Function("mini.pair", "scores", span(function), 5, ("Q", "K", "m"))},
        shapes={"mini.pair.scores": {"S": ("n", "k")}},
        assigned={"mini.pair.scores": {"S": ((7, 9),), "θ": ((10, 10),)}},
        calls=(Call("mini.model.forward", "mini.pair.scores", Span("mini/model.py", 12, 5, 12, 20, "scores(Q, K)")),),
        sources={FILE: SOURCE, TEST_FILE: TEST},
        formulas={e.id: parse(e.latex, Notation.of(SYMBOLS)) for e in EQUATIONS},
    )


def runs(inputs: dict[str, Value], configured: dict[str, Value], shown: dict[str, Value]) -> Runs:
    def run(kind: str, sizes: dict, names: dict) -> ExampleRun:
        values = {ast.unparse(ast.parse(code)): recorded for code, recorded in names.items()}
        visits = {name: (Visit(link.key, None, values),) for name, (link,) in resolution().links.items()}
        return ExampleRun("pair", kind, sizes, visits, {}, shown if kind == "inputs" else {}, LABELS)

    keys = {link.key: 1 for links in resolution().links.values() for link in links}
    tests = {e.test: TestRun(e.test, (e.test,), "passed", None, keys, {}) for e in EQUATIONS}
    return Runs({"pair": (run("inputs", {}, inputs), run("configuration", SIZES, configured))}, tests, {})


def evidence(steps: dict[str, Step], commit: str | None) -> Evidence:
    done = {name: Step(True) for name in STEPS[:4]}
    rows = tuple(
        SymbolRow(s.latex, s.meaning, s.code, s.shape if s.shape is not None else ("n", "k"), (4, 5), "float64")
        for s in SYMBOLS if s.code
    )
    formulas = resolution().formulas
    return Evidence(
        {
            e.id: Proof(e.id, {name: NOT_RUN for name in STEPS} | done | steps, rows, formulas[e.id].marked)
            for e in EQUATIONS
        },
        commit,
    )


def pages(small: Book) -> dict[str, str]:
    """The generated Markdown; nothing may be wrong."""
    written, findings = rendered(small)
    assert not findings, findings
    return written


def html(text: str) -> Element:
    """A generated page as a browser gets it."""
    body = text.partition("\n---\n")[2] if text.startswith("---\n") else text
    extensions = [
        "admonition", "attr_list", "md_in_html", "tables", "pymdownx.arithmatex", "pymdownx.details", MathExtension(),
    ]  # fmt: skip
    made = markdown.markdown(body, extensions=extensions, extension_configs={"pymdownx.arithmatex": {"generic": True}})
    return parse_html(f"<html><body>{made}</body></html>")


def page(*blocks: Directive, **changes) -> Element:
    """The page of the small project, with ``blocks`` in its concept."""
    return html(pages(book(*blocks, **changes))["pair.md"])


def texts(row: Element) -> list[str]:
    """The texts of a table's row, cell by cell."""
    return [text_of(cell) for cell in row.children if isinstance(cell, Element)]


def find(root: Element, tag: str | None = None, **attributes: str) -> list[Element]:
    """Elements below ``root``; ``class_`` asks for one of the classes, ``data_ref`` for data-ref."""
    wanted = {name.rstrip("_").replace("_", "-"): text for name, text in attributes.items()}
    class_name = wanted.pop("class", None)
    return [
        element for element in root.walk()
        if tag in (None, element.tag) and (class_name is None or class_name in element.classes)
        and all(element.attributes.get(name) == text for name, text in wanted.items())
    ]


def text_of(element: Element) -> str:
    return " ".join(element.text.split())


def table(root: Element, ref: str) -> Element:
    (found,) = find(root, "table", data_ref=ref)
    return found


def rows(root: Element, label: str) -> list[list[str]]:
    """The texts of the table in the box with this label, row by row."""
    (box,) = find(root, class_="lx-scroll", data_label=label)
    return [texts(row) for row in find(box, "tr")]


def exact(element: Element) -> float:
    """The exact value of the one number below an element."""
    (number,) = find(element, class_="lx-number")
    return float(number.attributes["data-value"])


def findings(*blocks: Directive, **changes) -> tuple[Finding, ...]:
    """What is wrong with the page of the small project, with ``blocks`` in its concept."""
    return rendered(book(*blocks, **changes))[1]
