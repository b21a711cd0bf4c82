"""What the probes do: count, and while an example runs, keep values."""

import ast
import builtins
import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import CodeType, FrameType, MappingProxyType

import numpy as np

from linkindex.run import sides
from linkindex.run.values import Plain, encode, held, holdings, is_numeric, one_number

EQUAL, AS_LARGE, OTHER = "equal", "as large", "other"
Content = tuple[tuple[int, ...], bytes]  # shape, and a digest: many large values may be kept
MOST_VISITS = 64  # of one probe in one run; loops may pass it many more times


@dataclass
class Visit:
    key: str
    value: Plain | None
    names: dict[str, Plain]
    parts: dict[str, str] = field(default_factory=dict)
    after: dict[str, Plain] = field(default_factory=dict)


@dataclass(frozen=True)
class Watch:
    """An equation that watches a probe: the element that it takes, and the expressions that it reads in the frame.

    ``later``: those that the linked statement may change, so that they are read again behind it. ``parts``: other
    probes, each with an element: how their values are to that of this probe is noted.
    """

    equation: str
    function: str  # plain name, to find the frame from inside a comprehension
    code: str | None  # None: of statements, which are no expression
    target: str | None
    element: int | None
    expressions: tuple[str, ...]
    later: tuple[str, ...] = ()
    where: str | None = None  # a condition on the frame: other visits are none of the equation's
    parts: tuple[tuple[str, int | None], ...] = ()


@dataclass
class Passing:
    """An execution of a probe that has begun: what the equation's names held before it, and its visits so far."""

    watch: Watch
    frame: FrameType  # of the linked function
    is_meant: bool | None  # None: not known before, where the condition speaks of what the statements assign
    names: dict[str, Plain]
    visits: list[Visit] = field(default_factory=list)


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


