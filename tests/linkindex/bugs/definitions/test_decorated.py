"""Decorators, classes and ``async`` hide no function."""

import ast
from textwrap import dedent

import pytest

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


def test_row_08_an_asynchronous_function_is_a_function(project):
    head, function = project.read("kalman/filter.py").split("def update(")
    project.write(
        "kalman/filter.py",
        f"import asyncio\n{head}async def update_later({function}\n\n"
        "def update(x, P, z, H, R):\n    return asyncio.run(update_later(x, P, z, H, R))\n",
    )
    project.edit("docs/filter.yml", "kalman.filter.update", "kalman.filter.update_later")
    project.edit("docs/filter.md", "kalman.filter.update", "kalman.filter.update_later")
    project.lock()
    _, resolution, _, _, findings = project.result()
    assert findings == ()
    assert resolution.functions["kalman.filter.update_later"].line == project.line_of("kalman/filter.py", "async def")
