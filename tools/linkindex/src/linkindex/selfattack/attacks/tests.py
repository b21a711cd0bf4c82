"""Faults in linked tests: everything that makes a test prove less than its link promises."""

import ast
from collections.abc import Callable

from linkindex.model import Equation
from linkindex.selfattack.attacks.records import each_record
from linkindex.selfattack.model import CHECK, FAST, FULL, Attack, Plan, Pristine, expect, first
from linkindex.selfattack.pythontext import (
    Definition, assertions, compared, compared_with_itself,
    with_body, with_decorator, with_def_name, with_first, with_statement,
)  # fmt: skip
from linkindex.selfattack.targets import page_of, test_of, written_in
from linkindex.selfattack.texts import appended, with_line
from linkindex.selfattack.yamltext import key_line, quoted, with_entry, with_value

Change = Callable[[str, Definition], str | None]  # text of the test file and the test -> text; None: does not apply
RUN_EXAMPLE = (
    "import importlib.util as _planted",
    "_spec = _planted.spec_from_file_location('planted_example', {path!r})",
    "_example = _planted.module_from_spec(_spec)",
    "_spec.loader.exec_module(_example)",
    "_example.run(**_example.inputs())",
)


def changed(code: str, change: Change) -> Callable[[Pristine], Plan]:
    """The test of an equation changed; reported where the record names the test."""

    def attack(project: Pristine) -> Plan:
        def plan(equation: Equation) -> Plan | None:
            path, text, node = test_of(project, equation)
            new = change(text, node)
            return new and Plan({path: new.encode()}, _at_test(equation, code))

        return first(project.index.equations, plan, "no linked test can be changed in this way")

    return attack


def _at_test(equation: Equation, code: str):
    return expect(code, equation.place.path, written_in(equation, "test"))


def uncollected(project: Pristine) -> Plan:
    """A line at the end of a test file that imports what is not there; reported in that line."""

    def plan(equation: Equation) -> Plan:
        path, text, _ = test_of(project, equation)
        new, line = appended(text, "import planted_module")
        return Plan({path: new.encode()}, expect("LI402", path, line))

    return first(project.index.equations, plan, "no test is linked")


def decorated(decorator: str) -> Change:
    return lambda text, node: with_decorator(text, node, decorator)


def begun(*lines: str) -> Change:
    return lambda text, node: with_first(text, node, *lines)[0]


def emptied(*lines: str) -> Change:
    return lambda text, node: with_body(text, node, *lines)


def renamed(text: str, node: Definition) -> str:
    return with_def_name(text, node, f"{node.name}_planted")


def defined_twice(text: str, node: Definition) -> str:
    indent = " " * node.col_offset
    return with_line(text, node.end_lineno + 1, "", f"{indent}def {node.name}():", f"{indent}    assert True")


def without_cases(text: str, node: Definition) -> str | None:
    if node.col_offset or not node.lineno == node.body[0].lineno - 1:
        return None
    cases = with_first(text, node, "del planted")[0]
    cases = cases.replace(f"def {node.name}(", f"def {node.name}(planted, ", 1)
    return with_decorator(cases, node, "@__import__('pytest').mark.parametrize('planted', [])")


def weakened(form: str) -> Change:
    """Every assertion replaced by one that looks at less of the first thing that was compared."""

    def change(text: str, node: Definition) -> str | None:
        statements = sorted(assertions(node), key=lambda statement: -statement.lineno)
        seen = [compared(statement) for statement in statements]
        if not statements or None in seen or any(isinstance(inner, ast.With) for inner in ast.walk(node)):
            return None
        for statement, value in zip(statements, seen):
            text = with_statement(text, statement, form.format(ast.unparse(value)))
        return text

    return change


def removed_file(project: Pristine) -> Plan:
    equation = project.index.equations[0]
    return Plan({equation.test.partition("::")[0]: None}, _at_test(equation, "LI210"))


def runs_when_collected(project: Pristine) -> Plan:
    def plan(equation: Equation) -> Plan | None:
        example = page_of(project, equation).example
        if example is None:
            return None
        path, text, _ = test_of(project, equation)
        lines = [line.format(path=example) for line in RUN_EXAMPLE]
        return Plan({path: appended(text, *lines)[0].encode()}, _at_test(equation, "LI404"))

    return first(project.index.equations, plan, "no page with equations has an example")


def circular(text: str, node: Definition) -> str | None:
    """The expected value of every assertion made by the linked function, as the value under test is."""
    statements = sorted(assertions(node), key=lambda statement: -statement.lineno)
    codes = [compared_with_itself(statement) for statement in statements]
    if not statements or None in codes:
        return None
    for statement, code in zip(statements, codes):
        text = with_statement(text, statement, code)
    return text


