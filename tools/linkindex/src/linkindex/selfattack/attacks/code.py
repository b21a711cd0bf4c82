"""Faults in the linked code: what a careless edit of the package leaves behind."""

import ast
import re

from linkindex.code import parse_code
from linkindex.model import Equation, Link
from linkindex.selfattack.model import CHECK, FAST, Attack, Plan, Pristine, expect, first
from linkindex.selfattack.pythontext import renamed, with_def_name
from linkindex.selfattack.targets import assigned, floating, function_of, written_in
from linkindex.selfattack.texts import lines_of, with_line, with_span

OPERATORS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.MatMult: "*", ast.FloorDiv: "*"}
NO_VARIABLE = "no equation is linked by the variable that its code is assigned to"
NO_FLOAT = "no such equation computes a floating-point number"


def renamed_variable(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, Link]) -> Plan:
        equation, link = target
        text = project.text(link.span.file)
        new = renamed(text, function_of(project, link, text), link.target, f"{link.target}_planted")
        expected = expect("LI207", equation.place.path, written_in(equation, "code", "in"))
        return Plan({link.span.file: new.encode()}, expected)

    return first(assigned(project), plan, NO_VARIABLE)


def renamed_variable_of_a_callee(project: Pristine) -> Plan:
    def plan(equation: Equation) -> Plan | None:
        if equation.computes is None:
            return None
        link = next(link for link in project.resolution.links[equation.id] if link.role == "computes")
        if equation.computes.code != link.target:
            return None
        text = project.text(link.span.file)
        new = renamed(text, function_of(project, link, text), link.target, f"{link.target}_planted")
        expected = expect("LI207", equation.place.path, written_in(equation, "computes"))
        return Plan({link.span.file: new.encode()}, expected)

    return first(project.index.equations, plan, "no equation names a variable of a called function")


def renamed_function(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, Link]) -> Plan | None:
        equation, link = target
        if equation.probe.function != link.function:
            return None
        text = project.text(link.span.file)
        function = function_of(project, link, text)
        new = with_def_name(text, function, f"{function.name}_planted")
        return Plan({link.span.file: new.encode()}, expect("LI202", equation.place.path, written_in(equation, "in")))

    return first(assigned(project), plan, NO_VARIABLE)


def duplicated_function(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, Link]) -> Plan:
        equation, link = target
        text = project.text(link.span.file)
        span = project.resolution.functions[link.function].span
        function_of(project, link, text)
        copy = text.split("\n")[span.line - 1 : span.end_line]
        new = with_line(text, span.end_line + 1, "", "", *copy)
        return Plan({link.span.file: new.encode()}, expect("LI203", equation.place.path, written_in(equation, "in")))

    return first(assigned(project), plan, NO_VARIABLE)


def removed_module(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, Link]) -> Plan:
        equation, link = target
        module = project.resolution.functions[link.function].module
        package = (project.root / link.span.file).with_name("__init__.py")
        code = "LI202" if "." in module and package.is_file() else "LI201"
        return Plan({link.span.file: None}, expect(code, equation.place.path, written_in(equation, "in")))

    return first(assigned(project), plan, NO_VARIABLE)


def _behind(project: Pristine, line: str, code: str) -> Plan:
    """A line behind the statement that an equation links; ``{}`` in it stands for the variable."""

    def plan(target: tuple[Equation, Link]) -> Plan:
        equation, link = target
        statement = link.statement
        added = " " * (statement.col - 1) + line.format(link.target)
        new = with_line(project.text(statement.file), statement.end_line + 1, added)
        expected = expect(code, equation.place.path, written_in(equation, "code", "in"))
        return Plan({statement.file: new.encode()}, expected)

    return first(assigned(project), plan, NO_VARIABLE)


def duplicated_assignment(project: Pristine) -> Plan:
    return _behind(project, "{0} = {0}", "LI208")


def change_in_place(project: Pristine) -> Plan:
    return _behind(project, "{0} *= 2", "LI208")


def syntax_error(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, Link]) -> Plan:
        statement = target[1].statement
        new = with_line(project.text(statement.file), statement.line, " " * (statement.col - 1) + ")")
        return Plan({statement.file: new.encode()}, expect("LI204", statement.file, statement.line))

    return first(assigned(project), plan, NO_VARIABLE)


def undecodable_bytes(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, Link]) -> Plan:
        statement = target[1].statement
        new = with_line(project.text(statement.file), statement.line, "# planted: \0").encode()
        return Plan({statement.file: new.replace(b"\0", b"\xff\xfe")}, expect("LI205", statement.file, statement.line))

    return first(assigned(project), plan, NO_VARIABLE)


