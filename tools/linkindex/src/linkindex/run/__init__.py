"""Third stage: run the examples and the linked tests, once, with probes in the linked expressions.

The project's code runs in child processes: it can crash, hang or change global state without harm to the check.
"""

import platform
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

from linkindex.model import ExampleRun, Finding, Held, Index, Place, Resolution, Runs, TestRun, Value, Visit
from linkindex.run.cache import Cache
from linkindex.run.child import run_worker
from linkindex.run.dependencies import Dependencies
from linkindex.run.job import build_examples, build_job, probe_spans


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
    jobs = [
        build_job(index, probes, names, waiting, []),
        build_job(index, probes, names, {}, [nodeid for nodeid in linked if nodeid not in tests]),
    ]
    with ThreadPoolExecutor(len(jobs)) as pool:
        fresh_examples, fresh_tests = pool.map(lambda job: _compute(job) if job["examples"] or job["tests"] else {}, jobs)
    examples |= fresh_examples.get("examples", {})
    tests |= fresh_tests.get("tests", {})
    for page in waiting.keys() & examples.keys():
        if "runs" in examples[page]:
            cache.keep(requests[page], examples[page])
    for nodeid, test in fresh_tests.get("tests", {}).items():
        if test["outcome"] == "passed":
            cache.keep(nodeid, test)
    cache.prune()
    keys = {name: key for key, name in names.items()}
    runs = Runs(
        examples={
            page: tuple(_example_run(page, run, keys) for run in examples[page]["runs"])
            for page in requests
            if "runs" in examples.get(page, ())
        },
        tests={nodeid: _test_run(tests[nodeid], keys) for nodeid in linked if nodeid in tests},
        versions={"python": platform.python_version(), "numpy": version("numpy"), "pytest": version("pytest")},
    )
    findings = [*_crashes(index, fresh_examples, "examples"), *_crashes(index, fresh_tests, "linked tests")]
    return runs, tuple(sorted([*findings, *_example_findings(index, examples)]))


def _compute(job: dict) -> dict:
    return run_worker("linkindex.run.worker", job)


def _crashes(index: Index, result: dict, what: str) -> list[Finding]:
    if "crash" not in result:
        return []
    return [Finding(Place(index.config.docs), "LI305", f"the {what} were not checked: {result['crash']}")]


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


def _example_run(page: str, run: dict, keys: Mapping[str, str]) -> ExampleRun:
    return ExampleRun(
        page=page,
        kind=run["kind"],
        sizes=run["sizes"],
        visits={
            equation: tuple(
                Visit(keys[visit["key"]], _value(visit["value"]), {name: _value(plain) for name, plain in visit["names"].items()})
                for visit in visits
            )
            for equation, visits in run["visits"].items()
        },
        executed=_by_key(run["executed"], keys),
        shown={name: _value(plain) for name, plain in run["shown"].items()},
        labels={axis: tuple(names) for axis, names in run["labels"].items()},
        frames={
            keys[probe]: {name: _held(plain) for name, plain in names.items()} for probe, names in run["frames"].items()
        },
    )


def _test_run(test: dict, keys: Mapping[str, str]) -> TestRun:
    return TestRun(
        nodeid=test["nodeid"],
        cases=tuple(test["cases"]),
        outcome=test["outcome"],
        why=test["why"],
        executed=_by_key(test["executed"], keys),
        collected=_by_key(test["collected"], keys),
    )


def _by_key(counts: Mapping[str, int], keys: Mapping[str, str]) -> dict[str, int]:
    return {keys[name]: count for name, count in counts.items()}
