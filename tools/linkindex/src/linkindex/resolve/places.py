"""From the records of one equation to its exact places."""

import ast
from collections.abc import Collection, Sequence
from dataclasses import replace

from linkindex.formula import Formula
from linkindex.load.symbols import no_expression
from linkindex.model import CodeName, Equation, Link, Span, Symbol
from linkindex.refs import plain_code
from linkindex.resolve.assignments import Effect, assignments_of
from linkindex.resolve.behind import bindings_behind
from linkindex.resolve.blocks import Block, Part, find_code, parts, whole_function
from linkindex.resolve.choices import choices
from linkindex.resolve.expressions import Expression, comment_shape
from linkindex.resolve.functions import NOTED, Found, Library, NotFound
from linkindex.resolve.numbers import numbers
from linkindex.resolve.trees import head, inside


def find_links(equation: Equation, formula: Formula, symbols: dict[str, Symbol], library: Library) -> tuple[Link, ...]:
    """The links of an equation to the code that its record names; the first are the probes, where symbols are read.
    Raises NotFound."""
    role = "calls" if equation.computes else "computes"
    found = library.find(equation.probe.function)
    shown = {symbols[latex].code for latex in formula.symbols if latex in symbols and latex not in formula.target}
    maker = _Maker(equation, shown)
    left = _variables(formula, symbols)
    if equation.at is not None:
        links = [maker.link(role, found, whole_function(found, _element(equation), left), probe=True)]
    else:
        links = [
            maker.link(role, found, find_code(found, code, left), member, probe=True)
            for code, member in _probed_code(equation, formula, symbols, found)
        ]
    links.extend(maker.link("computes", found, find_code(found, code)) for code in equation.probe.via)
    return (*links, *maker.parts)


def find_links_elsewhere(equation: Equation, library: Library) -> tuple[Link, ...]:
    """The links to the code of other functions: that under ``computes`` gives the value of the probe, that under
    ``also`` shares in it. Raises NotFound."""
    maker = _Maker(equation)
    computing = maker.elsewhere(equation.computes, library)
    given = [replace(link, gives=True) for link in computing[:1]]
    sharing = maker.elsewhere(equation.also, library)  # of whose numbers the formula says nothing
    return (*given, *computing[1:], *(replace(link, reads=()) for link in sharing), *maker.parts)


def _variables(formula: Formula, symbols: dict[str, Symbol]) -> list[str]:
    """The variables of the left side, in standard layout."""
    codes = (code for latex in formula.target for code in symbols[latex].codes if not no_expression(code))
    return [plain_code(code) for code in codes]


def _element(equation: Equation) -> int | None:
    return int(equation.at.partition("[")[2].rstrip("]")) if equation.at and "[" in equation.at else None


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
        if any(map(no_expression, symbol.codes)):
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


class _Maker:
    """Makes the links of one equation. ``shown``: the variables of the formula's symbols; ``parts``: the expressions of
    links that are statements."""

    def __init__(self, equation: Equation, shown: Collection[str | None] = ()):
        self.equation, self.shown = equation, shown
        self.parts: list[Link] = []

    def elsewhere(self, name: CodeName | None, library: Library) -> list[Link]:
        if name is None:
            return []
        found = library.find(name.function)
        return [self.link("computes", found, find_code(found, code)) for code in (name.code, *name.via)]

    def link(
        self, role: str, found: Found, piece: Expression | Block, member: str | None = None, probe: bool = False
    ) -> Link:
        if isinstance(piece, Expression):
            nodes = head(piece.statement) if inside(piece.statement) else (piece.statement,)
            link = self._linked(role, found, piece, found.source.span(piece.node), nodes)
            return replace(self._watched(link, found, piece), member=member, probe=probe)
        self.parts.extend(self._part(found, part) for part in parts(found, piece))
        first, last = piece.statements[0], piece.statements[-1]
        whole = _from_to(found, found.source.span(first), found.source.span(last))
        around = Expression(piece.statements[-1], last, piece.target, piece.element)
        link = self._linked(role, found, around, whole, piece.statements)
        return replace(link, statement=whole, member=member, probe=probe, block=piece.target)

    def _part(self, found: Found, part: Part) -> Link:
        one = part.expression
        link = self._linked("computes", found, one, found.source.span(one.node), (one.statement,))
        return replace(self._watched(link, found, one), part=True, is_value=part.is_value)

    def _watched(self, link: Link, found: Found, piece: Expression) -> Link:
        """With the numbers and choices on the way to its value."""
        also = self.equation.also
        shared = {also.code, *also.via} if also else set()
        behind = bindings_behind(found.node, piece.node, piece.statement.lineno, {*self.shown, *shared})
        reads = numbers(found, piece.node, behind, shared)
        return replace(link, reads=reads, choices=choices(found, piece.node, behind))

    def _linked(self, role: str, found: Found, piece: Expression, span: Span, nodes: Sequence[ast.AST]) -> Link:
        statement, effect = found.source.span(piece.statement), Effect.of(nodes)
        return Link(
            equation=self.equation.id,
            role=role,
            function=found.function.name,
            span=span,
            statement=statement,
            target=piece.target,
            element=piece.element,
            comment_shape=comment_shape(found.source, statement) if piece.target else None,
            assigns=tuple(effect.assigned),
            rereads=effect.rereads,
            only_names=effect.only_names,
        )


def _from_to(found: Found, first: Span, last: Span) -> Span:
    code = found.source.between(first.line, first.col, last.end_line, last.end_col)
    return replace(first, end_line=last.end_line, end_col=last.end_col, code=code)
