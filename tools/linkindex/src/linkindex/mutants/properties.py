"""Which mutants break a property on the example: under the others it still holds, so its test need not notice them.

The example runs once more for each mutant of a property's code, and the property is looked at on what it records then.
A mutant that stops the example says nothing of the property.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from linkindex.model import ExampleRun, Finding, Index, Place, Resolution
from linkindex.mutants.plan import Target
from linkindex.mutants.run import Verdicts
from linkindex.run import forked
from linkindex.run.cache import Cache
from linkindex.run.child import run_worker
from linkindex.run.dependencies import Dependencies
from linkindex.run.job import build_example
from linkindex.run.questions import Findings, Question, Results
from linkindex.run.reach import both
from linkindex.run.runs import example_runs
from linkindex.run.spans import to_plain

WORKER = "linkindex.mutants.properties_worker"

Case = tuple[str, str]  # key of the linked expression, code of the mutant
Breaking = Mapping[str, Sequence[Case]]  # equation -> the mutants that break it; missing: not known


@dataclass(frozen=True)
class Claim:
    """What a property says: ``codes`` are read for it, ``digest`` covers how its formula is read."""

    page: str
    codes: tuple[str, ...]
    digest: str
    holds: Callable[[tuple[ExampleRun, ...]], bool]


def asked_for(index: Index, verdicts: Verdicts, breaking: Breaking) -> Verdicts:
    """The verdicts, of properties only those on mutants that break them."""
    properties = {equation.id for equation in index.equations if equation.is_property}
    return {
        name: tuple(one for one in of if name not in properties or (one.key, one.mutant.code) in breaking[name])
        for name, of in verdicts.items()
        if name not in properties or name in breaking
    }


def ask_breaking(
    index: Index, resolution: Resolution, targets: Sequence[Target], claims: Mapping[str, Claim],
    dependencies: Dependencies,
) -> Question[Breaking]:  # fmt: skip
    """What is asked of the example of each property whose test runs its code."""
    names = dependencies.names
    cases: dict[str, list[Case]] = {}
    for target in targets:
        if target.equation in claims:
            cases.setdefault(target.equation, []).extend((target.link.key, one.code) for one in target.mutants)
    pages = {page.stem: page for page in index.pages if page.example}
    examples = {
        name: _watching(name, claims[name].codes, build_example(pages[claims[name].page], index, resolution, names))
        for name in cases
    }
    keys = {name: key for key, name in names.items()}

    def compute(equations: Sequence[str]) -> tuple[Results, Findings]:
        parts = {name: {"example": examples[name], "cases": _named(cases[name], names)} for name in equations}
        results, findings = _run(index, dependencies, parts)
        return {name: judged(name, result) for name, result in results.items()}, findings

    def judged(name: str, result: dict) -> dict:
        claim, reached = claims[name], result["reached"]
        if not (reached and reached["functions"]):  # no run came to its end
            reached = None
        breaks = [bool(one) and not claim.holds(example_runs(claim.page, one, keys)) for one in result["recorded"]]
        return {"breaks": breaks, "reached": dependencies.with_named(reached)}

    return Question(
        cache=Cache("properties", dependencies),
        requests={name: [examples[name], _named(of, names), claims[name].digest] for name, of in cases.items()},
        compute=compute,
        told=lambda results: {
            name: tuple(case for case, breaks in zip(cases[name], result["breaks"], strict=True) if breaks)
            for name, result in results.items()
        },
    )


def _watching(equation: str, codes: tuple[str, ...], example: dict) -> dict:
    """What is asked of an example, but only the values that one property speaks of."""
    watches = {
        name: [{**one, "expressions": codes, "parts": []} for one in of if one["equation"] == equation]
        for name, of in example["watches"].items()
    }
    watched = {name: of for name, of in watches.items() if of}
    return {**example, "watches": watched, "shown": [], "called": [], "stored": {}, "further": {}}


def _named(cases: Iterable[Case], names: Mapping[str, str]) -> list[Case]:
    return [(names[key], code) for key, code in cases]


def _run(index: Index, dependencies: Dependencies, parts: Mapping[str, dict]) -> tuple[Results, Findings]:
    if not forked.AVAILABLE:  # reported where the mutants are run
        return {}, ()
    used = {key for part in parts.values() for key in (*part["example"]["watches"], *(key for key, _ in part["cases"]))}
    probes = {
        file: {span: key for span, key in spans.items() if dependencies.names[key] in used}
        for file, spans in dependencies.probes.items()
    }
    plain = to_plain({file: spans for file, spans in probes.items() if spans}, dependencies.names)
    answer = run_worker(WORKER, {"root": str(index.config.root), "probes": plain, "parts": parts})
    if "crash" in answer:
        message = f"which mutants break properties was not found out: {answer['crash']}"
        return {}, (Finding(Place(index.config.docs), "LI305", message),)
    return {
        name: {"recorded": [one.get("example") for one in of], "reached": reduce(both, (one["reached"] for one in of))}
        for name, of in answer["parts"].items()
    }, ()