def shared_test(project: Pristine) -> Plan:
    links = project.resolution.links

    def plan(equation: Equation, text: str) -> Plan | None:
        keys = {link.key for link in links[equation.id]}
        other = next((one for one in project.index.equations if {link.key for link in links[one.id]} != keys), None)
        if other is None:
            return None
        new = with_value(text, other.test, equation.id, "test")
        path = equation.place.path
        return Plan({path: new.encode()}, expect("LI405", path, key_line(new, equation.id, "test")), relock=True)

    return each_record(project, plan, "all equations are linked to the same code")


def dependent_test(project: Pristine) -> Plan:
    """A test that passes only behind another one of its file."""

    def plan(equation: Equation) -> Plan | None:
        path, text, node = test_of(project, equation)
        earlier = [place.function for place in project.resolution.tests.values() if place.function.file == path]
        before = min(earlier, key=lambda span: span.line)
        other = next(one for one in project.index.equations if project.resolution.tests[one.id].function == before)
        if before.line == node.lineno:
            return None
        text = with_first(text, node, "assert 'PLANTED' in __import__('os').environ")[0]
        text = with_first(text, test_of(project, other)[2], "__import__('os').environ['PLANTED'] = '1'")[0]
        return Plan({path: text.encode()}, _at_test(equation, "LI402"))

    return first(project.index.equations, plan, "no file holds two linked tests")


def weakened_and_excused(project: Pristine) -> Plan:
    """The test sees no mutant any more, and the record declares one of them equivalent."""

    def plan(equation: Equation, text: str) -> Plan | None:
        verdicts = project.runs.verdicts.get(equation.id, ())
        code = next((one.mutant.code for one in verdicts if one.mutant.kind == "value negated"), None)
        path, test, node = test_of(project, equation)
        weak = IS_A_NUMBER(test, node)
        if code is None or weak is None or "equivalent" in equation.keys or equation.computes:
            return None
        new, line = with_entry(text, equation.id, f"equivalent: {{{quoted(code)}: planted}}")
        edits = {equation.place.path: new.encode(), path: weak.encode()}
        return Plan(edits, expect("LI457", equation.place.path, line))

    return each_record(project, plan, "no linked test can be changed in this way")


FAILING = begun("assert False, 'planted'")
SHAPE = weakened("assert ({0}).shape is not None")
IS_A_NUMBER = weakened("assert not __import__('numpy').isnan({0}).any()")
PYTEST = "__import__('pytest')"
PROCESS = begun("__import__('subprocess').run([__import__('sys').executable, '-c', ''])")

ATTACKS = (
    Attack("test: renamed", FAST, changed("LI210", renamed)),
    Attack("test: its file removed", FAST, removed_file),
    Attack("test: without an assertion", FAST, changed("LI211", emptied("pass"))),
    Attack("test: defined twice", FAST, changed("LI203", defined_twice)),
    Attack("test: skipped", CHECK, changed("LI402", decorated(f"@{PYTEST}.mark.skip(reason='planted')"))),
    Attack("test: expected to fail", CHECK, changed("LI402", decorated(f"@{PYTEST}.mark.xfail(reason='planted')"))),
    Attack("test: skips itself", CHECK, changed("LI402", begun(f"{PYTEST}.skip('planted')"))),
    Attack("test: fails", CHECK, changed("LI402", FAILING)),
    Attack("test: without cases", CHECK, changed("LI402", without_cases)),
    Attack("test: a file that cannot be collected", CHECK, uncollected),
    Attack("test: kills its process", CHECK, changed("LI402", begun("__import__('os')._exit(3)"))),
    Attack("test: passes only behind another test", CHECK, dependent_test),
    Attack("test: does not run the code", CHECK, changed("LI403", emptied("assert True"))),
    Attack("test: runs the code when it is collected", CHECK, runs_when_collected),
    Attack("test: shared by two equations", CHECK, shared_test),
    Attack("test: compares the code with itself", CHECK, changed("LI411", circular)),
    Attack("test: starts another process", CHECK, changed("LI416", PROCESS)),
    Attack("test: weakened to a check of the shape", CHECK, changed("LI412", SHAPE)),
    Attack("test: weakened to a check that it is a number", FULL, changed("LI453", IS_A_NUMBER)),
    Attack("test: weakened, and a mutant declared equivalent", FULL, weakened_and_excused),
)
