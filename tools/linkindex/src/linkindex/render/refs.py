"""Refs: code text of a directive, such as ``Qh[0]``, and the recorded value that it names."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import getitem

import numpy as np

from linkindex.code import parse_code
from linkindex.model import ExampleRun, Value
from linkindex.refs import canonical, parse_ref
from linkindex.render.faults import fault, nearest


@dataclass(frozen=True)
class Recorded:
    """The value that a ref names: ``base`` is the recorded expression, ``indices`` what the ref takes of it."""

    ref: str
    base: str                                            # canonical code
    indices: tuple[int, ...]
    whole: Value                                         # of the base
    data: object                                         # after the indices: nested lists, or a number

    @property
    def shape(self) -> tuple[int, ...]:
        return self.whole.shape[len(self.indices):]

    def array(self) -> np.ndarray:
        return self.whole.array()[self.indices]


def values(run: ExampleRun, equations: Iterable[str]) -> dict[str, Value]:
    """What the run recorded for ``equations``, by code in its standard layout. Of several visits the first counts, and
    of what a linked statement changes, what it leaves."""
    found: dict[str, Value] = {}
    visits = [visit for identity in equations for visit in run.visits.get(identity, ())]
    for recorded in (*(visit.after for visit in visits), *(visit.names for visit in visits)):
        for code, value in recorded.items():
            found.setdefault(canonical(code) or code, value)
    for call, value in run.shown.items():
        found.setdefault(canonical(call) or call, value)
    return found


def look_up(ref: str, known: Mapping[str, Value]) -> Recorded:
    """The recorded value of ``ref``. Raises Faults LI603 (not recorded) and LI606 (index outside the value)."""
    parsed = parse_ref(ref)
    if parsed is None:
        raise fault("LI603", f"expected code, such as Q or Qh[0], found {ref!r}, which is not an expression")
    # The longest recorded expression counts: f()[0] may be recorded itself, as one part of what f returned.
    for taken in range(len(parsed.index), -1, -1):
        base = parsed.base + "".join(f"[{index}]" for index in parsed.index[:taken])
        if base in known:
            whole, indices = known[base], parsed.index[taken:]
            _check_indices(ref, indices, whole)
            return Recorded(ref, base, indices, whole, reduce(getitem, indices, whole.data))
    message = f"the example recorded no value for {ref!r} in the functions of this concept"
    raise fault("LI603", f"{message}; {nearest(parsed.base, known)}")


def entry_of(code: str, *at: object) -> str:
    """The ref of an entry: brackets around what is no name, indices behind it."""
    node = parse_code(code)
    inner = code if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else f"({code})"
    return f"{inner}[{', '.join(map(str, at))}]" if at else code


def _check_indices(ref: str, indices: tuple[int, ...], whole: Value) -> None:
    if len(indices) > len(whole.shape):
        raise fault("LI606", f"{ref!r} has {len(indices)} indices, but the value has shape {whole.shape}: take fewer")
    for position, (index, size) in enumerate(zip(indices, whole.shape)):
        if not -size <= index < size:
            message = f"index {position} of {ref!r} is {index}, but the value has shape {whole.shape}"
            raise fault("LI606", f"{message}: use 0 to {size - 1}")