def _operator_changed(project: Pristine, link: Link) -> str | None:
    """The file with the outermost operator of the linked code changed."""
    node = parse_code(link.span.code)
    if not isinstance(node, ast.BinOp) or type(node.op) not in OPERATORS:
        return None
    changed = f"({ast.unparse(node.left)}) {OPERATORS[type(node.op)]} ({ast.unparse(node.right)})"
    return with_span(project.text(link.span.file), link.span, changed)


def changed_operator(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, Link]) -> Plan | None:
        span = target[1].span
        new = _operator_changed(project, target[1])
        return new and Plan({span.file: new.encode()}, expect("LI226", span.file, span.line))

    return first(assigned(project), plan, "no linked code is a sum, a product or a quotient")


def changed_operator_accepted(project: Pristine) -> Plan:
    """Plus for minus, or a factor for a divisor: shapes stay, so that only values show it."""

    def plan(target: tuple[Equation, Link]) -> Plan | None:
        equation, link = target
        node = parse_code(link.span.code)
        if not isinstance(node, ast.BinOp) or isinstance(node.op, ast.MatMult):
            return None
        new = _operator_changed(project, link)
        expected = expect("LI420", equation.place.path, written_in(equation, "latex"))
        return new and Plan({link.span.file: new.encode()}, expected, relock=True)

    return first(floating(project), plan, "no linked code is a sum or a quotient of floating-point numbers")


def changed_sign_accepted(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, Link]) -> Plan:
        equation, link = target
        new = with_span(project.text(link.span.file), link.span, f"-({link.span.code})")
        expected = expect("LI402", equation.place.path, written_in(equation, "test"))
        return Plan({link.span.file: new.encode()}, expected, relock=True)

    return first(floating(project), plan, NO_FLOAT)


def moved_by_a_thousandth(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, Link]) -> Plan:
        equation, link = target
        new = with_span(project.text(link.span.file), link.span, f"1.001 * ({link.span.code})")
        expected = expect("LI420", equation.place.path, written_in(equation, "latex"))
        return Plan({link.span.file: new.encode()}, expected, relock=True)

    return first(floating(project), plan, NO_FLOAT)


def wrong_shape_comment(project: Pristine) -> Plan:
    """One axis too many."""

    def plan(target: tuple[Equation, Link]) -> Plan | None:
        equation, link = target
        formula = project.resolution.formulas[equation.id]
        page = next(page for page in project.index.pages if page.stem == equation.page)
        by_code = {symbol.code: symbol for symbol in page.notation}
        symbol = by_code.get(link.target)
        if not link.comment_shape or symbol is None or symbol.shape is not None or symbol.latex not in formula.symbols:
            return None
        text = project.text(link.span.file)
        line = lines_of(text)[link.statement.end_line - 1]
        comment = re.search(r"\(([^()]*?),?\s*\)", line[link.statement.end_col - 1 :])
        start = link.statement.end_col - 1 + comment.start()
        wrong = f"({comment[1]}, {link.comment_shape[-1]})"
        new_line = line[:start] + wrong + line[start + len(comment[0]) :]
        lines = text.split("\n")
        lines[link.statement.end_line - 1] = new_line
        expected = expect("LI408", equation.place.path, written_in(equation, "latex"))
        return Plan({link.span.file: "\n".join(lines).encode()}, expected)

    return first(assigned(project), plan, "no symbol takes its shape from a comment")


ATTACKS = (
    Attack("code: a renamed variable", FAST, renamed_variable),
    Attack("code: a renamed variable of a called function", FAST, renamed_variable_of_a_callee),
    Attack("code: a renamed function", FAST, renamed_function),
    Attack("code: a function defined twice", FAST, duplicated_function),
    Attack("code: a removed module", FAST, removed_module),
    Attack("code: a variable assigned twice", FAST, duplicated_assignment),
    Attack("code: a variable changed in place", FAST, change_in_place),
    Attack("code: a syntax error", FAST, syntax_error),
    Attack("code: bytes that cannot be decoded", FAST, undecodable_bytes),
    Attack("code: a changed operator", FAST, changed_operator),
    Attack("code: a changed operator, accepted in the lock", CHECK, changed_operator_accepted),
    Attack("code: a changed sign, accepted in the lock", CHECK, changed_sign_accepted),
    Attack("code: a value larger by a thousandth, accepted in the lock", CHECK, moved_by_a_thousandth),
    Attack("code: a wrong shape comment", CHECK, wrong_shape_comment),
)
