"""What attacks aim at, found in the index and the resolution of any project."""

from collections.abc import Iterator

from linkindex.model import Concept, Equation, Link, Page, Visit
from linkindex.selfattack.model import NotApplicable, Pristine
from linkindex.selfattack.pythontext import Definition, function_at


def assigned(project: Pristine) -> Iterator[tuple[Equation, Link]]:
    """Equations found by the variable that their code is assigned to, alone on its statement, with that code."""
    for equation in project.index.equations:
        link = project.resolution.links[equation.id][0]
        plain = link.role == "computes" and equation.probe.code in (None, link.target)
        if plain and link.target and link.element is None and link.statement.line == link.statement.end_line:
            yield equation, link


def floating(project: Pristine) -> Iterator[tuple[Equation, Link]]:
    """Of these, formulas (not properties) whose values are floating-point numbers that their own test compares."""
    for equation, link in assigned(project):
        visits = shown_visits(project, equation)
        if not equation.is_property and visits and visits[0].value and visits[0].value.dtype.startswith("float"):
            yield equation, link


def shown_visits(project: Pristine, equation: Equation) -> tuple[Visit, ...]:
    """What the example recorded for an equation with the inputs that its page shows."""
    runs = project.runs.examples.get(equation.page, ())
    return runs[0].visits.get(equation.id, ()) if runs else ()


def written_in(equation: Equation, *keys: str) -> int:
    """The line of the first of the record's ``keys`` that it has."""
    return next(equation.keys[key].line for key in keys if key in equation.keys)


def function_of(project: Pristine, link: Link, text: str) -> Definition:
    function = project.resolution.functions[link.function]
    if "[" in function.qualname:
        raise NotApplicable(f"{function.name} is defined more than once")
    return function_at(text, function.line)


def test_of(project: Pristine, equation: Equation) -> tuple[str, str, Definition]:
    """Path, text and syntax tree of an equation's test."""
    span = project.resolution.tests[equation.id].function
    text = project.text(span.file)
    return span.file, text, function_at(text, span.line)


def page_of(project: Pristine, equation: Equation) -> Page:
    return next(page for page in project.index.pages if page.stem == equation.page)


def concepts(project: Pristine) -> Iterator[tuple[Page, Concept]]:
    return ((page, concept) for page in project.index.pages for concept in page.concepts)


def examples(project: Pristine) -> Iterator[tuple[Page, str]]:
    """Pages with equations, and the path of their example."""
    return ((page, page.example) for page in project.index.pages if page.example and page.equations)


def unknown_letter(page: Page) -> str:
    """A capital letter that occurs in no symbol of a page."""
    used = "".join(symbol.latex for symbol in page.notation)
    letter = next((letter for letter in "GJUYZLENBCDFIKMOPQRSTVWXAH" if letter not in used), None)
    if letter is None:
        raise NotApplicable("every letter is part of a symbol")
    return letter
