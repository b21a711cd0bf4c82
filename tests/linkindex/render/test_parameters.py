"""`::: parameters` and `::: path`: arrays traced to the lines that made them, and lines that ran in their order."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from linkindex.model import Concept, Directive
from linkindex.render import rendered
from linkindex.render.book import Book
from tests.linkindex.project import Project
from tests.linkindex.render.small import find, html, text_of, texts

CODE = '''"""How two filters start, and how their states shrink."""

import numpy as np


def start(n, rng):
    """The first estimate: x0: (n,), P0: (n, n)."""
    first = {"x0": rng.normal(size=n)}
    for name in "P":
        first[name + "0"] = np.eye(n)
    return first


def shrink(filters, rate):
    """All states, in place, by the rate."""
    for first in filters.values():
        share = 1 - rate
        first["x0"] *= share
    return filters


def unused(x):
    return x + 1
'''
EXAMPLE = '''

def two(x, **_):
    rng = np.random.default_rng(0)
    return {"a": start(len(x), rng), "b": start(len(x), rng)}


def named(filters):
    return {f"{group}.{name}": value for group, first in filters.items() for name, value in first.items()}


def parameters(**inputs):
    return named(two(**inputs))


def shrinks(**inputs):
    filters = two(**inputs)
    for first in filters.values():
        for value in first.values():
            value[...] = 1
    return {name: value != 1 for name, value in named(shrink(filters, 0.5)).items()}


def one_step(**inputs):
    return named(shrink(two(**inputs), 0.5))
'''
TABLE = """::: parameters
    title: The first filter
    from: parameters()
    group: a
    made in: kalman.start.start
    ask:
      - {question: Shrinks, from: shrinks(), yes: "it does", no: "never"}
"""
PATH = """::: path
    run: one_step()
    through:
      - {says: A state is drawn., in: kalman.start.start, code: rng.normal(size=n)}
      - {says: It shrinks., in: kalman.start.shrink, code: share}
