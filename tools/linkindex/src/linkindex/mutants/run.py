"""Run the planned mutants in worker processes, and keep the verdicts by content."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from linkindex.model import Finding, Index, Mutant, Place, Verdict
from linkindex.mutants.plan import Target
from linkindex.run.cache import cached
from linkindex.run.child import run_worker

WORKERS = 2
WORKER = "linkindex.mutants.worker"


def run_mutants(
    index: Index, targets: Sequence[Target]
) -> tuple[dict[str, tuple[Verdict, ...]], tuple[Finding, ...]]:
    """The verdicts by equation. An equation whose mutants could not be run has none: it is not checked."""
    if not hasattr(os, "fork"):
        message = "mutants are not run on this system: each needs a forked process of its own; run this check on Linux or macOS"
        return {}, (Finding(Place(index.config.docs), "LI306", message),)
    jobs = [_job(index, part) for part in _parts(targets) if part]
    with ThreadPoolExecutor(WORKERS) as pool:
        results = list(pool.map(lambda job: cached(index.config, job, lambda inner: run_worker(WORKER, inner)), jobs))
    verdicts: dict[str, list[Verdict]] = {}
    findings = []
    for result in results:
        if "crash" in result:
            findings.append(Finding(Place(index.config.docs), "LI305", f"some mutants were not run: {result['crash']}"))
        for record in result.get("results", ()):
            verdicts.setdefault(record["equation"], []).append(_verdict(record))
    return {equation: tuple(found) for equation, found in verdicts.items()}, tuple(findings)


def _parts(targets: Sequence[Target]) -> list[list[Target]]:
    """The targets, dealt out to the workers test by test: a test's cases are collected in one place."""
    tests = sorted({target.test for target in targets})
    return [[target for target in targets if tests.index(target.test) % WORKERS == part] for part in range(WORKERS)]


def _job(index: Index, targets: Sequence[Target]) -> dict:
    probes: dict[str, dict[str, list[int]]] = {}
    mutants: dict[str, list[str]] = {}
    tasks = []
    for target in targets:
        span = target.link.span
        probes.setdefault(span.file, {})[target.link.key] = [span.line, span.col, span.end_line, span.end_col]
        mutants[target.link.key] = [mutant.code for mutant in target.mutants]
        tasks += [
            {"equation": target.equation, "test": target.test, "key": target.link.key, "number": number, "kind": mutant.kind, "code": mutant.code}
            for number, mutant in enumerate(target.mutants)
        ]
    return {
        "root": str(index.config.root),
        "probes": {path: [[span, key] for key, span in sorted(keys.items())] for path, keys in sorted(probes.items())},
        "mutants": mutants,
        "tasks": tasks,
        "tests": sorted({target.test for target in targets}),
        "examples": {},
    }


def _verdict(record: dict) -> Verdict:
    return Verdict(record["equation"], record["key"], Mutant(record["kind"], record["code"]), record["outcome"], record["test"])
