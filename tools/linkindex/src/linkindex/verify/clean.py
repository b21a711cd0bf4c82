"""Checks that found nothing are not made again on the very same things."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from linkindex import store
from linkindex.model import Finding

KIND = "verified"


def unless_clean(root: Path, things: Iterable[object], check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """What ``check()`` finds.

    ``things``: the name of the check, and all that it depends on. ``root``: of the project.
    """
    path = store.place(root, KIND, store.distributions(), *things)
    if store.read(path) is not None:
        store.touch(path)
        return
    found = tuple(check())
    yield from found
    if not found:
        store.write(path, "nothing found")
