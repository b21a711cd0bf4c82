"""Which mutant is on, what the unchanged code gives, and the random state that every run starts from."""

import hashlib
import random

import numpy as np


class Active:
    """Which mutant of which expression is on: none at first. ``watch`` digests the values of unchanged expressions."""

    def __init__(self) -> None:
        self.key, self.number = "", -1
        self._digest: "hashlib._Hash | None" = None

    def __call__(self, key: str, number: int) -> bool:
        return number == self.number and key == self.key

    def switch_on(self, key: str, number: int) -> None:
        self.key, self.number, self._digest = key, number, None

    def watch(self) -> None:
        """Nothing is on; from here on, values count."""
        self.key, self.number, self._digest = "", -1, hashlib.sha256()

    def unchanged(self, key: str, value: object) -> object:
        """The value of an expression that no mutant replaces."""
        if self._digest is not None:
            self._digest.update(f"{key} {_content(value)}".encode())
        return value

    def seen(self) -> str:
        """Equal where the watched code gave equal values, in the same order."""
        return self._digest.hexdigest()


class RandomState:
    """The generators that all code of a process shares, as they are now."""

    def __init__(self) -> None:
        self._python, self._numpy = random.getstate(), np.random.get_state()

    def restore(self) -> None:
        random.setstate(self._python)
        np.random.set_state(self._numpy)


def _content(value: object) -> str:
    """Equal for equal numbers and arrays, and tuples, lists and dictionaries of these."""
    if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
        return f"{value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value)).hexdigest()}"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(map(_content, value))})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_content(item)}' for key, item in value.items())}}}"
    if isinstance(value, (bool, int, float, complex, str, bytes, type(None))):
        return repr(value)
    return type(value).__name__