@dataclass
class Recorder:
    """Counts executions of each probe; ``recording`` keeps values for the equations that watch it as well.

    ``naming``: probe -> code of the key under which its value is stored; what it was called is noted with a digest.
    """

    watches: dict[str, list[Watch]] = field(default_factory=dict)
    recording: bool = False
    holding: bool = True  # whether what frames held is noted
    naming: Mapping[str, str] = field(default_factory=dict)
    stored: list[tuple[str, str, str]] = field(default_factory=list)  # probe, key, digest
    executed: Counter = field(default_factory=Counter)
    visits: dict[str, list[Visit]] = field(default_factory=dict)
    frames: dict[str, dict[str, Plain]] = field(default_factory=dict)  # probe -> name -> what it held at first
    kept: dict[str, Kept] = field(default_factory=dict)  # of the probes that are parts: all that they gave so far
    numbers: Mapping[str, tuple[str, Sequence[str]]] = field(default_factory=dict)  # probe -> function, what it reads
    steady: dict[str, dict[str, float | None]] = field(default_factory=dict)  # of these, what was the same so far
    taken: dict[str, set[str]] = field(default_factory=dict)  # choice -> the sides that it took
    _passing: dict[tuple[str, int], list[Passing]] = field(default_factory=dict)  # by probe and frame
    _compiled: dict[str, tuple[CodeType, tuple[str, ...]]] = field(default_factory=dict)
    _plain: dict[tuple, Plain] = field(default_factory=dict)  # equal arrays are the same object, and so kept once

    def start(self, recording: bool, naming: Mapping[str, str] = MappingProxyType({})) -> None:
        self.recording, self.executed, self.visits, self.frames, self._passing = recording, Counter(), {}, {}, {}
        parts = (name for watches in self.watches.values() for watch in watches for name, _ in watch.parts)
        self.kept = {name: Kept() for name in parts}
        self.naming, self.stored = naming, []
        self.steady, self.taken = {}, {}

    def before(self, key: str) -> None:
        """Read the names that the probe's equations speak of as they stand now."""
        if self.recording and key in self.watches:
            own = self._frame(key, sys._getframe(1))
            self._passing[key, id(own)] = [
                Passing(watch, own, _is_meant(watch, own), self._read(watch.expressions, own))
                for watch in self.watches[key]
                if len(self.visits.get(watch.equation, ())) < MOST_VISITS
            ]

    def value(self, key: str, _: None, value: object) -> object:
        """Called with what ``before`` gave, and then with the value."""
        frame = sys._getframe(1)
        self.executed[key] += 1
        if key in self.naming:
            name = eval(self.naming[key], frame.f_globals, frame.f_locals)
            self.stored.append((key, str(name), held(value)["digest"]))
        if self.recording:
            if key in self.kept:
                self.kept[key].add(value)
            if self.holding and key not in self.frames:
                self.frames[key] = holdings(frame.f_locals) | {"": held(value)}
            passing = self._passing.get((key, id(self._frame(key, frame))), ())
            again = (_is_meant(one.watch, one.frame) if one.is_meant is None else one.is_meant for one in passing)
            meant = [one for one, is_meant in zip(passing, again, strict=True) if is_meant]
            for one in meant:
                self._visit(key, one, value)
            if key in self.numbers and (meant or key not in self.watches):
                self._note_numbers(key, frame)
        return value

    def _note_numbers(self, key: str, frame: FrameType) -> None:
        """A number that is another one than before, or no number, is of no more interest."""
        function, expressions = self.numbers[key]
        steady = self.steady.setdefault(key, {})
        waiting = [one for one in expressions if steady.get(one, 0.0) is not None]
        for expression, value in self._values(waiting, _frame_of(function, frame)) if waiting else ():
            number = one_number(value)
            steady[expression] = number if steady.get(expression, number) == number else None

    def side(self, key: str, value: object) -> object:
        if self.recording:
            self.taken.setdefault(key, set()).update(sides.of_truth(value))
        return value

    def choosing(self, key: str, function: Callable) -> Callable:
        if not self.recording:
            return function
        return sides.watching(function, getattr(function, "__name__", ""), self.taken.setdefault(key, set()).update)

    def after(self, key: str) -> None:
        """Read what the statement assigned, and the names that were not bound before it."""
        if self.recording:
            for passing in self._passing.pop((key, id(self._frame(key, sys._getframe(1)))), ()):
                for visit in passing.visits:
                    visit.after.update(self._changed(passing, visit.names))

    def _frame(self, key: str, frame: FrameType) -> FrameType:
        return _frame_of(self.watches[key][0].function, frame) if key in self.watches else frame

    def _visit(self, key: str, passing: Passing, value: object) -> None:
        watch = passing.watch
        one = value if watch.element is None else value[watch.element]
        plain = self._encoded(one)
        names, after = dict(passing.names), self._changed(passing, passing.names)
        if plain is not None:
            names |= {watch.code: plain} if watch.code else {}
            after |= {watch.target: plain} if watch.target else {}
        parts = {name: self.kept[name].compared(element, one) for name, element in watch.parts}
        visit = Visit(key, plain, names, parts, after)
        self.visits.setdefault(watch.equation, []).append(visit)
        passing.visits.append(visit)

    def _changed(self, passing: Passing, names: Mapping[str, Plain]) -> dict[str, Plain]:
        """What the expressions give now, where that is not what they gave before."""
        again = [one for one in passing.watch.expressions if one in passing.watch.later or one not in names]
        found = self._read(again, passing.frame)
        return {one: plain for one, plain in found.items() if names.get(one) is not plain and names.get(one) != plain}

    def _read(self, expressions, frame: FrameType) -> dict[str, Plain]:
        plain = {expression: self._encoded(value) for expression, value in self._values(expressions, frame)}
        return {expression: value for expression, value in plain.items() if value is not None}

    def _values(self, expressions, frame: FrameType) -> Iterator[tuple[str, object]]:
        """The expressions that can be evaluated: others are another function's names, or are bound later."""
        outer, inner = frame.f_globals, frame.f_locals  # which takes time to make
        for expression in expressions:
            if expression not in self._compiled:
                self._compiled[expression] = _compiled(expression)
            code, names = self._compiled[expression]
            if all(name in inner or name in outer or hasattr(builtins, name) for name in names):
                with suppress(Exception):
                    yield expression, eval(code, outer, inner)

    def _encoded(self, value: object) -> Plain | None:
        if not isinstance(value, np.ndarray) or value.dtype.hasobject:
            return encode(value)
        content = (value.dtype.str, value.shape, value.tobytes())
        if content not in self._plain:
            self._plain[content] = encode(value)
        return self._plain[content]


def _compiled(expression: str) -> tuple[CodeType, tuple[str, ...]]:
    """With the names that must be bound where it is evaluated, as far as that is clear: to fail takes longer."""
    tree = ast.parse(expression, mode="eval")
    nodes = list(ast.walk(tree))
    binds = any(isinstance(node, (ast.comprehension, ast.Lambda, ast.NamedExpr)) for node in nodes)
    names = () if binds else tuple({node.id for node in nodes if isinstance(node, ast.Name)})
    return compile(tree, "<notation>", "eval"), names


def _frame_of(function: str, frame: FrameType) -> FrameType:
    """The frame of the linked function: outside of comprehensions and lambdas."""
    while frame.f_code.co_name != function and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _is_meant(watch: Watch, frame: FrameType) -> bool | None:
    """Whether the condition of the record holds; None where it cannot be evaluated."""
    try:
        return watch.where is None or bool(eval(watch.where, frame.f_globals, frame.f_locals))
    except Exception:
        return None
