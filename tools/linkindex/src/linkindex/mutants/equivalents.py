"""Whether mutants that records declare equivalent leave the linked value as it is, in every run of the example.

A mutant may change its own line, as long as what the formula speaks of, the value of the probe, stays the same to
within round-off. Only what is declared is tried: the example runs once more for each of them.
"""

from collections.abc import Iterable, Mapping, Sequence

from linkindex.model import Equation, Finding, Index, Page, Place, Resolution
from linkindex.mutants.plan import Target
from linkindex.refs import plain_code
from linkindex.run import forked
from linkindex.run.cache import Cache
from linkindex.run.child import run_worker
from linkindex.run.dependencies import Dependencies
from linkindex.run.job import build_example
from linkindex.run.questions import Findings, Question, Results
from linkindex.run.spans import Spans, to_plain

WORKER = "linkindex.mutants.equivalents_worker"

# equation -> declared code -> how the linked value differs with it; None: it does not
Differing = Mapping[str, Mapping[str, str | None]]
Case = tuple[str, str, str]  # equation, key of the linked expression, code of the mutant


def declared(equation: Equation) -> set[str]:
    """The codes under `equivalent`, in the layout of mutants."""
    return {_plain(code) for code in equation.equivalent}


def ask_equivalents(
    index: Index, resolution: Resolution, targets: Sequence[Target], dependencies: Dependencies
) -> Question[Differing]:
    """What is asked of each page whose records declare a mutant equivalent."""
    pages = {page.stem: page for page in index.pages if page.example}
    cases = {stem: found for stem, page in pages.items() if (found := _cases(page, targets))}
    examples = {
        stem: _example(build_example(pages[stem], index, resolution, dependencies.names), found)
        for stem, found in cases.items()
    }

    def compute(stems: Sequence[str]) -> tuple[Results, Findings]:
        asked = {stem: {"example": examples[stem], "cases": cases[stem]} for stem in stems}
        results, findings = _run(index, dependencies, asked)
        return {
            stem: {**result, "reached": dependencies.with_named(result["reached"])} for stem, result in results.items()
        }, findings

    names = dependencies.names
    return Question(
        cache=Cache("equivalents", dependencies),
        requests={stem: [examples[stem], _named(of, names)] for stem, of in cases.items()},
        compute=compute,
        told=lambda results: _by_equation(cases, results),
    )


def _cases(page: Page, targets: Iterable[Target]) -> list[Case]:
    codes = {equation.id: declared(equation) for equation in page.equations if equation.equivalent}
    return [
        (target.equation, target.link.key, mutant.code)
        for target in targets
        for mutant in target.mutants
        if mutant.code in codes.get(target.equation, ())
    ]


def _example(example: dict, cases: Iterable[Case]) -> dict:
    """What is asked of an example, but only the linked values that the cases are about."""
    equations = {equation for equation, _, _ in cases}
    watches = {
        name: [{**watch, "expressions": [], "parts": []} for watch in of if watch["equation"] in equations]
        for name, of in example["watches"].items()
    }
    watched = {name: of for name, of in watches.items() if of}
    return {**example, "watches": watched, "shown": [], "called": [], "stored": {}}


def _named(cases: Iterable[Case], names: Mapping[str, str]) -> list[Case]:
    return [(equation, names[key], code) for equation, key, code in cases]


def _run(index: Index, dependencies: Dependencies, asked: Mapping[str, dict]) -> tuple[Results, Findings]:
    if not forked.AVAILABLE:  # reported where the mutants are run
        return {}, ()
    names = dependencies.names
    watched = {name for one in asked.values() for name in one["example"]["watches"]}
    job = {
        "root": str(index.config.root),
        "probes": to_plain(_only(dependencies.probes, {key for key, name in names.items() if name in watched}), names),
        "pages": {stem: {**one, "cases": _named(one["cases"], names)} for stem, one in asked.items()},
    }
    answer = run_worker(WORKER, job)
    if "crash" in answer:
        message = f"declared equivalents were not checked: {answer['crash']}"
        return {}, (Finding(Place(index.config.docs), "LI305", message),)
    paths = {page.stem: page.example for page in index.pages}
    late = {stem: result["late"] for stem, result in answer["pages"].items() if "late" in result}
    message = "declared equivalents were not checked"
    findings = tuple(Finding(Place(paths[stem]), "LI305", f"{message}: {why}") for stem, why in late.items())
    return {stem: result for stem, result in answer["pages"].items() if stem not in late}, findings


def _only(probes: Mapping[str, Spans], keys: set[str]) -> dict[str, Spans]:
    return {file: {span: key for span, key in spans.items() if key in keys} for file, spans in probes.items()}


def _by_equation(cases: Mapping[str, list[Case]], results: Results) -> Differing:
    differing: dict[str, dict[str, str | None]] = {}
    for stem, result in results.items():
        for (equation, _, code), how in zip(cases[stem], result["differing"], strict=True):
            of_one = differing.setdefault(equation, {})
            of_one[code] = of_one.get(code) or how  # the same code in another linked line of the equation
    return differing


def _plain(code: str) -> str:
    try:
        return plain_code(code)
    except SyntaxError:
        return code
