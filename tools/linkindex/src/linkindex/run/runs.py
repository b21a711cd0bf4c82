"""What examples and linked tests do: asked of a worker, as far as it is not known from earlier runs."""

import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import TypeVar

from linkindex.model import (
    Called, ExampleRun, Finding, Held, Index, Place, Resolution, Runs, Summary, TestRun, Value,
)  # fmt: skip
from linkindex.run import forked
from linkindex.run.cache import Cache
from linkindex.run.child import run_worker
from linkindex.run.dependencies import Dependencies
from linkindex.run.job import build_examples, build_job, probe_spans
from linkindex.run.packing import unpacked
from linkindex.run.questions import Findings, Question, Results

WORKER = "linkindex.run.worker"
Noted = TypeVar("Noted")


def run(index: Index, resolution: Resolution) -> tuple[Runs, Findings]:
    """What examples and tests did. A worker that crashes or hangs is a finding: nothing is taken as checked then."""
    return ask_runs(index, resolution, Dependencies(index.config, probe_spans(resolution))).answer()


def ask_runs(index: Index, resolution: Resolution, dependencies: Dependencies) -> Question[Runs]:
    """What is asked of each page's example, and of each linked test. ``dependencies`` knows all probes."""
    examples = build_examples(index, resolution, dependencies.names)
    tests = sorted({equation.test for equation in index.equations if equation.id in resolution.tests})

    def compute(parts: Sequence[str]) -> tuple[Results, Findings]:
        asked = {page: examples[page] for page in parts if page in examples}
        job = build_job(index, resolution, dependencies, asked, [part for part in parts if part not in examples])
        results, crashes = _run(job)
        return results, tuple(sorted([*_crashes(index, crashes), *_example_findings(index, results)]))

    return Question(
        cache=Cache("runs", dependencies),
        requests={**examples, **{nodeid: nodeid for nodeid in tests}},
        compute=compute,
        told=lambda results: _runs(examples, tests, results, {name: key for key, name in dependencies.names.items()}),
    )


def _run(job: dict) -> tuple[Results, list[str]]:
    """The results of examples by page and of tests by node id, and how workers crashed."""
    # Without copies of their own, examples and tests still have different processes.
    jobs = [job] if forked.AVAILABLE else [{**job, "tests": []}, {**job, "examples": {}}]
    answers = [run_worker(WORKER, one) for one in jobs if one["examples"] or one["tests"]]
    results = {part: result for answer in answers for part, result in answer.get("results", {}).items()}
    return results, [answer["crash"] for answer in answers if "crash" in answer]


def _crashes(index: Index, crashes: Sequence[str]) -> list[Finding]:
    message = "examples and linked tests were not checked"
    return [Finding(Place(index.config.docs), "LI305", f"{message}: {crash}") for crash in crashes]


def _example_findings(index: Index, results: Results) -> Iterator[Finding]:
    for page in index.pages:
        match results.get(page.stem):
            case {"error": {"code": code, "message": message, "line": line}}:
                yield Finding(Place(page.example, line), code, message)
            case {"crash": how}:
                yield Finding(Place(page.example), "LI305", f"the example was not checked: {how}")


def _runs(examples: Iterable[str], tests: Iterable[str], results: Results, keys: Mapping[str, str]) -> Runs:
    """``keys``: name of a probe -> its key."""
    return Runs(
        examples={
            page: example_runs(page, results[page], keys) for page in examples if "runs" in results.get(page, ())
        },
        tests={nodeid: _test_run(results[nodeid], keys) for nodeid in tests if nodeid in results},
        versions={"python": platform.python_version(), "numpy": version("numpy"), "pytest": version("pytest")},
    )


def _value(plain: Mapping | None) -> Value | None:
    return Value(plain["dtype"], tuple(plain["shape"]), plain["data"]) if plain else None


def _held(plain: Mapping) -> Held:
    shape = plain["shape"]
    return Held(None if shape is None else tuple(shape), plain["digest"], plain["elements"], plain["dtype"])


def example_runs(page: str, example: dict, keys: Mapping[str, str]) -> tuple[ExampleRun, ...]:
    values = tuple(map(_value, example["values"]))
    return tuple(_example_run(page, run, values, keys) for run in example["runs"])


def _example_run(page: str, run: dict, values: Sequence[Value], keys: Mapping[str, str]) -> ExampleRun:
    return ExampleRun(
        page=page,
        kind=run["kind"],
        sizes=run["sizes"],
        visits=unpacked(run["visits"], values, keys),
        executed=_by_key(run["executed"], keys),
        shown={name: _value(plain) for name, plain in run["shown"].items()},
        labels={axis: tuple(names) for axis, names in run["labels"].items()},
        frames={
            keys[probe]: {name: _held(plain) for name, plain in names.items()} for probe, names in run["frames"].items()
        },
        called={name: _called(call, keys) for name, call in run.get("called", {}).items()},
        steady=_by_key(run["steady"], keys),
        taken=_by_key(run["taken"], keys),
    )


def _called(call: Mapping, keys: Mapping[str, str]) -> Called:
    return Called(
        arrays={name: Summary(**{**plain, "shape": tuple(plain["shape"])}) for name, plain in call["arrays"].items()},
        stored=tuple((keys[probe], name, digest) for probe, name, digest in call["stored"]),
        executed=tuple(keys[probe] for probe in call["executed"]),
    )


def _test_run(test: dict, keys: Mapping[str, str]) -> TestRun:
    return TestRun(
        nodeid=test["nodeid"],
        cases=tuple(test["cases"]),
        outcome=test["outcome"],
        why=test["why"],
        executed=_by_key(test["executed"], keys),
        collected=_by_key(test["collected"], keys),
        reached=test.get("reached"),
    )


def _by_key(by_name: Mapping[str, Noted], keys: Mapping[str, str]) -> dict[str, Noted]:
    return {keys[name]: noted for name, noted in by_name.items()}
