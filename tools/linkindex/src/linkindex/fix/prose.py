"""Sentences that still use a name which the code does not have any more: they are reported, never changed."""

import re
from collections.abc import Iterator

from linkindex.fix.names import mentioned, names_in
from linkindex.fix.pages import traces_of
from linkindex.fix.renaming import Names
from linkindex.fix.traces import Trace, Traces
from linkindex.model import Concept, Index, Page, Prose

QUOTED = re.compile(r"`([^`\n]+)`")


def stale_prose(index: Index, traces: Traces, functions: Names) -> Iterator[str]:
    """A line for each place in the pages."""
    for page in index.pages:
        stale = _stale_names(traces_of([equation.id for equation in page.equations], traces), functions)
        for prose in _texts(page) if stale else ():
            for match in QUOTED.finditer(prose.text):
                for name in (name for name in names_in(match[1]) if name in stale):
                    line = prose.place.line + prose.text.count("\n", 0, match.start())
                    yield (
                        f"{page.path}:{line}: the text says {match[0]}, and {name} is {stale[name]} now: read it again"
                    )


def _texts(page: Page) -> Iterator[Prose]:
    for block in page.blocks:
        for inner in block.blocks if isinstance(block, Concept) else (block,):
            if isinstance(inner, Prose):
                yield inner


def _stale_names(traces: tuple[Trace, ...], functions: Names) -> dict[str, str]:
    """Old to new name, where no function of the page has the old one any more."""
    known = {name for trace in traces for name in mentioned(trace.found.node)}
    names = {old: new for trace in traces for old, new in {**functions, **trace.names}.items()}
    return {old: new for old, new in names.items() if old != new and old not in known}
