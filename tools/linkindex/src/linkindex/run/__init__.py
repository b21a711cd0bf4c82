"""Third stage: run the examples and the linked tests, once, with probes in the linked expressions.

The project's code runs in child processes: it can crash, hang or change global state without harm to the check.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from linkindex.model import ExampleRun, Finding, Held, Index, Place, Reached, Resolution, Runs, TestRun, Value, Visit
from linkindex.run.cache import cached
from linkindex.run.child import run_worker
from linkindex.run.job import build_job


def run(index: Index, resolution: Resolution) -> tuple[Runs, tuple[Finding, ...]]:
    """What examples and tests did. A worker that crashes or hangs is a finding: nothing is taken as checked then."""
    job = build_job(index, resolution)
    parts = [{**job, "tests": []}, {**job, "examples": {}}]
    with ThreadPoolExecutor(len(parts)) as pool:
        examples, tests = pool.map(lambda part: cached(index.config, part, _compute), parts)
    findings = [*_crashes(index, examples, "examples"), *_crashes(index, tests, "linked tests")]
    findings.extend(_example_findings(index, examples))
    runs = Runs(
        examples={
            page: tuple(_example_run(page, run) for run in result["runs"])
            for page, result in examples.get("examples", {}).items()
        },
        tests={test["nodeid"]: _test_run(test, tests["modules"]) for test in tests.get("tests", ())},
        versions=examples.get("versions") or tests.get("versions") or {},
    )
    return runs, tuple(sorted(findings))


def _compute(job: dict) -> dict:
    return run_worker("linkindex.run.worker", job) if job["examples"] or job["tests"] else {}


def _crashes(index: Index, result: dict, what: str) -> list[Finding]:
    if "crash" not in result:
        return []
    return [Finding(Place(index.config.docs), "LI305", f"the {what} were not checked: {result['crash']}")]


def _example_findings(index: Index, result: dict) -> list[Finding]:
    paths = {page.stem: page.example for page in index.pages}
    return [
        Finding(Place(paths[page], error["line"]), error["code"], error["message"])
        for page, error in result.get("errors", {}).items()
    ]


def _value(plain: Mapping | None) -> Value | None:
    return Value(plain["dtype"], tuple(plain["shape"]), plain["data"]) if plain else None


def _held(plain: Mapping) -> Held:
    shape = plain["shape"]
    return Held(None if shape is None else tuple(shape), plain["digest"], plain["elements"])


def _example_run(page: str, run: dict) -> ExampleRun:
    return ExampleRun(
        page=page,
        kind=run["kind"],
        sizes=run["sizes"],
        visits={
            equation: tuple(
                Visit(visit["key"], _value(visit["value"]), {name: _value(plain) for name, plain in visit["names"].items()})
                for visit in visits
            )
            for equation, visits in run["visits"].items()
        },
        executed=run["executed"],
        shown={name: _value(plain) for name, plain in run["shown"].items()},
        labels={axis: tuple(names) for axis, names in run["labels"].items()},
        frames={key: {name: _held(plain) for name, plain in names.items()} for key, names in run["frames"].items()},
    )


def _test_run(test: dict, modules: list[str]) -> TestRun:
    return TestRun(
        nodeid=test["nodeid"],
        cases=tuple(test["cases"]),
        outcome=test["outcome"],
        why=test["why"],
        executed=test["executed"],
        collected=test["collected"],
        reached=Reached(tuple(map(tuple, test["functions"])), tuple(modules), tuple(test["files"])),
    )
