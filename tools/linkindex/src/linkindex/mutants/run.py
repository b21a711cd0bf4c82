"""Run the planned mutants in worker processes, and keep the verdicts by content."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from linkindex import store
from linkindex.model import Finding, Index, Mutant, Place, Reached, Verdict
from linkindex.mutants.plan import Target
from linkindex.mutants.reached import Dependencies
from linkindex.run.child import run_worker

WORKERS = 2
KEPT = 2000  # files of verdicts; the oldest beyond that are removed
WORKER = "linkindex.mutants.worker"


def run_mutants(
    index: Index, targets: Sequence[Target], reached: Mapping[str, Reached]
) -> tuple[dict[str, tuple[Verdict, ...]], tuple[Finding, ...]]:
    """The verdicts by equation. An equation whose mutants could not be run has none: it is not checked.

    ``reached``: what each test depends on. Only equations of which something has changed are run again.
    """
    if not hasattr(os, "fork"):
        message = "mutants are not run on this system: each needs a forked process of its own; run this check on Linux or macOS"
        return {}, (Finding(Place(index.config.docs), "LI306", message),)
    paths = _paths(index.config.root, targets, reached)
    results = {equation: kept for equation, path in paths.items() if (kept := store.read(path)) is not None}
    waiting = [target for target in targets if target.equation not in results]
    fresh, findings = _run(index, waiting)
    for equation, records in fresh.items():
        store.write(paths[equation], records, KEPT)
    results |= fresh
    order = dict.fromkeys(target.equation for target in targets if target.equation in results)
    keys = {target.equation: [] for target in targets}
    for target in targets:
        keys[target.equation].append(target.link.key)
    verdicts = {equation: tuple(_verdict(equation, record, keys[equation]) for record in results[equation]) for equation in order}
    return verdicts, tuple(findings)


def _paths(root: Path, targets: Sequence[Target], reached: Mapping[str, Reached]) -> dict[str, Path]:
    """Where the verdicts of each equation are kept."""
    dependencies = Dependencies(root)
    grouped: dict[str, list[Target]] = {}
    for target in targets:
        grouped.setdefault(target.equation, []).append(target)
    return {
        equation: root / store.FOLDER / "mutants" / f"{dependencies.key(group, reached[group[0].test])}.json"
        for equation, group in grouped.items()
    }


def _run(index: Index, targets: Sequence[Target]) -> tuple[dict[str, list[dict]], list[Finding]]:
    jobs = [_job(index, part) for part in _parts(targets) if part]
    with ThreadPoolExecutor(WORKERS) as pool:
        results = list(pool.map(lambda job: run_worker(WORKER, job), jobs))
    records: dict[str, list[dict]] = {}
    findings = []
    for result in results:
        if "crash" in result:
            findings.append(Finding(Place(index.config.docs), "LI305", f"some mutants were not run: {result['crash']}"))
        for record in result.get("results", ()):
            records.setdefault(record.pop("equation"), []).append(record)
    return records, findings


def _parts(targets: Sequence[Target]) -> list[list[Target]]:
    """The targets, dealt out to the workers test by test: a test's cases are collected in one place."""
    tests = sorted({target.test for target in targets})
    return [[target for target in targets if tests.index(target.test) % WORKERS == part] for part in range(WORKERS)]


def _job(index: Index, targets: Sequence[Target]) -> dict:
    probes: dict[str, dict[str, list[int]]] = {}
    mutants: dict[str, list[str]] = {}
    tasks, places = [], Counter()
    for target in targets:
        span = target.link.span
        probes.setdefault(span.file, {})[target.link.key] = [span.line, span.col, span.end_line, span.end_col]
        mutants[target.link.key] = [mutant.code for mutant in target.mutants]
        tasks += [_task(target, places[target.equation], number) for number in range(len(target.mutants))]
        places[target.equation] += 1
    return {
        "root": str(index.config.root),
        "probes": {path: [[span, key] for key, span in sorted(keys.items())] for path, keys in sorted(probes.items())},
        "mutants": mutants,
        "tasks": tasks,
    }


def _task(target: Target, place: int, number: int) -> dict:
    """``place``: which of the equation's expressions it is, since lines and columns may move."""
    mutant = target.mutants[number]
    return {
        "equation": target.equation,
        "test": target.test,
        "key": target.link.key,
        "place": place,
        "number": number,
        "kind": mutant.kind,
        "code": mutant.code,
    }


def _verdict(equation: str, record: dict, keys: list[str]) -> Verdict:
    mutant = Mutant(record["kind"], record["code"])
    return Verdict(equation, keys[record["place"]], mutant, record["outcome"], record["test"])
