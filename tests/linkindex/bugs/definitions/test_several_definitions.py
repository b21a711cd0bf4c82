"""One name for several definitions: a role tells them apart; without one, all of them are named."""

import ast
from pathlib import Path

import linkindex
import pytest

SAME_NAME = {
    "if and else": ("if x:\n    def f(): return 1\nelse:\n    def f(): return 2\n", ["branch:if", "branch:else"]),
    "if, elif and else": (
        "if x:\n    def f(): return 1\nelif y:\n    def f(): return 2\n"
        "elif z:\n    def f(): return 3\nelse:\n    def f(): return 4\n",
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
    text = (
        "import typing as t\nclass A:\n    @t.overload\n    def f(self, x: int): ...\n"
        "    def f(self, x):\n        return x\n"
    )
    assert code({"m.py": text}).find("m.A.f").function.line == 5
