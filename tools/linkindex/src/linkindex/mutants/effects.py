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

WORKER = "linkindex.mutants.effects_worker"


Effects = Mapping[str, tuple[Effect, ...]]


def run_effects(index: Index, targets: Sequence[Target]) -> tuple[Effects, tuple[Finding, ...]]:
    """The effects by equation, in the order of its mutants; none where the example never reaches the expression."""
    if not forked.AVAILABLE:  # reported where the mutants are run
        return {}, ()
    asked = _Asked(index, targets)
    results = {stem: found for stem in asked.pages if (found := asked.find(stem))}
    fresh, findings = _run(index, asked.examples, {stem: of for stem, of in asked.pages.items() if stem not in results})
    for stem, result in fresh.items():
        asked.keep(stem, result)
    asked.cache.prune()
    return asked.effects(results | fresh), findings


def kept_effects(index: Index, targets: Sequence[Target]) -> tuple[Effects | None, bool]:
    """The last effects of these very mutants, and whether they all still hold; None where there are none."""
    asked = _Asked(index, targets)
    found = {stem: asked.find(stem) for stem in asked.pages}
    results = {stem: result or asked.latest(stem) for stem, result in found.items()}
    is_known = forked.AVAILABLE and None not in results.values()
    return asked.effects(results) if is_known else None, None not in found.values()


class _Asked:
    """What is asked of each page's example, and what is kept of it."""

    def __init__(self, index: Index, targets: Sequence[Target]):
        self.examples = {page.stem: page.example for page in index.pages if page.example}
        self.pages = {page.stem: of for page in index.pages if page.example and (of := _of_page(page, targets))}
        self.dependencies = Dependencies(index.config, spans_of(targets))
        self.cache = Cache("effects", self.dependencies)
        names = self.dependencies.names
        self.requests = {stem: _request(self.examples[stem], of, names) for stem, of in self.pages.items()}

    def find(self, stem: str) -> dict | None:
        return self.cache.find(self.requests[stem])

    def latest(self, stem: str) -> dict | None:
        return self.cache.latest(self.requests[stem])

    def keep(self, stem: str, result: dict) -> None:
        # What mutants call is not watched, but the code that they change names it.
        self.cache.keep(self.requests[stem], {**result, "reached": self.dependencies.with_named(result["reached"])})

    def effects(self, results: Mapping[str, dict]) -> Effects:
        effects: dict[str, tuple[Effect, ...]] = {}
        for stem, of in self.pages.items():
            for target, values in zip(of, results.get(stem, {}).get("values", ())):
                if values is not None:
                    effects[target.equation] = (*effects.get(target.equation, ()), *_effects(target, values))
        return effects


def _of_page(page: Page, targets: Iterable[Target]) -> list[Target]:
    equations = {equation.id for equation in page.equations}
    return [target for target in targets if target.equation in equations]


def _request(example: str, asked: Iterable[Target], names: Mapping[str, str]) -> list:
    """All that the effects of a page depend on, beside what is reached."""
    return [example, [[names[key], element, codes] for key, element, codes in map(_task, asked)]]


def _task(target: Target) -> tuple[str, int | None, list[str]]:
    return target.link.key, target.link.element, [mutant.code for mutant in target.mutants]


def _run(
    index: Index, examples: Mapping[str, str], pages: Mapping[str, list[Target]]
) -> tuple[dict[str, dict], tuple[Finding, ...]]:
    if not pages:
        return {}, ()
    spans = spans_of(target for asked in pages.values() for target in asked)
    job = {
        "root": str(index.config.root),
        "probes": {path: [[list(span), key] for span, key in sorted(keys.items())] for path, keys in sorted(spans.items())},
        "pages": {stem: {"path": examples[stem], "tasks": list(map(_task, asked))} for stem, asked in pages.items()},
    }
    answer = run_worker(WORKER, job)
    if "crash" in answer:
        message = f"what the mutants do to the examples was not computed: {answer['crash']}"
        return {}, (Finding(Place(index.config.docs), "LI305", message),)
    return answer["pages"], ()


def _effects(target: Target, values: Mapping) -> Iterable[Effect]:
    before = _value(values["before"])
    for mutant, after in zip(target.mutants, values["after"], strict=True):
        yield Effect(target.link.key, mutant, before, _value(after["value"]), after["error"])


def _value(plain: Mapping | None) -> Value | None:
    return Value(plain["dtype"], tuple(plain["shape"]), plain["data"]) if plain else None
