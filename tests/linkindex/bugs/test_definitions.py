"""The right definition is found, or the name is refused with every candidate. Rows: see rows.py."""

import ast
from pathlib import Path
from textwrap import dedent

import linkindex
import pytest
from linkindex.load.config import read_config
from linkindex.pipeline import places_for

from tests.linkindex.bugs import rows

NOT_APPLICABLE = {}
ELSEWHERE = {}


def test_every_row_is_tested():
    assert rows.uncovered(rows.DEFINITIONS, globals(), ELSEWHERE, NOT_APPLICABLE) == []
    assert rows.lost(ELSEWHERE) == []


DECORATORS = {
    "none": ([], "def f(x):"),
    "a name": (["@a"], "def f(x):"),
    "a dotted name": (["@a.b.c"], "def f(x):"),
    "a call": (["@a(1)"], "def f(x):"),
    "a call of several lines": (["@a(", "    1,", ")"], "def f(x):"),
    "in brackets on a line of its own": (["@(", "    a", ")"], "def f(x):"),
    "behind a comment in brackets": (["@(  # why", "", "    # more", "    a)"], "def f(x):"),
    "continued by a backslash": (["@\\", "a"], "def f(x):"),
    "a lambda": (["@lambda f: f"], "def f(x):"),
    "two, with a blank line between": (["@a", "", "@b"], "def f(x):"),
    "with a comment between": (["@a", "# about f", "@b(2)"], "def f(x):"),
    "of an asynchronous function": (["@a"], "async def f(x):"),
    "with a form feed": (["\f@a"], "def f(x):"),
    "of a signature of several lines": (["@a"], "def f(\n    x,\n):"),
}


@pytest.mark.parametrize("name", DECORATORS)
def test_row_01_a_link_knows_the_def_and_the_span_from_the_first_decorator(code, name):
    decorators, head = DECORATORS[name]
    lines = ["import m", "", *decorators, *head.split("\n"), "    y = x + 1", "    return y"]
    function = code({"m.py": "\n".join(lines) + "\n\nz = 1\n"}).find("m.f").function
    assert function.line == lines.index(head.split("\n")[0]) + 1
    assert (function.span.line, function.span.end_line) == (3, len(lines))
    assert function.span.code.split("\n") == lines[2:]


METHODS = dedent("""
    def method(self):
        return 0

    class Foo:
        @cached
        def method(self):
            return 1

        @staticmethod
        def helper():
            def method():
                return 2
            return method

        class Inner:
            @a(
                1
            )
            async def method(self):
                return 3
""")


@pytest.mark.parametrize(
    "name, value",
    [
        ("m.method", 0),
        ("m.Foo.method", 1),
        ("m.Foo.helper.method", 2),
        ("m.Foo.helper.<locals>.method", 2),
        ("m.Foo.Inner.method", 3),
    ],
)
def test_row_02_a_method_is_known_by_its_class(code, name, value):
    found = code({"m.py": METHODS}).find(name)
    assert ast.literal_eval(found.node.body[-1].value) == value
    assert found.function.name.replace(".<locals>", "") == name.replace(".<locals>", "")


SAME_NAME = {
    "if and else": ("if x:\n    def f(): return 1\nelse:\n    def f(): return 2\n", ["branch:if", "branch:else"]),
    "if, elif and else": (
        "if x:\n    def f(): return 1\nelif y:\n    def f(): return 2\nelif z:\n    def f(): return 3\nelse:\n    def f(): return 4\n",
        ["branch:if", "branch:elif", "branch:elif:2", "branch:else"],
    ),
    "try and except": (
        "try:\n    def f(): return 1\nexcept A:\n    def f(): return 2\n",
        ["branch:try", "branch:except"],
    ),
    "two handlers": (
        "try:\n    import a\nexcept A:\n    def f(): return 1\nexcept B:\n    def f(): return 2\n",
        ["branch:except", "branch:except:2"],
    ),
    "match": (
        "match x:\n    case 1:\n        def f(): return 1\n    case 2:\n        def f(): return 2\n",
        ["branch:case", "branch:case:2"],
    ),
    "loop and its else": (
        "for x in y:\n    def f(): return 1\nelse:\n    def f(): return 2\n",
        ["definition", "branch:else"],
    ),
    "with and after": ("with x:\n    def f(): return 1\ndef f(): return 2\n", ["definition", "definition:2"]),
    "asynchronous and not": ("async def f(): return 1\ndef f(): return 2\n", ["definition", "definition:2"]),
    "registered functions": (
        "@g.register\ndef f(): return 1\n@g.register\ndef f(): return 2\n",
        ["definition", "definition:2"],
    ),
    "a class and a function": ("class f: pass\ndef f(): return 2\n", ["definition", "definition:2"]),
}


