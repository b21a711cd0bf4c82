"""What the stage ``run`` gives: runs of examples and of tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from linkindex.model.mutants import Effect, Verdict
from linkindex.model.values import Held, Summary, Value


@dataclass(frozen=True)
class Visit:
    """One execution of a probe: the value of the linked expression and of each expression asked for in its frame."""

    key: str                                             # of the probe
    value: Value | None                                  # element already taken
    names: Mapping[str, Value]                           # expression -> value; missing: not bound, or not a number
    # link key -> how its values in this run are to that of the probe: "equal", "as large" (of its shape), "other"
    parts: Mapping[str, str] = field(default_factory=dict)
    # expression -> its value behind the linked statement, where that is another one: what the left side names
    after: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Called:
    """A call of a function of the example file, with the inputs of the run."""

    arrays: Mapping[str, Summary]                        # returned, by name
    stored: tuple[tuple[str, str, str], ...]             # (key of the expression, name, digest) in order
    executed: tuple[str, ...]                            # keys of all probes that ran, by when they first ended


@dataclass(frozen=True)
class ExampleRun:
    """One run of a page's example. ``kind``: "inputs", "configuration", "sample 0", "sample 1", ..., "extreme 0", ...,
    or "further 0", ..., which are recorded for inequalities alone."""

    page: str
    kind: str
    sizes: Mapping[str, int]                             # all size symbols; empty for "inputs"
    visits: Mapping[str, tuple[Visit, ...]]              # equation id -> visits of its probe
    executed: Mapping[str, int]                          # link key -> number of executions
    shown: Mapping[str, Value]                           # "function(...)" calls of the example -> values, flattened
    labels: Mapping[str, tuple[str, ...]]                # size symbol -> names of its rows or columns
    # link key -> name -> value; "": the expression
    frames: Mapping[str, Mapping[str, Held]] = field(default_factory=dict)
    called: Mapping[str, Called] = field(default_factory=dict)  # function -> its call; of the configuration only
    # link key -> expression that it reads -> the number that it was in every visit; None: it varied, or is none
    steady: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    taken: Mapping[str, Sequence[str]] = field(default_factory=dict)  # key of a choice -> the sides that were taken

    @property
    def is_extreme(self) -> bool:
        return self.kind.startswith("extreme")

    @property
    def is_further(self) -> bool:
        return self.kind.startswith("further")


@dataclass(frozen=True)
class TestRun:
    """All cases of one linked test."""

    nodeid: str                                          # as in the record
    cases: tuple[str, ...]                               # collected node ids
    outcome: str                                         # passed, failed, skipped, xfailed, xpassed, error, missing
    why: str | None
    executed: Mapping[str, int]                          # link key -> executions in the call phase
    collected: Mapping[str, int]                         # link key -> executions during collection
    reached: Mapping[str, Sequence] | None = None        # "functions", "files": as run.reach notes them


@dataclass(frozen=True)
class Runs:
    examples: Mapping[str, tuple[ExampleRun, ...]]       # page -> runs
    tests: Mapping[str, TestRun]                         # node id as in the record -> run
    versions: Mapping[str, str]                          # python, numpy, pytest
    # equation -> its mutants, and what they do to the example; missing: not run
    verdicts: Mapping[str, tuple[Verdict, ...]] = field(default_factory=dict)
    effects: Mapping[str, tuple[Effect, ...]] = field(default_factory=dict)
