"""Which mutants of which expressions are run against which test."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from linkindex.model import Equation, Held, Index, Link, Mutant, Resolution, Runs
from linkindex.mutants.change import mutants_of
from linkindex.run.spans import Spans, place_of


@dataclass(frozen=True)
class Target:
    """One linked expression and the test that must notice its mutants."""

    equation: str
    test: str
    link: Link
    mutants: tuple[Mutant, ...]
    reached: Mapping[str, Sequence] | None  # by the test, with the code as it is


def plan(index: Index, resolution: Resolution, runs: Runs) -> tuple[Target, ...]:
    """The targets of all equations whose linked test passes and executes all of their code: mutants say nothing about a
    test that fails anyway, or that does not come to where they are."""
    frames = _frames(runs)
    return tuple(
        Target(equation.id, equation.test, link, _mutants(link, frames), runs.tests[equation.test].reached)
        for equation in index.equations
        for link in _judged(equation, resolution, runs)
    )


def _judged(equation: Equation, resolution: Resolution, runs: Runs) -> tuple[Link, ...]:
    run = runs.tests.get(equation.test)
    links = tuple(link for link in resolution.links.get(equation.id, ()) if link.role == "computes")
    if run is None or run.outcome != "passed" or any(link.key not in run.executed for link in links):
        return ()
    return links


def _frames(runs: Runs) -> Mapping[str, Mapping[str, Held]]:
    """Probe key -> what its frame held, from the first sample (all sizes different) that reached it."""
    frames: dict[str, Mapping[str, Held]] = {}
    for examples in runs.examples.values():
        for run in sorted(examples, key=lambda run: not run.kind.startswith("sample")):
            for key, names in run.frames.items():
                frames.setdefault(key, names)
    return frames


def _mutants(link: Link, frames: Mapping[str, Mapping[str, Held]]) -> tuple[Mutant, ...]:
    if link.block:
        return ()
    frame = dict(frames.get(link.key, {}))
    value = frame.pop("", Held(None, ""))
    target = (link.target or "").partition("[")[0]  # of an item, the array that is being filled
    names = {name: seen for name, seen in frame.items() if name != target or link.target in link.rereads}
    return mutants_of(link.span.code, names, value if link.is_value else None)


def spans_of(targets: Iterable[Target]) -> dict[str, Spans]:
    """Where the linked expressions stand, by file."""
    spans: dict[str, dict] = {}
    for target in targets:
        if not target.link.block:  # its parts are changed
            spans.setdefault(target.link.span.file, {})[place_of(target.link.span)] = target.link.key
    return spans
