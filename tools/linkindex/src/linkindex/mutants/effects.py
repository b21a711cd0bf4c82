"""What mutants make of the numbers of an example: their values in the very frame of the linked expression.

Results are kept by what the example and its mutants reached, page by page.
"""

from collections.abc import Iterable, Mapping, Sequence

from linkindex.model import Effect, Finding, Index, Page, Place, Value
from linkindex.mutants.plan import Target, spans_of
from linkindex.run import forked
from linkindex.run.cache import Cache
from linkindex.run.child import run_worker
from linkindex.run.dependencies import Dependencies
from linkindex.run.questions import Findings, Question, Results
from linkindex.run.spans import to_plain

WORKER = "linkindex.mutants.effects_worker"

Effects = Mapping[str, tuple[Effect, ...]]
Pages = Mapping[str, list[Target]]  # stem of a page with an example -> the expressions of its equations


def ask_effects(index: Index, targets: Sequence[Target], dependencies: Dependencies) -> Question[Effects]:
    """What is asked of each page's example."""
    examples = {page.stem: page.example for page in index.pages if page.example}
    pages = {page.stem: of for page in index.pages if page.example and (of := _of_page(page, targets))}

    def compute(stems: Sequence[str]) -> tuple[Results, Findings]:
        results, findings = _run(index, examples, {stem: pages[stem] for stem in stems})
        # What mutants call is not watched, but the code that they change names it.
        return {
            stem: {**result, "reached": dependencies.with_named(result["reached"])} for stem, result in results.items()
        }, findings

    return Question(
        cache=Cache("effects", dependencies),
        requests={stem: _request(examples[stem], of, dependencies.names) for stem, of in pages.items()},
        compute=compute,
        told=lambda results: _by_equation(pages, results),
    )


def _of_page(page: Page, targets: Iterable[Target]) -> list[Target]:
    equations = {equation.id for equation in page.equations}
    return [target for target in targets if target.equation in equations]


def _request(example: str, asked: Iterable[Target], names: Mapping[str, str]) -> list:
    """All that the effects of a page depend on, beside what is reached."""
    return [example, [[names[key], element, codes] for key, element, codes in map(_task, asked)]]


def _task(target: Target) -> tuple[str, int | None, list[str]]:
    return target.link.key, target.link.element, [mutant.code for mutant in target.mutants]


def _run(index: Index, examples: Mapping[str, str], pages: Pages) -> tuple[Results, Findings]:
    if not forked.AVAILABLE:  # reported where the mutants are run
        return {}, ()
    job = {
        "root": str(index.config.root),
        "probes": to_plain(spans_of(target for asked in pages.values() for target in asked)),
        "pages": {stem: {"path": examples[stem], "tasks": list(map(_task, asked))} for stem, asked in pages.items()},
    }
    answer = run_worker(WORKER, job)
    if "crash" in answer:
        message = f"what the mutants do to the examples was not computed: {answer['crash']}"
        return {}, (Finding(Place(index.config.docs), "LI305", message),)
    return answer["pages"], ()


def _by_equation(pages: Pages, results: Results) -> Effects:
    effects: dict[str, tuple[Effect, ...]] = {}
    for stem, of in pages.items():
        for target, values in zip(of, results.get(stem, {}).get("values", ())):
            if values is not None:
                effects[target.equation] = (*effects.get(target.equation, ()), *_effects(target, values))
    return effects


def _effects(target: Target, values: Mapping) -> Iterable[Effect]:
    before = _value(values["before"])
    for mutant, after in zip(target.mutants, values["after"], strict=True):
        yield Effect(target.link.key, mutant, before, _value(after["value"]), after["error"])


def _value(plain: Mapping | None) -> Value | None:
    return Value(plain["dtype"], tuple(plain["shape"]), plain["data"]) if plain else None