@pytest.mark.parametrize("name", SAME_NAME)
def test_row_04_a_name_with_several_definitions_is_refused_with_all_of_them(code, name):
    text, roles = SAME_NAME[name]
    error = code({"m.py": text}).refused("m.f")
    assert error.code == "LI203"
    definitions = [number for number, line in enumerate(text.split("\n"), 1) if "def f" in line or "class f" in line]
    for line, role in zip(definitions, roles, strict=True):
        assert f"m.py:{line} (f[{role}])" in str(error)


@pytest.mark.parametrize("name", [name for name in SAME_NAME if name != "a class and a function"])
def test_row_04_a_role_names_one_of_them_and_holds_no_line_number(code, name):
    text, roles = SAME_NAME[name]
    values = [code({"m.py": text}).find(f"m.f[{role}]").node.body[0].value.value for role in roles]
    moved = [code({"m.py": "\n\n" + text}).find(f"m.f[{role}]").node.body[0].value.value for role in roles]
    assert len(set(values)) == len(roles) and values == moved


def test_row_04_a_name_with_its_role_is_found_again_by_its_name(code):
    library = code({"m.py": "if x:\n    def f(): return 1\nelse:\n    def f(): return 2\n"})
    function = library.find("m.f[branch:else]").function
    assert function.name == "m.f[branch:else]" and library.find(function.name).function == function


PROPERTY = """
class Foo:
    @property
    def x(self):
        y = self._x * 2
        return y

    @x.setter
    def x(self, value):
        y = value / 2
        self._x = y

    @x.deleter
    def x(self):
        y = None
        del self._x

    def Foo(self):
        return 1
"""


@pytest.mark.parametrize("role, value", [("getter", "self._x * 2"), ("setter", "value / 2"), ("deleter", "None")])
def test_row_04_the_accessors_of_a_property_are_told_apart(code, role, value):
    library = code({"m.py": PROPERTY})
    assert library.refused("m.Foo.x").code == "LI203"
    assert library.span(f"m.Foo.x[{role}]", "y").code == value


def test_row_04_a_method_named_like_its_class_is_no_second_definition_of_it(code):
    assert code({"m.py": PROPERTY}).find("m.Foo.Foo").function.qualname == "Foo.Foo"


def test_row_04_two_definitions_that_change_places_are_seen_by_the_lock(project):
    one, two = "    y = z - H @ x                    # (m,)\n", "    y = H @ x - z                    # (m,)\n"
    text = project.read("kalman/filter.py")
    head, function = text.split("def update(")
    branches = [
        f"    def update({function}".replace("\n", "\n    ").rstrip(" "),
        f"    def update({function.replace(one, two)}".replace("\n", "\n    ").rstrip(" "),
    ]
    project.write("kalman/filter.py", f"{head}if np:\n{branches[0]}else:\n{branches[1]}")
    project.edit("docs/filter.yml", "kalman.filter.update", "kalman.filter.update[branch:if]")
    project.edit("docs/filter.md", "kalman.filter.update", "kalman.filter.update[branch:if]")
    project.lock()
    assert project.check() == ()
    project.write("kalman/filter.py", f"{head}if np:\n{branches[1]}else:\n{branches[0]}")
    assert "LI226" in {finding.code for finding in project.fast()}


def test_row_05_a_definition_that_is_replaced_further_down_is_refused(code):
    error = code({"m.py": "def f():\n    return 1\n\n\ndef f():\n    return 2\n"}).refused("m.f")
    assert error.code == "LI203" and "m.py:1" in str(error) and "m.py:5" in str(error)


