"""Which entries of the target the left sides of a formula name."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from linkindex.formula.evaluate import Evaluator
from linkindex.formula.expressions import base_symbol
from linkindex.formula.syntax import Statement
from linkindex.formula.values import Value, selected


def covers(statements: Sequence[Statement], latex: str, target: Value, at: Evaluator) -> bool:
    """The left sides are evaluated on the target's own entry numbers: all of them must come up."""
    numbers = np.arange(target.data.size, dtype=float).reshape(target.data.shape)
    numbered = replace(at, symbols={**at.symbols, latex: Value(numbers, target.names, target.rank)})
    named: set[float] = set()
    for statement in statements:
        for node in statement.chain.members[0]:
            symbol = base_symbol(node)
            if symbol and symbol.latex == latex and statement.chain.relations:
                named |= _entries_named(numbered(node), statement, at)
    return len(named) == target.data.size


def _entries_named(numbers: Value, statement: Statement, at: Evaluator) -> set[float]:
    stated = [*statement.premises, *statement.conditions]
    truth = at.all_true(stated)
    (data,) = selected(Value(truth.data == 1, truth.names), numbers)
    return set(data[~np.isnan(data)].ravel().tolist())
