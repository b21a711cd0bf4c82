"""A link has the exact place of its code; what has no lines of its own is no target."""

import ast

import pytest


def test_row_07_two_links_on_one_line_stay_distinct(code):
    library = code({"m.py": "def run(v):\n    f = lambda x: x; g = lambda x: 2 * x; y = f(v) + g(v)\n    return y\n"})
    spans = [library.span("m.run", name) for name in ("f", "g", "f(v)", "g(v)", "y")]
    assert {span.line for span in spans} == {2}
    assert [span.code for span in spans] == ["lambda x: x", "lambda x: 2 * x", "f(v)", "g(v)", "f(v) + g(v)"]
    assert len({(span.col, span.end_col) for span in spans}) == 5


def test_row_07_two_equations_on_one_line_are_proved_apart(project):
    y, s = "    y = z - H @ x                    # (m,)\n", "    S = H @ P @ H.T + R              # (m, m)\n"
    project.edit("kalman/filter.py", y + s, "    y = z - H @ x; S = H @ P @ H.T + R\n")
    project.edit("docs/symbols.yml", "y: {", 'y: {shape: "(m,)", ')
    project.edit("docs/symbols.yml", "S: {", 'S: {shape: "(m, m)", ')
    _, resolution, runs, _, findings = project.result()
    assert findings == ()
    one, two = resolution.links["filter.innovation"][0], resolution.links["filter.innovation-covariance"][0]
    assert one.span.line == two.span.line and one.key != two.key
    assert (one.span.code, two.span.code) == ("z - H @ x", "H @ P @ H.T + R")
    values = {
        name: runs.examples["filter"][0].visits[f"filter.{name}"][0].value.shape
        for name in ("innovation", "innovation-covariance")
    }
    assert values == {"innovation": (1,), "innovation-covariance": (1, 1)}


def test_row_07_a_lambda_of_a_module_is_refused_at_its_line(code):
    error = code({"m.py": "f = lambda x: x; g = lambda x: 2 * x\n"}).refused("m.g")
    assert error.code == "LI202" and "m.py:1" in str(error) and "def" in str(error)


PATCHED = {
    "assigned from outside": "class Foo: pass\n\n\ndef added(self):\n    return 1\n\n\nFoo.method = added\n",
    "added by a decorator": "class Foo: pass\n\n\n@patch\ndef method(self: Foo):\n    return 1\n",
    "set by name": "class Foo: pass\n\n\nsetattr(Foo, 'method', lambda self: 1)\n",
    "made from text": "exec('class Foo:\\n    def method(self): return 1')\n",
}


@pytest.mark.parametrize("name", PATCHED)
def test_row_14_a_method_that_is_nowhere_written_is_an_error_not_a_link_without_a_line(code, name):
    assert code({"m.py": PATCHED[name]}).refused("m.Foo.method").code == "LI202"


def test_row_14_an_equation_whose_code_is_not_found_has_no_link(project):
    project.edit(
        "docs/filter.yml",
        "in: kalman.filter.predict\n  latex: \\bar x",
        "in: kalman.filter.Model.predict\n  latex: \\bar x",
    )
    _, resolution, _, evidence, findings = project.result()
    assert "filter.predicted-state" not in resolution.links
    assert not evidence.proofs["filter.predicted-state"].steps["resolved"].ok
    assert {"LI202"} <= {finding.code for finding in findings}


def test_row_15_every_link_ends_where_its_function_ends(code):
    library = code({"m.py": "x = 1\ndef f():\n    return 1\ny = 2\nclass A:\n    def g(self): return 3\nz = 3"})
    spans = {name: library.find(name).function.span for name in ("m.f", "m.A.g")}
    assert (spans["m.f"].line, spans["m.f"].end_line, spans["m.f"].end_col) == (2, 3, 13)
    assert (spans["m.A.g"].line, spans["m.A.g"].end_line) == (6, 6)


@pytest.mark.parametrize("name", ["pkg", "pkg.m", "pkg.m.A", "pkg.m.x"])
def test_row_15_a_module_a_class_or_a_constant_is_no_target(code, name):
    error = code({"pkg/__init__.py": "", "pkg/m.py": "x = 1\nclass A:\n    def f(self): return 1\n"}).refused(name)
    assert error.code in ("LI201", "LI202")


HEADS = {
    "shebang": "#!/usr/bin/env python3\n",
    "cookie": "# -*- coding: utf-8 -*-\n",
    "shebang and cookie": "#!/usr/bin/env python3\n# vim: set fileencoding=latin-1 :\n",
    "mark, shebang and cookie": "\ufeff#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n",
    "blank lines": "\n\n",
}


@pytest.mark.parametrize("name", HEADS)
def test_row_16_what_stands_above_the_docstring_shifts_nothing(code, name):
    head = HEADS[name]
    library = code({"m.py": f'{head}"""What the module is for."""\n\n\ndef f(a):\n    y = a + 1\n    return y\n'})
    count = head.count("\n")
    assert library.find("m.f").function.line == count + 4
    span = library.span("m.f", "y")
    assert (span.line, span.col, span.code) == (count + 5, 9, "a + 1")
    assert ast.get_docstring(library.source("m.py").tree) == "What the module is for."
