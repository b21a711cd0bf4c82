"""Which tests could stand in the records of a new page: those that run a step, and what notices changes of it best."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from linkindex.code import parse_code
from linkindex.fix.testfinder import is_test, test_files
from linkindex.model import Config, Held, key_of
from linkindex.mutants.change import mutants_of
from linkindex.new.steps import Step
from linkindex.resolve.definitions import definitions
from linkindex.resolve.functions import Found, Library, NotFound
from linkindex.resolve.imports import bindings
from linkindex.run import forked
from linkindex.run.child import run_worker
from linkindex.run.spans import to_plain
from linkindex.sources import Source

TRIED = 8  # tests of a step, at most: those that reach the fewest functions, until one notices every change
NOTICED = ("assertion", "exception", "timeout", "crash")


@dataclass(frozen=True)
class Candidate:
    """A test that passes and runs a step. ``noticed``: for how many of ``mutants`` changes of the step it fails."""

    nodeid: str
    noticed: int
    mutants: int


def tests_for(
    config: Config, steps: Sequence[Step], functions: Sequence[Found], library: Library, held: Mapping[str, Held]
) -> dict[str, list[Candidate]]:
    """By step, some tests that pass and run it, the best first."""
    files = test_files(config, library.read)
    nodeids = [nodeid for source in files for nodeid in _tests_in(source, functions, library)]
    job = {"root": str(config.root), "probes": to_plain(_spans(steps))}
    asked = {**job, "packages": list(config.packages), "choices": {}, "examples": {}, "tests": nodeids}
    results = run_worker("linkindex.run.worker", asked).get("results", {}) if nodeids else {}
    passed = {nodeid: result for nodeid, result in results.items() if result["outcome"] == "passed"}
    quick = sorted(passed, key=lambda nodeid: len(passed[nodeid]["reached"]["functions"]))
    waiting = {step.id: [one for one in quick if passed[one]["executed"].get(key_of(step.span))] for step in steps}
    found: dict[str, list[Candidate]] = {step.id: [] for step in steps}
    mutants = {step.id: _mutants(step, held) for step in steps}
    for _ in range(TRIED):
        pairs = [(step, waiting[step.id].pop(0)) for step in steps if waiting[step.id] and not _is_done(found[step.id])]
        outcomes = _outcomes(job, pairs, mutants) if pairs and forked.AVAILABLE else {}
        for step, nodeid in pairs:
            verdicts = outcomes.get((step.id, nodeid), [])
            noticed = sum(outcome in NOTICED for outcome in verdicts) if "assertion" in verdicts else 0
            found[step.id].append(Candidate(nodeid, noticed, len(verdicts)))
    return {name: sorted(candidates, key=lambda one: -one.noticed) for name, candidates in found.items()}


def _mutants(step: Step, held: Mapping[str, Held]) -> list[str]:
    """``held``: variable -> its shape, as far as known. Those in the step's own code are in its frame."""
    words = set(_words(parse_code(step.span.code)))
    frame = {name: one for name, one in held.items() if name in words}
    return [one.code for one in mutants_of(step.span.code, frame, held.get(step.variable, Held(None, "")))]


def _is_done(tried: Sequence[Candidate]) -> bool:
    return any(one.mutants and one.noticed == one.mutants for one in tried)


def _tests_in(source: Source, functions: Sequence[Found], library: Library) -> list[str]:
    """The tests that call one of the functions, themselves or by a helper or fixture of their file: those that come to
    it by a longer way test something else, and take longer."""
    wanted = {found.function.name for found in functions}
    packages = set(map(_top, wanted))
    imports = [(word, name) for word, name in bindings(source.tree, "", source.path) if _top(name) in packages]
    modules = {found.function.module for found in functions}
    calling = {word for word, name in imports if name in wanted or _stands_for(name, library) in wanted}
    if any(name in modules for _, name in imports):
        calling |= {found.node.name for found in functions}
    words = {one.name: set(_words(one.node)) for one in definitions(source)}
    near = calling | {name for name, inner in words.items() if inner & calling}
    tests = [one.name for one in definitions(source) if is_test(one) and words[one.name] & near]
    return [f"{source.path}::{name.replace('.', '::')}" for name in tests]


def _top(name: str) -> str:
    return name.partition(".")[0]


def _stands_for(name: str, library: Library) -> str | None:
    try:
        return library.find(name).function.name
    except NotFound:
        return None


def _words(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        match inner:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word):
                yield word


def _outcomes(job: dict, pairs: Iterable[tuple[Step, str]], mutants: Mapping[str, list[str]]) -> dict:
    """What became of each mutant of a step under each test that runs it."""
    pairs = list(pairs)
    asked = {
        **job,
        "mutants": {key_of(step.span): mutants[step.id] for step, _ in pairs},
        "tasks": [
            {"equation": str(place), "test": nodeid, "key": key_of(step.span), "place": 0, "number": number}
            for place, (step, nodeid) in enumerate(pairs)
            for number in range(len(mutants[step.id]))
        ],
    }
    results = run_worker("linkindex.mutants.worker", asked).get("results", {})
    return {
        (step.id, nodeid): [outcome for *_, outcome in results.get(str(place), {}).get("verdicts", ())]
        for place, (step, nodeid) in enumerate(pairs)
    }


def _spans(steps: Iterable[Step]) -> dict[str, dict]:
    spans: dict[str, dict] = {}
    for span in (step.span for step in steps):
        spans.setdefault(span.file, {})[span.line, span.col, span.end_line, span.end_col] = key_of(span)
    return spans
