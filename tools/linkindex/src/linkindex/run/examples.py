"""Run a page's example inside the worker: the shown inputs, then random samples of sizes that are all different."""

import contextlib
import functools
import gc
import importlib.util
import traceback
from pathlib import Path

import numpy as np

from linkindex.run.recorder import Recorder, Watch
from linkindex.run.stretched import Stretched
from linkindex.run.values import flatten, summary

FURTHER = 300
FACTORS = (1.0, 0.01, 0.1, 3.0, 10.0)
MEMOISED = type(functools.lru_cache(lambda: None))
HOOKS = ("inputs", "run", "sample", "labels")


class ExampleError(Exception):
    """``code`` of the finding, message, and the line in the example file."""

    def __init__(self, code: str, message: str, line: int = 1):
        super().__init__(message)
        self.code, self.line = code, line


def run_example(root: Path, job: dict, recorder: Recorder) -> dict:
    """All runs of one example file.

    ``job``: path, sizes (list of [kind, sizes]), shown (function names), called (functions that are called with the
    inputs of the configuration), stored (probe -> code of the key that its value gets), further (what is watched in
    many further samples, if anything).
    """
    path = root / job["path"]
    module = _guarded(path, load_example, path)
    missing = [name for name in HOOKS[:3] if not callable(getattr(module, name, None))]
    if missing:
        needed = "it needs inputs(), run(**inputs) and sample(rng, sizes)"
        raise ExampleError("LI301", f"the example defines no {', '.join(missing)}: {needed}")
    runs = [_run(path, module, "inputs", {}, module.inputs, job["shown"], recorder)]
    again = _run(path, module, "inputs", {}, module.inputs, job["shown"], recorder)
    memories: list = []
    if again["executed"] != runs[0]["executed"] and (memories := memories_of(root)):  # nothing is computed twice there
        forget(memories)
        again = _run(path, module, "inputs", {}, module.inputs, job["shown"], recorder)
    _forget_chance(runs[0], again)
    if not _is_repeated(runs[0], again):
        message = (
            "two runs of the example differ: draw random numbers from a seeded generator made in inputs(), and make "
            "arrays that are filled later with np.zeros, since np.empty leaves in them what was there"
        )
        raise ExampleError("LI303", message, _line_of(module.run))
    for number, (kind, sizes) in enumerate(job["sizes"]):
        forget(memories)
        make = lambda: module.sample(np.random.default_rng(number), dict(sizes))  # noqa: E731
        runs.append(_run(path, module, kind, sizes, make, (), recorder))
        if kind == "configuration":
            calls = {name: _called(path, module, name, make, job["stored"], recorder) for name in job["called"]}
            runs[-1]["called"] = calls
    if hasattr(module, "extremes"):
        runs += _extremes(path, module, job, recorder)
    if job["further"]:
        runs += _further(path, module, job, recorder)
    labels = _labels(path, module) if hasattr(module, "labels") else {}
    for run in runs:
        run["labels"] = labels
    return {"runs": runs}


def _extremes(path: Path, module, job: dict, recorder: Recorder) -> list[dict]:
    """Runs on the inputs that the example names: they need not be like others."""
    made = []
    for number, (_, sizes) in enumerate(job["sizes"]):
        listed = _guarded(path, module.extremes, np.random.default_rng(number), dict(sizes))
        if not isinstance(listed, (list, tuple)) or not all(isinstance(inputs, dict) for inputs in listed):
            message = "extremes() must return a list of dicts of arguments for run()"
            raise ExampleError("LI301", message, _line_of(module.extremes))
        made += [(sizes, inputs) for inputs in listed]
    return [
        _run(path, module, f"extreme {number}", sizes, lambda inputs=inputs: inputs, (), recorder)
        for number, (sizes, inputs) in enumerate(made)
    ]


