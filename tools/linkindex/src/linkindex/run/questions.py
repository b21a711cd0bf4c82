"""Find something out part by part: what is kept of each part and still holds, is used; only the others are computed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from linkindex.model import Finding
from linkindex.run.cache import Cache

Result = dict  # plain data; what it reached stands under "reached"; one where that is not known is not kept
Results = Mapping[str, Result]  # by part
Findings = tuple[Finding, ...]
Told = TypeVar("Told")


@dataclass(frozen=True)
class Question(Generic[Told]):
    """``requests``: part -> all that its result depends on, beside what it reaches. ``compute``: the results of some
    parts, as far as there are any, and why others are missing. ``told``: what results say."""

    cache: Cache
    requests: Mapping[str, object]
    compute: Callable[[Sequence[str]], tuple[Results, Findings]]
    told: Callable[[Results], Told]

    @cached_property
    def kept(self) -> Results:
        """The results that still hold."""
        found = {part: self.cache.find(request) for part, request in self.requests.items()}
        return {part: result for part, result in found.items() if result is not None}

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        """The parts to compute."""
        return tuple(part for part in self.requests if part not in self.kept)

    def answer(self) -> tuple[Told, Findings]:
        """What is true now."""
        fresh, findings = self.compute(self.unknown) if self.unknown else ({}, ())
        for part, result in fresh.items():
            if result.get("reached"):
                self.cache.keep(self.requests[part], result)
        self.cache.prune()
        return self.told({**self.kept, **fresh}), findings

    def last(self) -> Told | None:
        """What the last results say, whether they still hold or not; None where a part has none."""
        last = {part: self.cache.latest(self.requests[part]) for part in self.unknown}
        return None if None in last.values() else self.told({**self.kept, **last})
