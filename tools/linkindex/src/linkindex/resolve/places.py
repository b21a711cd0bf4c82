"""From the records of one equation to its exact places."""

import ast
from collections.abc import Collection, Sequence
from dataclasses import replace

from linkindex.formula import Formula
from linkindex.load.symbols import no_expression
from linkindex.model import GIVES, SHARES, CodeName, Equation, Link, Symbol
from linkindex.resolve.between import given_by, made_of, read_by, returned
from linkindex.resolve.calls import called_by
from linkindex.resolve.comparisons import assigned
from linkindex.resolve.expressions import comment_shape, find_expression
from linkindex.resolve.functions import NOTED, Found, Library, NotFound


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


def find_link_in_callee(
    equation: Equation, formula: Formula, symbols: dict[str, Symbol], library: Library, packages: Collection[str]
) -> tuple[Link, ...]:
    """The links to the code that ``computes`` names; none without it. Raises NotFound."""
    name = equation.computes
    if name is None:
        return ()
    callee = library.find(name.function)
    caller = library.find(equation.probe.function)
    _check_called(called_by(_starts(equation, formula, symbols, caller), caller, library, packages), caller, callee)
    if equation.is_property:
        _check_way((name.code,), callee, returned(callee), (), f"what {callee.function.name} returns")
    first, *others = _links_elsewhere(equation, name, callee)
    return (replace(first, part=GIVES), *others)


def find_link_beside(
    equation: Equation, formula: Formula, symbols: dict[str, Symbol], library: Library
) -> tuple[Link, ...]:
    """The links to the code that ``also`` names; none without it. Raises NotFound."""
    name = equation.also
    if name is None:
        return ()
    caller = library.find(equation.probe.function)
    way = made_of(_starts(equation, formula, symbols, caller), caller, given_by(formula, symbols))
    read = read_by(way, {*caller.function.parameters, *assigned(caller.node)})
    first, *others = _links_elsewhere(equation, name, library.find(name.function))
    return (replace(first, part=SHARES, read=read), *others)


def check_via(equation: Equation, formula: Formula, symbols: dict[str, Symbol], library: Library) -> None:
    """The value of the left side is made of what ``via`` names. Raises NotFound."""
    if equation.probe.via:
        found = library.find(equation.probe.function)
        starts = _starts(equation, formula, symbols, found)
        _check_way(equation.probe.via, found, starts, given_by(formula, symbols), "the linked value")


def _starts(equation: Equation, formula: Formula, symbols: dict[str, Symbol], found: Found) -> list[ast.expr]:
    return [find_expression(found, code).node for code, _ in _probed_code(equation, formula, symbols, found)]


def _links_elsewhere(equation: Equation, name: CodeName, found: Found) -> list[Link]:
    start = find_expression(found, name.code).node
    _check_way(name.via, found, [start], (), repr(name.code))
    return [_link(equation, "computes", found, code) for code in (name.code, *name.via)]


def _check_way(
    codes: Sequence[str], found: Found, starts: Sequence[ast.expr], given: Sequence[ast.expr], what: str
) -> None:
    if not codes:
        return
    nodes = set(map(id, made_of(starts, found, given)))
    for code in codes:
        if id(find_expression(found, code).node) not in nodes:
            beyond = ", without what the formula takes as given by its symbols" if given else ""
            raise NotFound(
                "LI215",
                f"{what} is not made of {code!r} in {found.function.name}: link only lines between the formula's "
                f"symbols and its left side{beyond}",
            )


def _check_called(names: Collection[str] | None, caller: Found, callee: Found) -> None:
    """``names``: the functions that the linked code of the caller calls; None where that is not known."""
    if names is not None and callee.function.name not in names:
        listed = f"it calls {', '.join(sorted(names))}" if names else "it calls no function of the project"
        raise NotFound(
            "LI216",
            f"the linked code of {caller.function.name} does not call {callee.function.name}; {listed}: "
            "name the function that gives its value",
        )


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
