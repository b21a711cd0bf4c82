"""Changed expressions, what became of them, and what they do to the example."""

from dataclasses import dataclass

from linkindex.model.values import Value


@dataclass(frozen=True, order=True)
class Mutant:
    """A changed expression; ``kind`` says how it was changed."""

    kind: str
    code: str


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: killed by assertion, exception, timeout or crash; or it survived, or its test was
    skipped; or the test left traces: unclean."""

    equation: str
    key: str                                             # of the linked expression
    mutant: Mutant
    outcome: str                                         # how it was killed, or survived, skipped, unclean
    test: str                                            # the case that noticed it, or the linked test


@dataclass(frozen=True)
class Effect:
    """What a mutant does to the example: the value of its expression at the first visit, on the inputs of the page."""

    key: str                                             # of the linked expression
    mutant: Mutant
    before: Value | None                                 # as the code is; None: neither a number nor an array
    after: Value | None                                  # with the mutant in its place; None: likewise, or an error
    error: str | None = None                             # "ValueError: ...", where the mutant cannot be computed
