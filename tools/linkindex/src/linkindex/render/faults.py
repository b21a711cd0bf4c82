"""What stops one block of a page: faults, which the page turns into findings at the directive's place."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Fault:
    code: str
    message: str


class Faults(Exception):
    """Raised where a block cannot be shown; carries everything that is wrong with it."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


def fault(code: str, message: str) -> Faults:
    return Faults(Fault(code, message))


def each(function: Callable[[Item], Result], items: Iterable[Item]) -> tuple[Result, ...]:
    """``function`` of every item; the faults of all items are raised together."""
    results, faults = [], []
    for item in items:
        try:
            results.append(function(item))
        except Faults as wrong:
            faults.extend(wrong.faults)
    if faults:
        raise Faults(*faults)
    return tuple(results)


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message: what the writer may have meant."""
    known = sorted(set(known))
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    if close:
        return "nearest: " + ", ".join(close)
    return "known: " + ", ".join(known[:8]) + (", ..." if len(known) > 8 else "") if known else "none is known"
