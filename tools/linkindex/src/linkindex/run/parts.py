"""Whether the value of a linked line that stands elsewhere is the value that it is linked for."""

import hashlib
import numpy as np

from linkindex.run.values import is_numeric

EQUAL, AS_LARGE, OTHER = "equal", "as large", "other"
Content = tuple[tuple[int, ...], bytes]  # shape, and a digest: many large values may be kept


class Kept:
    """The contents of all values that one probe gave in a run; of a tuple, those of its elements."""

    def __init__(self) -> None:
        self._contents: dict[int | None, set[Content]] = {}

    def add(self, value: object) -> None:
        elements = dict(enumerate(value)) if isinstance(value, tuple) else {}
        for number, item in {None: value, **elements}.items():
            if is_numeric(item):
                self._contents.setdefault(number, set()).add(_content(item))

    def compared(self, element: int | None, value: object) -> str:
        """Whether one of the values is this one, or at least of the same shape."""
        contents = self._contents.get(element, set())
        wanted = _content(value) if is_numeric(value) else None
        if wanted in contents:
            return EQUAL
        return AS_LARGE if wanted and wanted[0] in {shape for shape, _ in contents} else OTHER


def _content(value: object) -> Content:
    """Equal for equal numbers, whatever their type."""
    try:
        array = np.asarray(value, dtype=float) + 0.0  # no negative zero
    except OverflowError:  # too large a whole number
        return (), hex(value).encode()
    return array.shape, hashlib.sha256(array.tobytes()).digest()
