"""Run the planned mutants in worker processes, and keep the verdicts by what the mutants reached."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from linkindex.model import Finding, Index, Place, Verdict
from linkindex.mutants.plan import Target, spans_of
from linkindex.run.cache import Cache
from linkindex.run.child import run_worker
from linkindex.run.dependencies import Dependencies

WORKERS = 2
WORKER = "linkindex.mutants.worker"

Group = list[Target]  # the linked expressions of one equation


def run_mutants(
    index: Index, targets: Sequence[Target]
) -> tuple[dict[str, tuple[Verdict, ...]], tuple[Finding, ...]]:
    """The verdicts by equation. An equation whose mutants could not be run is missing; one whose code has no mutants has
    no verdicts. Neither is checked.

    Only equations of which something has changed are run again.
    """
    if not hasattr(os, "fork"):
        message = "mutants are not run on this system: each needs a forked process of its own; run this check on Linux or macOS"
        return {}, (Finding(Place(index.config.docs), "LI306", message),)
    groups: dict[str, Group] = {}
    for target in targets:
        groups.setdefault(target.equation, []).append(target)
    dependencies = Dependencies(index.config, spans_of(targets))
    cache = Cache("mutants", dependencies)
    requests = {equation: _request(group, dependencies.names) for equation, group in groups.items()}
    results = {equation: found for equation, request in requests.items() if (found := cache.find(request))}
    results |= {equation: {"verdicts": []} for equation, group in groups.items() if not _size(group)}
    fresh, findings = _run(index, [group for equation, group in groups.items() if equation not in results])
    for equation, result in fresh.items():
        if all(outcome != "unclean" for *_, outcome in result["verdicts"]):
            reached = dependencies.with_named(result["reached"])  # calls of a changed test are not watched
            cache.keep(requests[equation], {**result, "reached": reached})
    cache.prune()
    results |= fresh
    return {equation: _verdicts(group, results[equation]) for equation, group in groups.items() if equation in results}, findings


def _request(group: Group, names: Mapping[str, str]) -> list:
    """What is asked of one equation's test: all that its verdicts depend on, beside what the mutants reach."""
    return [group[0].test, [[names[target.link.key], [mutant.code for mutant in target.mutants]] for target in group]]


def _run(index: Index, groups: Sequence[Group]) -> tuple[dict[str, dict], tuple[Finding, ...]]:
    jobs = [_job(index, part) for part in _parts(groups) if part]
    with ThreadPoolExecutor(WORKERS) as pool:
        answers = list(pool.map(lambda job: run_worker(WORKER, job), jobs))
    results = {equation: result for answer in answers for equation, result in answer.get("results", {}).items()}
    crashes = [answer["crash"] for answer in answers if "crash" in answer]
    return results, tuple(Finding(Place(index.config.docs), "LI305", f"some mutants were not run: {crash}") for crash in crashes)


def _parts(groups: Sequence[Group]) -> list[list[Group]]:
    """The equations, dealt out to the workers so that each has about as many mutants to run."""
    parts: list[list[Group]] = [[] for _ in range(WORKERS)]
    for group in sorted(groups, key=_size, reverse=True):
        min(parts, key=lambda part: sum(map(_size, part))).append(group)
    return parts


def _size(group: Group) -> int:
    return sum(len(target.mutants) for target in group)


def _job(index: Index, groups: Sequence[Group]) -> dict:
    targets = [target for group in groups for target in group]
    return {
        "root": str(index.config.root),
        "probes": {path: [[list(span), key] for span, key in sorted(spans.items())] for path, spans in sorted(spans_of(targets).items())},
        "mutants": {target.link.key: [mutant.code for mutant in target.mutants] for target in targets},
        "tasks": [
            {"equation": target.equation, "test": target.test, "key": target.link.key, "place": place, "number": number}
            for group in groups
            for place, target in enumerate(group)
            for number in range(len(target.mutants))
        ],
    }


def _verdicts(group: Group, result: Mapping) -> tuple[Verdict, ...]:
    """``place``: which of the equation's expressions it is; ``number``: which mutant of it."""
    return tuple(
        Verdict(group[place].equation, group[place].link.key, group[place].mutants[number], outcome, group[place].test)
        for place, number, outcome in result["verdicts"]
    )