def _further(path: Path, module, job: dict, recorder: Recorder) -> list[dict]:
    """Many runs, of which only what inequalities speak of is recorded; where the code raises there is none."""
    watches, numbers = recorder.watches, recorder.numbers
    recorder.watches = {key: [Watch(**watch) for watch in some] for key, some in job["further"].items()}
    recorder.numbers, recorder.holding = {}, False
    runs = []
    for number in range(FURTHER):
        factor, (_, sizes) = FACTORS[number % len(FACTORS)], job["sizes"][number // len(FACTORS) % len(job["sizes"])]
        make = lambda: module.sample(Stretched(number, factor), dict(sizes))  # noqa: B023, E731
        with contextlib.suppress(ExampleError):
            runs.append(_run(path, module, f"further {number}", sizes, make, (), recorder))
    recorder.watches, recorder.numbers, recorder.holding = watches, numbers, True
    return runs


def _labels(path: Path, module) -> dict[str, list[str]]:
    labels = _guarded(path, module.labels)
    if not isinstance(labels, dict) or not all(isinstance(names, (list, tuple)) for names in labels.values()):
        found = type(labels).__name__ if not isinstance(labels, dict) else "other values"
        message = 'labels() must return a dict from size symbols to lists of names, such as {"T": ["one", "two"]}'
        raise ExampleError("LI301", f"{message}, got {found}", _line_of(module.labels))
    return {str(key): [str(name) for name in names] for key, names in labels.items()}


def load_example(path: Path):
    spec = importlib.util.spec_from_file_location(f"linkindex_example_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _run(path: Path, module, kind: str, sizes: dict, make, shown, recorder: Recorder) -> dict:
    inputs = _guarded(path, make)
    if not isinstance(inputs, dict):
        name = "inputs" if kind == "inputs" else "sample"
        message = f"{name}() must return a dict of arguments for run(), got {type(inputs).__name__}"
        raise ExampleError("LI301", message)
    recorder.start(recording=True)
    _guarded(path, module.run, **inputs)
    result = {
        "kind": kind,
        "sizes": sizes,
        "visits": {name: [vars(visit) for visit in visits] for name, visits in recorder.visits.items()},
        "executed": dict(recorder.executed),
        "frames": recorder.frames,
        "steady": recorder.steady,
        "taken": {name: sorted(sides) for name, sides in recorder.taken.items()},
        "shown": {},
    }
    recorder.start(recording=False)
    for name in shown:
        function = getattr(module, name, None)
        if not callable(function):
            raise ExampleError("LI301", f"the page shows {name}(), which the example does not define")
        result["shown"] |= flatten(f"{name}()", _guarded(path, function, **inputs))
    return result


def memories_of(root: Path) -> list:
    """The functions of the project that keep their results, as ``functools.lru_cache`` makes them."""
    kept = (one for one in gc.get_objects() if isinstance(one, MEMOISED))
    return [one for one in kept if Path(_file_of(one)).is_relative_to(root)]


def _file_of(function) -> str:
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return getattr(getattr(function, "__code__", None), "co_filename", "")


def forget(memories: list) -> None:
    for one in memories:
        one.cache_clear()


def _is_repeated(first: dict, again: dict) -> bool:
    """Whether the second run did what the first one did, or less, since the code keeps results that it has."""
    if _equal(first, again):
        return True
    fewer = all(count <= first["executed"].get(key, 0) for key, count in again["executed"].items())
    alike = all(_equal(names, first["frames"].get(probe)) for probe, names in again["frames"].items())
    visits = ((visit, first["visits"].get(name, [])) for name, of in again["visits"].items() for visit in of)
    known = all(any(_equal(visit, other) for other in others) for visit, others in visits)
    return fewer and alike and known and _equal(first["shown"], again["shown"])


def _forget_chance(first: dict, again: dict) -> None:
    """Of an array that linked code fills, what was in it before, where that has no effect on what it leaves."""
    for probe, held in first["frames"].items():
        for name in [name for name in held if name and held[name] != again["frames"].get(probe, {}).get(name)]:
            del held[name]
            again["frames"].get(probe, {}).pop(name, None)
    for equation, visits in first["visits"].items():
        for one, other in zip(visits, again["visits"].get(equation, ())):
            for name in {*one["names"]} & {*other["names"]}:
                left = [visit["after"].get(name, visit["names"][name]) for visit in (one, other)]
                if not _equal(one["names"][name], other["names"][name]) and _equal(*left):
                    for visit in (one, other):
                        del visit["names"][name]
                        visit["after"][name] = left[0]


def _called(path: Path, module, name: str, make, naming: dict[str, str], recorder: Recorder) -> dict:
    """A call of a function of the example, which is made twice, since its results must not depend on chance."""
    function = getattr(module, name, None)
    if not callable(function):
        raise ExampleError("LI301", f"the page calls {name}(), which the example does not define")
    first, second = (_call(path, function, _guarded(path, make), naming, recorder) for _ in range(2))
    if not _equal(first, second):
        message = f"two calls of {name}() differ: draw random numbers from a generator that it seeds"
        raise ExampleError("LI303", message, _line_of(function))
    return first


def _call(path: Path, function, inputs: dict, naming: dict[str, str], recorder: Recorder) -> dict:
    """What it returns, by name; what is stored under which key meanwhile; which probes run, by when they first end."""
    recorder.start(recording=False, naming=naming)
    returned = _guarded(path, function, **inputs)
    stored, executed = list(map(list, recorder.stored)), list(recorder.executed)
    recorder.start(recording=False)
    arrays = {str(key): summary(value) for key, value in returned.items()} if isinstance(returned, dict) else None
    if arrays is None or None in arrays.values():
        message = f"must return a dict of numbers or arrays by name, got {type(returned).__name__}"
        raise ExampleError("LI301", f"{function.__name__}() {message}", _line_of(function))
    return {"arrays": arrays, "stored": stored, "executed": executed}


def _guarded(path: Path, function, *arguments, **named):
    """Call user code; what it raises becomes an ExampleError at the line of the example that led there."""
    try:
        return function(*arguments, **named)
    except ExampleError:
        raise
    except (Exception, SystemExit) as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path]
        line = frames[-1].lineno if frames else getattr(error, "lineno", None) or 1
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f" (in {Path(last.filename).name}, line {last.lineno})" if frames and last.filename != str(path) else ""
        raise ExampleError("LI302", f"the example raises {type(error).__name__}: {error}{where}", line) from error


def _line_of(function) -> int:
    return function.__code__.co_firstlineno


def _equal(a: object, b: object) -> bool:
    """Bitwise equality of plain data, in which NaN equals NaN."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_equal, a, b))
    return a == b or (a != a and b != b)
