"""Run the planned mutants in a worker process, and keep the verdicts by what the mutants reached."""

from collections.abc import Mapping, Sequence

from linkindex.model import Finding, Index, Place, Verdict
from linkindex.mutants.plan import Target, spans_of
from linkindex.run import forked
from linkindex.run.cache import Cache
from linkindex.run.child import run_worker
from linkindex.run.dependencies import Dependencies
from linkindex.run.reach import both

WORKER = "linkindex.mutants.worker"

Group = list[Target]  # the linked expressions of one equation


Verdicts = Mapping[str, tuple[Verdict, ...]]


def run_mutants(index: Index, targets: Sequence[Target]) -> tuple[Verdicts, tuple[Finding, ...]]:
    """The verdicts by equation. An equation whose mutants could not be run is missing; one whose code has no mutants has
    no verdicts. Neither is checked.

    Only equations of which something has changed are run again.
    """
    if not forked.AVAILABLE:
        message = "mutants are not run on this system: each needs a forked process of its own; run this check on Linux or macOS"
        return {}, (Finding(Place(index.config.docs), "LI306", message),)
    asked = _Asked(index, targets)
    results = {equation: found for equation in asked.groups if (found := asked.find(equation))}
    fresh, findings = _run(index, [group for equation, group in asked.groups.items() if equation not in results])
    for equation, result in fresh.items():
        if all(outcome != "unclean" for *_, outcome in result["verdicts"]):
            asked.keep(equation, result)
    asked.cache.prune()
    return asked.verdicts(results | fresh), findings


def kept_verdicts(index: Index, targets: Sequence[Target]) -> tuple[Verdicts | None, bool]:
    """The last verdicts on these very mutants, and whether they all still hold; None where there are none."""
    asked = _Asked(index, targets)
    found = {equation: asked.find(equation) for equation in asked.groups}
    results = {equation: result or asked.latest(equation) for equation, result in found.items()}
    is_known = forked.AVAILABLE and None not in results.values()
    return asked.verdicts(results) if is_known else None, None not in found.values()


class _Asked:
    """What is asked of each equation's test, and what is kept of it."""

    def __init__(self, index: Index, targets: Sequence[Target]):
        self.groups: dict[str, Group] = {}
        for target in targets:
            self.groups.setdefault(target.equation, []).append(target)
        self.dependencies = Dependencies(index.config, spans_of(targets))
        self.cache = Cache("mutants", self.dependencies)
        self.requests = {equation: _request(group, self.dependencies.names) for equation, group in self.groups.items()}

    def find(self, equation: str) -> dict | None:
        return self.cache.find(self.requests[equation]) if _size(self.groups[equation]) else {"verdicts": []}

    def latest(self, equation: str) -> dict | None:
        return self.cache.latest(self.requests[equation])

    def keep(self, equation: str, result: dict) -> None:
        # What is called while a mutant is on is not watched: it is what the test reaches without it, and what that names.
        reached = self.dependencies.with_named(both(self.groups[equation][0].reached, result["reached"]))
        self.cache.keep(self.requests[equation], {**result, "reached": reached})

    def verdicts(self, results: Mapping[str, dict]) -> Verdicts:
        return {equation: _verdicts(group, results[equation]) for equation, group in self.groups.items() if equation in results}


def _request(group: Group, names: Mapping[str, str]) -> list:
    """What is asked of one equation's test: all that its verdicts depend on, beside what the mutants reach."""
    return [group[0].test, [[names[target.link.key], [mutant.code for mutant in target.mutants]] for target in group]]


def _run(index: Index, groups: Sequence[Group]) -> tuple[dict[str, dict], tuple[Finding, ...]]:
    if not groups:
        return {}, ()
    answer = run_worker(WORKER, _job(index, groups))
    if "crash" in answer:
        return {}, (Finding(Place(index.config.docs), "LI305", f"the mutants were not run: {answer['crash']}"),)
    return answer["results"], ()


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
