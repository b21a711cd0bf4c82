"""Third stage: run the examples and the linked tests, once, with probes in the linked expressions.

The project's code runs in child processes: it can crash, hang or change global state without harm to the check.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from linkindex.model import ExampleRun, Finding, Index, Place, Resolution, Runs, TestRun, Value, Visit
from linkindex.run.cache import cached
from linkindex.run.job import build_job

TIMEOUT = 600  # seconds for all examples, and for all linked tests


def run(index: Index, resolution: Resolution) -> tuple[Runs, tuple[Finding, ...]]:
    """What examples and tests did. A worker that crashes or hangs is a finding: nothing is taken as checked then."""
    job = build_job(index, resolution)
    parts = [{**job, "tests": []}, {**job, "examples": {}}]
    with ThreadPoolExecutor(len(parts)) as pool:
        examples, tests = pool.map(lambda part: cached(index.config, part, _run_worker), parts)
    findings = [*_crashes(index, examples, "examples"), *_crashes(index, tests, "linked tests")]
    findings.extend(_example_findings(index, examples))
    runs = Runs(
        examples={
            page: tuple(_example_run(page, run) for run in result["runs"])
            for page, result in examples.get("examples", {}).items()
        },
        tests={test["nodeid"]: _test_run(test) for test in tests.get("tests", ())},
        versions=examples.get("versions") or tests.get("versions") or {},
    )
    return runs, tuple(sorted(findings))


def _run_worker(job: dict) -> dict:
    """The worker's result, or {"crash": what happened}."""
    if not (job["examples"] or job["tests"]):
        return {}
    with tempfile.TemporaryDirectory() as folder:
        job_path, result_path = Path(folder, "job.json"), Path(folder, "result.json")
        job_path.write_text(json.dumps(job), encoding="utf-8")
        command = [sys.executable, "-B", "-m", "linkindex.run.worker", str(job_path), str(result_path)]
        try:
            done = subprocess.run(
                command, cwd=job["root"], env=_environment(), capture_output=True, encoding="utf-8", errors="replace", timeout=TIMEOUT
            )
        except subprocess.TimeoutExpired:
            return {"crash": f"no result after {TIMEOUT} seconds"}
        if not result_path.is_file():
            last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
            return {"crash": f"the process ended with code {done.returncode}: {''.join(last) or 'nothing was printed'}"}
        return json.loads(result_path.read_text(encoding="utf-8"))


def _environment() -> dict[str, str]:
    """The worker imports this linkindex, and computes with one thread: small matrices gain nothing from more."""
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **threads}


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


def _example_run(page: str, run: dict) -> ExampleRun:
    return ExampleRun(
        page=page,
        kind=run["kind"],
        sizes=run["sizes"],
        visits={
            equation: tuple(
                Visit(_value(visit["value"]), {name: _value(plain) for name, plain in visit["names"].items()})
                for visit in visits
            )
            for equation, visits in run["visits"].items()
        },
        executed=run["executed"],
        shown={name: _value(plain) for name, plain in run["shown"].items()},
        labels={axis: tuple(names) for axis, names in run["labels"].items()},
    )


def _test_run(test: dict) -> TestRun:
    return TestRun(
        nodeid=test["nodeid"],
        cases=tuple(test["cases"]),
        outcome=test["outcome"],
        why=test["why"],
        executed=test["executed"],
        collected=test["collected"],
    )
