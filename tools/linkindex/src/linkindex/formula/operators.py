r"""Operators such as softmax or split, evaluated from the formula that defines them, never by calling the code.

``defines: split(M, H)`` names the parts of the defining formula that the arguments take the place of.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkindex.formula.counting import Counting
from linkindex.formula.errors import EvaluationError, FormulaError
from linkindex.formula.evaluate import Evaluator
from linkindex.formula.expressions import base_symbol
from linkindex.formula.lengths import length, solved
from linkindex.formula.notation import Notation
from linkindex.formula.parse import Formula, parse
from linkindex.formula.ranges import with_ranges
from linkindex.formula.syntax import Index, Node, Pick, Product, Subscript, Symbol, rebuilt, symbols_in, walk
from linkindex.formula.syntax import Operator as OperatorCall
from linkindex.formula.values import Value, arranged, batch_name, number

Shapes = Mapping[str, Sequence[str]]  # symbol -> symbolic shape


@dataclass(frozen=True)
class Operator:
    """A function of values that a formula defines."""

    name: str
    parameters: tuple[Node, ...]
    body: Node  # the last member, with parameters replaced by argument symbols
    left: Node  # the first member: its indices give the order of the result
    definitions: Mapping[str, Node]  # other symbols that the same formula defines
    shapes: Shapes
    batch_axes: tuple[str, ...]
    per: tuple[str, ...]
    indices: Mapping[str, str]
    relations: Mapping[str, str]  # size -> expression in other sizes

    def __call__(self, arguments: Sequence[Value], caller: Evaluator) -> Value:
        if len(arguments) != len(self.parameters):
            raise EvaluationError(f"{self.name} takes {len(self.parameters)} arguments, found {len(arguments)}")
        try:
            is_row, row = bool(arguments) and self._is_row(arguments[0]), bool(arguments) and arguments[0].row
            arguments = [_as_matrix(arguments[0]), *arguments[1:]] if is_row else arguments
            lifted = [self._lifted(argument, k) for k, argument in enumerate(arguments)]
            result = self._evaluate(lifted, caller)
        except EvaluationError as error:
            raise EvaluationError(f"in {self.name}: {error.message}") from error
        if is_row:
            return replace(_only_row(result, self.name), row=row)
        rows = [name for name in result.names if name.startswith("row·")]
        return replace(arranged(result, sorted(rows)), row=result.rank == 1 and not rows and arguments[0].row)

    def _evaluate(self, arguments: Sequence[Value], caller: Evaluator) -> Value:
        sizes = self._sizes(arguments)
        symbols = {latex: number(size) for latex, size in sizes.items()}
        symbols |= {_argument(k): argument for k, argument in enumerate(arguments)}
        counting = Counting.of(self._parts(), sizes)
        at = replace(caller, symbols=symbols, ranges={}, counting=counting)
        lengths = {**self._target_lengths(sizes), **{name: length(text, sizes) for name, text in self.indices.items()}}
        given = {name: np.arange(size) + counting.start(name) for name, size in lengths.items()}
        at = with_ranges(at, self._parts(), given)
        for latex, definition in self.definitions.items():
            at = replace(at, symbols={**at.symbols, latex: at(definition)})
        return self._laid_out(at(self.body))

    def _parts(self) -> tuple[Node, ...]:
        return (self.body, *self.definitions.values())

    def _lifted(self, argument: Value, k: int) -> Value:
        """An operator declared on rows goes over each row of a matrix: the axes in front get names of their own."""
        shape = self._shape(self.parameters[k])
        if shape is None:
            return argument
        extra = argument.rank - len(self._core(shape))
        if extra < 0:
            raise EvaluationError(
                f"argument {k + 1} has {argument.rank} axes, the formula needs {len(self._core(shape))}"
            )
        names = argument.names + tuple(f"row·{axis}" for axis in range(extra))
        return Value(argument.data, names, argument.rank - extra) if extra else replace(argument, row=False)

    def _is_row(self, argument: Value) -> bool:
        """Whether an operator that is declared on matrices is taken of one row: of a matrix that has no other."""
        shape = self._shape(self.parameters[0])
        return argument.rank == 1 and shape is not None and len(self._core(shape)) == 2

    def _sizes(self, arguments: Sequence[Value]) -> dict[str, int]:
        """Axis lengths, as far as the arguments give them: by shape, or as numbers that are sizes themselves."""
        sizes: dict[str, int] = {}
        for parameter, argument in zip(self.parameters, arguments):
            for axis in self.batch_axes:
                if batch_name(axis) in argument.names:
                    sizes[axis] = argument.size_of(batch_name(axis))
            if isinstance(parameter, Symbol) and not argument.rank and not argument.names:
                if argument.data == np.rint(argument.data):
                    sizes[parameter.latex] = int(argument.data)
            elif (shape := self._shape(parameter)) is not None:
                sizes |= dict(zip(self._core(shape), argument.core))
        return solved(sizes, self.relations)

    def _shape(self, parameter: Node) -> Sequence[str] | None:
        return self.shapes.get(parameter.latex) if isinstance(parameter, Symbol) else None

    def _core(self, shape: Sequence[str]) -> list[str]:
        if "entry" in self.per:
            return []
        waiting = [*self.batch_axes, *self.per]
        core = []
        for axis in shape:
            if axis in waiting:
                waiting.remove(axis)
            elif axis != "1":
                core.append(axis)
        return core

    # --- the result

    def _target_indices(self) -> tuple[str | None, list[str]]:
        """The index in parentheses and those in the subscript, where the left side is an indexed symbol."""
        node, indices = self.left, []
        if isinstance(node, Subscript):
            indices = [index.name for index in node.indices if isinstance(index, Index)]
            node = node.base
        picked = node.index.name if isinstance(node, Pick) and isinstance(node.index, Index) else None
        return picked, indices

    def _target_lengths(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """How far the left side's indices run, from the target's symbolic shape."""
        symbol = base_symbol(self.left)
        shape = self.shapes.get(symbol.latex) if symbol else None
        if shape is None:
            return {}
        picked, indices = self._target_indices()
        pairs = list(zip(indices, self._core(shape)))
        leading = [axis for axis in shape if axis in self.batch_axes]
        if picked and leading:
            pairs.append((picked, leading[-1]))
        return {index: sizes[axis] for index, axis in pairs if axis in sizes}

    def _laid_out(self, result: Value) -> Value:
        """The index axes in the order of the left side; an index in parentheses becomes the target's batch axis."""
        symbol = base_symbol(self.left)
        picked, _ = self._target_indices()
        if symbol and picked and picked in result.names:
            leading = [axis for axis in self.shapes.get(symbol.latex, ()) if axis in self.batch_axes]
            if leading:
                renamed = tuple(batch_name(leading[-1]) if name == picked else name for name in result.names)
                result = replace(result, names=renamed)
        free = [node.name for node in walk(self.left) if isinstance(node, Index) and node.name in result.names]
        return arranged(result, list(dict.fromkeys(free)))


