"""Faults in displayed formulas. Where the fault is one of meaning, the lock accepts it: the formula must fail."""

import re
from collections.abc import Callable

from linkindex.evidence.subject import Subject
from linkindex.formula import Formula, FormulaError, Notation, parse
from linkindex.model import Equation
from linkindex.selfattack.model import CHECK, FAST, Attack, Plan, Pristine, expect, first
from linkindex.selfattack.targets import page_of, shown_visits, unknown_letter
from linkindex.selfattack.yamltext import key_line, quoted, with_value

Change = Callable[[Pristine, Equation, Formula], str | None]  # to other LaTeX; None where it does not apply
RELATION = " = "


def planted(change: Change, code: str, relock: bool, readable: bool, missing: str) -> Callable[[Pristine], Plan]:
    """``readable``: whether the changed formula must still be one that can be read."""

    def attack(project: Pristine) -> Plan:
        def plan(equation: Equation) -> Plan | None:
            formula = project.resolution.formulas[equation.id]
            plain = not (equation.is_property or equation.defines or equation.free or "\n" in equation.latex)
            if not plain or len(formula.target) != 1:
                return None
            latex = change(project, equation, formula)
            if latex is None or latex == equation.latex or readable and not _reads(latex, project, equation):
                return None
            path = equation.place.path
            new = with_value(project.text(path), quoted(latex), equation.id, "latex")
            return Plan({path: new.encode()}, expect(code, path, key_line(new, equation.id, "latex")), relock)

        return first(project.index.equations, plan, missing)

    return attack


def _reads(latex: str, project: Pristine, equation: Equation) -> bool:
    try:
        parse(latex, Notation.of(page_of(project, equation).notation))
    except FormulaError:
        return False
    return True


def right_side(template: str) -> Change:
    """Another right side; ``{left}`` and ``{right}`` in the template stand for what was there."""

    def change(project: Pristine, equation: Equation, formula: Formula) -> str | None:
        left, relation, right = equation.latex.partition(RELATION)
        if not relation or RELATION in right or "," in right:
            return None
        return left + RELATION + template.replace("{left}", left).replace("{right}", right)

    return change


def replaced(old: str, new: str) -> Change:
    """The first match of a pattern on the right side, replaced."""

    def change(project: Pristine, equation: Equation, formula: Formula) -> str | None:
        left, relation, right = equation.latex.partition(RELATION)
        return left + relation + re.sub(old, new, right, count=1) if relation else None

    return change


def other_relation(project: Pristine, equation: Equation, formula: Formula) -> str | None:
    return equation.latex.replace(RELATION, r" \approx ", 1)


def behind(text: str) -> Change:
    return lambda project, equation, formula: equation.latex + text


def letter_without_meaning(project: Pristine, equation: Equation, formula: Formula) -> str | None:
    return f"{equation.latex} + {unknown_letter(page_of(project, equation))}"


def symbol_shown_as_number(project: Pristine, equation: Equation, formula: Formula) -> str | None:
    return f"{equation.latex} + \\sym{{{formula.symbols[-1]}}}{{2}}"


def other_symbol(project: Pristine, equation: Equation, formula: Formula) -> str | None:
    """A symbol of the right side replaced by another one that holds an array of the same shape."""
    page = page_of(project, equation)
    subject = Subject(project.index, project.resolution, project.runs, page, equation)
    visits = shown_visits(project, equation)
    values = visits[0].names if visits else {}
    left, relation, right = formula.marked.partition(RELATION)
    for old in formula.symbols:
        for other in page.notation:
            mark = f"\\sym{{{old}}}{{{old}}}"
            usable = other.latex not in formula.symbols and other.code in values and subject.symbols[old].code in values
            if not usable or mark not in right or subject.shape(other.latex) != subject.shape(old):
                continue
            if values[other.code] != values[subject.symbols[old].code] and values[other.code].shape:
                return _without_marks(left + relation + right.replace(mark, other.latex, 1), formula)
    return None


def _without_marks(marked: str, formula: Formula) -> str | None:
    for latex in formula.symbols:
        marked = marked.replace(f"\\sym{{{latex}}}{{{latex}}}", latex)
    return None if "\\sym" in marked else marked


def formula_attack(name: str, change: Change, code: str = "LI420", missing: str = "no formula has this form") -> Attack:
    """A fault of meaning, found by evaluating; or (LI501, LI224) one of form, found by reading."""
    evaluated = code in ("LI420", "LI421")
    plant = planted(change, code, relock=evaluated, readable=code != "LI501", missing=missing)
    return Attack(f"formula: {name}", CHECK if evaluated else FAST, plant)


ATTACKS = (
    formula_attack("a changed sign", right_side("-{right}")),
    formula_attack("a factor too many", right_side("2 {right}")),
    formula_attack("a term too many", right_side("{right} + 1")),
    formula_attack("a limit that is never reached", right_side(r"\min(10^{9}, {right})")),
    formula_attack("terms that cancel", right_side("{right} + 10^{11} - 10^{11} + 0.0009")),
    formula_attack("a transpose dropped", replaced(r"\^\\top", ""), missing="no formula has a transpose"),
    formula_attack("indices swapped", replaced(r"_\{(\w)(\w)\}", r"_{\2\1}"), missing="no formula has two indices"),
    formula_attack("a root dropped", replaced(r"\\sqrt", ""), missing="no formula has a root"),
    formula_attack("another symbol of the same shape", other_symbol, missing="no two symbols have the same shape"),
    formula_attack("a formula that repeats its left side", right_side("{left}")),
    formula_attack("an operator without a definition", right_side(r"\operatorname{planted}({right})"), "LI421"),
    formula_attack("LaTeX that is not valid", behind(" + {"), "LI501"),
    formula_attack("a letter that is no symbol", letter_without_meaning, "LI501"),
    formula_attack("a relation that does not hold exactly", other_relation, "LI501"),
    formula_attack("a percent sign, which hides the rest", behind(" % + 1"), "LI501"),
    formula_attack("a symbol shown as a number", symbol_shown_as_number, "LI501"),
    formula_attack("brackets without end", right_side("(" * 400 + "{right}" + ")" * 400), "LI501"),
    formula_attack("a command that there is not", behind(r" + \planted"), "LI501"),
    formula_attack("a change that the lock does not know", right_side("2 {right}"), "LI224"),
)
