"""What the lock file holds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LockEntry:
    """What `linkindex fix --write` noted of an equation: content hashes of formula and code, and the names linked.

    A field is empty where its line in the file is damaged.
    """

    latex: str
    code: str
    function: str
    test: str
    line: int = 0                                        # in links.lock
