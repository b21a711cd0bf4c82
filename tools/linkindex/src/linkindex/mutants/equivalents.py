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
from linkindex.run.job import build_example, probe_spans
from linkindex.run.questions import Findings, Question, Results
from linkindex.run.spans import to_plain

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

    def compute(stems: Sequence[str]) -> tuple[Results, Findings]:
        asked = {stem: {"example": example(pages[stem]), "cases": cases[stem]} for stem in stems}
        results, findings = _run(index, resolution, dependencies, asked)
        return {
            stem: {**result, "reached": dependencies.with_named(result["reached"])} for stem, result in results.items()
        }, findings

    def example(page: Page) -> dict:
        return {**build_example(page, index, resolution, dependencies.names), "shown": [], "called": [], "stored": {}}

    names = dependencies.names
    return Question(
        cache=Cache("equivalents", dependencies),
        requests={stem: [example(pages[stem]), _named(of, names)] for stem, of in cases.items()},
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


def _named(cases: Iterable[Case], names: Mapping[str, str]) -> list[Case]:
    return [(equation, names[key], code) for equation, key, code in cases]


def _run(
    index: Index, resolution: Resolution, dependencies: Dependencies, asked: Mapping[str, dict]
) -> tuple[Results, Findings]:
    if not forked.AVAILABLE:  # reported where the mutants are run
        return {}, ()
    names = dependencies.names
    job = {
        "root": str(index.config.root),
        "probes": to_plain(probe_spans(resolution), names),
        "pages": {stem: {**one, "cases": _named(one["cases"], names)} for stem, one in asked.items()},
    }
    answer = run_worker(WORKER, job)
    if "crash" in answer:
        message = f"declared equivalents were not checked: {answer['crash']}"
        return {}, (Finding(Place(index.config.docs), "LI305", message),)
    return answer["pages"], ()


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
