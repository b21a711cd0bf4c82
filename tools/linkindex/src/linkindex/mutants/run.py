"""Run the planned mutants in a worker process, and keep the verdicts by what the mutants reached."""

from collections.abc import Mapping, Sequence

from linkindex.model import Finding, Index, Place, Verdict
from linkindex.mutants.plan import Target, spans_of
from linkindex.run import forked
from linkindex.run.cache import Cache
from linkindex.run.child import run_worker
from linkindex.run.dependencies import Dependencies
from linkindex.run.questions import Findings, Question, Result, Results
from linkindex.run.reach import both
from linkindex.run.spans import to_plain

WORKER = "linkindex.mutants.worker"

Verdicts = Mapping[str, tuple[Verdict, ...]]
Group = list[Target]  # the linked expressions of one equation


def ask_verdicts(index: Index, targets: Sequence[Target], dependencies: Dependencies) -> Question[Verdicts]:
    """What is asked of each equation's test."""
    groups: dict[str, Group] = {}
    for target in targets:
        groups.setdefault(target.equation, []).append(target)

    def compute(equations: Sequence[str]) -> tuple[Results, Findings]:
        results, findings = _run(index, [groups[equation] for equation in equations])
        return {name: _reaching(result, groups[name], dependencies) for name, result in results.items()}, findings

    return Question(
        cache=Cache("mutants", dependencies),
        requests={name: _request(group, dependencies.names) for name, group in groups.items() if _has_mutants(group)},
        compute=compute,
        told=lambda results: _by_equation(groups, results),
    )


def _has_mutants(group: Group) -> bool:
    return any(target.mutants for target in group)


def _request(group: Group, names: Mapping[str, str]) -> list:
    """What is asked of one equation's test: all that its verdicts depend on, beside what the mutants reach."""
    return [group[0].test, [[names[target.link.key], [mutant.code for mutant in target.mutants]] for target in group]]


def _reaching(result: Result, group: Group, dependencies: Dependencies) -> Result:
    """The result with all that it depends on, if that is known."""
    # What is called while a mutant is on is not watched: it is what the test reaches without it, and what that names.
    return {**result, "reached": dependencies.with_named(both(group[0].reached, result["reached"]))}


def _run(index: Index, groups: Sequence[Group]) -> tuple[Results, Findings]:
    if not forked.AVAILABLE:
        message = (
            "mutants are not run on this system: each needs a forked process of its own; "
            "run this check on Linux or macOS"
        )
        return {}, (Finding(Place(index.config.docs), "LI306", message),)
    answer = run_worker(WORKER, _job(index, groups))
    if "crash" in answer:
        return {}, (Finding(Place(index.config.docs), "LI305", f"the mutants were not run: {answer['crash']}"),)
    return answer["results"], ()


def _job(index: Index, groups: Sequence[Group]) -> dict:
    targets = [target for group in groups for target in group]
    return {
        "root": str(index.config.root),
        "probes": to_plain(spans_of(targets)),
        "mutants": {target.link.key: [mutant.code for mutant in target.mutants] for target in targets},
        "tasks": [
            {"equation": target.equation, "test": target.test, "key": target.link.key, "place": place, "number": number}
            for group in groups
            for place, target in enumerate(group)
            for number in range(len(target.mutants))
        ],
    }


def _by_equation(groups: Mapping[str, Group], results: Results) -> Verdicts:
    none: Result = {"verdicts": []}  # of code without mutants
    found = {name: results.get(name, None if _has_mutants(group) else none) for name, group in groups.items()}
    return {name: _verdicts(groups[name], result) for name, result in found.items() if result is not None}


def _verdicts(group: Group, result: Result) -> tuple[Verdict, ...]:
    """``place``: which of the equation's expressions it is; ``number``: which mutant of it."""
    return tuple(
        Verdict(group[place].equation, group[place].link.key, group[place].mutants[number], outcome, group[place].test)
        for place, number, outcome in result["verdicts"]
    )