def test_row_05_no_module_of_the_tool_asks_the_running_program_for_source():
    asked = {
        path.name
        for path in Path(linkindex.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        and {getattr(node, "module", None), *(alias.name for alias in node.names)} & {"inspect", "linecache"}
    }
    assert asked == set()


WRAPPED = """
def traced(*options):
    def decorate(function):
        def wrapper(*arguments):
            return function(*arguments)
        return wrapper
    return decorate


@traced(
    "update",
)
def update("""


def test_row_06_a_decorator_without_wraps_leaves_the_link_and_its_evidence_on_the_function(project):
    project.edit("kalman/filter.py", "\ndef update(", WRAPPED)
    index, resolution, _, evidence, findings = project.result()
    assert findings == ()
    link = resolution.links["filter.innovation"][0]
    assert link.span.line == project.line_of("kalman/filter.py", "y = z - H @ x")
    assert resolution.functions["kalman.filter.update"].line == project.line_of("kalman/filter.py", "def update(")
    assert evidence.proofs["filter.innovation"].steps["ran"].ok


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


def test_row_08_an_asynchronous_function_is_a_function(project):
    head, function = project.read("kalman/filter.py").split("def update(")
    project.write(
        "kalman/filter.py",
        f"import asyncio\n{head}async def update_later({function}\n\ndef update(x, P, z, H, R):\n    return asyncio.run(update_later(x, P, z, H, R))\n",
    )
    project.edit("docs/filter.yml", "kalman.filter.update", "kalman.filter.update_later")
    project.edit("docs/filter.md", "kalman.filter.update", "kalman.filter.update_later")
    project.lock()
    _, resolution, _, _, findings = project.result()
    assert findings == ()
    assert resolution.functions["kalman.filter.update_later"].line == project.line_of("kalman/filter.py", "async def")


@pytest.mark.parametrize(
    "imported, mark",
    [
        ("from typing import overload", "overload"),
        ("import typing", "typing.overload"),
        ("from typing import overload as stub", "stub"),
    ],
)
def test_row_10_a_link_leads_to_the_implementation_never_to_a_stub(code, imported, mark):
    stubs = f"@{mark}\ndef f(x: int) -> int: ...\n@{mark}\ndef f(x: str) -> str: ...\n"
    library = code({"m.py": f"{imported}\n{stubs}def f(x):\n    return x\n"})
    assert library.find("m.f").function.line == 6


def test_row_10_stubs_alone_are_no_function(code):
    assert code({"m.py": "from typing import overload\n@overload\ndef f(x: int): ...\n"}).refused("m.f").code == "LI202"


def test_row_10_stubs_of_a_method(code):
    text = "import typing as t\nclass A:\n    @t.overload\n    def f(self, x: int): ...\n    def f(self, x):\n        return x\n"
    assert code({"m.py": text}).find("m.A.f").function.line == 5


REEXPORTS = {
    "from a module": "from pkg.core import f",
    "from a relative module": "from .core import f",
    "through two modules": "from .middle import f",
    "under another name": "from .core import original as f",
    "by an assignment": "from . import core\ng = 1\nfrom .core import original\nf = original",
    "by an annotated assignment": "from .core import original\nf: object = original",
    "all public names": "from .core import *",
    "in a branch": "if True:\n    from .core import f",
    "the last of two": "from .other import f\nfrom .core import f",
    "the same in two branches": "try:\n    from .core import f\nexcept ImportError:\n    from pkg.core import f",
}


@pytest.mark.parametrize("name", REEXPORTS)
def test_row_11_a_public_alias_leads_to_the_definition(code, name):
    library = code({
        "pkg/__init__.py": REEXPORTS[name] + "\n",
        "pkg/middle.py": "from .core import f\n",
        "pkg/other.py": "def f():\n    return 0\n",
        "pkg/core.py": "def f():\n    return 1\n\n\noriginal = f\n",
    })  # fmt: skip
    found = library.find("pkg.f")
    assert found.function.name == "pkg.core.f" and found.source.path == "pkg/core.py"
    assert found.files[0] == "pkg/__init__.py" and found.files[-1] == "pkg/core.py"


def test_row_11_a_module_may_be_renamed_by_its_import(code):
    library = code(
        {
            "pkg/__init__.py": "from . import core as c\nimport pkg.core as d\n",
            "pkg/core.py": "class A:\n    def f(self): return 1\n",
        }
    )
    assert library.find("pkg.c.A.f").function.name == library.find("pkg.d.A.f").function.name == "pkg.core.A.f"


def test_row_11_a_star_hands_on_what_the_module_exports_only(code):
    library = code(
        {
            "pkg/__init__.py": "from .a import *\nfrom .b import *\n",
            "pkg/a.py": "def f(): return 1\ndef _g(): return 2\n",
            "pkg/b.py": "__all__ = ['h']\ndef f(): return 3\ndef h(): return 4\n",
        }
    )
    assert library.find("pkg.f").function.name == "pkg.a.f"
    assert library.find("pkg.h").function.name == "pkg.b.h"
    assert library.refused("pkg._g").code == "LI202"


@pytest.mark.parametrize(
    "files, chain",
    [
        (
            {
                "pkg/__init__.py": "from .a import f\n",
                "pkg/a.py": "from .b import f\n",
                "pkg/b.py": "def g(): return 1\n",
            },
            "pkg.f -> pkg.a.f -> pkg.b.f",
        ),
        (
            {"pkg/__init__.py": "from .a import f\n", "pkg/a.py": "from numpy import dot as f\n"},
            "pkg.f -> pkg.a.f -> numpy.dot",
        ),
        ({"pkg/__init__.py": "from .a import f\n", "pkg/a.py": "from pkg import f\n"}, "pkg.f -> pkg.a.f -> pkg.f"),
        (
            {"pkg/__init__.py": "from .a import f\n", "pkg/a.py": "from . import core as f\n", "pkg/core.py": ""},
            "pkg.f -> pkg.a.f -> pkg.core",
        ),
    ],
    ids=["not there", "of another project", "in a circle", "a module"],
)
def test_row_11_an_alias_that_leads_nowhere_is_refused_with_its_chain(code, files, chain):
    assert chain in str(code(files).refused("pkg.f"))


def test_row_11_an_alias_with_two_sources_is_refused_with_both(code):
    files = {
        "pkg/__init__.py": "try:\n    from .fast import f\nexcept ImportError:\n    from .slow import f\n",
        "pkg/fast.py": "def f(): return 1\n",
        "pkg/slow.py": "def f(): return 2\n",
    }
    error = code(files).refused("pkg.f")
    assert error.code == "LI203" and "pkg.fast.f" in str(error) and "pkg.slow.f" in str(error)


def test_row_11_a_record_may_name_the_public_alias(project):
    project.write("kalman/__init__.py", '"""A filter."""\n\nfrom kalman.filter import *\n')
    project.edit("docs/filter.yml", "kalman.filter.predict", "kalman.predict")
    _, resolution, _, _, findings = project.result()
    assert findings == ()
    assert resolution.links["filter.predicted-state"][0].function == "kalman.filter.predict"


def test_row_13_in_the_src_layout_paths_begin_at_the_root(project):
    (project.root / "src").mkdir()
    (project.root / "kalman").rename(project.root / "src" / "kalman")
    _, resolution, _, _, findings = project.result()
    assert findings == ()
    assert {link.span.file for links in resolution.links.values() for link in links} == {"src/kalman/filter.py"}
    assert {"src/kalman/filter.py", "tests/test_filter.py"} == set(resolution.sources)
    assert resolution.links["filter.gain"][0].function == "kalman.filter.update"


def test_row_13_a_package_hides_a_module_of_the_same_name_as_it_does_for_python(code):
    library = code({"m.py": "def f(): return 1\n", "m/__init__.py": "def f(): return 2\n"})
    assert library.find("m.f").source.path == "m/__init__.py"


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


def test_row_18_pages_that_differ_only_in_case_are_refused(project):
    project.write("docs/Filter.md", "# Another page\n")
    assert [finding.place.path for finding in project.fast() if finding.code == "LI105"] == ["docs/filter.md"]


@pytest.mark.parametrize("name", ["equations.md", "Symbols.md", "source/kalman.md"])
def test_row_18_a_page_named_like_a_generated_one_is_refused(project, name):
    project.write(f"docs/{name}", "# A page\n")
    assert [finding.place.path for finding in project.fast() if finding.code == "LI105"] == [f"docs/{name}"]


def test_row_18_ids_whose_anchors_are_equal_are_refused(project):
    text = project.read("docs/filter.yml")
    record = text[text.index("filter.gain:") : text.index("filter.updated-state:")]
    record = "notation: [x, P, H, S, K, y]\n\n" + record.replace("filter.gain", "filter.updated.state")
    project.write("docs/filter/updated.yml", record)  # beside filter.updated-state of the page filter
    project.write("docs/filter/updated.md", "# More\n\n## More {#more}\n\n::: equation filter.updated.state\n")
    assert "LI105" in {finding.code for finding in project.fast()}


def test_row_18_an_id_with_a_second_dot_is_refused(project):
    project.edit("docs/filter.yml", "filter.gain:", "filter.updated.state:")
    assert "LI106" in {finding.code for finding in project.fast()}


def test_row_18_anchors_of_a_page_that_differ_only_in_case_are_refused(project):
    project.edit("docs/filter.md", "{#update-listing}", "{#Update}")
    assert [finding.place.line for finding in project.fast() if finding.code == "LI105"] == [
        project.line_of("docs/filter.md", "{#Update}")
    ]


@pytest.mark.parametrize(
    "latex", [r"y = z - \unknown x", "y = z - H x \\", "y = z -", r"y = \frac{z}", "y = z - H x }", 'y = z - "H x"']
)
def test_row_19_a_formula_that_is_not_wholly_read_is_refused_at_its_place(project, latex):
    project.edit("docs/filter.yml", "latex: y = z - H x", f"latex: {latex}")
    index, resolution, findings = places_for(read_config(project.root))
    found = [finding for finding in findings if finding.code == "LI501"]
    assert [finding.place.path for finding in found] == ["docs/filter.yml"]
    assert found[0].place.line == project.line_of("docs/filter.yml", f"latex: {latex}")
    assert found[0].place.col > 10 and "filter.innovation" not in resolution.formulas
