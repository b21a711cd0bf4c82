"""Values that were recorded while code ran: whole, as a digest, or in a few numbers."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Value:
    """A recorded array or number: dtype and shape as they were, entries as nested lists of Python numbers."""

    dtype: str
    shape: tuple[int, ...]
    data: object

    def array(self) -> np.ndarray:
        return np.array(self.data, dtype=self.dtype).reshape(self.shape)


@dataclass(frozen=True)
class Held:
    """A value in the frame of a probe: its shape (None: not a number or an array) and a digest of its content."""

    shape: tuple[int, ...] | None
    digest: str
    elements: int = 0                                    # of a tuple
    dtype: str = ""


@dataclass(frozen=True)
class Summary:
    """What a page says of a large array without showing it."""

    dtype: str
    shape: tuple[int, ...]
    digest: str                                          # of its content and dtype
    least: float
    greatest: float