"""
TWICE = "    return {name: 2 * value for name, value in named(two(**inputs)).items()}\n"
STEP = "return named(shrink(two(**inputs), 0.5))\n"
PAGE, EXAMPLE_PATH = "docs/filter.md", "docs/filter.py"


def prepare(project):
    project.write("kalman/start.py", CODE)
    imports = "from kalman.filter import predict, update\n"
    project.edit(EXAMPLE_PATH, imports, f"{imports}from kalman.start import shrink, start\n")
    project.write(EXAMPLE_PATH, project.read(EXAMPLE_PATH) + EXAMPLE)
    project.edit(PAGE, "## The whole function", f"{TABLE}\n{PATH}\n## The whole function")
    project.write("docs/symbols.yml", project.read("docs/symbols.yml") + (
        'x_0: {code: \'first["x0"]\', meaning: "The first state", shape: "(n,)"}\n'
        'P_0: {code: \'first["P0"]\', meaning: "Its covariance"}\n'
    ))
    project.edit("docs/filter.yml", r"\hat P]", r"\hat P, x_0, P_0]")
    return project


@pytest.fixture
def starting(project):
    return prepare(project)


@pytest.fixture(scope="module")
def book(pristine, tmp_path_factory):
    """The project with both directives, which are shown without a finding."""
    shutil.copytree(pristine.root, root := tmp_path_factory.mktemp("starting") / "project")
    index, resolution, runs, evidence, findings = prepare(Project(root)).result()
    assert findings == ()
    return Book(index, resolution, runs, evidence)


def page(book):
    pages, findings = rendered(book)
    assert findings == ()
    return html(pages["filter.md"]), pages


def test_the_table_traces_every_parameter_to_the_line_that_made_it(book):
    root, pages = page(book)
    rows = find(root, "tr")
    x0, P0 = (next(row for row in rows if row.attributes.get("data-parameter") == name) for name in ("a.x0", "a.P0"))
    assert texts(x0)[1:4] == ["(n,)", "(4,)", "4"] and texts(P0)[1:4] == ["(n, n)", "(4, 4)", "16"]
    assert texts(x0)[0].startswith("a.x0 ") and texts(x0)[0].endswith(": The first state")
    assert texts(x0)[4] == "rng.normal(size=n) kalman/start.py:8 from -0.1321 to 0.6404" and texts(x0)[5] == "it does"
    assert texts(P0)[4] == "np.eye(n) kalman/start.py:10 from 0 to 1" and texts(P0)[5] == "never"
    assert [a.attributes["href"] for row in (x0, P0) for a in find(row, "a")] == [
        "../source/kalman/start.py/#L8", "../source/kalman/start.py/#L10",
    ]  # fmt: skip
    assert 'id="L10"' in pages["source/kalman/start.py.md"]


def test_the_numbers_are_those_of_the_run(book):
    drawn = np.random.default_rng(0).normal(size=4)
    (row,) = find(page(book)[0], "tr", data_parameter="a.x0")
    ends = [float(number.attributes["data-value"]) for number in find(row, class_="lx-number")]
    assert ends == [drawn.min(), drawn.max()]


def test_the_totals_are_those_of_the_group_and_of_the_model(book):
    root = page(book)[0]
    table = next(table for table in find(root, "table") if find(table, "tr", data_parameter="a.x0"))
    totals = [texts(row)[:2] for row in find(find(table, "tfoot")[0], "tr")]
    assert totals == [["All of a", "20"], ["The whole model", "40"]]
    assert "The same names and shapes stand in a and b." in text_of(root)


def test_the_path_leads_to_its_lines_in_their_order(book):
    (path,) = find(page(book)[0], "div", class_="lx-path")
    steps = find(path, "li")
    assert [text_of(step) for step in steps] == [
        'A state is drawn. kalman/start.py:8 in kalman.start.start first = {"x0": rng.normal(size=n)}',
        "It shrinks. kalman/start.py:17 in kalman.start.shrink share = 1 - rate",
    ]
    assert [a.attributes["href"] for a in find(path, "a")] == [
        "../source/kalman/start.py/#L8", "../source/kalman/start.py/#L17",
    ]  # fmt: skip


def test_the_links_move_with_the_code(starting):
    starting.write("kalman/start.py", CODE.replace("import numpy as np\n", "import numpy as np\n\nNEW = 1\n"))
    index, resolution, runs, evidence, findings = starting.result()
    (row,) = find(page(Book(index, resolution, runs, evidence))[0], "tr", data_parameter="a.P0")
    assert findings == () and find(row, "a")[0].attributes["href"] == "../source/kalman/start.py/#L12"


# --- what must be found ----------------------------------------------------------------------------------------------


def changed(book, name, **options):
    """The findings of the page with other options of its directive of that name: (code, message)."""

    def change(block):
        if isinstance(block, Concept):
            return replace(block, blocks=tuple(map(change, block.blocks)))
        if isinstance(block, Directive) and block.name == name:
            return replace(block, options={**block.options, **options})
        return block

    pages = tuple(replace(page, blocks=tuple(map(change, page.blocks))) for page in book.index.pages)
    other = Book(replace(book.index, pages=pages), book.resolution, book.runs, book.evidence)
    return [(finding.code, finding.message) for finding in rendered(other)[1]]


ASK = {"question": "?", "yes": "yes", "no": "no"}


@pytest.mark.parametrize(("name", "options", "code", "says"), [
    ("parameters", {"group": "c"}, "LI619", "no parameter of parameters() lies in 'c'"),
    ("parameters", {"from": "parameter()"}, "LI609", "nearest: parameters"),
    ("parameters", {"from": "parameters"}, "LI604", "expected a call"),
    ("parameters", {"from": "parameters()['a.x0']"}, "LI604", "expected a call"),
    ("parameters", {"made in": "kalman.filter.update"}, "LI619", "kalman.filter.update stored under 'x0', found none"),
    ("parameters", {"ask": [{**ASK, "from": "parameters()"}]}, "LI619", "should answer with all 1 or all 0 for a.x0"),
    ("parameters", {"ask": [{"question": "?"}]}, "LI604", "expected a list of rows"),
    ("path", {"run": "two_steps()"}, "LI609", "was not called"),
])  # fmt: skip
def test_a_directive_that_says_what_did_not_run_is_a_finding(book, name, options, code, says):
    found = changed(book, name, **options)
    assert {one for one, _ in found} == {code}
    assert any(says in message for _, message in found), found


def test_lines_in_another_order_than_they_ran_are_a_finding(book):
    blocks = (block for page in book.index.pages for concept in page.concepts for block in concept.blocks)
    (through,) = (block.options["through"] for block in blocks if getattr(block, "name", "") == "path")
    ((code, message),) = changed(book, "path", through=through[::-1])
    assert code == "LI618" and "kalman/start.py:8 ran before kalman/start.py:17" in message


@pytest.mark.parametrize(("old", "new", "code", "line"), [
    ("made in: kalman.start.start", "made in: kalman.start.begin", "LI202", "::: parameters"),
    ("made in: kalman.start.start", "made in: kalman.start.unused", "LI214", "::: parameters"),
    ("in: kalman.start.shrink", "in: kalman.begin.shrink", "LI202", "::: path"),
    ("code: share", "code: shares", "LI207", "::: path"),
    ("code: rng.normal(size=n)", "code: rng.normal(size=m)", "LI207", "::: path"),
])  # fmt: skip
def test_code_that_is_not_there_is_found_without_running_anything(starting, old, new, code, line):
    starting.edit(PAGE, old, new)
    assert [(finding.code, finding.place.line) for finding in starting.fast()] == [(code, starting.line_of(PAGE, line))]


def faults(project):
    index, resolution, runs, evidence, findings = project.result()
    return {finding.code: finding for finding in (*findings, *rendered(Book(index, resolution, runs, evidence))[1])}


@pytest.mark.parametrize(("path", "old", "new", "code", "says"), [
    (EXAMPLE_PATH, "    return named(two(**inputs))\n", TWICE, "LI619", "a.x0 should be what one line"),
    ("kalman/start.py", 'first[name + "0"]', 'first[name + name]', "LI619", "a.PP"),
    ("docs/symbols.yml", 'shape: "(n,)"}\nP_0', 'shape: "(m,)"}\nP_0', "LI601", "a.x0 should have shape (m,)"),
    ("docs/symbols.yml", "first[\"P0\"]", "first[\"P1\"]", "LI619", "no symbol of the notation stands for a.P0"),
    (EXAMPLE_PATH, "def one_step(", "def two_steps(", "LI301", "the page calls one_step(), which"),
    (EXAMPLE_PATH, STEP, "shrink(two(**inputs), 0.5)\n", "LI301", "must return a dict"),
    (EXAMPLE_PATH, STEP, "return named(two(**inputs))\n", "LI618", "one_step() did not run kalman/start.py:17"),
    (EXAMPLE_PATH, "default_rng(0)", "default_rng()", "LI303", "two calls of parameters() differ"),
])  # fmt: skip
def test_a_parameter_that_is_not_what_its_line_made_is_a_finding(starting, path, old, new, code, says):
    starting.edit(path, old, new)
    found = faults(starting)
    assert code in found and says in found[code].message, found
