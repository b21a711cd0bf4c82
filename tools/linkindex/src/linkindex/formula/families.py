"""Families of symbols, whose members a formula names in a set: one statement for the queries, keys and values."""

import itertools
from collections.abc import Iterator, Mapping

from linkindex.formula.parse import Formula
from linkindex.formula.syntax import Index, Label, SetOf, Statement


def is_membership(statement: Statement) -> bool:
    r"""``p \in \{q, k, v\}``, which says for which members of a family the other statements hold."""
    chain = statement.chain
    return (
        chain.relations == ("in",) and isinstance(chain.members[0][0], Index) and isinstance(chain.members[1][0], SetOf)
    )


def memberships(formula: Formula) -> Iterator[Mapping[str, str]]:
    """Every choice of members: {"p": "q"}, {"p": "k"}, ...; one empty choice where the formula has no family."""
    letters, choices = [], []
    for statement in formula.statements:
        if is_membership(statement) and all(isinstance(e, Label) for e in statement.chain.members[1][0].elements):
            letters.append(statement.chain.members[0][0].name)
            choices.append([element.text for element in statement.chain.members[1][0].elements])
    for labels in itertools.product(*choices):
        yield dict(zip(letters, labels))
