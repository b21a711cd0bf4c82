"""What is known of each equation: what the stage ``evidence`` gives."""

from collections.abc import Mapping
from dataclasses import dataclass

STEPS = ("resolved", "ran", "tested", "symbols", "formula", "defended")


@dataclass(frozen=True)
class Step:
    ok: bool
    why: str | None = None
    exception: str | None = None
    max_error: float | None = None
    tolerance: float | None = None
    trials: int = 0
    dtype: str | None = None                             # in which the code computed what was compared
    notes: tuple[str, ...] = ()                          # what was not told apart


NOT_RUN = Step(ok=False, why="not run")


@dataclass(frozen=True)
class SymbolRow:
    """One symbol of an equation, with what was recorded for it."""

    latex: str
    meaning: str
    code: str
    shape: tuple[str, ...]                               # symbolic
    runtime_shape: tuple[int, ...] | None                # in the run with the configuration
    dtype: str | None


@dataclass(frozen=True)
class Proof:
    """What is known of one equation."""

    equation: str
    steps: Mapping[str, Step]                            # one for each of STEPS
    symbols: tuple[SymbolRow, ...]
    marked: str                                          # the formula with \sym{latex}{latex} around each symbol


@dataclass(frozen=True)
class Evidence:
    proofs: Mapping[str, Proof]
    commit: str | None                                   # None: unknown, or the work tree differs from it
