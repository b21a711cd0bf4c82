"""What the lock file holds: each link as it was when it was locked."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class LockedCode:
    """A linked piece of code as it was when it was locked, so that it can be recognised elsewhere."""

    function: str                                        # module.qualname
    name: str | None                                     # variable by which the record means it; None: the code itself
    code: str                                            # in standard layout


@dataclass(frozen=True)
class LockEntry:
    """What `linkindex fix --write` noted of an equation: content hashes of formula and code, and the names linked.

    The last three fields only serve to find the code again; lines of an older lock file do not have them.
    """

    latex: str
    code: str
    function: str
    test: str
    line: int = 0                                        # in links.lock
    links: tuple[LockedCode, ...] = ()                   # in the order of the equation's links
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # function -> variable -> what it is bound to
    body: str = ""                                       # hash of the test function without its name
