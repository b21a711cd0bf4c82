"""Third stage: run the examples and the linked tests, once, with probes in the linked expressions.

The project's code runs in child processes: it can crash, hang or change global state without harm to the check.
"""

import platform
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version

from linkindex.model import (
    Called, ExampleRun, Finding, Held, Index, Place, Resolution, Runs, Summary, TestRun, Value,
)  # fmt: skip
from linkindex.run import forked
from linkindex.run.cache import Cache
from linkindex.run.child import run_worker
from linkindex.run.dependencies import Dependencies
from linkindex.run.job import build_examples, build_job, probe_spans
from linkindex.run.packing import unpacked


WORKER = "linkindex.run.worker"


def run(index: Index, resolution: Resolution) -> tuple[Runs, tuple[Finding, ...]]:
    """What examples and tests did. A worker that crashes or hangs is a finding: nothing is taken as checked then."""
    probes = probe_spans(resolution)
    dependencies = Dependencies(index.config, probes)
    names, cache = dependencies.names, Cache("runs", dependencies)
    requests = build_examples(index, resolution, names)
    linked = sorted({equation.test for equation in index.equations if equation.id in resolution.tests})
    examples = {page: found for page, request in requests.items() if (found := cache.find(request))}
    tests = {nodeid: found for nodeid in linked if (found := cache.find(nodeid))}

    waiting = {page: request for page, request in requests.items() if page not in examples}
    fresh = _compute(build_job(index, probes, names, waiting, [nodeid for nodeid in linked if nodeid not in tests]))
    examples |= fresh["examples"]
    tests |= fresh["tests"]
    for page in waiting.keys() & examples.keys():
        if "runs" in examples[page]:
            cache.keep(requests[page], examples[page])
    for nodeid, test in fresh["tests"].items():
        if test["outcome"] == "passed":
            cache.keep(nodeid, test)
    cache.prune()
    keys = {name: key for key, name in names.items()}
    runs = Runs(
        examples={
            page: _example_runs(page, examples[page], keys) for page in requests if "runs" in examples.get(page, ())
        },
        tests={nodeid: _test_run(tests[nodeid], keys) for nodeid in linked if nodeid in tests},
        versions={"python": platform.python_version(), "numpy": version("numpy"), "pytest": version("pytest")},
    )
    return runs, tuple(sorted([*_crashes(index, fresh), *_example_findings(index, examples)]))


def _compute(job: dict) -> dict:
    """{"examples", "tests"}: what was asked for, or nothing of it and the "crash"."""
    # Without copies of their own, examples and tests still have different processes.
    jobs = [job] if forked.AVAILABLE else [{**job, "tests": []}, {**job, "examples": {}}]
    answers = [run_worker(WORKER, one) for one in jobs if one["examples"] or one["tests"]]
    found = {what: {name: one for answer in answers for name, one in answer.get(what, {}).items()} for what in ("examples", "tests")}
    return found | {"crash": [answer["crash"] for answer in answers if "crash" in answer]}


def _crashes(index: Index, result: dict) -> list[Finding]:
    message = "examples and linked tests were not checked"
    return [Finding(Place(index.config.docs), "LI305", f"{message}: {crash}") for crash in result["crash"]]


def _example_findings(index: Index, examples: Mapping[str, dict]) -> Iterator[Finding]:
    for page in index.pages:
        match examples.get(page.stem):
            case {"error": {"code": code, "message": message, "line": line}}:
                yield Finding(Place(page.example, line), code, message)
            case {"crash": how}:
                yield Finding(Place(page.example), "LI305", f"the example was not checked: {how}")


def _value(plain: Mapping | None) -> Value | None:
    return Value(plain["dtype"], tuple(plain["shape"]), plain["data"]) if plain else None


def _held(plain: Mapping) -> Held:
    shape = plain["shape"]
    return Held(None if shape is None else tuple(shape), plain["digest"], plain["elements"])


def _example_runs(page: str, example: dict, keys: Mapping[str, str]) -> tuple[ExampleRun, ...]:
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
        reached=test.get("reached", {}),
    )


def _by_key(counts: Mapping[str, int], keys: Mapping[str, str]) -> dict[str, int]:
    return {keys[name]: count for name, count in counts.items()}
