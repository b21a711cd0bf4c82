"""From the records of one equation to its exact places."""

from linkindex.formula import Formula
from linkindex.model import CodeName, Equation, Link, Symbol
from linkindex.resolve.expressions import comment_shape, find_expression
from linkindex.resolve.functions import Found, Library, NotFound


def find_links(equation: Equation, formula: Formula, symbols: dict[str, Symbol], library: Library) -> tuple[Link, ...]:
    """The links of an equation to the code that ``in``, ``code`` and ``via`` name; the first are the probes, where
    symbols are read. Raises NotFound."""
    role = "calls" if equation.computes else "computes"
    found = library.find(equation.probe.function)
    links = [
        _link(equation, role, found, code, member, probe=True)
        for code, member in _probed_code(equation, formula, symbols, found)
    ]
    links.extend(_link(equation, "computes", found, code) for code in equation.probe.via)
    return tuple(links)


def find_links_elsewhere(equation: Equation, name: CodeName | None, library: Library) -> tuple[Link, ...]:
    """The links to code of another function, which ``computes`` or ``also`` names; none without it. Raises NotFound."""
    if name is None:
        return ()
    found = library.find(name.function)
    return tuple(_link(equation, "computes", found, code) for code in (name.code, *name.via))


def _probed_code(
    equation: Equation, formula: Formula, symbols: dict[str, Symbol], found: Found
) -> list[tuple[str, str | None]]:
    """What the record names, or else what is assigned to the variables of the left side: (code, family member)."""
    if equation.probe.code:
        return [(equation.probe.code, None)]
    if not formula.target:
        raise NotFound(
            "LI213", f"{equation.id} has no left side that names a variable: say which code it means under `code`"
        )
    code = []
    for latex in formula.target:
        symbol = symbols[latex]
        if symbol.family:
            code.extend((variable, member) for member, variable in symbol.family.items())
        elif symbol.code:
            code.append((symbol.code, None))
        else:
            raise NotFound(
                "LI213",
                f"the symbol {latex} has no variable: give it one in symbols.yml, or name the code under `code`",
            )
    return code


def _link(
    equation: Equation, role: str, found: Found, code: str, member: str | None = None, probe: bool = False
) -> Link:
    expression = find_expression(found, code)
    statement = found.source.span(expression.statement)
    return Link(
        equation=equation.id,
        role=role,
        function=found.function.name,
        span=found.source.span(expression.node),
        statement=statement,
        target=expression.target,
        element=expression.element,
        comment_shape=comment_shape(found.source, statement) if expression.target else None,
        member=member,
        probe=probe,
    )