def operator(
    defines: str,
    formula: Formula,
    notation: Notation,
    shapes: Shapes,
    batch_axes: Sequence[str] = ("B", "H"),
    per: Sequence[str] | None = None,
    indices: Mapping[str, str] | None = None,
) -> Operator:
    """The operator that ``formula`` defines. ``defines``: its name and, in parentheses, what the arguments replace.

    Raises FormulaError (offset in ``defines``) where that is no call, or names what the formula does not hold.
    """
    name, parameters = _declared(defines, notation)
    chain = formula.statements[0].chain
    if len(chain.members) < 2 or set(chain.relations) != {"="}:
        raise FormulaError(0, f"{name} needs a formula of the form left = right to be defined by")
    if any(statement.premises or statement.conditions for statement in formula.statements):
        raise FormulaError(0, f"{name} needs a formula without conditions to be defined by: write cases")
    body = chain.members[-1][0]
    for k, parameter in enumerate(parameters):
        body = _replaced(body, parameter, Symbol(_argument(k)))
        if _argument(k) not in symbols_in(body) and not _is_size(parameter, notation):
            raise FormulaError(0, f"argument {k + 1} of {defines} does not occur in the formula's last member")
    definitions = {}
    for statement in formula.statements[1:]:
        target = statement.chain.members[0][0]
        if isinstance(target, Symbol) and statement.chain.relations == ("=",):
            defined = statement.chain.members[-1][0]
            for k, parameter in enumerate(parameters):
                defined = _replaced(defined, parameter, Symbol(_argument(k)))
            definitions[target.latex] = defined
    relations = {latex: symbol.size for latex, symbol in notation.symbols.items() if symbol.size not in (None, "free")}
    return Operator(
        name, parameters, body, chain.members[0][0], definitions, shapes, tuple(batch_axes), tuple(per or ()),
        indices or {}, relations,
    )  # fmt: skip


def _declared(defines: str, notation: Notation) -> tuple[str, tuple[Node, ...]]:
    name, opening, rest = defines.partition("(")
    if not opening or not rest.endswith(")"):
        raise FormulaError(0, f"{defines!r} is no call: write name(argument, ...), as in softmax(x)")
    name = name.strip()
    formula = parse(f"{name}({rest}" if name.startswith("\\") else f"\\operatorname{{{name}}}({rest}", notation)
    call = formula.statements[0].chain.members[0][0]
    if not isinstance(call, OperatorCall) or call.span != (0, len(formula.source)) or not call.name:
        raise FormulaError(0, f"{defines!r} is not one call: write name(argument, ...), as in softmax(x)")
    return call.name, call.arguments


def _as_matrix(row: Value) -> Value:
    return Value(np.expand_dims(row.data, -2), row.names, 2)


def _only_row(result: Value, name: str) -> Value:
    if result.rank != 2 or result.core[0] != 1:
        raise EvaluationError(f"{name} of one row is no row: take it of the whole matrix")
    return Value(result.data[..., 0, :], result.names, 1)


def _argument(k: int) -> str:
    return f"argument {k + 1}"


def _is_size(parameter: Node, notation: Notation) -> bool:
    return isinstance(parameter, Symbol) and notation.symbols[parameter.latex].size is not None


def _replaced(node: Node, parameter: Node, argument: Symbol) -> Node:
    """``node`` with ``argument`` wherever ``parameter`` stands, also with one index in parentheses on each factor."""
    if node == parameter:
        return argument
    if isinstance(node, Product) and isinstance(parameter, Product):
        picks = [factor.index for factor in node.factors if isinstance(factor, Pick)]
        bases = tuple(factor.base for factor in node.factors if isinstance(factor, Pick))
        if bases == parameter.factors and len(picks) == len(node.factors) and all(pick == picks[0] for pick in picks):
            return Pick(argument, picks[0], span=node.span)
    return rebuilt(node, lambda child: _replaced(child, parameter, argument))
