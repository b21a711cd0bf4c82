"""Formulas of the field, each with code that computes it, its true forms, and wrong ones that somebody might write.

``code`` is the module, of which ``function`` is called with what ``sample`` draws for sizes T, d and V that all differ.
``symbols``: notation -> (code, shape).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    code: str
    function: str
    sample: Mapping[str, str]  # parameter -> expression of rng and sizes
    symbols: Mapping[str, tuple[str, str]]
    true: tuple[str, ...]
    wrong: tuple[str, ...]
    of: str = ""  # the function that is linked, where it is another
    sizes: Mapping[str, str] = field(default_factory=dict)  # those that follow from T, d and V
    keys: Mapping[str, object] = field(default_factory=dict)  # further keys of its records


NORMAL = "rng.normal(size=(T, d))"
SCORES = "rng.normal(size=(T, V))"
