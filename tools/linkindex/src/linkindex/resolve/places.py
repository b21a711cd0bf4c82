"""From the records of one equation to its exact places."""

import ast
from collections.abc import Collection, Sequence
from dataclasses import replace

from linkindex.formula import Formula
from linkindex.load.symbols import no_expression
from linkindex.model import GIVES, SHARES, CodeName, Equation, Link, Symbol
from linkindex.resolve.calls import called_by
from linkindex.resolve.dataflow import assigned, given_by, made_of, read_by, returned
from linkindex.resolve.expressions import assignments_of, comment_shape, find_expression
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
        _check_way((name.code,), callee, returned(callee), (), f"what {callee.function.name} returns", "code")
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
    codes: Sequence[str], found: Found, starts: Sequence[ast.expr], given: Sequence[ast.expr], what: str,
    key: str = "via",
) -> None:  # fmt: skip
    if not codes:
        return
    way = list(made_of(starts, found, given))
    nodes = set(map(id, way))
    for code in codes:
        if id(find_expression(found, code).node) not in nodes:
            between = _variables(way, found)
            listed = f"via: [{', '.join(between)}]" if key == "via" else f"code: {between[-1]}" if between else ""
            remedy = f"write `{listed}`, or others of these" if between else "remove it"
            raise NotFound(
                "LI215",
                f"{what} is not made of {code!r} in {found.function.name}, without what the formula takes as given by "
                f"its symbols; lines between these and the left side can be linked, and they are "
                f"{', '.join(between) or 'none'}: {remedy}",
            )


def _variables(nodes: Sequence[ast.AST], found: Found) -> list[str]:
    """The variables that a function assigns among nodes of it, in the order of their lines."""
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    return list(dict.fromkeys(one.target for one in assignments_of(found) if one.target in used))


def _check_called(names: Collection[str] | None, caller: Found, callee: Found) -> None:
    """``names``: the functions that the linked code of the caller calls; None where that is not known."""
    if names is not None and callee.function.name not in names:
        listed = f"it calls {', '.join(sorted(names))}" if names else "it calls no function of the project"
        instead = f"write `computes: {{in: {min(names)}, code: VARIABLE}}`" if names else "remove `computes`"
        raise NotFound(
            "LI216",
            f"the linked code of {caller.function.name} does not call {callee.function.name}; {listed}: "
            f"{instead}",
        )


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
