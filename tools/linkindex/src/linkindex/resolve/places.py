"""From the records of one equation to its exact places."""

from collections.abc import Collection
from dataclasses import replace

from linkindex.formula import Formula
from linkindex.load.symbols import no_expression
from linkindex.model import CodeName, Equation, Link, Symbol
from linkindex.resolve.behind import bindings_behind
from linkindex.resolve.choices import choices
from linkindex.resolve.expressions import assignments_of, comment_shape, find_expression
from linkindex.resolve.functions import NOTED, Found, Library, NotFound
from linkindex.resolve.numbers import numbers


def find_links(equation: Equation, formula: Formula, symbols: dict[str, Symbol], library: Library) -> tuple[Link, ...]:
    """The links of an equation to the code that ``in``, ``code`` and ``via`` name; the first are the probes, where
    symbols are read. Raises NotFound."""
    role = "calls" if equation.computes else "computes"
    found = library.find(equation.probe.function)
    shown = {symbols[latex].code for latex in formula.symbols if latex in symbols and latex not in formula.target}
    links = [
        _link(equation, role, found, code, shown, member, probe=True)
        for code, member in _probed_code(equation, formula, symbols, found)
    ]
    links.extend(_link(equation, "computes", found, code, shown) for code in equation.probe.via)
    return tuple(links)


def find_links_elsewhere(equation: Equation, library: Library) -> tuple[Link, ...]:
    """The links to the code of other functions: that under ``computes`` gives the value of the probe, that under
    ``also`` shares in it. Raises NotFound."""
    computing = _links_elsewhere(equation, equation.computes, library)
    given = [replace(link, gives=True) for link in computing[:1]]
    sharing = _links_elsewhere(equation, equation.also, library)  # of whose numbers the formula says nothing
    return (*given, *computing[1:], *(replace(link, reads=()) for link in sharing))


def _links_elsewhere(equation: Equation, name: CodeName | None, library: Library) -> list[Link]:
    if name is None:
        return []
    found = library.find(name.function)
    return [_link(equation, "computes", found, code) for code in (name.code, *name.via)]


def _probed_code(
    equation: Equation, formula: Formula, symbols: dict[str, Symbol], found: Found
) -> list[tuple[str, str | None]]:
    """What the record names, or else what is assigned to the variables of the left side: (code, family member)."""
    if equation.probe.code:
        return [(equation.probe.code, None)]
    if not formula.target:
        known = ", ".join(dict.fromkeys(assignment.target for assignment in assignments_of(found)))
        raise NotFound(
            "LI213",
            "the formula has no left side that names a variable: add `code: VARIABLE`, with the variable of "
            f"{found.function.name} that it speaks of ({known or 'it assigns none'}), or with an expression there",
        )
    code = []
    for latex in formula.target:
        symbol = symbols[latex]
        if any(no_expression(one) for one in (symbol.code, *symbol.family.values()) if one is not None):
            raise NotFound(NOTED, f"the code of the symbol {latex} is no expression")
        if symbol.family:
            code.extend((variable, member) for member, variable in symbol.family.items())
        elif symbol.code:
            code.append((symbol.code, None))
        elif not symbol.meaning:
            raise NotFound(NOTED, f"the symbol {latex} is not registered")
        else:
            raise NotFound(
                "LI213",
                f"the symbol {latex} has no variable: add `code: VARIABLE` to it in symbols.yml, or to this record, "
                f"with the variable of {found.function.name} that holds it",
            )
    return code


def _link(
    equation: Equation, role: str, found: Found, code: str, shown: Collection[str | None] = (),
    member: str | None = None, probe: bool = False,
) -> Link:  # fmt: skip
    """``shown``: the variables of the formula's symbols."""
    expression = find_expression(found, code)
    statement = found.source.span(expression.statement)
    shared = {equation.also.code, *equation.also.via} if equation.also else set()
    behind = bindings_behind(found.node, expression.node, expression.statement.lineno, {*shown, *shared})
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
        reads=numbers(found, expression.node, behind, shared),
        choices=choices(found, expression.node, behind),
    )
